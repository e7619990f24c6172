// Steps of mcls with a fault that their estimates do not show: the replay before the first launch finds it, or the audit after the
// last one.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "bench/errors.hpp"
#include "bench/workers/check.hpp"
#include "bench/workers/launching.hpp"
#include "kernels/mcls/tables/walks.hpp"
#include "kernels/mcls/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using bench::Count;
using bench::Launch;
using bench::Step;

const Step* original = nullptr;  // of the faulty step: phases are functions without data

const Step& step_of(const std::string& name) {
    for (const Step* step : mcls::versions()) {
        if (step->name == name) return *step;
    }
    throw std::logic_error(name);
}

cudaError_t without_fault(const Launch& l) {
    run_phases(*original, l);
    return cudaSuccess;
}

cudaError_t with_another_seed(const Launch& l) {
    Launch other = l;
    other.seed++;
    return without_fault(other);
}

/// Adds to the tally of an entry: a unit, or a part of 10^-9 of a sum in double precision.
template <bool doubles>
cudaError_t with_a_tally_off(const Launch& l) {
    without_fault(l);
    constexpr std::size_t place = mcls::first_tally + 5;
    Count tally = 0;
    CUDA_CHECK(cudaStreamSynchronize(l.stream));
    CUDA_CHECK(cudaMemcpy(&tally, l.counts + place, sizeof tally, cudaMemcpyDeviceToHost));
    tally = doubles ? std::bit_cast<Count>(std::bit_cast<double>(tally) * (1 + 1e-9)) : tally + 1;
    return cudaMemcpyAsync(l.counts + place, &tally, sizeof tally, cudaMemcpyHostToDevice, l.stream);
}

constexpr std::uint64_t late = 20;

template <bool doubles>
cudaError_t with_a_tally_off_late(const Launch& l) {
    return l.index < late ? without_fault(l) : with_a_tally_off<doubles>(l);
}

class FaultsOfWalks : public GpuTest, public testing::WithParamInterface<const char*> {
 protected:
    /// Runs a step whose launches are those of the function.
    static ProgramRun run(cudaError_t (*launch)(const Launch&), const std::string& launches = "20") {
        original = &step_of(GetParam());
        Step step = *original;
        for (bench::Phase& phase : step.phases) phase = {};
        step.phases[0] = {"walk", launch};
        return run_program(step, {"--histories=2000", "--launches=" + launches, "--json=-"});
    }

    static void expect_rehearsal_finds(cudaError_t (*launch)(const Launch&), const std::string& reason) {
        expect_found(run(launch), "rehearsal: launch 1: 2000 histories are not what the host replays: the " + reason);
    }

    static void expect_found(const ProgramRun& ended, const std::string& reason) {
        EXPECT_EQ(ended.exit_code, bench::exit_verdict) << ended.err;
        EXPECT_NE(ended.err.find(reason), std::string::npos) << ended.err;
        EXPECT_EQ(ended.err.find('\n'), ended.err.size() - 1) << ended.err;
        EXPECT_EQ(ended.out, "");
    }
};

TEST_P(FaultsOfWalks, WithoutOneTheRecordHasRehearsalAndAudit) {
    const ProgramRun ended = run(without_fault);
    EXPECT_EQ(ended.exit_code, bench::exit_done) << ended.err;
    for (const char* replays : {"\"rehearsal\": {", "\"audit\": {"}) {
        EXPECT_NE(ended.out.find(replays), std::string::npos) << ended.out;
    }
}

TEST_P(FaultsOfWalks, AnotherSeedIsFound) { expect_rehearsal_finds(with_another_seed, ""); }

TEST_P(FaultsOfWalks, ATallyThatIsOffIsFound) {
    const bool doubles = GetParam() == std::string("v4");
    expect_rehearsal_finds(doubles ? with_a_tally_off<true> : with_a_tally_off<false>, "tally of entry 5 is ");
}

// The last launch is always among those that are audited.
TEST_P(FaultsOfWalks, ATallyThatIsOffInLateLaunchesIsFoundByTheAudit) {
    const bool doubles = GetParam() == std::string("v4");
    expect_found(run(doubles ? with_a_tally_off_late<true> : with_a_tally_off_late<false>, std::to_string(late + 1)),
                 "audit: launch 20: ");
}

std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Mcls, FaultsOfWalks, testing::Values("v4", "v9", "v16", "v18", "v22"), name_of);

}  // namespace
