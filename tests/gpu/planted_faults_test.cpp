// Kernels with a fault: a benchmark, fixed launches, a profile, a team and a resumed run have to find it, whatever their samples
// depend on.
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "bench/errors.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/known_hits.hpp"

using bench::Independent;

namespace {

using Arguments = std::vector<std::string>;

const std::string json = "--json=-";

/// Faults of a single launch, which --profile has to find, and what the line says.
const std::tuple<Fault, const char*> faults_of_a_launch[] = {{Fault::unwritten_count, "count 1 of "},
                                                             {Fault::dropped_warp, "count 1 of "},
                                                             {Fault::dropped_block, "count 1 of "},
                                                             {Fault::dropped_launch, "count 0 of "},
                                                             {Fault::block_twice, ""}};

const Fault repetitions[] = {Fault::repeated_launch, Fault::launches_in_twos, Fault::launches_alike};

class PlantedFaults : public GpuTest, public testing::WithParamInterface<Independent> {
 protected:
    ProgramRun run(Fault fault, const Arguments& arguments) const {
        return run_program(coin(GetParam(), fault), arguments);
    }

    void expect_found(Fault fault, const Arguments& arguments, const std::string& reason) const {
        const ProgramRun ended = run(fault, arguments);
        EXPECT_EQ(ended.exit_code, bench::exit_verdict) << static_cast<int>(fault) << ": " << ended.err;
        EXPECT_NE(ended.err.find(reason), std::string::npos) << ended.err;
        const std::size_t last_line = ended.err.rfind("test: ");
        ASSERT_NE(last_line, std::string::npos) << static_cast<int>(fault) << " passed";
        EXPECT_EQ(ended.err.find('\n', last_line), ended.err.size() - 1) << ended.err;
        EXPECT_EQ(ended.out, "") << static_cast<int>(fault);
    }
};

TEST_P(PlantedFaults, WithoutOneTheVerdictPasses) {
    for (const Arguments& arguments : {Arguments{},
                                       {"--launches=20"},
                                       {"--launches=20", "--devices=0"},
                                       {"--launches=20", "--call"},
                                       {"--profile"}}) {
        const ProgramRun ended = run(Fault::none, arguments);
        EXPECT_EQ(ended.exit_code, bench::exit_done) << ended.err;
    }
}

TEST_P(PlantedFaults, InALaunchAreFoundByABenchmark) {
    for (const auto& [fault, reason] : faults_of_a_launch) expect_found(fault, {json}, reason);
}

TEST_P(PlantedFaults, InALaunchAreFoundAmongOthers) {
    for (const auto& [fault, reason] : faults_of_a_launch) expect_found(fault, {json, "--launches=20"}, reason);
}

TEST_P(PlantedFaults, InALaunchAreFoundInATeam) {
    for (const auto& [fault, reason] : faults_of_a_launch) {
        expect_found(fault, {json, "--launches=20", "--devices=0"}, reason);
    }
}

TEST_P(PlantedFaults, InALaunchAreFoundInWholeCalls) {
    for (const auto& [fault, reason] : faults_of_a_launch)
        expect_found(fault, {json, "--launches=20", "--call"}, reason);
}

TEST_P(PlantedFaults, InALaunchAreFoundInAProfile) {
    for (const auto& [fault, reason] : faults_of_a_launch) expect_found(fault, {"--profile"}, reason);
}

// Among the thousands of launches of a benchmark two point sets may count alike by chance.
TEST_P(PlantedFaults, OfRepeatedLaunchesAreFound) {
    for (const Fault fault : repetitions) {
        expect_found(fault, {json, "--launches=20"}, "");
        expect_found(fault, {json, "--launches=20", "--devices=0"}, "");
    }
    if (GetParam() != Independent::launches) {
        expect_found(Fault::repeated_launch, {json}, "published the same counts");
    }
    expect_found(Fault::launches_alike, {json}, "");
    expect_found(Fault::launches_in_twos, {json}, "");
}

// The first part of a run is without fault, the second one draws its numbers once more.
TEST_P(PlantedFaults, OfRepeatedLaunchesAreFoundInAResumedRun) {
    const std::string path = testing::TempDir() + "planted_" + std::to_string(static_cast<int>(GetParam())) + ".ckpt";
    std::filesystem::remove(path);
    ASSERT_EQ(run(Fault::repeated_launch, {"--launches=16", "--checkpoint=" + path}).exit_code, 0);
    expect_found(Fault::repeated_launch, {json, "--launches=17", "--resume=" + path}, "published the same counts");
    std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Verdict, PlantedFaults,
                         testing::Values(Independent::samples, Independent::counts, Independent::launches));

}  // namespace
