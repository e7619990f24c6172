#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "bench/measure/statistics.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/gpu/energy.hpp"
#include "bench/workers/launching.hpp"
#include "bench/workers/resources.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/workspace.hpp"

namespace bench {
namespace {

constexpr long long probe_ns = 100'000;  // the global timer ticks every microsecond or less: 1 %

// The probe before a timing runs longer by this for each launch of a batch, so that all launches are enqueued when the
// first one starts. Otherwise a batch of short launches would measure how fast the CPU enqueues. A launch of many kernels
// takes longer, as the timing before has shown. The driver's queue holds so many launches, and then the CPU waits.
constexpr long long least_enqueue_ns = 8'000, most_enqueue_ns = 500'000;
constexpr unsigned most_queued = 1024;

/// Makes the device current for this thread before anything is allocated there. Returns it.
int selected(int device) {
    select_device(device);
    return device;
}

Member identity_of(int device) {
    const DeviceFacts facts = device_facts(device);
    Member member;
    member.name = facts.name;
    member.device = device;
    member.max_clock_mhz = facts.max_clock_mhz;
    return member;
}

class GpuWorker : public Worker {
 public:
    GpuWorker(int device, const Step& step, const LaunchSpec& spec, bool alone);

    Member identity() const override { return identity_; }
    void get_ready(unsigned launches) override;
    BatchTime run(const Share& share, const CountSink& sink) override;
    void start_anew() override;
    Clocks clocks() const override;
    std::optional<double> power_w(double launch_ms) override;

    void profile(const CountSink& sink);

 private:
    bool on_wall() const { return step_.clock == Clock::wall; }
    long long hold_ns(unsigned launches) const;
    void look_before(unsigned launches);
    void look_after();
    void probe_clock(long long ns);
    void note_clocks();
    void note_throttle();
    void reserve(unsigned launches);
    ClockProbe* probes() const { return reinterpret_cast<ClockProbe*>(probes_.data()); }
    void enqueue(const Share& share);
    BatchTime elapsed(unsigned launches) const;
    BatchTime run_on_wall(const Share& share, const CountSink& sink);
    void run_untimed(std::uint64_t index);
    void keep_busy(double launch_ms, const std::function<void()>& idle);
    void inspect(std::uint64_t index);
    void hand_over(const Share& share, const CountSink& sink);

    int device_;
    Member identity_;
    const Step& step_;
    bool alone_;
    std::size_t counts_;  // of a launch
    unsigned phases_;

    Stream stream_;
    Workspace workspace_;
    bool inspected_ = false;
    IntervalClock interval_clock_;  // with Clock::wall
    HostBuffer probes_;  // on the host: memory held on the GPU would make it cheap for a whole call to allocate some
    std::size_t probed_ = 0;  // probes since the last look at the clocks
    std::vector<Count> host_counts_;
    std::vector<Event> before_;       // each launch, and one after the last
    std::vector<Event> after_phase_;  // each but the last of a launch, launch by launch
    std::vector<double> clocks_mhz_;
    std::unique_ptr<Nvml> nvml_;  // from the end of the warm-up on
    std::optional<Throttle> throttle_;
    long long enqueue_ns_ = 0;  // that the CPU takes for a launch, with a margin
    Event busy_[2];
    unsigned busy_turn_ = 0;
    std::uint64_t busy_index_ = 0;
};

GpuWorker::GpuWorker(int device, const Step& step, const LaunchSpec& spec, bool alone)
    : device_(selected(device)),
      identity_(identity_of(device)),
      step_(step),
      alone_(alone),
      counts_(spec.published),
      phases_(phases_of(step)),
      workspace_(step, spec, stream_.get()),
      probes_(HostBuffer::pinned(2 * sizeof(ClockProbe))) {
    reserve(1);
}

void GpuWorker::reserve(unsigned launches) {
    workspace_.reserve(launches);
    host_counts_.resize(launches * counts_);
    while (before_.size() < launches + 1) before_.emplace_back();
    while (after_phase_.size() < launches * (phases_ - 1)) after_phase_.emplace_back();
}

long long GpuWorker::hold_ns(unsigned launches) const {
    return probe_ns + std::min(launches, most_queued) * std::max(enqueue_ns_, least_enqueue_ns);
}

void GpuWorker::get_ready(unsigned launches) {
    select_device(device_);
    if (!on_wall()) {
        reserve(launches);
        workspace_.poison(launches);
    }
    probed_ = 0;
    look_before(launches);
}

BatchTime GpuWorker::run(const Share& share, const CountSink& sink) {
    if (on_wall()) {
        return run_on_wall(share, sink);
    }
    const double start = monotonic_seconds();
    enqueue(share);
    const double ns_of_launch = (monotonic_seconds() - start) * 1e9 / share.launches;
    enqueue_ns_ = std::clamp(std::llround(1.25 * ns_of_launch), least_enqueue_ns, most_enqueue_ns);
    look_after();  // while the GPU works
    hand_over(share, sink);
    note_clocks();
    return elapsed(share.launches);
}

BatchTime GpuWorker::run_on_wall(const Share& share, const CountSink& sink) {
    const BatchTime time = time_on_wall(step_, workspace_, interval_clock_, share, [&](std::uint64_t index) {
        hand_over({index, 1}, sink);
    });
    look_after();
    note_clocks();
    return time;
}

void GpuWorker::enqueue(const Share& share) {
    for (unsigned i = 0; i < share.launches; i++) {
        if (i == 0 || phases_ > 1) before_[i].record(stream_);
        const Launch launch = workspace_.launch(share.first + i, i);
        for (unsigned phase = 0; phase < phases_; phase++) {
            run_phase(step_.phases[phase], launch);
            if (phase + 1 < phases_) after_phase_[i * (phases_ - 1) + phase].record(stream_);
        }
    }
    before_[share.launches].record(stream_);
}

BatchTime GpuWorker::elapsed(unsigned launches) const {
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

void GpuWorker::hand_over(const Share& share, const CountSink& sink) {
    CUDA_CHECK(cudaMemcpyAsync(host_counts_.data(), workspace_.counts(), share.launches * counts_ * sizeof(Count),
                               cudaMemcpyDefault, stream_.get()));
    stream_.synchronize();
    inspect(share.first + share.launches - 1);
    for (unsigned i = 0; i < share.launches; i++) {
        sink(std::span<const Count>(host_counts_).subspan(i * counts_, counts_));
    }
}

void GpuWorker::inspect(std::uint64_t index) {
    if (step_.arrays.inspect && !inspected_) step_.arrays.inspect(workspace_.launch(index));
    inspected_ = true;
}

/// Looks at the clock and at what holds it down, and holds the launches back until all are enqueued. In a team it only looks, and
/// not after the launches: the team's time by the host's clock would count all else.
void GpuWorker::look_before(unsigned launches) {
    probe_clock(alone_ && !on_wall() ? hold_ns(launches) : probe_ns);
    if (alone_) return;
    note_clocks();
    note_throttle();
}

void GpuWorker::look_after() {
    if (!alone_) return;
    probe_clock(probe_ns);
    note_throttle();
}

void GpuWorker::probe_clock(long long ns) { CUDA_CHECK(enqueue_clock_probe(probes() + probed_++, ns, stream_.get())); }

void GpuWorker::note_clocks() {
    if (probed_ > 0) stream_.synchronize();
    for (std::size_t i = 0; i < probed_; i++) clocks_mhz_.push_back(probes()[i].mhz());
    probed_ = 0;
}

/// Asks once for each timing. NVML takes the CPU a while to answer, so no time by the host's clock may include it.
void GpuWorker::note_throttle() {
    if (nvml_) add(throttle_, nvml_->throttle());
}

void GpuWorker::start_anew() {
    clocks_mhz_.clear();
    throttle_.reset();
    if (!nvml_) nvml_ = Nvml::open(device_);
}

Clocks GpuWorker::clocks() const {
    return {clocks_mhz_.empty() ? std::nullopt : std::optional(summarize(clocks_mhz_).median), throttle_};
}

void GpuWorker::profile(const CountSink& sink) {
    workspace_.poison(1);
    stream_.synchronize();
    nvtxRangePushA(step_.name);
    run_untimed(0);
    stream_.synchronize();
    nvtxRangePop();
    hand_over({0, 1}, sink);
}

void GpuWorker::run_untimed(std::uint64_t index) {
    Launch launch = workspace_.launch(index);
    launch.phase_clock = &interval_clock_;
    run_phases(step_, launch);
    if (on_wall()) {  // the next launch uses the same memory
        stream_.synchronize();
        interval_clock_.take();
    }
}

/// Enqueues launches for about 20 ms and waits until those of the previous call are done. Ignores their counts. Calls `idle`
/// while waiting.
void GpuWorker::keep_busy(double launch_ms, const std::function<void()>& idle) {
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

std::optional<double> GpuWorker::power_w(double launch_ms) {
    select_device(device_);
    if (!nvml_) {
        return std::nullopt;
    }
    const auto power = mean_power(*nvml_, [&](const std::function<void()>& idle) {
        throw_if_interrupted();
        keep_busy(launch_ms, idle);
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    return power;
}

}  // namespace

std::unique_ptr<Worker> gpu_worker(int device, const Step& step, const LaunchSpec& spec, bool alone) {
    return std::make_unique<GpuWorker>(device, step, spec, alone);
}

void profile(int device, const Step& step, const LaunchSpec& spec, const CountSink& sink) {
    GpuWorker(device, step, spec, /*alone=*/true).profile(sink);
}

}  // namespace bench
