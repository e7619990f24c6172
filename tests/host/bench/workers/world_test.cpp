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
#include "bench/host.hpp"

namespace {

using bench::attempt;
using bench::Report;

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
        for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        for (const auto& [name, value] : before_) value ? setenv(name, value->c_str(), 1) : unsetenv(name);
    }

 private:
    static constexpr const char* names[] = {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",    "PMI_RANK",
                                            "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",         "SLURM_NTASKS"};
    std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

/// "2 of 4": rank and size; or "none".
std::string announced(const Variables& variables) {
    const Environment environment(variables);
    const auto world = bench::announced_world();
    return world ? std::to_string(world->rank) + " of " + std::to_string(world->size) : "none";
}

Variables open_mpi(const char* size, const char* rank) {
    return {{"OMPI_COMM_WORLD_SIZE", size}, {"OMPI_COMM_WORLD_RANK", rank}};
}
Variables pmi(const char* size, const char* rank) { return {{"PMI_SIZE", size}, {"PMI_RANK", rank}}; }
Variables slurm(const char* size, const char* rank) { return {{"SLURM_STEP_NUM_TASKS", size}, {"SLURM_PROCID", rank}}; }
Variables both(Variables a, const Variables& b) { return a.insert(b.begin(), b.end()), a; }

TEST(AnnouncedWorld, IsThatOfTheLauncherNextToTheProcess) {
    const std::pair<Variables, const char*> table[] = {
        {{}, "none"},
        {open_mpi("4", "2"), "2 of 4"},
        {open_mpi("1", "0"), "0 of 1"},  // mpirun -np 1 is a world
        {pmi("128", "127"), "127 of 128"},
        {slurm("2", "1"), "1 of 2"},
        {slurm("1", "0"), "none"},                                 // how plain programs are started
        {{{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}, "none"},  // a job's script, which is no step
        {both(open_mpi("8", "5"), slurm("2", "1")), "5 of 8"},     // srun starts the daemons of Open MPI
        {both(open_mpi("many", "0"), pmi("3", "1")), "1 of 3"},
        {{{"PMI_SIZE", "3"}}, "0 of 3"},  // one process must tell the user
        {pmi("3", "one"), "0 of 3"},
    };
    for (const auto& [variables, world] : table) EXPECT_EQ(announced(variables), world);
}

TEST(AnnouncedWorld, IsNotMadeOfGarbage) {
    for (const char* size : {"", " ", "0", "-4", "four", "4x", "4.0", "1e3", " 4", "4 ", "+4", "0x4",
                             "99999999999999999999", "4294967298"}) {
        for (const Variables& variables : {open_mpi(size, "0"), pmi(size, "0"), slurm(size, "0")}) {
            EXPECT_EQ(announced(variables), "none") << size;
        }
    }
}

TEST(Attempt, KeepsTheCodeAndTheLineOfAnError) {
    const std::pair<int, std::function<void()>> errors[] = {
        {1, [] { throw bench::VerdictError("what happened"); }},
        {4, [] { throw bench::CudaError("what happened"); }},
        {4, [] { throw std::runtime_error("what happened"); }},
        {143, [] { throw bench::Interrupted(bench::exit_terminated, "what happened"); }},
    };
    for (const auto& [code, body] : errors) {
        const Report report = attempt(body);
        EXPECT_EQ(report.code, code);
        EXPECT_STREQ(report.message, "what happened");
    }
    EXPECT_EQ(attempt([] {}).code, 0);
    EXPECT_STREQ(attempt([] {}).message, "");
    EXPECT_NE(attempt([] { throw std::bad_alloc(); }).code, 0);
    const std::string line = "begins here " + std::string(2000, 'x');
    const std::string sent = attempt([&] { throw bench::CudaError(line); }).message;  // which ends within the array
    EXPECT_EQ(sent, line.substr(0, sizeof Report::message - 1));
}

/// "code: line" of the error of all if some of four ranks failed with these codes, or "nothing".
std::string thrown(const std::vector<std::pair<std::size_t, int>>& failed) {
    std::vector<Report> reports(4);
    for (const auto& [rank, code] : failed) {
        reports[rank] = attempt([code = code] { throw bench::Error(static_cast<bench::ExitCode>(code), "oh"); });
    }
    try {
        bench::throw_first_error(reports, {"a", "a", "b", "c"});
        return "nothing";
    } catch (const bench::Error& error) {
        return std::to_string(error.code()) + ": " + error.what();
    }
}

TEST(ThrowFirstError, ThrowsThatOfTheLowestRankWithItsHost) {
    EXPECT_EQ(thrown({}), "nothing");
    EXPECT_EQ(thrown({{2, 4}}), "4: rank 2 (b): oh");
    EXPECT_EQ(thrown({{3, 2}, {1, 1}}), "1: rank 1 (a): oh");
    EXPECT_EQ(thrown({{3, 2}, {2, 4}, {0, 3}}), "3: oh") << "what a single process says";
    EXPECT_EQ(thrown({{2, 130}}), "130: interrupted, no result") << "no error of a rank";
    EXPECT_EQ(thrown({{2, 143}}), "143: interrupted, no result");
}

TEST(World, WithoutALauncherIsThisProcessAndSharesWhatThatHas) {
    const Environment environment({});
    bench::World world;
    EXPECT_FALSE(world.announced());
    EXPECT_TRUE(world.first());
    EXPECT_EQ(world.rank(), 0);
    EXPECT_EQ(world.size(), 1);
    EXPECT_EQ(world.local_rank(), 0);
    EXPECT_EQ(world.hosts(), std::vector<std::string>{bench::host_name()});
    world.barrier();
    std::array<int, 3> values = {1, 2, 3};
    world.broadcast(std::span<int>(values));
    EXPECT_EQ(values, (std::array<int, 3>{1, 2, 3}));
    EXPECT_EQ(world.gather(std::uint64_t{UINT64_MAX}), std::vector<std::uint64_t>{UINT64_MAX});
    EXPECT_EQ(world.gather(std::span<const int>(values)), (std::vector<int>{1, 2, 3}));
    EXPECT_THROW(world.together([] { throw bench::WriteError("no room"); }), bench::WriteError) << "as it is";
    EXPECT_THROW(world.together([] { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
