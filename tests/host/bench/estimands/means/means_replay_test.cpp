// What a replay of means finds. The numbers are normals x and the payoffs max(x, 0), each stream with its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/estimands/means/means.hpp"
#include "kernels/options/shared/published_sums.cuh"

namespace {

using bench::Count;
using bench::StreamId;

constexpr unsigned blocks = 5, threads = 64, iters = 32;
constexpr int bits = 14;
using Sums = options::PublishedSums<bits, bits>;

void numbers(const StreamId& stream, unsigned n, const std::function<void(const double*)>& use) {
    std::mt19937_64 words(stream.seed * 1'000'003 + stream.launch * 65'537 + stream.thread);
    std::normal_distribution<double> normal(0.5, 1);
    for (unsigned i = 0; i < n; i++) {
        const double x = normal(words);
        const double statistics[] = {std::max(x, 0.0), x};
        use(statistics);
    }
}

bench::MeansOf call() {
    return {.quantity = "price",
            .number = "paths",
            .unit_one = "path-step",
            .unit_many = "path-steps",
            .steps = 16,
            .generator = "mt19937",
            .soundness = bench::Soundness::sound,
            .statistics = {{"payoff", bits, {1}, bench::Expected{1}}, {"x", bits, {0.5}, bench::Expected{1}}},
            .replay = {.numbers = numbers, .error = {{1e-6, 1e-7}, {1e-6, 1e-7}}}};
}

bench::LaunchSpec spec() {
    return {.seed = 7,
            .shape = {blocks, threads},
            .iters = 1000,
            .streams = blocks * threads,
            .published = blocks * Sums::columns};
}

struct Number {
    unsigned block, thread, i;
    float payoff, x;
    unsigned times = 1;
};
using Fault = std::function<void(Number&)>;

/// What the launch that is rehearsed publishes. A fault may change each number; `stream_of` says whose numbers a thread adds.
std::vector<Count> published(const Fault& fault = {}, const std::function<unsigned(unsigned)>& stream_of = {},
                             std::uint64_t launch = bench::rehearsed_launch) {
    std::vector<Count> counts(blocks * Sums::columns);
    for (unsigned block = 0; block < blocks; block++) {
        Sums sums;
        for (unsigned t = block * threads; t < (block + 1) * threads; t++) {
            unsigned i = 0;
            numbers({7, launch, blocks * threads, stream_of ? stream_of(t) : t}, iters, [&](const double* v) {
                Number number = {block, t % threads, i++, static_cast<float>(v[0]), static_cast<float>(v[1])};
                if (fault) fault(number);
                for (unsigned k = 0; k < number.times; k++) sums.add(number.payoff, number.x);
            });
        }
        for (unsigned c = 0; c < Sums::columns; c++) counts[c * blocks + block] = sums.column(c);
    }
    return counts;
}

std::string difference(const std::vector<Count>& counts, std::size_t block, const bench::MeansOf& what = call()) {
    const auto estimand = bench::means(what);
    return bench::difference(*estimand->replay(spec(), nullptr, iters * what.steps), bench::rehearsed_launch, block,
                             counts);
}

/// Asserts that the fault is found in block 3, in these words, and in no other.
void expect_found(const std::vector<Count>& counts, const std::string& words) {
    for (std::size_t block = 0; block < blocks; block++) {
        const std::string text = difference(counts, block);
        if (block != 3) {
            EXPECT_EQ(text, "");
            continue;
        }
        EXPECT_EQ(text.rfind("block 3 of 5: ", 0), 0u) << text;
        EXPECT_NE(text.find(words), std::string::npos) << text;
    }
}

TEST(MeansReplay, OfFloatsPasses) {
    const auto estimand = bench::means(call());
    const auto replay = estimand->replay(spec(), nullptr, iters * 16 - 3);
    EXPECT_EQ(replay->spec.iters, iters);
    EXPECT_EQ(replay->spec.work, std::uint64_t{blocks} * threads * iters * 16);
    EXPECT_EQ(replay->parts, blocks);
    const auto counts = published();
    for (std::size_t block = 0; block < blocks; block++) EXPECT_EQ(difference(counts, block), "");
}

TEST(MeansReplay, FindsAnotherStreamOrLaunch) {
    const unsigned one = 3 * threads + 9;
    expect_found(published({}, [](unsigned t) { return t == one ? one - 1 : t; }), "in the replay");
    expect_found(published({}, [](unsigned t) { return t / threads == 3 ? t - threads : t; }), "in the replay");
    const auto counts = published({}, {}, bench::rehearsed_launch + 1);
    for (std::size_t block = 0; block < blocks; block++) EXPECT_NE(difference(counts, block), "");
}

TEST(MeansReplay, FindsNumbersThatAreLostOrOff) {
    const auto of_one = [](const Fault& fault) {
        return [=](Number& n) {
            if (n.thread == 17 && n.i == 5) fault(n);
        };
    };
    const std::pair<Fault, const char*> table[] = {
        {of_one([](Number& n) { n.times = 0; }), "the number of paths is"},
        {of_one([](Number& n) { n.times = 2; }), "the number of paths is"},
        {of_one([](Number& n) { n.payoff = std::numeric_limits<float>::quiet_NaN(); }),
         "the number of bad paths is 1, and 0"},
        {of_one([](Number& n) { n.payoff = std::numeric_limits<float>::infinity(); }),
         "the number of bad paths is 1, and 0"},
        {of_one([](Number& n) { n.payoff = 1e9f; }), "the number of bad paths is 1, and 0"},
        {of_one([](Number& n) { n.x += 0.05f; }), "the sum of x is"},
        {[](Number& n) { n.payoff *= 1.001f; }, "the sum of payoff is"},
        {[](Number& n) { n.x *= 1.001f; }, "the sum of x is"},
        {[](Number& n) { n.payoff += n.payoff > 0 ? 0.01f : 0; }, "the sum of payoff is"},
        {[](Number& n) { n.x += n.i % 2 == 0 ? 0.2f : -0.2f; }, "times x is"},  // the sums stay as they are
    };
    for (const auto& [fault, words] : table) {
        const auto in_block = [fault = fault](Number& n) {
            if (n.block == 3) fault(n);
        };
        expect_found(published(in_block), words);
    }
}

TEST(MeansReplay, FindsColumnsInEachOthersPlace) {
    for (unsigned a = 0; a < Sums::columns; a++) {
        for (unsigned b = a + 1; b < Sums::columns; b++) {
            auto counts = published();
            std::swap(counts[a * blocks + 3], counts[b * blocks + 3]);
            expect_found(counts, "");
            EXPECT_NE(difference(counts, 3), "") << "columns " << a << " and " << b;
        }
    }
}

TEST(MeansReplay, FindsAColumnThatIsOffOrNotWritten) {
    for (unsigned column = 0; column < Sums::columns; column++) {
        auto counts = published();
        counts[column * blocks + 3] = bench::unwritten;
        expect_found(counts, "a sum was never written");
    }
    auto counts = published();
    counts[2 * blocks + 3] += 9;
    expect_found(counts, "the number of paths with a positive payoff is");
}

TEST(MeansReplay, WithANanNeverPasses) {
    bench::MeansOf what = call();
    what.replay.numbers = [](const StreamId&, unsigned n, const auto& use) {
        const double statistics[] = {NAN, NAN};
        for (unsigned i = 0; i < n; i++) use(statistics);
    };
    EXPECT_NE(difference(published(), 0, what), "");
}

TEST(MeansReplay, OfStreamsThatShareTheirStateIsOfTheFirstAndOfSumsOfNumbersOfTheirMeans) {
    bench::MeansOf shared = call(), sums = call();
    shared.replay.together = 32;
    shared.replay.numbers = [](const StreamId& first, unsigned n, const auto& use) {
        EXPECT_EQ(first.thread % 32, 0u);
        for (unsigned t = 0; t < 32; t++) numbers({first.seed, first.launch, first.threads, first.thread + t}, n, use);
    };
    EXPECT_EQ(difference(published(), 2, shared), "");
    sums.per = 1 << 4;
    for (auto& statistic : sums.statistics) statistic.bits -= 4;  // the same unit
    EXPECT_EQ(difference(published(), 2, sums), "");
}

TEST(MeansReplay, OfConstantNumbersNeedsNoFunction) {
    bench::MeansOf what = call();
    what.replay = {};
    EXPECT_FALSE(bench::means(what)->replay(spec(), nullptr, 1));
    what.constant = true;
    const auto payoff = static_cast<float>(what.statistics[0].mean.value), x = 0.5f;
    const auto of_constants = [&](unsigned spoilt, float by) {
        return published([=](Number& n) {
            const bool other = n.thread == 0 && n.i < spoilt;
            n.payoff = payoff + (other ? by : 0);
            n.x = x;
        });
    };
    EXPECT_EQ(difference(of_constants(0, 0), 1, what), "");
    EXPECT_NE(difference(of_constants(1, 1), 1, what), "");
    EXPECT_NE(difference(of_constants(iters, 0.01f), 1, what), "");
}

TEST(MeansReplay, HasAtMostTheIterationsOfTheRunAndAtLeastOne) {
    bench::LaunchSpec few = spec();
    few.iters = 3;
    EXPECT_EQ(bench::means(call())->replay(few, nullptr, 1e6)->spec.iters, 3u);
    EXPECT_EQ(bench::means(call())->replay(few, nullptr, 0.1)->spec.iters, 1u);
}

}  // namespace
