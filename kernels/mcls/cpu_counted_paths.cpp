// The CPU on counted paths: serial with one thread, OpenMP with more
// Change: as v16, in vector registers: 32 histories side by side. A gather finds where their paths lead, and Philox runs in
//         the lanes. Counters cannot be added to in vectors, as lanes may meet in one: they are added to one by one. A thread
//         has counters of 16 bits of its own, and adds them to its cells before one may overflow.
// Why:    the other CPU program, cpu_baseline.cpp, is the twin of v10. A comparison of v16 with it compares two algorithms.
//         Predicted for AVX-512, for 16 paths of three transitions: 80 operations of 16 counters, 30 of a gather, 10 of Philox
//         and 10 more, 4 a cycle, and as many cycles again for what the nearest cache does not hold: 65 cycles at 3 GHz are
//         2.2 transitions/ns on a core, 18 times cpu_serial.
// Cost:   2.7 operations per transition with AVX-512.
// Limit:  the counters, five operations each, and the loads of paths from the second cache.
// Note:   counts are those of v16 with the same seed and histories. They depend neither on the number of cores nor on the
//         instruction set. device/cpu_paths.cpp has the walk, which is compiled for three instruction sets; the widest that
//         the machine has runs.
#include "kernels/mcls/cpu_counted_paths.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "bench/workers/cpu/openmp_team.hpp"
#include "kernels/mcls/problem/walks.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls::counted_paths {

DECLARE_CLONES(Walk, walk)

namespace {

using bench::Count;
using bench::Launch;
using Method = QuarterPaths;

struct Paths : bench::Equipment {
    QuarterPathTable table;
    explicit Paths(const Walks& walks) : table(quarter_path_table(walks)) {
        table.next.push_back(0);  // a gather reads two bytes more than an entry
    }
};

std::unique_ptr<bench::Equipment> equip(const Launch& l) { return std::make_unique<Paths>(walks_of(l.problem)); }

void add_visits(const Method& method, const std::vector<Count>& cells, Count* counts) {
    for (std::uint32_t cell = 0; cell < cells.size(); cell++) {
        method.visits_of(cell, [&](std::uint32_t entry) {
            counts[transitions_count] += cells[cell];
            counts[first_tally + entry] += cells[cell] * static_cast<Count>(method.amount);
        });
    }
}

void walk_on_widest(const Launch& l) { walk(clones().front(), l); }

const char* isa() { return clones().front().isa; }

constexpr Design design = {
    .sampling = Sampling::absorbing,
    .table = Table::own,
    .generator = "Philox4x32-10, the words of v16",
    .soundness = bench::Soundness::sound,
    .histories = 4'000'000,
    .instead = "v12",
    .for_steps = "v14",
    .stratified = true,
    .bits_of_first = 24,
    .replay = replay_quarter_paths,
    .check = check_quarter_paths,
};

}  // namespace

const std::vector<Clone>& clones() {
    static const std::vector<Clone> of_this_machine = CLONES(walk, x86_64_v4_with_counts);
    return of_this_machine;
}

void walk(const Clone& clone, const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    const Method method = static_cast<const Paths*>(l.equipment)->table.view(walks);
    const PhiloxKeys keys = keys_of(l.seed);
    Histories histories = {0, walks.histories};
    std::vector<Count> cells(walks.n * Method::cells);
    Count walked = 0;
#pragma omp parallel num_threads(l.shape.threads) reduction(+ : walked)
    {
        std::vector<Count> own(cells.size());
        walked += clone.made(method, keys, static_cast<std::uint32_t>(l.index), histories, own.data());
#pragma omp critical
        std::transform(own.begin(), own.end(), cells.begin(), cells.begin(), std::plus());
    }
    std::fill_n(l.counts, first_tally + walks.n, 0);
    l.counts[histories_count] = walked;
    add_visits(method, cells, l.counts);
    l.counts[transitions_count] -= walked;  // a history has one visit more
}

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_counted_paths",
    .title = "CPU, counted paths",
    .technique = "v16 in vector registers, OpenMP over histories",
    .lesson = "A table of paths serves a CPU as well: give both sides the same algorithm.",
    .estimand = estimand_of(design),
    .default_iters = 1,
    .equip = equip,
    .phases = {{"walk", bench::on_host<walk_on_widest>, bench::On::host}},
    .cpu = {.streams = 4096,
            .isa = isa,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_counted_paths_serial",
            .serial_technique = "v16 in vector registers, one core"},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::counted_paths
