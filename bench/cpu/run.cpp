// A whole run of the CPU baseline.
#include "bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/cli/guarded.hpp"
#include "bench/keep/result_file.hpp"
#include "bench/publish.hpp"
#include "bench/session.hpp"
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

/// What a run works on, the same in all its processes.
struct Job {
    std::uint64_t seed;
    unsigned iters;
    std::uint64_t samples_per_launch;
};

/// The threads of this process.
class CpuWorker : public Worker {
 public:
    CpuWorker(const CpuBaseline& baseline, const Job& job, unsigned threads)
        : baseline_(baseline), job_(job), threads_(threads) {}

    WorkerFacts facts() const override { return facts_; }
    void get_ready(unsigned) override {}
    BatchTime run(const Share& share, Tally& tally) override {
        const double start = monotonic_seconds();
        for (unsigned i = 0; i < share.launches; i++) {
            const Count hits = baseline_.launch(job_.seed, share.first + i, job_.iters, threads_);
            tally.add({&hits, 1});
        }
        return {(monotonic_seconds() - start) * 1e3, 0};
    }

 private:
    const CpuBaseline& baseline_;
    Job job_;
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

Job settle(const Options& options, const CpuBaseline& baseline) {
    const unsigned iters = options.iters.value_or(baseline.default_iters);
    return {options.seed, iters, samples_of_launch(baseline.streams, iters)};
}

/// The checkpoint of a run before its first launch.
Checkpoint checkpoint_of(const std::string& program, const Job& job, const CpuBaseline& baseline,
                         std::uint64_t launches) {
    return {
        program,  "", false, job.seed, {{"streams", baseline.streams}, {"iters", job.iters}}, job.samples_per_launch,
        launches, 0,  {}};
}

/// What rank 0 does: everything but the other ranks' launches.
void benchmark(World& world, const std::string& program, const Options& options, const CpuBaseline& baseline,
               const Job& job, const Cores& cores, unsigned threads, std::optional<Resumed> resumed) {
    auto worker = std::make_unique<CpuWorker>(baseline, job, threads);
    CpuWorker* alone = worker.get();
    std::optional<Team> team;
    if (world.announced()) {
        team.emplace(on_ranks(world, std::move(worker)));
    }
    const auto gpus = static_cast<unsigned>(world.size());
    const auto rule = stopping_rule(options, job.samples_per_launch, Independent::samples, gpus);
    const auto saver =
        saver_of(options, std::move(resumed), checkpoint_of(program, job, baseline, rule.launches.value_or(0)),
                 [&](const std::string& text) { say(program, "warning: " + text); });
    const bool serial = threads == 1 && world.size() == 1;
    const Task task = {program, options, subject(baseline, serial), job.samples_per_launch, gpus, saver.get()};

    Tally tally({baseline.expected}, job.samples_per_launch);
    const TimeBatch time_batch = [&](std::uint64_t first, unsigned launches) {
        return team ? team->time(first, launches, tally) : alone->run({first, launches}, tally);
    };
    const Measurement m = measure_with_progress(
        task, tally, time_batch,
        [&] {
            if (team) team->settle();
        },
        [&](unsigned most) { return team ? team->side_by_side(most) : 1; });

    const Context context = {utc_now(), build_info(), host_facts(), std::nullopt, std::nullopt, std::nullopt};
    Run run = run_of(task, job.seed, threads, job.iters, m, tally);
    run.cpu = CpuSide{baseline.streams, baseline.isa()};
    if (cores.sharers > 1 && cores.sharers * threads > cores.usable) {
        run.warnings.push_back(fmt::format("{} ranks of {} threads share {} cores: the rate means nothing",
                                           cores.sharers, threads, cores.usable));
    }
    if (team) {
        run.team = TeamSide{options.scaling, team->report()};
    }
    publish(task, context, run, tally);
}

void start(World& world, const std::string& program, Options options, const CpuBaseline& baseline) {
    std::optional<Resumed> resumed;
    const Cores cores = cores_of(world);
    unsigned threads = 0;
    Job job = {};
    world.together([&] {
        threads = threads_of(cores, options, baseline);
        if (!world.first()) {
            return;
        }
        if (!options.json.empty() && options.json != "-") {
            check_writable(options.json);
        }
        resumed = resume(program, options);
        if (resumed) {
            take_over(*resumed, options, "iters", options.iters);
        }
        job = settle(options, baseline);
    });
    world.broadcast(job);
    if (world.first()) {
        benchmark(world, program, options, baseline, job, cores, threads, std::move(resumed));
    } else {
        CpuWorker worker(baseline, job, threads);
        serve(world, worker, Tally({baseline.expected}, job.samples_per_launch));
    }
}

}  // namespace

int run(int argc, const char* const* argv, const CpuBaseline& baseline) {
    const ProgramFacts facts = program_facts(baseline);
    return run_together(argc, argv, facts,
                        [&](World& world, const Options& options) { start(world, facts.name, options, baseline); });
}

}  // namespace bench
