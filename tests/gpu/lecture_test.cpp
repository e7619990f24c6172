// The kernels of the lecture count what numpy counted, and run on larger grids than the lecture's.
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
};

TEST_P(LectureKernel, CountsWhatNumpyCounted) {
    for (const auto& [samples, hits] : lecture_hits) {
        const unsigned threads = has_one_thread_a_block() ? 1 : 32;
        if (samples % threads != 0) continue;
        EXPECT_EQ(total(published(step(), {samples / threads, threads}, 1, seed, 0)), hits) << samples << " samples";
    }
}

// The lecture stopped at 65,535 blocks.
TEST_P(LectureKernel, RunsMoreBlocksThanTheLecture) {
    const auto run = run_program(step(), {"--blocks", "70000", "--launches", "1"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Ladder, LectureKernel, testing::ValuesIn(lecture::versions()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
