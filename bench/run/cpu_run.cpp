// Runs the CPU step.
#include <fmt/format.h>

#include <algorithm>

#include "bench/cpu_step.hpp"
#include "bench/estimand.hpp"
#include "bench/measure/whole_call.hpp"
#include "bench/options/program.hpp"
#include "bench/run/benchmark.hpp"
#include "bench/run/command_line.hpp"
#include "bench/run/run.hpp"
#include "bench/workers/host_facts.hpp"
#include "bench/workers/memory.hpp"
#include "bench/workers/ranks.hpp"

namespace bench {
namespace {

ProgramFacts program_facts(const char* program, const CpuStep& s) {
    return {.name = program,
            .version = version_of_program(),
            .units = s.estimand->unit().many,
            .iterations = s.estimand->iterations(),
            .work_is_known = s.estimand->work_is_known(),
            .precision = s.estimand->precision(),
            .description = fmt::format("{}: {}.\n{}\n{}", s.title, s.technique, s.lesson, generator_line(*s.estimand)),
            .on_gpu = false,
            .default_iters = s.estimand->iterations_are_free() ? std::optional(s.default_iters) : std::nullopt,
            .default_shape = "all cores",
            .streams = s.streams,
            .own_options = s.own_options};
}

Subject subject(const Program& program, const CpuStep& step, bool serial, bool whole_calls) {
    const bool other = serial && step.serial_name;
    const Subject subject = {.ladder = program.ladder,
                             .step = (other ? step.serial_name : step.name) + program.suffix,
                             .title = step.title,
                             .technique = other ? step.serial_technique : step.technique,
                             .after = std::nullopt,
                             .phases = phase_names(step)};
    return whole_calls ? of_whole_calls(subject) : subject;
}

/// A worker on the threads of this process.
class CpuWorker : public Worker {
 public:
    CpuWorker(const CpuStep& step, const Work& work, unsigned threads, bool whole_calls)
        : step_(step), work_(work), threads_(threads), phases_(phases_of(step)), whole_calls_(whole_calls) {
        if (!whole_calls) allocate();
    }

    WorkerFacts facts() const override { return facts_; }
    void get_ready(unsigned) override {}
    BatchTime run(const Share& share, Tally& tally) override {
        BatchTime time;
        for (unsigned i = 0; i < share.launches; i++) {
            time += whole_calls_ ? call(share.first + i, tally) : launch(share.first + i, tally);
        }
        return time;
    }

 private:
    void allocate() {
        counts_ = std::vector<Count>(step_.counts);
        scratch_ = std::vector<std::byte>(step_.scratch_bytes(work_.iters));
    }

    BatchTime launch(std::uint64_t index, Tally& tally) {
        BatchTime time;
        poison();
        const double start = monotonic_seconds();
        time.phases_ms = run(index);
        time.total_ms = (monotonic_seconds() - start) * 1e3;
        tally.add(counts_);
        return time;
    }

    BatchTime call(std::uint64_t index, Tally& tally) {
        CallClock clock;
        allocate();
        clock.end(call_alloc);
        poison();
        clock.skip();
        run(index);
        clock.end(call_run);
        add_up(counts_);
        clock.end(call_sum);
        tally.add(counts_);
        clock.skip();
        std::vector<Count>().swap(counts_);  // an assignment would keep the memory
        std::vector<std::byte>().swap(scratch_);
        clock.end(call_free);
        return clock.time();
    }

    void poison() {
        std::fill(counts_.begin(), counts_.end(), unwritten);
        std::fill(scratch_.begin(), scratch_.end(), std::byte{0xff});
    }

    PhaseTimes run(std::uint64_t index) {
        PhaseTimes ms = {};
        const CpuLaunch launch = {work_.seed,     index,           work_.iters,        threads_,
                                  counts_.data(), scratch_.data(), step_.problem.get()};
        for (unsigned phase = 0; phase < phases_; phase++) {
            const double start = monotonic_seconds();
            step_.phases[phase].run(launch);
            ms[phase] = (monotonic_seconds() - start) * 1e3;
        }
        return ms;
    }

    const CpuStep& step_;
    Work work_;
    unsigned threads_;
    unsigned phases_;
    bool whole_calls_;
    std::vector<Count> counts_;
    std::vector<std::byte> scratch_;
    WorkerFacts facts_ = {host_facts().cpu, std::nullopt};
};

/// The cores that this process may use, and the number of processes that may use some of them, including this one.
struct Cores {
    unsigned usable;
    unsigned sharers;
};

Cores cores_of(World& world) {
    const cpu_set_t mine = usable_cpus();
    const auto all = world.gather(mine);
    const auto host = [&](std::size_t rank) { return world.hosts()[rank]; };
    unsigned sharers = 0;
    for (std::size_t rank = 0; rank < all.size(); rank++) {
        cpu_set_t common;
        CPU_AND(&common, &mine, &all[rank]);
        const bool shares = host(rank) == host(static_cast<std::size_t>(world.rank())) && CPU_COUNT(&common) > 0;
        sharers += shares ? 1 : 0;
    }
    return {static_cast<unsigned>(CPU_COUNT(&mine)), sharers};
}

/// The user's number of threads, or a fair share of the cores.
unsigned threads_of(const Cores& cores, const Options& options, const CpuStep& step) {
    const unsigned share = std::max(1u, cores.usable / cores.sharers);
    const unsigned threads = options.threads.value_or(std::min(share, step.streams));
    if (const unsigned team = step.team_size(threads); team != threads) {
        throw UsageError(
            fmt::format("--threads: OpenMP gives {} threads, not {} (is OMP_THREAD_LIMIT set?)", team, threads));
    }
    return threads;
}

Work settle(const Options& options, const CpuStep& step) {
    Work work = {.seed = options.seed,
                 .iters = options.iters.value_or(step.default_iters),
                 .streams = step.streams,
                 .counts = step.counts};
    work.per_launch = step.estimand->work_of_launch(work);
    require_bytes(step.scratch_bytes(work.iters), available_memory(), "host");
    return work;
}

/// Runs launches on the cores of this process, or of all ranks. Counts go to `tally`.
class Processors : public Backend {
 public:
    Processors(World& world, const CpuStep& step, const Plan& plan, const Cores& cores, Tally& tally)
        : step_(step),
          scaling_(plan.options.scaling),
          threads_(plan.threads),
          cores_(cores),
          tally_(tally),
          ranks_(static_cast<unsigned>(world.size())),
          alone_(std::make_unique<CpuWorker>(step, plan.work, plan.threads, plan.options.whole_calls)) {
        if (world.announced()) team_.emplace(on_ranks(world, std::move(alone_)));
    }

    unsigned workers() const override { return ranks_; }
    BatchTime time(std::uint64_t first, unsigned launches) override {
        return team_ ? team_->time(first, launches, tally_) : alone_->run({first, launches}, tally_);
    }
    void end_warm_up() override {
        if (team_) team_->settle();
    }
    unsigned side_by_side(unsigned most) const override { return team_ ? team_->side_by_side(most) : 1; }
    Context complete(Run& run, const Measurement&) override {
        run.cpu = CpuSide{step_.streams, step_.isa()};
        if (cores_.sharers > 1 && cores_.sharers * threads_ > cores_.usable) {
            run.warnings.push_back(fmt::format("{} ranks of {} threads share {} cores: the rate means nothing",
                                               cores_.sharers, threads_, cores_.usable));
        }
        if (team_) {
            run.team = TeamSide{scaling_, team_->report()};
        }
        return {utc_now(), build_info(), host_facts(), std::nullopt, std::nullopt, std::nullopt};
    }

 private:
    const CpuStep& step_;
    Scaling scaling_;
    unsigned threads_;
    Cores cores_;
    Tally& tally_;
    unsigned ranks_;
    std::unique_ptr<CpuWorker> alone_;  // null if there is a team
    std::optional<Team> team_;
};

void start(World& world, const Program& program, Options options, const CpuStep& step) {
    std::optional<Resumed> resumed;
    const Cores cores = cores_of(world);
    unsigned threads = 0;
    Work work = {};
    world.together([&] {
        refuse_calls_of_ranks(world, options);
        threads = threads_of(cores, options, step);
        if (world.first()) {
            resumed = begin(name_of_run(program), options, {{"iters", options.iters}});
            work = settle(options, step);
        }
    });
    world.broadcast(work);
    Tally tally(*step.estimand, work);
    if (!world.first()) {
        CpuWorker worker(step, work, threads, options.whole_calls);
        return serve(world, worker, tally);
    }
    const bool serial = threads == 1 && world.size() == 1;
    const Plan plan = {name_of_run(program),
                       options,
                       subject(program, step, serial, options.whole_calls),
                       work,
                       threads,
                       {{"streams", step.streams}, {"iters", work.iters}}};
    Processors processors(world, step, plan, cores, tally);
    benchmark(plan, tally, processors, std::move(resumed));
}

}  // namespace

int run(int argc, const char* const* argv, const char* program, const char* ladder, const CpuStep& step) {
    return run_together(argc, argv, program_facts(program, step), [&](World& world, const Options& options) {
        const auto [wanted, suffix] = settled_together(world, program, step, options);
        start(world, {program, ladder, suffix}, options, wanted);
    });
}

}  // namespace bench
