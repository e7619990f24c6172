// An own option that chooses among steps.
#include <gtest/gtest.h>

#include <string>

#include "bench/errors.hpp"
#include "bench/options/own_options.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::OwnValues;
using bench::Step;

Step named(const char* name, unsigned iters) {
    Step step = {};
    step.name = name;
    step.default_iters = iters;
    return step;
}

const Step of_16 = named("a5_steps16", 16), of_64 = named("a5_steps64", 64), stored = named("n3_store", 1);

Step with(const char* name, const bench::Choice& choice) {
    Step step = named(name, 256);
    step.own.options = bench::own_option(choice);
    return step;
}

const Step steps =
    with("a5", {.option = "steps", .help = "dates", .usual = 256, .others = {{64, &of_64}, {16, &of_16}}});
const Step store = with("n3", {.option = "store", .help = "into memory", .others = {{1, &stored}}});

TEST(Choice, RunsTheStepOfItsValueUnderTheNameOfBoth) {
    const struct {
        Step step;
        OwnValues values;
        unsigned iters;
        const char* suffix;
    } table[] = {
        {steps, {{"steps", "64"}}, 64, "_steps64"},
        {steps, {{"steps", "256"}}, 256, ""},
        {steps, {}, 256, ""},
        {store, {{"store", ""}}, 1, "_store"},
        {store, {}, 256, ""},
    };
    for (const auto& [step, values, iters, suffix] : table) {
        Step settled = step;
        EXPECT_EQ(bench::settle_own(values, settled), suffix);
        EXPECT_EQ(settled.default_iters, iters);
        EXPECT_STREQ(settled.name, step.name);
    }
}

TEST(Choice, RefusesAnotherValue) {
    for (const char* value : {"32", "0", "-16", "many"}) {
        Step step = steps;
        const std::string line = line_of<bench::UsageError>([&] { bench::settle_own({{"steps", value}}, step); });
        EXPECT_EQ(line.find("--steps: "), 0u) << line;
        EXPECT_EQ(step.default_iters, 256u);
    }
    Step step = steps;
    EXPECT_EQ(line_of<bench::UsageError>([&] {
                  bench::settle_own({{"steps", "32"}}, step);
              }),
              "--steps: 32 is not one of 16, 64, 256");
}

TEST(Choice, IsTheOptionThatHelpShows) {
    const auto of_steps = steps.own.options->list(), of_store = store.own.options->list();
    ASSERT_EQ(of_steps.size(), 1u);
    EXPECT_EQ(of_steps[0].name, "steps");
    EXPECT_EQ(of_steps[0].help, "dates: 16, 64, 256 (default 256)");
    ASSERT_EQ(of_store.size(), 1u);
    EXPECT_EQ(of_store[0].value, "") << "a flag";
}

}  // namespace
