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
//         instruction set. shared/cpu_paths.cpp has the walk, which is compiled for three instruction sets; the widest that
//         the machine has runs.
#include "kernels/mcls/cpu_counted_paths.hpp"

#include <algorithm>
#include <memory>

#include "kernels/cpu/openmp_team.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/replay/counted_paths.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls::counted_paths {
namespace {

using bench::Launch;

struct Paths : bench::Equipment {
    QuarterPathTable table;
    explicit Paths(const Walks& walks) : table(quarter_path_table(walks)) {}
};

std::unique_ptr<bench::Equipment> equip(const Launch& l) { return std::make_unique<Paths>(walks_of(l.problem)); }

void walk_on_widest(const Launch& l) { walk(clones().front(), l); }

const char* isa() { return clones().front().isa; }

constexpr Design design = design_of<QuarterPaths>({
    .generator = "Philox4x32-10, the words of v16",
    .soundness = bench::Soundness::sound,
    .histories = 4'000'000,
    .instead = "v12",
    .for_steps = "v14",
    .bits_of_first = 24,
    .replay = replay_quarter_paths_one_by_one,
});

}  // namespace

void walk(const Clone& clone, const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    const QuarterPaths method = static_cast<const Paths*>(l.equipment)->table.view(walks);
    const Walked all = walked(clone, method, keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories,
                              static_cast<int>(l.shape.threads));
    const std::vector<bench::Count> counts = counts_of(method, all);
    std::copy(counts.begin(), counts.end(), l.counts);
}

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_counted_paths",
    .title = "CPU, counted paths",
    .technique = "v16 in vector registers, OpenMP over histories",
    .lesson = "A table of paths serves a CPU as well: give both sides the same algorithm.",
    .estimand = estimand_of(design),
    .default_iters = 1,
    .loops_from = 2048,
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
