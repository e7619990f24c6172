// A program that was built without MPI. It is linked here whether or not the machine has MPI.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/workers/world.hpp"

namespace {

/// Announces a world, as the only launcher of this process.
void announce(const char* size, const char* rank) {
    for (const char* name : {"PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) unsetenv(name);
    setenv("OMPI_COMM_WORLD_SIZE", size, 1);
    setenv("OMPI_COMM_WORLD_RANK", rank, 1);
}

TEST(WithoutMpi, RefusesToBeOneOfSeveralOfWhichOnlyTheFirstSpeaks) {
    EXPECT_EQ(bench::mpi_library(), std::nullopt);
    announce("4", "3");
    EXPECT_THROW(bench::World(), bench::Dismissed);
    announce("4", "0");
    try {
        const bench::World world;
        FAIL() << "ran as if alone";
    } catch (const bench::UsageError& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find("one of 4 processes"), std::string::npos) << line;
        EXPECT_NE(line.find("without MPI"), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

TEST(WithoutMpi, AWorldOfOneIsAlone) {
    announce("1", "0");
    bench::World world;
    EXPECT_FALSE(world.announced());
    EXPECT_EQ(world.size(), 1);
    EXPECT_TRUE(world.first());
    EXPECT_EQ(world.hosts().size(), 1u);
    EXPECT_EQ(world.gather(7), std::vector<int>{7});
    EXPECT_THROW(world.together([] { throw bench::WriteError("x"); }), bench::WriteError);
}

}  // namespace
