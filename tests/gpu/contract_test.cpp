// The contract, with kernels whose hits are known.
#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/worker.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/known_hits.hpp"
#include "tests/gpu/run_launches.hpp"

using bench::Shape;
using bench::Step;

namespace {

class Contract : public GpuTest {};

TEST_F(Contract, MoreHitsThan32BitsHoldAreCounted) {
    constexpr std::uint64_t samples = std::uint64_t{256} * 1024 * 40'000;
    static_assert(samples > std::uint64_t{2} << 32);
    EXPECT_EQ(total(published(always_hit(), {256, 1024}, 40'000, 0, 0)), samples);
    constexpr std::uint64_t of_one_block = std::uint64_t{1024} * 5'000'000;
    static_assert(of_one_block > std::uint64_t{1} << 32);
    EXPECT_EQ(total(published(always_hit(), {1, 1024}, 5'000'000, 0, 0)), of_one_block);
}

TEST_F(Contract, CountsOfABatchAreHandedOverLaunchByLaunch) {
    const Step version = always_hit();
    std::vector<std::uint64_t> hits;
    const auto time = run_launches(version, {3, 64}, 10, 0, {0, 4}, [&](auto counts) {
        hits.push_back(total({counts.begin(), counts.end()}));
    });
    EXPECT_EQ(hits, std::vector<std::uint64_t>(4, 3u * 64 * 10));
    EXPECT_GT(time.total_ms, 0);
    EXPECT_EQ(time.phases_ms, bench::PhaseTimes{}) << "of one phase";
}

void expect_no_rate(const ProgramRun& run, bench::ExitCode code, const std::string& reason) {
    EXPECT_EQ(run.exit_code, code) << run.err;
    EXPECT_NE(run.err.find(reason), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_EQ(run.out, "");
}

TEST_F(Contract, ACooperativeGridThatCannotBeResidentIsRefusedWithItsLimit) {
    Step version = coin();
    version.accepted_blocks = bench::Blocks::resident;
    const Shape most = bench::resolve_shape(version, std::nullopt, std::nullopt, 0);
    const auto run = run_program(version, {"--blocks", std::to_string(most.blocks + 1)});
    expect_no_rate(run, bench::exit_usage, "at most " + std::to_string(most.blocks) + " of 1024 threads");
}

TEST_F(Contract, ALaunchTooLargeForTheDeviceIsOneLine) {
    // 2^31 - 1 blocks publish 16 GiB of counts a launch, and with 2^32 - 1 samples a thread pass 2^63 samples.
    const auto run = run_program(coin(), {"--blocks", "2147483647", "--iters", "4294967295"});
    expect_no_rate(run, bench::exit_usage, "2^63");
}

TEST_F(Contract, ALaunchThatNeedsMoreMemoryThanThereIsIsRefusedWithItsBytes) {
    Step version = coin();
    version.scratch_bytes = [](Shape shape, unsigned iters) {
        return bench::bytes_of(bench::total_threads(shape) * iters, 8);
    };
    const auto run = run_program(version, {"--blocks", "1", "--threads", "1024", "--iters", "4294967295"});
    expect_no_rate(run, bench::exit_usage, "35,184,372,080,648 bytes of GPU memory");  // 2^10 (2^32 - 1) 8 and a count
}

TEST_F(Contract, ADeviceThatIsNotThereIsRefused) {
    expect_no_rate(run_program(coin(), {"--device", "99"}), bench::exit_usage, "--device");
}

TEST_F(Contract, AThreadThatDoesOneUnitOfWorkIsNotAskedForMore) {
    Step version = coin();
    version.most_iters = 1;
    expect_no_rate(run_program(version, {"--iters", "2"}), bench::exit_usage,
                   "--iters: a thread of test does 1 sample, not 2");
}

TEST_F(Contract, AKernelOfALibraryNeedsAGridOfItsOwnOnly) {
    Step version = coin();
    version.kernel = nullptr;
    version.default_blocks = 7;
    EXPECT_EQ(bench::resolve_shape(version, std::nullopt, std::nullopt, 0), (Shape{7, 1024}));
    EXPECT_FALSE(bench::kernel_facts(version, 1024, 0));
    EXPECT_EQ(run_program(version, {"--launches", "1"}).exit_code, bench::exit_done);
}

TEST_F(Contract, ALaunchThatFailsIsACudaErrorWithItsName) {
    expect_no_rate(run_program(cannot_be_launched(), {"--launches", "1"}), bench::exit_machine,
                   "cudaErrorInvalidValue");
}

TEST_F(Contract, TheProbedClockIsThatOfAGpu) {
    const Step version = coin();
    const bench::LaunchSpec spec = bench::spec_of(version, 0, {1, 32}, 10);
    const auto worker = bench::gpu_worker(0, version, spec);
    worker->get_ready(1);
    worker->run({0, 1}, [](auto) {});
    EXPECT_GT(worker->clocks().mhz, 100);
    EXPECT_LT(worker->clocks().mhz, 1.05 * bench::device_facts(0).max_clock_mhz);
}

TEST_F(Contract, WhatHoldsTheClockDownIsAskedOnceATiming) {
    const Step version = coin();
    const bench::LaunchSpec spec = bench::spec_of(version, 0, {1, 32}, 10);
    for (const bool alone : {true, false}) {
        const auto worker = bench::gpu_worker(0, version, spec, alone);
        worker->start_anew();
        for (int timing = 0; timing < 3; timing++) {
            worker->get_ready(2);
            worker->run({0, 2}, [](auto) {});
        }
        const auto throttle = worker->clocks().throttle;
        if (!throttle) GTEST_SKIP() << "NVML does not tell what holds the clock down";
        EXPECT_EQ(throttle->timings, 3u);
        EXPECT_GT(throttle->min_c, 0u);
        EXPECT_LT(throttle->max_c, 120u);
    }
}

}  // namespace
