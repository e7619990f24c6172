// An own option that chooses among steps.
#include "bench/options/choice.hpp"

#include <gtest/gtest.h>

#include "bench/errors.hpp"
#include "bench/options/own_options.hpp"

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
    step.own_options = bench::own_option(choice);
    return step;
}

const Step steps =
    with("a5", {.option = "steps", .help = "dates", .usual = 256, .others = {{64, &of_64}, {16, &of_16}}});
const Step store = with("n3", {.option = "store", .help = "into memory", .others = {{1, &stored}}});

TEST(Choice, RunsTheStepOfItsValueUnderTheNameOfBoth) {
    const auto [step, suffix] = settled(steps, {{"steps", "64"}});
    EXPECT_EQ(step.default_iters, 64u);
    EXPECT_EQ(step.name + suffix, "a5_steps64");
    EXPECT_EQ(settled(store, {{"store", ""}}).step.default_iters, 1u);
    EXPECT_EQ(settled(store, {{"store", ""}}).suffix, "_store");
}

TEST(Choice, RunsTheProgramsStepWithItsUsualValue) {
    for (const OwnValues& values : {OwnValues{}, OwnValues{{"steps", "256"}}}) {
        EXPECT_EQ(settled(steps, values).step.default_iters, 256u);
        EXPECT_EQ(settled(steps, values).suffix, "");
    }
}

TEST(Choice, RefusesAnotherValue) {
    for (const char* value : {"32", "0", "-16", "many"}) {
        EXPECT_THROW(settled(steps, {{"steps", value}}), bench::UsageError) << value;
    }
    try {
        settled(steps, {{"steps", "32"}});
        ADD_FAILURE() << "accepted";
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(), "--steps: 32 is not one of 16, 64, 256");
    }
}

TEST(Choice, IsTheOptionThatHelpShows) {
    const auto of_steps = steps.own_options->list(), of_store = store.own_options->list();
    ASSERT_EQ(of_steps.size(), 1u);
    EXPECT_EQ(of_steps[0].name, "steps");
    EXPECT_EQ(of_steps[0].help, "dates: 16, 64, 256 (default 256)");
    ASSERT_EQ(of_store.size(), 1u);
    EXPECT_EQ(of_store[0].value, "") << "a flag";
}

}  // namespace
