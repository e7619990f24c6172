// The kernels of the battery of words sum what plain loops over the replays' words sum, across the threads of a warp, too.
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/plain_words.hpp"

namespace {

using quality::words::Order;
using WordTest = quality::words::Test;

class EveryWordsKernel : public GpuTest, public testing::WithParamInterface<std::size_t> {
 protected:
    const WordTest& test() const { return quality::words::tests()[GetParam()]; }
};

TEST_P(EveryWordsKernel, SumsWhatPlainLoopsSum) {
    WordTest of = test();
    const bool long_words = of.name == "blocks";
    of.size = {{of.name == "turned" ? 31u : long_words ? 1u : 2u, 32}, long_words ? 1u : 3u};
    const std::vector<Order> orders =
        of.of_first_words ? std::vector{Order::threads, Order::launches, Order::seeds} : std::vector{Order::stream};
    for (const Order order : orders) {
        auto expected = plain::sums(of, {of.size, 77, order, 5}, true);
        const auto second = plain::sums(of, {of.size, 77, order, 6}, true);
        for (std::size_t i = 0; i < expected.size(); i++) expected[i] += second[i];
        const auto found = quality::words::sums_on_gpu(of, {77, order, 5, 2}, [](std::uint64_t) {});
        EXPECT_EQ(found, std::vector<bench::Count>(expected.begin(), expected.end()));
    }
}

INSTANTIATE_TEST_SUITE_P(Words, EveryWordsKernel, testing::Range<std::size_t>(0, quality::words::tests().size()),
                         [](const auto& info) {
                             const WordTest& test = quality::words::tests()[info.param];
                             return test.generator + "_" + test.name + (test.of_first_words ? "_of_first_words" : "");
                         });

}  // namespace
