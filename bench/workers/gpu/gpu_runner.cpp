#include "bench/workers/gpu/gpu_runner.hpp"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

constexpr long long probe_ns = 100'000;  // the global timer ticks every microsecond or less: 1 %

// The probe before a timing runs longer by this for each launch of a batch, so that all launches are enqueued when the
// first one starts. Otherwise a batch of short launches would measure how fast the CPU enqueues. A launch of many kernels
// takes longer, as the timing before has shown.
constexpr long long least_enqueue_ns = 8'000, most_enqueue_ns = 500'000;

void run_phase(const Phase& phase, const Launch& launch) {
    if (!phase.run) return;  // an earlier one does its work
    if (phase.on == On::host) CUDA_CHECK(cudaStreamSynchronize(launch.stream));
    CUDA_CHECK(phase.run(launch));
}

}  // namespace

void run_phases(const Step& step, const Launch& launch) {
    for (unsigned i = 0; i < phases_of(step); i++) run_phase(step.phases[i], launch);
}

GpuRunner::GpuRunner(const Step& step, const Work& work, CountSink sink)
    : step_(step), phases_(phases_of(step)), sink_(std::move(sink)), workspace_(step, work, stream_), probes_(2) {
    reserve(1);
}

void GpuRunner::reserve(unsigned launches) {
    workspace_.reserve(launches);
    host_counts_.resize(launches * workspace_.counts_per_launch());
    while (before_.size() < launches + 1) before_.emplace_back();
    while (after_phase_.size() < launches * (phases_ - 1)) after_phase_.emplace_back();
}

void GpuRunner::enqueue(const Launch& launch, Event* after_phase) {
    for (unsigned i = 0; i < phases_; i++) {
        run_phase(step_.phases[i], launch);
        if (i + 1 < phases_) after_phase[i].record(stream_);
    }
}

void GpuRunner::run_clocked(const Launch& launch) {
    for (unsigned i = 0; i < phases_; i++) {
        const Phase& phase = step_.phases[i];
        if (phase.on == On::stream && phase.run) interval_clock_.begin(i, launch.stream);
        if (phase.on == On::host) {
            stream_.synchronize();
            interval_clock_.begin_on_host(i);
        }
        run_phase(phase, launch);
        if (phase.on == On::stream && phase.run) interval_clock_.end(i, launch.stream);
        if (phase.on == On::host) interval_clock_.end_on_host(i);
    }
    stream_.synchronize();
}

void GpuRunner::inspect(std::uint64_t index) {
    if (step_.inspect && !inspected_) step_.inspect(workspace_.launch(index));
    inspected_ = true;
}

void GpuRunner::hand_over(std::uint64_t first, unsigned launches) {
    const std::size_t each = workspace_.counts_per_launch();
    CUDA_CHECK(cudaMemcpyAsync(host_counts_.data(), workspace_.counts(), launches * each * sizeof(Count),
                               cudaMemcpyDefault, stream_.get()));
    stream_.synchronize();
    inspect(first + launches - 1);
    for (unsigned i = 0; i < launches; i++) {
        sink_(std::span<const Count>(host_counts_).subspan(i * each, each));
    }
}

BatchTime GpuRunner::time(std::uint64_t first, unsigned launches) {
    if (on_wall()) {
        probe_clock(0, probe_ns);
        const BatchTime time = run_on_wall(first, launches);
        probe_clock(1, probe_ns);
        note_clocks(2);
        return time;
    }
    reserve(launches);
    workspace_.poison(launches);
    probe_clock(0, probe_ns + launches * std::max(enqueue_ns_, least_enqueue_ns));
    const double start = monotonic_seconds();
    enqueue_timed(first, launches);
    const double ns_of_launch = (monotonic_seconds() - start) * 1e9 / launches;
    enqueue_ns_ = std::clamp(std::llround(1.25 * ns_of_launch), least_enqueue_ns, most_enqueue_ns);
    probe_clock(1, probe_ns);
    hand_over(first, launches);
    note_clocks(2);
    return elapsed(launches);
}

void GpuRunner::get_ready(unsigned launches) {
    if (!on_wall()) {
        reserve(launches);
        workspace_.poison(launches);
    }
    probe_clock(0, probe_ns);
    stream_.synchronize();
    note_clocks(1);
}

BatchTime GpuRunner::run(std::uint64_t first, unsigned launches) {
    if (on_wall()) {
        return run_on_wall(first, launches);
    }
    enqueue_timed(first, launches);
    hand_over(first, launches);
    return elapsed(launches);
}

BatchTime GpuRunner::run_on_wall(std::uint64_t first, unsigned launches) {
    BatchTime time;
    for (unsigned i = 0; i < launches; i++) {
        workspace_.poison(1);
        Launch launch = workspace_.launch(first + i);
        launch.phase_clock = &interval_clock_;
        stream_.synchronize();
        const double start = monotonic_seconds();
        run_clocked(launch);
        const double ms = (monotonic_seconds() - start) * 1e3;
        const PhaseTimes of_phases = interval_clock_.take();
        time += {ms, phases_ > 1 ? of_phases : PhaseTimes{}};
        hand_over(first + i, 1);
    }
    return time;
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
        enqueue(workspace_.launch(first + i, i), after_phase_.data() + i * (phases_ - 1));
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
    workspace_.poison(1);
    stream_.synchronize();
    nvtxRangePushA(step_.name);
    run_untimed(0);
    stream_.synchronize();
    nvtxRangePop();
    hand_over(0, 1);
}

void GpuRunner::run_untimed(std::uint64_t index) {
    Launch launch = workspace_.launch(index);
    launch.phase_clock = &interval_clock_;
    run_phases(step_, launch);
    if (on_wall()) {  // the next launch uses the same memory
        stream_.synchronize();
        interval_clock_.take();
    }
}

void GpuRunner::keep_busy(double launch_ms, const std::function<void()>& idle) {
    constexpr double group_ms = 20;
    const int launches = std::max(1, static_cast<int>(group_ms / launch_ms));
    for (int i = 0; i < launches; i++) {
        run_untimed(busy_index_++);
    }
    busy_[busy_turn_].record(stream_);
    busy_turn_ = 1 - busy_turn_;
    idle();
    while (!busy_[busy_turn_].passed()) {  // an event that was never recorded has passed
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        idle();
    }
}

std::optional<double> GpuRunner::sm_clock_mhz() const {
    return clocks_mhz_.empty() ? std::nullopt : std::optional(summarize(clocks_mhz_).median);
}

std::vector<Count> published(const Step& step, const Work& work, std::uint64_t index) {
    std::vector<Count> counts;
    GpuRunner runner(step, work,
                     [&](auto launch_counts) { counts.assign(launch_counts.begin(), launch_counts.end()); });
    runner.time(index, 1);
    return counts;
}

}  // namespace bench
