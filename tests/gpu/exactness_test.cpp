// v13 to v15 and v18 to v23 hit as often as independent samples do, also in runs that show far smaller deviations than a
// verdict looks for.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/estimands/hits/source.hpp"
#include "bench/workers/worker.hpp"
#include "kernels/pi/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/long_tests.hpp"

using bench::Shape;
using bench::Step;

namespace {

constexpr std::uint64_t seed = 1234;

const std::set<std::string> names = {"v13", "v14", "v15", "v18", "v19", "v20", "v21",
                                     "v22", "v23", "v24", "v25", "v26", "v27"};

std::vector<const Step*> exact_versions() {
    std::vector<const Step*> exact;
    for (const Step* version : pi::versions()) {
        if (names.count(version->name) != 0) {
            exact.push_back(version);
        }
    }
    return exact;
}

double probability(const Step& version) {
    return static_cast<double>(bench::source_of(version).expected.count) / bench::source_of(version).expected.total;
}

class ExactVersion : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    const Step& version() const { return *GetParam(); }
};

// At full length: minutes on a large GPU.
TEST_P(ExactVersion, MeanOfALongRunIsTheExactOne) {
    const Shape shape = {(1u << 20) / version().default_threads, version().default_threads};
    constexpr unsigned iters = 1'000'000;
    const double least_samples = long_tests() ? 1e14 : 1e12;
    std::uint64_t hits = 0, samples = 0;
    const bench::LaunchSpec spec = bench::spec_of(version(), seed, shape, iters);
    const auto worker = bench::gpu_worker(0, version(), spec);
    for (std::uint64_t launch = 0; static_cast<double>(samples) < least_samples; launch++) {
        worker->get_ready(1);
        worker->run({launch, 1}, [&](auto counts) { hits += total({counts.begin(), counts.end()}); });
        samples += bench::total_threads(shape) * iters;
    }
    const double n = static_cast<double>(samples), p = probability(version());
    const double sd = std::sqrt(n * p * (1 - p));
    EXPECT_LT(std::abs(static_cast<double>(hits) - n * p) / sd, 4) << hits << " hits of " << samples << " samples";
}

INSTANTIATE_TEST_SUITE_P(Ladder, ExactVersion, testing::ValuesIn(exact_versions()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(ExactVersions, AreAllThere) { EXPECT_EQ(exact_versions().size(), names.size()); }

}  // namespace
