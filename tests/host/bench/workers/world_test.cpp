// The announcement of a launcher, and how the error of one process becomes the error of all.
#include "bench/workers/world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/workers/host_facts.hpp"

namespace {

using bench::announced_world;
using bench::attempt;
using bench::Report;
using bench::throw_first_error;

using Variables = std::map<std::string, std::string>;

/// While this lives, the environment has these variables of launchers and no others.
class Environment {
 public:
    explicit Environment(const Variables& variables) {
        for (const char* name : names) {
            const char* value = std::getenv(name);
            before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
            unsetenv(name);
        }
        for (const auto& [name, value] : variables) {
            setenv(name.c_str(), value.c_str(), 1);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        for (const auto& [name, value] : before_) {
            value ? setenv(name, value->c_str(), 1) : unsetenv(name);
        }
    }

 private:
    static constexpr const char* names[] = {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",    "PMI_RANK",
                                            "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",         "SLURM_NTASKS"};
    std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

/// "size 4, rank 2", or "none".
std::string announced(const Variables& variables) {
    const Environment environment(variables);
    const auto world = announced_world();
    return world ? "size " + std::to_string(world->size) + ", rank " + std::to_string(world->rank) : "none";
}

TEST(AnnouncedWorld, IsNoneOfAPlainStart) { EXPECT_EQ(announced({}), "none"); }

TEST(AnnouncedWorld, IsToldByOpenMpi) {
    EXPECT_EQ(announced({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "2"}}), "size 4, rank 2");
    EXPECT_EQ(announced({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}), "size 1, rank 0")
        << "mpirun -np 1 is a world";
}

TEST(AnnouncedWorld, IsToldByThePmiOfMpich) {
    EXPECT_EQ(announced({{"PMI_SIZE", "128"}, {"PMI_RANK", "127"}}), "size 128, rank 127");
    EXPECT_EQ(announced({{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}), "size 1, rank 0");
}

TEST(AnnouncedWorld, IsAStepOfSlurmWithSeveralTasks) {
    EXPECT_EQ(announced({{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}}), "size 2, rank 1");
    EXPECT_EQ(announced({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}}), "none")
        << "how plain programs are started";
    EXPECT_EQ(announced({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}), "none") << "a job's script, which is no step";
}

// srun starts the daemons of Open MPI, which start the processes.
TEST(AnnouncedWorld, IsThatOfTheLauncherNextToTheProcess) {
    EXPECT_EQ(announced({{"OMPI_COMM_WORLD_SIZE", "8"},
                         {"OMPI_COMM_WORLD_RANK", "5"},
                         {"SLURM_STEP_NUM_TASKS", "2"},
                         {"SLURM_PROCID", "1"}}),
              "size 8, rank 5");
}

TEST(AnnouncedWorld, IsNotMadeOfGarbage) {
    for (const char* size : {"", " ", "0", "-1", "-4", "four", "4x", "x4", "4.0", "1e3", " 4", "4 ", "+4", "0x4",
                             "99999999999999999999", "4294967298"}) {
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
            EXPECT_EQ(announced({{name, size}}), "none") << name << "=" << size;
        }
    }
}

TEST(AnnouncedWorld, OfOneLauncherIsNotHiddenByGarbageOfAnother) {
    EXPECT_EQ(announced({{"OMPI_COMM_WORLD_SIZE", "many"}, {"PMI_SIZE", "3"}, {"PMI_RANK", "1"}}), "size 3, rank 1");
}

// One process must tell the user.
TEST(AnnouncedWorld, ARankThatIsNotToldIsTheFirst) {
    EXPECT_EQ(announced({{"PMI_SIZE", "3"}}), "size 3, rank 0");
    EXPECT_EQ(announced({{"PMI_SIZE", "3"}, {"PMI_RANK", "one"}}), "size 3, rank 0");
}

TEST(Attempt, OfWhatSucceedsIsEmpty) {
    bool done = false;
    const Report report = attempt([&] { done = true; });
    EXPECT_TRUE(done);
    EXPECT_EQ(report.code, 0);
    EXPECT_STREQ(report.message, "");
}

TEST(Attempt, KeepsTheCodeAndTheLineOfAnError) {
    const std::pair<int, std::function<void()>> errors[] = {
        {1, [] { throw bench::VerdictError("what happened"); }},
        {2, [] { throw bench::UsageError("what happened"); }},
        {3, [] { throw bench::NoGpuError("what happened"); }},
        {4, [] { throw bench::CudaError("what happened"); }},
        {4, [] { throw std::runtime_error("what happened"); }},
        {5, [] { throw bench::WriteError("what happened"); }},
        {129, [] { throw bench::Interrupted(bench::exit_hung_up, "what happened"); }},
        {130, [] { throw bench::Interrupted(bench::exit_interrupted, "what happened"); }},
        {143, [] { throw bench::Interrupted(bench::exit_terminated, "what happened"); }},
    };
    for (const auto& [code, body] : errors) {
        const Report report = attempt(body);
        EXPECT_EQ(report.code, code);
        EXPECT_STREQ(report.message, "what happened");
    }
    EXPECT_NE(attempt([] { throw std::bad_alloc(); }).code, 0);
}

TEST(Attempt, CutsALongLine) {
    const std::string line = "begins here " + std::string(2000, 'x');
    const Report report = attempt([&] { throw bench::CudaError(line); });
    const std::string sent = report.message;  // which ends within the array
    EXPECT_EQ(sent, line.substr(0, sizeof report.message - 1));
    EXPECT_EQ(report.code, 4);
}

const std::vector<std::string> hosts = {"a", "a", "b", "c"};

/// The reports of four ranks; some failed with these codes and with their letters.
std::vector<Report> reports(const std::vector<std::pair<std::size_t, int>>& failed) {
    std::vector<Report> all(hosts.size());
    for (const auto& [rank, code] : failed) {
        all[rank] = attempt([code = code] { throw bench::Error(static_cast<bench::ExitCode>(code), "what happened"); });
    }
    return all;
}

/// "code: line" of the error that throw_first_error throws, or "nothing".
std::string thrown(const std::vector<std::pair<std::size_t, int>>& failed) {
    try {
        throw_first_error(reports(failed), hosts);
        return "nothing";
    } catch (const bench::Error& error) {
        return std::to_string(error.code()) + ": " + error.what();
    }
}

TEST(ThrowFirstError, ThrowsNothingWhereAllWentWell) { EXPECT_EQ(thrown({}), "nothing"); }

TEST(ThrowFirstError, NamesRankAndHost) {
    EXPECT_EQ(thrown({{2, 4}}), "4: rank 2 (b): what happened");
    EXPECT_EQ(thrown({{3, 2}}), "2: rank 3 (c): what happened");
    EXPECT_EQ(thrown({{1, 1}}), "1: rank 1 (a): what happened");
}

TEST(ThrowFirstError, SaysOfRankZeroWhatASingleProcessSays) { EXPECT_EQ(thrown({{0, 5}}), "5: what happened"); }

TEST(ThrowFirstError, ThrowsThatOfTheLowestRank) {
    EXPECT_EQ(thrown({{3, 2}, {1, 4}}), "4: rank 1 (a): what happened");
    EXPECT_EQ(thrown({{3, 2}, {2, 4}, {0, 3}}), "3: what happened");
}

TEST(ThrowFirstError, ASignalIsNoErrorOfARank) {
    for (const int code : {130, 143}) {
        try {
            throw_first_error(reports({{2, code}}), hosts);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const bench::Interrupted& interrupted) {
            EXPECT_EQ(interrupted.code(), code);
            EXPECT_EQ(std::string(interrupted.what()).find("rank"), std::string::npos) << interrupted.what();
        }
    }
}

TEST(World, WithoutALauncherIsThisProcess) {
    const Environment environment({});
    bench::World world;
    EXPECT_FALSE(world.announced());
    EXPECT_TRUE(world.first());
    EXPECT_EQ(world.rank(), 0);
    EXPECT_EQ(world.size(), 1);
    EXPECT_EQ(world.local_rank(), 0);
    EXPECT_EQ(world.hosts(), std::vector<std::string>{bench::host_name()});
}

TEST(World, OfATaskOfSlurmAloneIsThisProcess) {
    const Environment environment({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}});
    bench::World world;
    EXPECT_FALSE(world.announced());
    EXPECT_EQ(world.size(), 1);
}

TEST(World, OfOneProcessSharesWhatThatHas) {
    const Environment environment({});
    bench::World world;
    world.barrier();
    double value = 2.5;
    world.broadcast(value);
    EXPECT_EQ(value, 2.5);
    std::array<int, 3> values = {1, 2, 3};
    world.broadcast(std::span<int>(values));
    EXPECT_EQ(values, (std::array<int, 3>{1, 2, 3}));
    EXPECT_EQ(world.gather(std::uint64_t{UINT64_MAX}), std::vector<std::uint64_t>{UINT64_MAX});
    EXPECT_EQ(world.gather(std::span<const int>(values)), (std::vector<int>{1, 2, 3}));
}

TEST(World, OfOneProcessThrowsItsErrorAsItIs) {
    const Environment environment({});
    bench::World world;
    bool done = false;
    world.together([&] { done = true; });
    EXPECT_TRUE(done);
    EXPECT_THROW(world.together([] { throw bench::WriteError("no room"); }), bench::WriteError);
    EXPECT_THROW(world.together([] { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
