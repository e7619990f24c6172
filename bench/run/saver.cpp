#include "bench/run/saver.hpp"

#include <fmt/format.h>

#include "bench/errors.hpp"
#include "bench/record/files.hpp"

namespace bench {
namespace {

template <typename Value>
void take_over(const Stored& stored, const char* name, std::optional<Value>& option, Value value) {
    if (option && *option != value) {
        throw UsageError(fmt::format("--{}: the run in {} has {}, not {}", name, stored.path, value, *option));
    }
    option = value;
}

}  // namespace

bool Saver::due() {
    const double now = monotonic_seconds();
    const double next_call = now + (now - last_call_);
    last_call_ = now;
    return next_call - last_ >= every_seconds_;
}

void Saver::save(const Record& run) {
    last_ = monotonic_seconds();  // also after a failure, so that not every launch tries again
    try {
        file_.save(to_stored(run));
        failure_.reset();
    } catch (const WriteError& error) {
        failure_ = error.what();
    }
}

void take_over(const Stored& stored, const std::string& program, Options& options) {
    if (stored.program != program) {
        throw UsageError(fmt::format("{}: holds a run of {}, not of {}", stored.path, stored.program, program));
    }
    std::optional<std::uint64_t> seed;
    if (options.seed_given) seed = options.seed;
    take_over(stored, "seed", seed, stored.spec.seed);
    if (!stored.on_cpu) {
        take_over(stored, "blocks", options.blocks, stored.spec.shape.blocks);
        take_over(stored, "threads", options.threads, stored.spec.shape.threads);
    }
    take_over(stored, "iters", options.iters, stored.spec.iters);
    options.seed = *seed;
}

std::optional<Resumed> resume(const std::string& program, Options& options) {
    if (options.resume.empty()) {
        return std::nullopt;
    }
    KeptFile file = KeptFile::open(options.resume);
    check_writable(options.resume);
    Stored run = read_stored(options.resume, read_file(options.resume));
    take_over(run, program, options);
    if (run.ranges.size() != 1 || (options.first && *options.first != run.ranges.front().first)) {
        throw UsageError(fmt::format("--resume: {} holds other launches, which begin with {}", options.resume,
                                     run.ranges.empty() ? 0 : run.ranges.front().first));
    }
    const bool new_goal = options.pooled();
    if (!new_goal) {
        options.launches = run.goal;
    }
    return Resumed{std::move(file), std::move(run), new_goal};
}

}  // namespace bench
