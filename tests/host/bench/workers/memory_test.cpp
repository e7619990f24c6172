// Launches that do not fit into memory.
#include <gtest/gtest.h>

#include "bench/errors.hpp"
#include "bench/workers/workspace.hpp"

namespace {

TEST(RequireBytes, RefusesALaunchThatDoesNotFitAndNamesTheBytes) {
    EXPECT_NO_THROW(bench::require_bytes(1'000'000, 1'000'000, "host"));
    try {
        bench::require_bytes(1'000'001, 1'000'000, "host");
        ADD_FAILURE() << "accepted";
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(), "a launch needs 1,000,001 bytes of host memory: 1,000,000 are available");
    }
}

}  // namespace
