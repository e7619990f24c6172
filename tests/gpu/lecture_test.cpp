// The kernels of the lecture count what numpy counted and what the replay of each sample counts, on small grids and on larger
// ones than the lecture's.
#include "bench/estimands/source.hpp"
#include "kernels/lecture/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/lecture_hits.hpp"

using bench::Shape;
using bench::Step;

namespace {

constexpr std::uint64_t seed = 1234;

class LectureKernel : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    const Step& step() const { return *GetParam(); }
    bool has_one_thread_a_block() const { return step().accepted_threads == bench::Threads::one; }

    void expect_replay(Shape shape, std::uint64_t index) const {
        const auto counts = published(step(), shape, 1, seed, index);
        const std::uint64_t samples = bench::total_threads(shape), of_a_count = samples / counts.size();
        ASSERT_EQ(of_a_count * counts.size(), samples);
        for (std::uint64_t i = 0; i < counts.size(); i++) {
            std::uint64_t hits = 0;
            for (std::uint64_t t = i * of_a_count; t < (i + 1) * of_a_count; t++) {
                hits += bench::source_of(step()).replay({seed, index, samples, t}, 1);
            }
            ASSERT_EQ(counts[i], hits) << shape.blocks << " x " << shape.threads << ", count " << i;
        }
    }
};

TEST_P(LectureKernel, CountsWhatItsReplayCounts) {
    for (const Shape shape : {Shape{1, 1}, {37, 1}, {1, 32}, {37, 32}, {5, 96}, {3, 1024}}) {
        if (has_one_thread_a_block() != (shape.threads == 1)) continue;
        expect_replay(shape, 0);
        expect_replay(shape, 7);
    }
}

TEST_P(LectureKernel, CountsWhatNumpyCounted) {
    for (const auto& [samples, hits] : lecture_hits) {
        const unsigned threads = has_one_thread_a_block() ? 1 : 32;
        if (samples % threads != 0) continue;
        EXPECT_EQ(total(published(step(), {samples / threads, threads}, 1, seed, 0)), hits) << samples << " samples";
    }
}

// The lecture stopped at 65,535 blocks.
TEST_P(LectureKernel, RunsMoreBlocksThanTheLecture) { expect_replay({70'000, has_one_thread_a_block() ? 1u : 32u}, 0); }

INSTANTIATE_TEST_SUITE_P(Ladder, LectureKernel, testing::ValuesIn(lecture::versions()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
