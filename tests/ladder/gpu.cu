// The dice on a GPU, in three phases, the last one on the host.
#include <cstddef>

#include "tests/ladder/dice.hpp"

namespace dice::gpu {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 256;
constexpr unsigned faces = 7;  // 1 to 6; entry 0 stays empty

__global__ void count_faces(Count* shown, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    const std::uint64_t stream = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < iters; i++) {
        atomicAdd(&shown[eyes(seed, launch, stream, i)], 1);
    }
}

std::size_t shown_bytes(bench::Shape, unsigned) { return faces * sizeof(Count); }
std::size_t counts(bench::Shape) { return published; }

cudaError_t clear(const Launch& l) { return cudaMemsetAsync(l.scratch, 0, shown_bytes(l.shape, l.iters), l.stream); }

cudaError_t throw_dice(const Launch& l) {
    count_faces<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(static_cast<Count*>(l.scratch), l.iters, l.seed,
                                                                  l.index);
    return cudaGetLastError();
}

/// On the host: the faces come over, and the sums go back.
cudaError_t add(const Launch& l) {
    Count shown[faces], sums[published] = {};
    if (const auto error = cudaMemcpy(shown, l.scratch, sizeof shown, cudaMemcpyDeviceToHost)) return error;
    for (unsigned face = 1; face < faces; face++) {
        sums[0] += face * shown[face];
        sums[1] += face * face * shown[face];
    }
    return cudaMemcpy(l.counts, sums, sizeof sums, cudaMemcpyHostToDevice);
}

extern const bench::Step step;
const bench::Step step = {
    .name = "gpu",
    .title = "Dice",
    .technique = "an atomic count of each face",
    .lesson = "The harness does not know what is counted.",
    .estimand = mean_of_eyes(),
    .default_blocks = 16,
    .default_threads = threads,
    .default_iters = 1'000,
    .kernel = reinterpret_cast<const void*>(count_faces),
    .counts = counts,
    .scratch_bytes = shown_bytes,
    .phases = {{"clear", clear}, {"throw", throw_dice}, {"add", add, bench::On::host}},
};

}  // namespace dice::gpu
