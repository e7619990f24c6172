// The steps of normals made of words: on the GPU they draw the normals of their replay in double precision, normal by normal
// and in the sums that they publish. And the stored moments of each transform are those of all words.
#include "kernels/options/normals/device/normals.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "bench/choice.hpp"
#include "bench/cli/errors.hpp"
#include "bench/cuda/gpu_runner.hpp"
#include "bench/cuda/resources.hpp"
#include "kernels/normals/versions.hpp"
#include "kernels/options/normals/exhaust/exhaust.hpp"
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

/// What a block publishes, as numbers: of its groups the sums of the squares and of the normals, and of the products of the
/// two.
struct BlockSums {
    double groups, bad, positive, squares, sum, squares_squares, squares_sum, sum_sum;
};

BlockSums published_by(const std::vector<bench::Count>& counts, std::size_t blocks, std::size_t block) {
    const auto column = [&](std::size_t i) { return static_cast<double>(counts[i * blocks + block]); };
    const double groups = column(0), zero = groups * 0x1p22, square_unit = std::ldexp(1, -normals::squares_bits),
                 unit = std::ldexp(1, -normals::sum_bits);
    return {groups,
            column(1),
            column(2),
            (column(3) - zero) * square_unit,
            (column(4) - zero) * unit,
            column(5) * square_unit * square_unit,
            (column(6) - groups * 0x1p44) * square_unit * unit,
            column(7) * unit * unit};
}

BlockSums replayed(const reference::Normals& normals, Shape shape, unsigned iters, std::uint64_t index,
                   unsigned block) {
    BlockSums all = {};
    for (unsigned t = block * shape.threads; t < (block + 1) * shape.threads; t++) {
        const auto pairs = reference::pairs_of(normals, {seed, index, bench::total_threads(shape), t},
                                               std::uint64_t{iters} * pairs_of_group);
        for (unsigned group = 0; group < iters; group++) {
            double sum = 0, squares = 0;
            for (unsigned i = group * pairs_of_group; i < (group + 1) * pairs_of_group; i++) {
                sum += pairs[i].first + pairs[i].second;
                squares += pairs[i].first * pairs[i].first + pairs[i].second * pairs[i].second;
            }
            all.groups++;
            all.positive += squares > 0;
            all.squares += squares;
            all.sum += sum;
            all.squares_squares += squares * squares;
            all.squares_sum += squares * sum;
            all.sum_sum += sum * sum;
        }
    }
    return all;
}

class NormalsOf : public GpuTest, public testing::WithParamInterface<const reference::Normals*> {
 protected:
    const reference::Normals& normals() const { return *GetParam(); }
    const Step& step() const { return step_called(normals().step); }
    const Step* stored() const {
        const auto others = bench::others_of(step());
        return others.empty() ? nullptr : others[0];
    }

    void expect_replay(const Step& of, Shape shape, unsigned iters, std::uint64_t index) const {
        const auto counts = published(of, shape, iters, seed, index);
        for (unsigned block = 0; block < shape.blocks; block++) {
            SCOPED_TRACE(testing::Message() << of.name << ", " << shape.blocks << " x " << shape.threads << ", "
                                            << iters << " iters, launch " << index << ", block " << block);
            const BlockSums on_gpu = published_by(counts, shape.blocks, block);
            const BlockSums expected = replayed(normals(), shape, iters, index, block);
            EXPECT_EQ(on_gpu.groups, expected.groups);
            EXPECT_EQ(on_gpu.bad, 0);
            EXPECT_EQ(on_gpu.positive, expected.positive);
            const double of_group = reference::tolerance_of_sum(::normals::normals_per_group);
            const double n = expected.groups, largest_square = 2 * ::normals::normals_per_group, largest_sum = 200;
            EXPECT_NEAR(on_gpu.squares, expected.squares, n * of_group);
            EXPECT_NEAR(on_gpu.sum, expected.sum, n * of_group);
            EXPECT_NEAR(on_gpu.squares_squares, expected.squares_squares, n * 2 * largest_square * of_group);
            EXPECT_NEAR(on_gpu.squares_sum, expected.squares_sum, n * (largest_square + largest_sum) * of_group);
            EXPECT_NEAR(on_gpu.sum_sum, expected.sum_sum, n * 2 * largest_sum * of_group);
        }
    }
};

TEST_P(NormalsOf, PublishesTheSumsOfItsReplay) {
    for (const Shape shape : {Shape{1, 32}, {3, 96}}) {
        for (const unsigned iters : {1u, 3u}) {
            expect_replay(step(), shape, iters, 0);
            expect_replay(step(), shape, iters, 7);
            if (stored()) expect_replay(*stored(), shape, iters, 7);
        }
    }
}

/// The pairs in the ring after a launch, the first ones.
std::vector<float> ring_after(const Step& step, Shape shape, unsigned iters, std::uint64_t index, std::size_t pairs) {
    const bench::DeviceBuffer<bench::Count> counts(step.counts(shape));
    const bench::DeviceBuffer<unsigned char> scratch(step.scratch_bytes(shape, iters));
    CUDA_CHECK(cudaMemset(scratch.data(), 0xff, scratch.size()));
    bench::run_phases(step, {shape, iters, seed, index, counts.data(), scratch.data(), nullptr});
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
