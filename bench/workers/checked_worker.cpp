#include "bench/workers/checked_worker.hpp"

#include <algorithm>
#include <utility>

#include "bench/host.hpp"

namespace bench {
namespace {

constexpr double probed_work = 8192;    // of a stream whose replay is timed, at first
constexpr double probe_seconds = 0.02;  // from which on the start of a stream weighs little
constexpr double brief_seconds = 0.4, full_seconds = 0.15;
constexpr double longest_part = 0.5;                 // seconds
constexpr std::uint64_t most_kept_counts = 1 << 20;  // of a launch that is replayed as a whole
constexpr double longest_full = 0.4;                 // seconds of a rehearsal's launch and of its replay
constexpr double longest_rehearsal = 0.8;            // seconds after which no longer launch is tried
constexpr double longest_again = 0.5;                // seconds of launches that run again

/// Runs launches of the size of a replay.
class Stage {
 public:
    Stage(const Step& step, const Replay& replay, const MakeWorker& make) : step_(step) {
        if (replay.problem) step_.own.problem = replay.problem;
        worker_ = make(step_, replay.spec);
    }

    Worker& worker() { return *worker_; }

 private:
    Step step_;
    std::unique_ptr<Worker> worker_;
};

double work_of_part(const Replay& replay) {
    return static_cast<double>(replay.spec.work) / static_cast<double>(replay.parts);
}

/// Seconds of one core to replay some streams of a part, and for a unit of their work.
struct Pace {
    double seconds, of_unit;
};
Pace pace_of_streams(const Replay& replay) {
    const std::uint64_t streams = std::min(replay.streams, std::max(replay.together, streams_at_once));
    const double start = monotonic_seconds();
    replay.sums(rehearsed_launch, 0, streams);
    const double seconds = monotonic_seconds() - start;
    return {seconds, seconds / (static_cast<double>(streams) * work_of_stream(replay.spec))};
}

/// Cores that replay a part together.
double cores_of_part(const Replay& replay) {
    const std::uint64_t pieces = replay.streams / std::max(replay.together, streams_at_once);
    return replay.sums ? static_cast<double>(std::clamp<std::uint64_t>(pieces, 1, usable_cores())) : usable_cores();
}

Compared compared(const Replay& replay, std::uint64_t launches, std::uint64_t parts) {
    if (!replay.problem) return {launches, parts, replay.parts, replay.spec.work};
    return {launches, parts, replay.parts, replay.problem->work(replay.spec.work), replay.problem->vertices()};
}

std::uint64_t entropy_of_machine() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

}  // namespace

void KeptLaunches::offer(std::uint64_t launch, std::span<const Count> published) {
    const std::uint64_t part = random_() % replay_.parts;
    latest_ = {launch, part, with_counts_ ? counts_of_part(replay_, published, part) : std::vector<Count>{}};
    offered_++;
    if (others_.size() < most) {
        others_.push_back(latest_);
    } else if (const std::uint64_t place = random_() % offered_; place < most) {
        others_[place] = latest_;
    }
}

std::vector<PartCounts> KeptLaunches::chosen() const {
    if (offered_ == 0) return {};
    std::vector<PartCounts> chosen = others_;
    std::erase_if(chosen, [&](const PartCounts& other) { return other.launch == latest_.launch; });
    std::mt19937_64 random = random_;
    std::shuffle(chosen.begin(), chosen.end(), random);
    chosen.insert(chosen.begin(), latest_);
    chosen.resize(std::min(chosen.size(), most));
    return chosen;
}

void KeptLaunches::forget() {
    random_.seed(entropy_);
    offered_ = 0;
    others_.clear();
}

std::pair<std::vector<Count>, double> published(Worker& worker, std::uint64_t index) {
    std::vector<Count> counts;
    worker.get_ready(1);
    const BatchTime time = worker.run(
        {index, 1}, [&](std::span<const Count> of_launch) { counts.assign(of_launch.begin(), of_launch.end()); });
    return {counts, time.total_ms};
}

Worker& CheckedWorker::own() {
    if (!worker_) {
        const double start = monotonic_seconds();
        worker_ = make_(launched_, spec_);
        making_seconds_ = monotonic_seconds() - start;
    }
    return *worker_;
}

std::optional<Replay> CheckedWorker::replay_of(double work) const {
    return step_.estimand->replay(spec_, step_.own.problem.get(), work);
}

std::optional<Rehearsed> CheckedWorker::rehearse() {
    const double start = monotonic_seconds();
    const auto brief = replay_of(brief_work());
    if (!brief) {
        own();
        return std::nullopt;
    }
    Rehearsed done = {.brief = rehearsed(*brief, brief->parts, brief_seconds), .full = {}};
    brief_pace_ = pace_;
    whole_ = replay_of(work_of_stream(spec_));
    own();
    if (brief->spec.work < whole_->spec.work) {
        if (brief->sums && brief->together < brief->streams) pace_ = pace_of_long_streams();
        // A little more of a launch that is replayed whole tells nothing new.
        std::uint64_t enough = brief->sums ? brief->spec.work : 2 * brief->spec.work;
        for (Replay full = *replay_of(full_work()); full.spec.work > enough; full = *replay_of(full_work())) {
            done.full = rehearsed(full, fitting(full.parts, full), full_seconds);
            if (monotonic_seconds() - start - making_seconds_ > longest_rehearsal) break;
            enough = 2 * full.spec.work;  // for which there may be time: longer launches take less for a unit
        }
    }
    const bool keeps_counts =
        seconds_of_part(*whole_) <= longest_part && spec_.published / whole_->parts <= most_kept_counts;
    kept_.emplace(entropy_of_machine(), *whole_, keeps_counts);
    done.seconds = monotonic_seconds() - start - making_seconds_;
    return done;
}

/// Units of work of a stream in a short launch. Where one core replays all streams one after the other, the launch has few.
double CheckedWorker::brief_work() const {
    constexpr double few_of_launch = 1 << 20;
    const auto shortest = replay_of(1);
    const bool one_core_does_all =
        shortest && shortest->parts == 1 && shortest->streams > 1 && shortest->together == shortest->streams;
    return one_core_does_all ? few_of_launch / static_cast<double>(shortest->streams) : brief_units;
}

/// Seconds of one core for a unit of work in streams of the run, or in shorter ones that take long enough to tell.
double CheckedWorker::pace_of_long_streams() const {
    for (double work = probed_work;; work *= 8) {
        const Pace pace = pace_of_streams(*replay_of(work));
        if (pace.seconds >= probe_seconds || work >= work_of_stream(spec_)) return pace.of_unit;
    }
}

/// Seconds to replay a part, by all cores that can share it.
double CheckedWorker::seconds_of_part(const Replay& replay) const {
    return pace_ * work_of_part(replay) / cores_of_part(replay);
}

/// Units of work of a stream: those of the run, or as many as the time allows, but no fewer than every loop needs.
double CheckedWorker::full_work() const {
    const double work = work_of_stream(spec_), launch_seconds = launch_pace_ * static_cast<double>(whole_->spec.work);
    const double times_too_long = (seconds_of_part(*whole_) + launch_seconds) / longest_full;
    // Where a stream does one unit, fewer streams enter every loop as well.
    const unsigned iters_needed = step_.estimand->iterations_are_free() && step_.loops_from > 1 ? step_.loops_from : 0;
    const double of_problem = step_.own.problem ? step_.own.problem->least_rehearsed_work(spec_.shape) : 0;
    return std::min(work, std::max({work / times_too_long, work / spec_.iters * iters_needed,
                                    of_problem / static_cast<double>(spec_.streams)}));
}

/// How many of `n` parts all cores replay in the time of an audit, but at least one.
std::uint64_t CheckedWorker::fitting(std::uint64_t n, const Replay& replay) const {
    const double seconds = pace_ * work_of_part(replay) / usable_cores();
    return static_cast<std::uint64_t>(std::clamp(full_seconds / seconds, 1.0, static_cast<double>(n)));
}

/// Runs a launch of this size, by the worker of the run if that is its size, and learns how long replays take.
Compared CheckedWorker::rehearsed(const Replay& replay, std::uint64_t most_parts, double seconds) {
    const bool is_whole = replay.spec.work == spec_.work && !replay.problem;
    const auto [counts, ms] = is_whole ? published(own(), rehearsed_launch)
                                       : published(Stage(step_, replay, make_).worker(), rehearsed_launch);
    launch_pace_ = ms / 1e3 / static_cast<double>(replay.spec.work);
    const Effort effort = bench::rehearse(replay, counts, spec_.seed, most_parts, seconds);
    const double cores_of_thread = replay.sums ? 1 : usable_cores();  // otherwise a replay uses them all by itself
    pace_ = cores_of_thread * effort.core_seconds / (work_of_part(replay) * static_cast<double>(effort.parts));
    return compared(replay, 1, effort.parts);
}

BatchTime CheckedWorker::run(const Share& share, const CountSink& sink) {
    std::uint64_t launch = share.first;
    return worker_->run(share, [&](std::span<const Count> published) {
        sink(published);
        if (kept_) kept_->offer(launch++, published);
    });
}

void CheckedWorker::start_anew() {
    worker_->start_anew();
    if (kept_) kept_->forget();
}

Audit CheckedWorker::audit() {
    if (!kept_) return {};
    const double start = monotonic_seconds();
    Audit audit = {.timed = kept_->offered(), .full = {}, .brief = {}};
    audit.part_seconds = seconds_of_part(*whole_);
    audit.entropy = kept_->entropy();
    const std::vector<PartCounts> all = kept_->chosen();
    std::span<const PartCounts> chosen = all;
    if (!chosen.empty() && kept_->has_counts()) {
        audit.full = audited_as_timed(chosen);
        chosen = chosen.subspan(audit.full.launches);
    }
    if (!chosen.empty()) audit.brief = audited_again(chosen);
    audit.seconds = monotonic_seconds() - start;
    return audit;
}

Compared CheckedWorker::audited_as_timed(std::span<const PartCounts> chosen) const {
    const std::uint64_t parts = fitting(chosen.size(), *whole_);
    const auto kept = [&](std::uint64_t i) { return chosen[i]; };
    compare_with_replay(*whole_, parts, kept, parts, 0, "audit");
    return compared(*whole_, parts, parts);
}

/// Runs launches of these numbers once more, as many as the time allows, with so little work that all can be replayed.
Compared CheckedWorker::audited_again(std::span<const PartCounts> chosen) const {
    const double work = brief_work(), seconds = brief_pace_ * work_of_part(*replay_of(work)) / usable_cores();
    const Replay replay =
        *replay_of(work * std::min(1.0, full_seconds / (seconds * static_cast<double>(chosen.size()))));
    const double launches = longest_again / (launch_pace_ * static_cast<double>(replay.spec.work));
    chosen = chosen.first(static_cast<std::size_t>(std::clamp(launches, 1.0, static_cast<double>(chosen.size()))));
    Stage stage(step_, replay, make_);
    std::vector<PartCounts> again(chosen.begin(), chosen.end());
    for (PartCounts& part : again) {
        part.counts = counts_of_part(replay, published(stage.worker(), part.launch).first, part.part);
    }
    const auto counts = [&](std::uint64_t i) { return again[i]; };
    const std::uint64_t parts = compare_with_replay(replay, again.size(), counts, 1, full_seconds, "audit").parts;
    return compared(replay, parts, parts);
}

}  // namespace bench
