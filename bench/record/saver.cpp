#include "bench/record/saver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/errors.hpp"
#include "bench/record/result_file.hpp"

namespace bench {

Saver::Saver(std::string path, CheckpointFile file, Checkpoint checkpoint, double every_seconds,
             std::function<void(const std::string&)> warn)
    : path_(std::move(path)),
      file_(std::move(file)),
      start_(std::move(checkpoint)),
      every_seconds_(every_seconds),
      warn_(std::move(warn)) {}

bool Saver::due() const {
    const double now = monotonic_seconds();
    const double next_call = now + (now - last_call_);
    return next_call - last_ >= every_seconds_;
}

void Saver::save_if_due(const Tally& tally) {
    const bool is_due = due();
    last_call_ = monotonic_seconds();
    if (is_due) {
        save(tally);
        if (failure_) warn_(*failure_ + "; the file keeps the previous checkpoint");
    }
}

void Saver::save(const Tally& tally) {
    Checkpoint now = start_;
    now.tally = tally.state();
    last_ = monotonic_seconds();  // also after a failure, so that not every launch tries again
    try {
        file_.save(now);
        failure_.reset();
    } catch (const WriteError& error) {
        failure_ = error.what();
    }
}

std::optional<Resumed> resume(const std::string& program, Options& options) {
    if (options.resume.empty()) {
        return std::nullopt;
    }
    CheckpointFile file = CheckpointFile::open(options.resume);
    check_writable(options.resume);
    Checkpoint checkpoint = file.load();
    if (checkpoint.program != program) {
        throw UsageError(
            fmt::format("--resume: {} holds a run of {}, not of {}", options.resume, checkpoint.program, program));
    }
    if (options.seed_given && options.seed != checkpoint.seed) {
        throw UsageError(
            fmt::format("--seed: the run in {} has seed {}, not {}", options.resume, checkpoint.seed, options.seed));
    }
    options.seed = checkpoint.seed;
    const bool new_goal = options.pooled();
    if (!new_goal) {
        options.launches = checkpoint.launches;
    }
    return Resumed{std::move(file), std::move(checkpoint), new_goal};
}

void take_over(const Resumed& resumed, const Options& options, const char* name, std::optional<unsigned>& option) {
    const auto& shape = resumed.checkpoint.shape;
    const auto entry = std::find_if(shape.begin(), shape.end(), [&](const auto& e) { return e.first == name; });
    if (entry == shape.end() || entry->second == 0 || entry->second > UINT32_MAX) {
        throw UsageError(fmt::format("--resume: {} has no --{}", options.resume, name));
    }
    if (option && *option != entry->second) {
        throw UsageError(
            fmt::format("--{}: the run in {} has {}, not {}", name, options.resume, entry->second, *option));
    }
    option = static_cast<unsigned>(entry->second);
}

namespace {

void warn_unlocked(const CheckpointFile& file, const std::string& path,
                   const std::function<void(const std::string&)>& warn) {
    if (file.unlocked()) {
        warn(fmt::format("cannot lock {} ({}): no other process may use it while this one runs", path,
                         *file.unlocked()));
    }
}

/// Throws UsageError if no launches can lead to these sums.
void check_sums(const Checkpoint& done, const Tally& launches, const std::string& path) {
    const Estimand& estimand = launches.estimand();
    const bool has_extremes = done.launches_done() == 0 || done.tally.least.size() == estimand.traced();
    const std::size_t parts = done.launches_done() == 0 ? 0 : launches.followed_parts();
    if (done.tally.sums.row.size() != estimand.width() || !has_extremes || done.tally.parts.sums().size() != parts) {
        throw UsageError(path + ": its launches have other sums");
    }
    Tally tally = launches.empty();
    tally.restore(done.tally);
    try {
        estimand.check(tally);
    } catch (const std::invalid_argument& contradiction) {
        throw UsageError(fmt::format("{}: {}", path, contradiction.what()));
    }
}

std::string commit_text(const std::string& commit, bool dirty) {
    return commit.substr(0, 12) + (dirty ? " (modified)" : "");
}

}  // namespace

std::unique_ptr<Saver> saver_of(const Options& options, std::optional<Resumed> resumed, Checkpoint work,
                                const Tally& launches, std::function<void(const std::string&)> warn,
                                const BuildInfo& build) {
    work.commit = build.commit;
    work.dirty = build.dirty;
    work.tally = launches.state();
    if (!resumed) {
        if (options.checkpoint.empty()) {
            return nullptr;
        }
        CheckpointFile file = CheckpointFile::create(options.checkpoint, work);
        warn_unlocked(file, options.checkpoint, warn);
        return std::make_unique<Saver>(options.checkpoint, std::move(file), std::move(work), options.checkpoint_every,
                                       std::move(warn));
    }
    const Checkpoint& done = resumed->checkpoint;
    if (done.shape != work.shape || done.work_per_launch != work.work_per_launch) {
        throw UsageError(fmt::format("--resume: {} holds a run of launches of another shape", options.resume));
    }
    check_sums(done, launches, options.resume);
    if (!resumed->new_goal) {
        work.launches = done.launches;  // with weak scaling, already that of all GPUs
    }
    if (work.launches < done.launches_done()) {
        throw UsageError(fmt::format("{}: {} launches are done already in {}, more than {}",
                                     options.goal ? options.goal_option : "--launches", done.launches_done(),
                                     options.resume, work.launches));
    }
    warn_unlocked(resumed->file, options.resume, warn);
    if (done.commit != work.commit || done.dirty || work.dirty) {
        warn(fmt::format("{} was begun with the program of commit {}; this is {}: they may differ", options.resume,
                         commit_text(done.commit, done.dirty), commit_text(work.commit, work.dirty)));
    }
    work.dirty |= done.dirty;
    work.tally = done.tally;
    return std::make_unique<Saver>(options.resume, std::move(resumed->file), std::move(work), options.checkpoint_every,
                                   std::move(warn));
}

}  // namespace bench
