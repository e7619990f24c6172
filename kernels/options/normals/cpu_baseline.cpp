// The CPU baseline: serial with one thread, OpenMP with more
// Change: none. The chapter's generator for the CPU, MT19937 and a ziggurat, a block of words at a time: the twist, the
//         layers and the products are vectors, and only numbers that may be above the curve are looked at one by one.
// Why:    a CPU with all its cores at work, to compare the GPU with. Predicted: 0.2 normals/ns for a core, from 0.03 of a
//         ziggurat that draws word by word.
// Cost:   one word a normal; for 3 in 100, one or two more and an exponential.
// Limit:  loads from the table of the layers.
#include "kernels/cpu/clones.hpp"
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/shared/host_replay.hpp"
#include "kernels/options/shared/host_streams.hpp"

namespace normals::cpu {
namespace {

using Sums = options::PublishedSums<squares_bits, sum_bits>;
using Group = std::array<float, normals_per_group>;

struct GroupSums {
    float squares = 0, sum = 0;
};

/// In a fixed order, so that every instruction set gives the same floats.
FUNCTION_CLONES GroupSums sums_of(const Group& group) {
    constexpr unsigned width = 16;
    static_assert(normals_per_group % width == 0);
    float squares[width] = {}, sum[width] = {};
    for (unsigned i = 0; i < normals_per_group; i += width) {
        for (unsigned j = 0; j < width; j++) {
            squares[j] += group[i + j] * group[i + j];
            sum[j] += group[i + j];
        }
    }
    GroupSums all;
    for (unsigned j = 0; j < width; j++) {
        all.squares += squares[j];
        all.sum += sum[j];
    }
    return all;
}

Sums draw_groups(rng::ZigguratNormals& normals, unsigned iters) {
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        Group group;
        normals.fill(group);
        const GroupSums of_group = sums_of(group);
        sums.add(of_group.squares, of_group.sum);
    }
    return sums;
}

void sample(const bench::Launch& l) { options::for_each_stream<Sums>(l, draw_groups); }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_openmp",
    .title = "CPU",
    .technique = "OpenMP over streams, MT19937 and ziggurat by blocks of words",
    .lesson = "The chapter's generator for the CPU, with vectors where it has them.",
    .estimand = estimand(options::host_generator, bench::Soundness::not_tested, of_normal, options::host_normals),
    .default_iters = usual_groups,
    .loops_from = loops_from,
    .counts = options::host_counts<Sums>,
    .phases = {{"sample", bench::on_host<sample>, bench::On::host}},
    .cpu = {.streams = options::host_streams,
            .isa = bench::isa_of_clones,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_serial",
            .serial_technique = "one core, MT19937 and ziggurat by blocks of words"},
};

}  // namespace normals::cpu
