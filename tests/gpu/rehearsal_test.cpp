// Every step of every ladder publishes what the host replays, on grids of one block, of odd sizes and of the default size.
#include <string>
#include <string_view>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/estimands/hits/source.hpp"
#include "bench/options/own_options.hpp"
#include "bench/workers/gpu/device.hpp"
#include "every_ladder.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/rehearsed.hpp"

using bench::Shape;
using bench::Step;

namespace {

struct StepOfLadder {
    const char* ladder;
    const Step* step;
};

/// The steps and ablations of all ladders, each followed by the other steps that its options choose.
std::vector<StepOfLadder> all_steps() {
    std::vector<StepOfLadder> all;
    const auto add = [&](const char* ladder, const std::vector<const Step*>& steps) {
        for (const Step* step : steps) {
            all.push_back({ladder, step});
            for (const Step* other : bench::others_of(*step)) all.push_back({ladder, other});
        }
    };
    for (const auto& ladder : every_ladder) {
        add(ladder.name, ladder.versions());
        add(ladder.name, ladder.ablations());
    }
    return all;
}

class RehearsedStep : public GpuTest, public testing::WithParamInterface<StepOfLadder> {
 protected:
    RehearsedStep() : step_(*GetParam().step) {}

    void SetUp() override {
        GpuTest::SetUp();
        if (!IsSkipped()) bench::settle_own({}, step_);  // a linear system takes its time
        skip_without_memory_for(step_);
    }

    const Step& step() const { return step_; }

    /// Whether each replay starts a generator of cuRAND's on the host, which may take a second.
    bool starts_slowly() const {
        return GetParam().ladder == std::string("arrays") &&
               std::string_view(bench::source_of(step()).name).starts_with("curand");
    }

    /// Whether the step accepts such a launch. Then its blocks are rehearsed.
    bool rehearses(std::optional<unsigned> blocks, std::optional<unsigned> threads, unsigned iters) const {
        bench::LaunchSpec spec;
        try {
            bench::check_iters(step(), iters);
            constexpr std::uint64_t seed = 0xdeadbeefcafef00d;
            spec = bench::spec_of(step(), seed, bench::resolve_shape(step(), blocks, threads, 0), iters);
        } catch (const bench::UsageError&) {
            return false;
        }
        SCOPED_TRACE(testing::Message() << spec.shape.blocks << " blocks of " << spec.shape.threads << ", " << iters
                                        << " iters");
        try {
            const auto done = rehearsed(step(), spec);
            EXPECT_TRUE(done);
            EXPECT_GE(done ? done->brief.parts : 0, std::min<std::uint64_t>(2, done ? done->brief.of : 0));
            expect_every_loop(*done, spec);
        } catch (const bench::VerdictError& error) {
            ADD_FAILURE() << error.what();
        }
        return true;
    }

    /// A launch of the run's own size is replayed, or one that enters every loop: with loops_from 1, any launch.
    void expect_every_loop(const bench::Rehearsed& done, const bench::LaunchSpec& spec) const {
        const bench::Compared& largest = done.full.launches > 0 ? done.full : done.brief;
        if (largest.work == spec.work || !step().estimand->iterations_are_free() || step().loops_from == 1) return;
        EXPECT_GT(step().loops_from, 0u);
        EXPECT_GE(static_cast<double>(largest.work),
                  static_cast<double>(spec.work) / spec.iters * step().loops_from * 0.999);
    }

 private:
    Step step_;
};

TEST_P(RehearsedStep, PublishesWhatTheHostReplays) {
    if (starts_slowly()) {
        EXPECT_TRUE(rehearses(37, 1, 1));
        EXPECT_TRUE(rehearses(3, 96, 33));
        return;
    }
    int grids = 0;
    for (const auto& [blocks, threads] :
         {std::pair(1u, 1u), {37u, 1u}, {1u, 32u}, {3u, 96u}, {17u, 64u}, {16u, 1024u}}) {
        for (const unsigned iters : {1u, 2u, 33u}) grids += rehearses(blocks, threads, iters) ? 1 : 0;
    }
    for (const unsigned blocks : {1u, 37u}) grids += rehearses(blocks, std::nullopt, step().default_iters) ? 1 : 0;
    EXPECT_GT(grids, 0);
}

TEST_P(RehearsedStep, PublishesWhatTheHostReplaysAtItsDefaults) {
    EXPECT_TRUE(rehearses(std::nullopt, std::nullopt, step().default_iters));
}

INSTANTIATE_TEST_SUITE_P(AllLadders, RehearsedStep, testing::ValuesIn(all_steps()),
                         [](const auto& info) { return std::string(info.param.ladder) + "_" + info.param.step->name; });

}  // namespace
