#include "bench/workers/workspace.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "bench/errors.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

constexpr int poison_byte = 0xff;
static_assert(unwritten == ~Count{0}, "the byte repeated");

std::size_t sum_of(std::size_t a, std::size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

std::size_t scratch_bytes(const Step& step, const LaunchSpec& spec, bool on_cpu) {
    return is_on_cpu(step) == on_cpu ? step.scratch_bytes(spec.shape, spec.iters) : 0;
}

std::size_t arrays_bytes(const Step& step, const LaunchSpec& spec) {
    return step.arrays.host_bytes(spec.shape, spec.iters);
}

}  // namespace

void require_memory(const Step& step, const LaunchSpec& spec, unsigned batch) {
    const std::size_t counts = bytes_of(spec.published, batch * sizeof(Count));
    if (!is_on_cpu(step)) {
        std::size_t free = 0, total = 0;
        CUDA_CHECK(cudaMemGetInfo(&free, &total));
        const std::size_t on_gpu = step.clock == Clock::gpu ? counts : 0;
        require_bytes(sum_of(scratch_bytes(step, spec, false), on_gpu), free, "GPU");
    }
    const std::size_t on_host = sum_of(scratch_bytes(step, spec, true), arrays_bytes(step, spec));
    require_bytes(sum_of(on_host, counts), available_memory(), "host");
}

Workspace::Workspace(const Step& step, const LaunchSpec& spec, cudaStream_t stream, unsigned launches)
    : step_(step),
      spec_(spec),
      stream_(stream),
      scratch_(scratch_bytes(step, spec, false)),
      scratch_on_host_(HostBuffer::pageable(scratch_bytes(step, spec, true))),
      arrays_(step.arrays.pinned ? HostBuffer::pinned(arrays_bytes(step, spec))
                                 : HostBuffer::pageable(arrays_bytes(step, spec))),
      device_counts_(0),
      host_counts_(HostBuffer::pageable(0)) {
    reserve(launches);
    if (step.equip) equipment_ = step.equip(launch(0));
}

void Workspace::reserve(unsigned launches) {
    const std::size_t counts = launches * spec_.published;
    if (!has_counts_on_host()) {
        if (device_counts_.size() < counts) device_counts_ = DeviceBuffer<Count>(counts);
    } else if (host_counts_.size() < counts * sizeof(Count)) {
        const std::size_t bytes = counts * sizeof(Count);
        host_counts_ =
            is_on_cpu(step_) ? HostBuffer::pageable(bytes) : HostBuffer::pinned(bytes);  // the GPU reaches it
    }
}

void Workspace::poison(unsigned launches) {
    const std::size_t counts = launches * spec_.published * sizeof(Count);
    if (has_counts_on_host()) {
        synchronize(launch(0));  // the launch before may still write its counts
        std::memset(host_counts_.data(), poison_byte, counts);
    } else {
        CUDA_CHECK(cudaMemsetAsync(device_counts_.data(), poison_byte, counts, stream_));
    }
    if (scratch_.size() > 0) {
        CUDA_CHECK(cudaMemsetAsync(scratch_.data(), poison_byte, scratch_.size(), stream_));
    }
    if (scratch_on_host_.size() > 0) std::memset(scratch_on_host_.data(), poison_byte, scratch_on_host_.size());
}

Count* Workspace::counts() const {
    return has_counts_on_host() ? reinterpret_cast<Count*>(host_counts_.data()) : device_counts_.data();
}

Launch Workspace::launch(std::uint64_t index, unsigned place) const {
    Launch launch = {spec_};
    launch.index = index;
    launch.counts = counts() + place * spec_.published;
    launch.scratch = is_on_cpu(step_) ? scratch_on_host_.data() : scratch_.data();
    launch.stream = stream_;
    launch.host = arrays_.data();
    launch.equipment = equipment_.get();
    launch.problem = step_.own.problem.get();
    return launch;
}

std::size_t available_memory() {
    std::ifstream meminfo("/proc/meminfo");
    for (std::string name; meminfo >> name;) {
        std::size_t kib = 0;
        if (name == "MemAvailable:" && meminfo >> kib) return kib * 1024;
        std::getline(meminfo, name);
    }
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void require_bytes(std::size_t needed, std::size_t available, const char* kind) {
    if (needed > available) {
        throw UsageError(fmt::format("a launch needs {} bytes of {} memory: {} are available", grouped(needed), kind,
                                     grouped(available)));
    }
}

}  // namespace bench
