// A whole run of the CPU baseline.
#include "bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/benchmark.hpp"
#include "bench/team/command_line.hpp"
#include "bench/team/ranks.hpp"

namespace bench {
namespace {

ProgramFacts program_facts(const CpuBaseline& b) {
    return {"pi_cpu",
            fmt::format("{}: {}.\n{}\nGenerator: {} ({})", b.title, b.technique, b.lesson, b.generator,
                        soundness_text(b.soundness)),
            false,
            b.default_iters,
            "all cores",
            b.streams};
}

Subject subject(const CpuBaseline& b, bool serial) {
    return {serial ? "cpu_serial" : "cpu_openmp",
            b.title,
            serial ? "one core, Philox vectorised by the compiler" : b.technique,
            b.generator,
            b.soundness,
            {b.expected}};
}

/// The threads of this process.
class CpuWorker : public Worker {
 public:
    CpuWorker(const CpuBaseline& baseline, const Work& work, unsigned threads)
        : baseline_(baseline), work_(work), threads_(threads) {}

    WorkerFacts facts() const override { return facts_; }
    void get_ready(unsigned) override {}
    BatchTime run(const Share& share, Tally& tally) override {
        const double start = monotonic_seconds();
        for (unsigned i = 0; i < share.launches; i++) {
            const Count hits = baseline_.launch(work_.seed, share.first + i, work_.iters, threads_);
            tally.add({&hits, 1});
        }
        return {(monotonic_seconds() - start) * 1e3, 0};
    }

 private:
    const CpuBaseline& baseline_;
    Work work_;
    unsigned threads_;
    WorkerFacts facts_ = {host_facts().cpu, std::nullopt};
};

/// Cores that this process may use, and the processes that may use some of them, itself included.
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

/// As the user says, or a fair part of the cores.
unsigned threads_of(const Cores& cores, const Options& options, const CpuBaseline& baseline) {
    const unsigned share = std::max(1u, cores.usable / cores.sharers);
    const unsigned threads = options.threads.value_or(std::min(share, baseline.streams));
    if (const unsigned team = baseline.team_size(threads); team != threads) {
        throw UsageError(
            fmt::format("--threads: OpenMP gives {} threads, not {} (is OMP_THREAD_LIMIT set?)", team, threads));
    }
    return threads;
}

Work settle(const Options& options, const CpuBaseline& baseline) {
    const unsigned iters = options.iters.value_or(baseline.default_iters);
    return {options.seed, {}, iters, samples_of_launch(baseline.streams, iters)};
}

/// The cores of this process, or those of all ranks. Counts go to `tally`.
class Processors : public Backend {
 public:
    Processors(World& world, const CpuBaseline& baseline, const Plan& plan, const Cores& cores, Tally& tally)
        : baseline_(baseline),
          scaling_(plan.options.scaling),
          threads_(plan.threads),
          cores_(cores),
          tally_(tally),
          ranks_(static_cast<unsigned>(world.size())),
          alone_(std::make_unique<CpuWorker>(baseline, plan.work, plan.threads)) {
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
        run.cpu = CpuSide{baseline_.streams, baseline_.isa()};
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
    const CpuBaseline& baseline_;
    Scaling scaling_;
    unsigned threads_;
    Cores cores_;
    Tally& tally_;
    unsigned ranks_;
    std::unique_ptr<CpuWorker> alone_;  // nothing where there is a team
    std::optional<Team> team_;
};

void start(World& world, const std::string& program, Options options, const CpuBaseline& baseline) {
    std::optional<Resumed> resumed;
    const Cores cores = cores_of(world);
    unsigned threads = 0;
    Work work = {};
    world.together([&] {
        threads = threads_of(cores, options, baseline);
        if (world.first()) {
            resumed = begin(program, options, {{"iters", options.iters}});
            work = settle(options, baseline);
        }
    });
    world.broadcast(work);
    Tally tally({baseline.expected}, work.samples_per_launch);
    if (!world.first()) {
        CpuWorker worker(baseline, work, threads);
        return serve(world, worker, tally);
    }
    const bool serial = threads == 1 && world.size() == 1;
    const Plan plan = {program, options, subject(baseline, serial),
                       work,    threads, {{"streams", baseline.streams}, {"iters", work.iters}}};
    Processors processors(world, baseline, plan, cores, tally);
    benchmark(plan, tally, processors, std::move(resumed));
}

}  // namespace

int run(int argc, const char* const* argv, const CpuBaseline& baseline) {
    const ProgramFacts facts = program_facts(baseline);
    return run_together(argc, argv, facts,
                        [&](World& world, const Options& options) { start(world, facts.name, options, baseline); });
}

}  // namespace bench
