// The dice on a GPU, in three phases, the last one on the host.
#include <cstddef>

#include "bench/workers/resources.hpp"
#include "tests/ladder/dice.hpp"

namespace dice::gpu {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 256;

/// The sides of the die in device memory.
struct Uploaded : bench::Equipment {
    explicit Uploaded(const Die& die) : last(die.last.size()) {
        CUDA_CHECK(cudaMemcpy(last.data(), die.last.data(), die.last.size() * sizeof(die.last[0]), cudaMemcpyDefault));
    }
    bench::DeviceBuffer<std::uint32_t> last;
};

std::unique_ptr<bench::Equipment> upload(const Launch& l) { return std::make_unique<Uploaded>(die_of(l.problem)); }

__global__ void count_faces(Count* shown, unsigned iters, std::uint64_t seed, std::uint64_t launch,
                            const std::uint32_t* last, unsigned sides, bool again) {
    const std::uint64_t stream = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::uint64_t n = 0;
    for (unsigned i = 0; i < iters; i++) {
        unsigned face = 0;
        do {
            face = eyes(seed, launch, stream, n++, last, sides);
            atomicAdd(&shown[face], 1);
        } while (again && face == sides);
    }
}

std::size_t shown_bytes(bench::Shape, unsigned) { return (most_sides + 1) * sizeof(Count); }
std::size_t counts(bench::Shape) { return published; }

cudaError_t clear(const Launch& l) { return cudaMemsetAsync(l.scratch, 0, shown_bytes(l.shape, l.iters), l.stream); }

cudaError_t throw_dice(const Launch& l) {
    const Die& die = die_of(l.problem);
    count_faces<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(
        static_cast<Count*>(l.scratch), l.iters, l.seed, l.index, static_cast<Uploaded*>(l.equipment)->last.data(),
        die.sides(), die.again);
    return cudaGetLastError();
}

/// On the host: the faces come over, and the sums go back.
cudaError_t add(const Launch& l) {
    Count shown[most_sides + 1], sums[published] = {};
    if (const auto error = cudaMemcpy(shown, l.scratch, sizeof shown, cudaMemcpyDeviceToHost)) return error;
    for (unsigned face = 1; face <= most_sides; face++) {
        sums[0] += shown[face];
        sums[1] += face * shown[face];
        sums[2] += face * face * shown[face];
    }
    return cudaMemcpyAsync(l.counts, sums, sizeof sums, cudaMemcpyHostToDevice, l.stream);
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
    .equip = upload,
    .phases = {{"clear", clear}, {"throw", throw_dice}, {"add", add, bench::On::host}},
    .own = {.options = options_of_die()},
};

}  // namespace dice::gpu
