// Tests of what is decided about a GPU without one.
#include "bench/workers/gpu/device.hpp"

#include <gtest/gtest.h>

#include "bench/errors.hpp"

namespace {

// Its own block is not for this GPU; another is the user's choice.
TEST(SharedMemory, ABlockIsRefusedThatNeedsMoreThanTheGpuHas) {
    const bench::Step step = {
        .name = "v1",
        .title = "",
        .technique = "",
        .lesson = "",
        .estimand = nullptr,
        .default_threads = 1000,
        .dynamic_shared_bytes = [](unsigned threads) { return std::size_t{100} * threads; },
        .phases = {},
    };
    bench::check_shared_memory(step, 1000, 16, 100'016);
    try {
        bench::check_shared_memory(step, 1000, 17, 100'016);
        ADD_FAILURE() << "accepted";
    } catch (const bench::NoGpuError& error) {
        EXPECT_STREQ(error.what(),
                     "v1 needs 100017 bytes of shared memory for a block of 1000 threads, and this GPU has 100016");
    }
    EXPECT_THROW(bench::check_shared_memory(step, 1001, 16, 100'016), bench::UsageError);
}

}  // namespace
