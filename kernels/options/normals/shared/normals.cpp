#include "kernels/options/normals/shared/normals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/own_options.hpp"
#include "bench/workers/check.hpp"

namespace normals {
namespace {

constexpr std::uint64_t inspected_pairs = 1u << 17;  // 1 MiB

std::size_t ring_alone(bench::Shape, unsigned) { return ring_bytes; }

/// The normals that a launch wrote last, or some of them if they lie on both sides of the ring's end.
std::vector<float> last_normals(const bench::Launch& launch) {
    const std::uint64_t pairs = bench::total_threads(launch.shape) * launch.iters * (normals_per_group / 2);
    const std::uint64_t last = std::min(pairs, inspected_pairs);
    const std::uint64_t first = (pairs - last) % ring_pairs;
    std::vector<float> normals(2 * std::min<std::uint64_t>(last, ring_pairs - first));
    CUDA_CHECK(cudaMemcpy(normals.data(), static_cast<const float*>(launch.scratch) + 2 * first,
                          normals.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return normals;
}

/// Throws VerdictError unless the last words of the ring can be normals: a word that was not written is not finite.
void inspect_ring(const bench::Launch& launch) {
    const std::vector<float> normals = last_normals(launch);
    double squares = 0;
    for (const float z : normals) squares += double{z} * z;
    const auto n = static_cast<double>(normals.size());
    const double sigma = (squares - n) / std::sqrt(2 * n);
    if (!(std::fabs(sigma) <= 5)) {
        throw bench::VerdictError(
            fmt::format("the squares of the last {} normals in memory add up to {}, {:+.2g} sd from their number", n,
                        squares, sigma));
    }
}

}  // namespace

std::size_t counts(bench::Shape shape) { return bench::columns_of(2) * shape.blocks; }

std::shared_ptr<const bench::OwnOptions> store_option(const bench::Step& stored) {
    return bench::own_option({.option = "store",
                              .help = "also write every normal to device memory, to a ring of 512 MiB",
                              .others = {{1, &stored}}});
}

bench::Step stored_form(const bench::Step& step, const char* name, const void* kernel,
                        cudaError_t (*sample)(const bench::Launch&)) {
    bench::Step stored = step;
    stored.name = name;
    stored.after = step.name;
    stored.technique = "normals written to device memory";
    stored.lesson = "Numbers that leave the chip cost as much as its memory takes, however fast they are made.";
    stored.kernel = kernel;
    stored.scratch_bytes = ring_alone;
    stored.arrays.inspect = inspect_ring;
    stored.arrays.dram = sizeof(float);
    stored.phases[bench::phases_of(step) - 1].run = sample;
    stored.own = {};
    return stored;
}

}  // namespace normals
