// Every step says from where on all loops of its kernel run, so that a rehearsal can be as long.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/options/own_options.hpp"
#include "every_step.hpp"

namespace {

struct StepOfLadder {
    std::string ladder;
    const bench::Step* step;
};

/// The steps of all programs, each followed by the other steps that its options choose.
std::vector<StepOfLadder> all_steps() {
    std::vector<StepOfLadder> all;
    for (const auto& [ladder, step] : every_step) {
        all.push_back({ladder, step});
        for (const bench::Step* other : bench::others_of(*step)) all.push_back({ladder, other});
    }
    return all;
}

class StepRecord : public testing::TestWithParam<StepOfLadder> {};

TEST_P(StepRecord, NamesTheIterationsFromWhichEveryLoopRuns) {
    const bench::Step& step = *GetParam().step;
    EXPECT_GT(step.loops_from, 0u) << step.name << ": read its kernel and set Step::loops_from";
    if (GetParam().ladder == "mcls") return;  // counts histories there
    EXPECT_LE(step.loops_from, step.default_iters) << step.name << ": a run at the defaults does not enter every loop";
}

INSTANTIATE_TEST_SUITE_P(AllLadders, StepRecord, testing::ValuesIn(all_steps()),
                         [](const auto& info) { return info.param.ladder + "_" + info.param.step->name; });

}  // namespace
