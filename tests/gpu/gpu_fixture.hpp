// What the tests on a GPU share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/step.hpp"

/// A test that skips, saying why, where there is no usable GPU.
class GpuTest : public testing::Test {
 protected:
    void SetUp() override;

    /// Skips where the GPU has too little shared memory for a block of the step.
    static void skip_without_memory_for(const bench::Step& step);
};

/// The counts that launch number `index` publishes.
std::vector<bench::Count> published(const bench::Step& version, bench::Shape shape, unsigned iters, std::uint64_t seed,
                                    std::uint64_t index);

/// The sum of counts.
std::uint64_t total(const std::vector<bench::Count>& counts);

/// What a program did when run with `arguments`.
struct ProgramRun {
    int exit_code;
    std::string out;
    std::string err;
};
ProgramRun run_program(const bench::Step& version, std::vector<std::string> arguments);
