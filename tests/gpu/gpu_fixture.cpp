#include "tests/gpu/gpu_fixture.hpp"

#include <numeric>
#include <optional>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/run/run.hpp"
#include "bench/workers/checked_worker.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/worker.hpp"
#include "tests/gpu/run_launches.hpp"

void GpuTest::SetUp() {
    try {
        bench::select_device(0);
    } catch (const bench::NoGpuError& error) {
        GTEST_SKIP() << error.what();
    }
}

void GpuTest::skip_without_memory_for(const bench::Step& step) {
    if (IsSkipped()) return;
    try {
        bench::resolve_shape(step, std::nullopt, std::nullopt, 0);
    } catch (const bench::NoGpuError& error) {
        GTEST_SKIP() << error.what();
    }
}

std::vector<bench::Count> published(const bench::Step& version, bench::Shape shape, unsigned iters, std::uint64_t seed,
                                    std::uint64_t index) {
    const bench::LaunchSpec spec = bench::spec_of(version, seed, shape, iters);
    return bench::published(*bench::gpu_worker(0, version, spec), index).first;
}

bench::BatchTime run_launches(const bench::Step& version, bench::Shape shape, unsigned iters, std::uint64_t seed,
                              bench::Share launches, const bench::CountSink& sink) {
    const bench::LaunchSpec spec = bench::spec_of(version, seed, shape, iters);
    const auto worker = bench::gpu_worker(0, version, spec);
    worker->get_ready(launches.launches);
    return worker->run(launches, sink);
}

std::uint64_t total(const std::vector<bench::Count>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

ProgramRun run_program(const bench::Step& version, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), version.name);
    std::vector<const char*> argv;
    for (const auto& argument : arguments) {
        argv.push_back(argument.c_str());
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = bench::run(static_cast<int>(argv.size()), argv.data(), version.name, "pi", version);
    const std::string out = testing::internal::GetCapturedStdout();
    return {code, out, testing::internal::GetCapturedStderr()};
}
