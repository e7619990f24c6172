// Which launches are replayed before the first timing and after the last, and that what they find ends the run.
#include "bench/workers/checked_worker.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/hits/source.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Count;
using bench::LaunchSpec;
using bench::Step;
using bench::StreamId;

constexpr unsigned blocks = 6, threads = 32, iters = 100'000;

std::uint64_t hits_of_stream(const StreamId& stream, unsigned n) {
    return (stream.thread * 31 + stream.launch * 17 + stream.seed) % 97 % (n + 1);
}

std::uint64_t slow_hits(const StreamId& stream, unsigned n) {
    const double end = bench::monotonic_seconds() + 5e-7 * n;
    while (bench::monotonic_seconds() < end) {
    }
    return hits_of_stream(stream, n);
}

bench::Source source_of(std::uint64_t (*replay)(const StreamId&, unsigned)) {
    return {.name = "made_up",
            .generator = "none",
            .soundness = bench::Soundness::not_tested,
            .expected = {1, 2},
            .log2_cycle_samples = 64,
            .replay = replay};
}
const bench::Source quick = source_of(hits_of_stream), slow = source_of(slow_hits), unknown = source_of(nullptr);

Step step_of(const bench::Source& source, unsigned loops_from = 1) {
    Step step = {};
    step.name = "v0";
    step.estimand = bench::hits({.source = source});
    step.loops_from = loops_from;
    return step;
}

const LaunchSpec of_run = {.seed = 4,
                           .shape = {blocks, threads},
                           .iters = iters,
                           .streams = blocks * threads,
                           .published = blocks,
                           .work = std::uint64_t{blocks} * threads * iters};

/// Extra hits of a block in a launch of so many samples a thread.
using Fault = std::function<Count(std::uint64_t launch, unsigned block, unsigned samples)>;

/// Publishes what its streams hit, and the fault.
class Publishing : public bench::Worker {
 public:
    Publishing(const LaunchSpec& spec, Fault fault) : spec_(spec), fault_(std::move(fault)) {}

    bench::Member identity() const override { return {}; }
    void get_ready(unsigned) override {}
    bench::BatchTime run(const bench::Share& share, const bench::CountSink& sink) override {
        for (std::uint64_t k = share.first; k < share.first + share.launches; k++) {
            std::vector<Count> counts(blocks);
            for (unsigned t = 0; t < spec_.streams; t++) {
                counts[t / threads] += hits_of_stream({spec_.seed, k, spec_.streams, t}, spec_.iters);
            }
            for (unsigned block = 0; fault_ && block < blocks; block++) counts[block] += fault_(k, block, spec_.iters);
            sink(counts);
        }
        return {};
    }

 private:
    LaunchSpec spec_;
    Fault fault_;
};

/// A worker whose launches, of any size, have the fault.
std::unique_ptr<bench::CheckedWorker> worker_for(const Step& step, const Fault& fault = {}) {
    const bench::MakeWorker make = [=](const Step&, const LaunchSpec& of) {
        return std::make_unique<Publishing>(of, fault);
    };
    return std::make_unique<bench::CheckedWorker>(step, step, of_run, make);
}

/// What an audit says of launches [0, n), run in timings of so many, after a warm-up with launch 0.
std::string said_of(const Step& step, unsigned n, const Fault& fault, unsigned batch = 1) {
    const auto worker = worker_for(step, fault);
    const auto ignored = [](std::span<const Count>) {};
    worker->rehearse();
    worker->run({0, 1}, ignored);
    worker->start_anew();
    for (unsigned first = 0; first < n; first += batch) worker->run({first, std::min(batch, n - first)}, ignored);
    try {
        worker->audit();
        return "";
    } catch (const bench::VerdictError& error) {
        return error.what();
    }
}

TEST(Rehearsing, IsOfAShortLaunchAndOfOneOfTheRunsSize) {
    const Step step = step_of(quick);
    const auto done = worker_for(step)->rehearse();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->brief.parts, blocks);
    EXPECT_EQ(done->brief.work, std::uint64_t{blocks} * threads * 257);
    EXPECT_GE(done->full.parts, 1u);
    EXPECT_EQ(done->full.work, of_run.work);
}

TEST(Rehearsing, FindsAFaultThatOnlyLongLaunchesHave) {
    const Step step = step_of(quick);
    const Fault fault = [](std::uint64_t, unsigned block, unsigned samples) { return block == 0 && samples > 5000; };
    EXPECT_EQ(line_of<bench::VerdictError>([&] {
                  worker_for(step, fault)->rehearse();
              }).rfind("rehearsal: launch 1: block 0 of 6 has", 0),
              0u);
}

// A block of the run takes 1.6 s of a core, and two of them can share it.
TEST(Rehearsing, IsOfASmallerLaunchWhereOneTakesTooLongButEntersEveryLoop) {
    for (const unsigned loops_from : {1u, 70'000u}) {
        const Step step = step_of(slow, loops_from);
        const auto done = worker_for(step)->rehearse();
        EXPECT_GE(done->full.parts, 1u);
        EXPECT_LT(done->full.work, of_run.work);
        EXPECT_GT(done->full.work, done->brief.work);
        EXPECT_GE(done->full.work, std::uint64_t{blocks} * threads * loops_from);
    }
}

struct Deep : bench::Problem {
    double least_rehearsed_work(bench::Shape shape) const override { return 70'000.0 * shape.blocks * threads; }
};

TEST(Rehearsing, IsOfALaunchWithAllLoopsOfTheProblem) {
    Step step = step_of(slow);
    step.own.problem = std::make_shared<Deep>();
    const auto done = worker_for(step)->rehearse();
    EXPECT_EQ(done->full.work, std::uint64_t{blocks} * threads * 70'000);
}

TEST(Rehearsing, IsNotOfAStepThatTheHostCannotReplay) {
    const Step step = step_of(unknown);
    const auto worker = worker_for(step);
    EXPECT_FALSE(worker->rehearse());
    worker->run({0, 3}, [](std::span<const Count>) {});
    EXPECT_EQ(worker->audit().timed, 0u);
}

TEST(Audit, TellsWhatItReplayed) {
    const Step step = step_of(quick);
    const auto worker = worker_for(step);
    worker->rehearse();
    worker->run({0, 1}, [](std::span<const Count>) {});
    worker->start_anew();
    for (unsigned first = 0; first < 100; first += 50) worker->run({first, 50}, [](std::span<const Count>) {});
    const bench::Audit audit = worker->audit();
    EXPECT_EQ(audit.timed, 100u);
    EXPECT_GE(audit.full.launches, 1u);
    EXPECT_EQ(audit.full.work, of_run.work);
    EXPECT_EQ(audit.full.launches + audit.brief.launches, bench::KeptLaunches::most);
}

TEST(Audit, FindsWhatNoRehearsalSees) {
    const Step step = step_of(quick);
    const auto in_blocks = [](const std::function<bool(std::uint64_t)>& in_launch) -> Fault {
        return [=](std::uint64_t launch, unsigned, unsigned) { return in_launch(launch) ? 1 : 0; };
    };
    EXPECT_EQ(said_of(step, 40, {}), "");
    EXPECT_NE(said_of(step, 40, in_blocks([](auto k) { return k >= 20; })), "");
    EXPECT_NE(said_of(step, 40, in_blocks([](auto k) { return k == 39; }), 7), "");  // the last one
    EXPECT_NE(said_of(step, 3, in_blocks([](auto k) { return k == 2; })), "");
}

// As they were timed a part of a block takes too long, so they run again with less work.
TEST(Audit, FindsAFaultOfSomeLaunchesWhereTheyMustRunAgain) {
    const Step step = step_of(slow);
    const Fault fault = [](std::uint64_t launch, unsigned, unsigned) { return launch >= 20; };
    EXPECT_NE(said_of(step, 40, fault).find("in the replay on the host"), std::string::npos);
}

TEST(Audit, ForgetsTheWarmUp) {
    const Step step = step_of(quick);
    unsigned launches = 0;
    const Fault in_warm_up = [&](std::uint64_t launch, unsigned block, unsigned) {
        if (launch == 0 && block == 0) launches++;
        return launch == 0 && launches == 1 ? 1 : 0;
    };
    EXPECT_EQ(said_of(step, 10, in_warm_up), "");
}

// Of 100 launches 32 are kept. Each is among them in 32 % of the choices: 640 +- 21 of 2,000.
TEST(KeptLaunches, AreAnyOfThemAlikeAndTheLastOne) {
    std::map<std::uint64_t, unsigned> times, parts;
    const bench::Replay replay = {.spec = {}, .parts = 3};
    for (std::uint64_t entropy = 0; entropy < 2000; entropy++) {
        bench::KeptLaunches kept(entropy, replay, true);
        for (std::uint64_t launch = 0; launch < 100; launch++) {
            kept.offer(launch, std::vector<Count>{launch, launch + 100, launch + 200});
        }
        EXPECT_EQ(kept.offered(), 100u);
        const auto chosen = kept.chosen();
        ASSERT_EQ(chosen.size(), bench::KeptLaunches::most);
        EXPECT_EQ(chosen[0].launch, 99u);
        for (const auto& one : chosen) {
            times[one.launch]++;
            parts[one.part]++;
            EXPECT_EQ(one.counts, std::vector<Count>{one.launch + 100 * one.part});
        }
    }
    for (std::uint64_t launch = 0; launch < 99; launch++) EXPECT_NEAR(times[launch], 626, 6 * 21) << launch;
    for (std::uint64_t part = 0; part < 3; part++) EXPECT_NEAR(parts[part], 64'000 / 3, 6 * 120) << part;
}

TEST(KeptLaunches, AreAllOfFew) {
    const bench::Replay replay = {.spec = {}};
    bench::KeptLaunches kept(7, replay, false);
    EXPECT_TRUE(kept.chosen().empty());
    for (std::uint64_t launch = 0; launch < 5; launch++) kept.offer(launch, std::vector<Count>{1});
    EXPECT_EQ(kept.chosen().size(), 5u);
    EXPECT_TRUE(kept.chosen()[0].counts.empty());
    kept.forget();
    EXPECT_EQ(kept.offered(), 0u);
}

}  // namespace
