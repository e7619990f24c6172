#include "bench/cuda/gpu_runner.hpp"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

constexpr long long probe_ns = 100'000;  // the global timer ticks every microsecond or less: 1 %

// The probe before a timing runs longer by this for each launch of a batch, so that all launches are enqueued when the
// first one starts. Otherwise a batch of short launches would measure how fast the CPU enqueues.
constexpr long long enqueue_ns = 8'000;

}  // namespace

GpuRunner::GpuRunner(const Step& step, const Work& work, CountSink sink)
    : step_(step),
      work_(work),
      phases_(phases_of(step)),
      sink_(std::move(sink)),
      counts_per_launch_(step.counts(work.shape)),
      scratch_(step.scratch_bytes(work.shape, work.iters)),
      counts_(counts_per_launch_),
      probes_(2) {
    reserve(1);
}

void GpuRunner::reserve(unsigned launches) {
    if (counts_.size() < launches * counts_per_launch_) {
        counts_ = DeviceBuffer<Count>(launches * counts_per_launch_);
    }
    host_counts_.resize(launches * counts_per_launch_);
    while (before_.size() < launches + 1) before_.emplace_back();
    while (after_phase_.size() < launches * (phases_ - 1)) after_phase_.emplace_back();
}

void GpuRunner::poison(unsigned launches) {
    static_assert(unwritten == ~Count{0}, "the byte that memset repeats");
    CUDA_CHECK(cudaMemsetAsync(counts_.data(), 0xff, launches * counts_per_launch_ * sizeof(Count), stream_.get()));
}

void GpuRunner::enqueue(std::uint64_t index, Count* counts, Event* after_phase) {
    const Launch launch = {work_.shape, work_.iters, work_.seed, index, counts, scratch_.data(), stream_.get()};
    for (unsigned i = 0; i < phases_; i++) {
        if (step_.phases[i].on == On::host) stream_.synchronize();
        CUDA_CHECK(step_.phases[i].run(launch));
        if (after_phase && i + 1 < phases_) after_phase[i].record(stream_);
    }
}

void GpuRunner::hand_over(unsigned launches) {
    const std::size_t size = launches * counts_per_launch_;
    CUDA_CHECK(cudaMemcpyAsync(host_counts_.data(), counts_.data(), size * sizeof(Count), cudaMemcpyDeviceToHost,
                               stream_.get()));
    stream_.synchronize();
    for (unsigned i = 0; i < launches; i++) {
        sink_(std::span<const Count>(host_counts_).subspan(i * counts_per_launch_, counts_per_launch_));
    }
}

BatchTime GpuRunner::time(std::uint64_t first, unsigned launches) {
    reserve(launches);
    poison(launches);
    probe_clock(0, probe_ns + launches * enqueue_ns);
    enqueue_timed(first, launches);
    probe_clock(1, probe_ns);
    hand_over(launches);
    note_clocks(2);
    return elapsed(launches);
}

void GpuRunner::get_ready(unsigned launches) {
    reserve(launches);
    poison(launches);
    probe_clock(0, probe_ns);
    stream_.synchronize();
    note_clocks(1);
}

BatchTime GpuRunner::run(std::uint64_t first, unsigned launches) {
    enqueue_timed(first, launches);
    hand_over(launches);
    return elapsed(launches);
}

void GpuRunner::probe_clock(std::size_t which, long long ns) {
    CUDA_CHECK(enqueue_clock_probe(&probes_.data()[which], ns, stream_.get()));
}

void GpuRunner::note_clocks(std::size_t probes) {
    ClockProbe probed[2];
    CUDA_CHECK(cudaMemcpy(probed, probes_.data(), probes * sizeof *probed, cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < probes; i++) {
        clocks_mhz_.push_back(probed[i].mhz());
    }
}

void GpuRunner::enqueue_timed(std::uint64_t first, unsigned launches) {
    for (unsigned i = 0; i < launches; i++) {
        if (i == 0 || phases_ > 1) before_[i].record(stream_);
        enqueue(first + i, counts_.data() + i * counts_per_launch_, after_phase_.data() + i * (phases_ - 1));
    }
    before_[launches].record(stream_);
}

BatchTime GpuRunner::elapsed(unsigned launches) const {
    BatchTime time = {before_[launches].ms_since(before_[0])};
    for (unsigned i = 0; phases_ > 1 && i < launches; i++) {
        const Event* start = &before_[i];
        for (unsigned phase = 0; phase < phases_; phase++) {
            const Event& end = phase + 1 < phases_ ? after_phase_[i * (phases_ - 1) + phase] : before_[i + 1];
            time.phases_ms[phase] += end.ms_since(*start);
            start = &end;
        }
    }
    return time;
}

void GpuRunner::profile() {
    poison(1);
    stream_.synchronize();
    nvtxRangePushA(step_.name);
    enqueue(0, counts_.data(), nullptr);
    stream_.synchronize();
    nvtxRangePop();
    hand_over(1);
}

void GpuRunner::keep_busy(double launch_ms, const std::function<void()>& idle) {
    constexpr double group_ms = 20;
    const int launches = std::max(1, static_cast<int>(group_ms / launch_ms));
    for (int i = 0; i < launches; i++) {
        enqueue(busy_index_++, counts_.data(), nullptr);
    }
    busy_[busy_turn_].record(stream_);
    busy_turn_ = 1 - busy_turn_;
    while (!busy_[busy_turn_].passed()) {  // an event that was never recorded has passed
        idle();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

std::optional<double> GpuRunner::sm_clock_mhz() const {
    return clocks_mhz_.empty() ? std::nullopt : std::optional(summarize(clocks_mhz_).median);
}

}  // namespace bench
