#include "bench/workers/gpu/workspace.hpp"

#include <cstring>

#include "bench/workers/memory.hpp"

namespace bench {
namespace {

constexpr int poison_byte = 0xff;
static_assert(unwritten == ~Count{0}, "the byte repeated");

std::size_t sum_of(std::size_t a, std::size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

}  // namespace

void require_memory(const Step& step, const Work& work, unsigned batch) {
    const std::size_t counts = bytes_of(step.counts(work.shape), batch * sizeof(Count));
    const std::size_t on_gpu = step.clock == Clock::gpu ? counts : 0;
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    require_bytes(sum_of(step.scratch_bytes(work.shape, work.iters), on_gpu), free, "GPU");
    require_bytes(sum_of(step.host_bytes(work.shape, work.iters), counts), available_memory(), "host");
}

Workspace::Workspace(const Step& step, const Work& work, const Stream& stream, unsigned launches)
    : step_(step),
      work_(work),
      stream_(stream),
      counts_per_launch_(step.counts(work.shape)),
      scratch_(step.scratch_bytes(work.shape, work.iters)),
      host_(step.host_bytes(work.shape, work.iters), step.host_memory),
      device_counts_(0),
      host_counts_(0, HostMemory::pinned) {
    reserve(launches);
    if (step.equip) equipment_ = step.equip(launch(0));
}

void Workspace::reserve(unsigned launches) {
    const std::size_t counts = launches * counts_per_launch_;
    if (step_.clock == Clock::wall) {
        if (host_counts_.size() < counts * sizeof(Count)) {
            host_counts_ = HostBuffer(counts * sizeof(Count), HostMemory::pinned);
        }
    } else if (device_counts_.size() < counts) {
        device_counts_ = DeviceBuffer<Count>(counts);
    }
}

void Workspace::poison(unsigned launches) {
    const std::size_t counts = launches * counts_per_launch_ * sizeof(Count);
    if (step_.clock == Clock::wall) {
        stream_.synchronize();  // the launch before may still write its counts
        std::memset(host_counts_.data(), poison_byte, counts);
    } else {
        CUDA_CHECK(cudaMemsetAsync(device_counts_.data(), poison_byte, counts, stream_.get()));
    }
    if (scratch_.size() > 0) {
        CUDA_CHECK(cudaMemsetAsync(scratch_.data(), poison_byte, scratch_.size(), stream_.get()));
    }
}

Count* Workspace::counts() const {
    return step_.clock == Clock::wall ? reinterpret_cast<Count*>(host_counts_.data()) : device_counts_.data();
}

Launch Workspace::launch(std::uint64_t index, unsigned place) const {
    return {.shape = work_.shape,
            .iters = work_.iters,
            .seed = work_.seed,
            .index = index,
            .counts = counts() + place * counts_per_launch_,
            .scratch = scratch_.data(),
            .stream = stream_.get(),
            .host = host_.data(),
            .equipment = equipment_.get(),
            .problem = step_.problem.get()};
}

}  // namespace bench
