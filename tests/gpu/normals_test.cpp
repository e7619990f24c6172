// The steps of normals made of words: on the GPU they draw the normals of their replay in double precision, normal by
// normal. And the stored moments of each transform are those of all words.
#include "kernels/options/normals/shared/normals.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/launching.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/normals/versions.hpp"
#include "quality/moments/exhaust.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/normals_reference.hpp"

using bench::Shape;
using bench::Step;

namespace {

constexpr std::uint64_t seed = 1234;
constexpr unsigned pairs_of_group = normals::normals_per_group / 2;

const Step& step_called(const std::string& name) {
    for (const auto& all : {normals::versions(), normals::ablations()}) {
        for (const Step* step : all) {
            if (name == step->name) return *step;
        }
    }
    throw std::logic_error("no step " + name);
}

class NormalsOf : public GpuTest, public testing::WithParamInterface<const reference::Normals*> {
 protected:
    void SetUp() override {
        GpuTest::SetUp();
        skip_without_memory_for(step());
    }

    const reference::Normals& normals() const { return *GetParam(); }
    const Step& step() const { return step_called(normals().step); }
    const Step* stored() const {
        const auto others = bench::others_of(step());
        return others.empty() ? nullptr : others[0];
    }
};

/// The pairs in the ring after a launch, the first ones.
std::vector<float> ring_after(const Step& step, Shape shape, unsigned iters, std::uint64_t index, std::size_t pairs) {
    bench::resolve_shape(step, shape.blocks, shape.threads, 0);  // so that the kernel may use its shared memory
    const bench::DeviceBuffer<bench::Count> counts(step.counts(shape));
    const bench::DeviceBuffer<unsigned char> scratch(step.scratch_bytes(shape, iters));
    CUDA_CHECK(cudaMemset(scratch.data(), 0xff, scratch.size()));
    bench::Launch launch = {bench::spec_of(step, seed, shape, iters)};
    launch.index = index;
    launch.counts = counts.data();
    launch.scratch = scratch.data();
    bench::run_phases(step, launch);
    CUDA_CHECK(cudaDeviceSynchronize());
    std::vector<float> normals(2 * pairs);
    CUDA_CHECK(cudaMemcpy(normals.data(), scratch.data(), normals.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return normals;
}

TEST_P(NormalsOf, StoresTheNormalsOfItsReplay) {
    if (!stored()) GTEST_SKIP() << "an ablation does not store";
    constexpr Shape shape = {2, 96};
    constexpr unsigned iters = 2, threads = shape.blocks * shape.threads, pairs = iters * pairs_of_group;
    const auto ring = ring_after(*stored(), shape, iters, 3, std::size_t{threads} * pairs);
    for (unsigned t = 0; t < threads; t++) {
        const auto expected = reference::pairs_of(normals(), {seed, 3, threads, t}, pairs);
        for (unsigned i = 0; i < pairs; i++) {
            const std::size_t place = 2 * (std::size_t{i} * threads + t);
            const auto& z = expected[i];
            ASSERT_NEAR(ring[place], z.first, reference::tolerance(z, z.first)) << "thread " << t << ", pair " << i;
            ASSERT_NEAR(ring[place + 1], z.second, reference::tolerance(z, z.second))
                << "thread " << t << ", pair " << i;
        }
    }
}

TEST_P(NormalsOf, PassesItsVerdictAndReportsARate) {
    for (const Step* of : {&step(), stored()}) {
        if (!of) continue;
        const auto run = run_program(*of, {"--launches", "2"});
        EXPECT_EQ(run.exit_code, bench::exit_done) << of->name << ": " << run.err;
        EXPECT_NE(run.out.find("normals/ns"), std::string::npos) << of->name << ": " << run.out;
    }
}

std::vector<const reference::Normals*> all_of_them() {
    std::vector<const reference::Normals*> all;
    for (const auto& normals : reference::all_normals()) all.push_back(&normals);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Ladder, NormalsOf, testing::ValuesIn(all_of_them()),
                         [](const auto& info) { return std::string(info.param->step); });

class TransformTest : public GpuTest, public testing::WithParamInterface<const normals::Transform*> {};

TEST_P(TransformTest, HasTheStoredMomentsAndTheTailsOfTheNormalDistribution) {
    const auto& transform = *GetParam();
    const normals::Exhausted all = transform.exhaust();
    EXPECT_EQ(all.bad, 0u);
    EXPECT_EQ(all.mean_power[0], 1);
    EXPECT_NEAR(all.mean_power[1], 0, 1e-7);
    EXPECT_NEAR(all.mean_power[2], transform.stored.second, 1e-7);  // no run of 10^12 normals shows more
    EXPECT_NEAR(all.mean_power[4], transform.stored.fourth, 1e-6);
    EXPECT_NEAR(all.mean_power[2], 1, 1e-6);
    EXPECT_NEAR(all.mean_power[4], 3, 1e-5);
    const double relative[] = {1e-4, 2e-4, 2e-3, 0.1};  // single words tell: 8 of 2^32 are beyond 6
    for (unsigned i = 0; i < normals::tails; i++) {
        EXPECT_NEAR(all.tail[i] / normals::normal_tails[i], 1, relative[i]) << normals::first_level + i;
    }
    EXPECT_GT(all.largest, 6.33);  // 24 bits of u reach 5.9
    EXPECT_LT(all.largest, 6.77);
}

std::vector<const normals::Transform*> all_transforms() {
    std::vector<const normals::Transform*> all;
    for (const auto& transform : normals::transforms()) all.push_back(&transform);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Words, TransformTest, testing::ValuesIn(all_transforms()), [](const auto& info) {
    std::string name;
    for (const char c : std::string(info.param->name)) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

}  // namespace
