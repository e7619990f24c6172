// What v20_tensor_words rests on: which lane's bytes a matrix product brings to which word, and hits like independent ones.
#include "kernels/pi/shared/tensor_words.cuh"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/sources.hpp"
#include "quality/dispersion.hpp"

namespace {

constexpr unsigned lanes = 32;

unsigned byte(unsigned word, unsigned i) { return word >> 8 * i & 0xff; }

/// The sums that each lane gets from an mma.m16n8k32 of `words`, by the tables of the PTX ISA.
std::vector<std::vector<unsigned>> product(const std::vector<std::vector<unsigned>>& words) {
    std::vector<std::vector<unsigned>> rows(16, std::vector<unsigned>(32)), columns(8, std::vector<unsigned>(32));
    for (unsigned lane = 0; lane < lanes; lane++) {
        const unsigned group = lane / 4, in_group = lane % 4;
        for (unsigned i = 0; i < 4; i++) {
            for (const unsigned k : {0u, 1u}) {
                rows[group][16 * k + 4 * in_group + i] = byte(pi::tensor_rows(lane).of[2 * k], i);
                rows[group + 8][16 * k + 4 * in_group + i] = byte(pi::tensor_rows(lane).of[2 * k + 1], i);
                columns[group][16 * k + 4 * in_group + i] = byte(words[lane][k], i);
            }
        }
    }
    std::vector<std::vector<unsigned>> sums(lanes, std::vector<unsigned>(4));
    for (unsigned lane = 0; lane < lanes; lane++) {
        for (unsigned i = 0; i < 4; i++) {
            const auto& row = rows[lane / 4 + (i < 2 ? 0 : 8)];
            const auto& column = columns[lane % 4 * 2 + (i & 1)];
            for (unsigned k = 0; k < 32; k++) sums[lane][i] += row[k] * column[k];
        }
    }
    return sums;
}

TEST(TensorWords, GetFromTheMatrixProductWhatTheLawSays) {
    std::mt19937 random(1);
    std::vector<std::vector<unsigned>> words(lanes);
    for (auto& of_lane : words) of_lane = {static_cast<unsigned>(random()), static_cast<unsigned>(random())};
    const auto sums = product(words);
    for (unsigned lane = 0; lane < lanes; lane++) {
        for (unsigned i = 0; i < 4; i++) {
            const pi::DottedWord dotted = pi::dotted_word(lane, i);
            EXPECT_EQ(sums[lane][i], rng::dot_of_bytes(words[dotted.lane][dotted.word], pi::tensor_factors(i), 0))
                << lane << " " << i;
        }
    }
}

TEST(TensorWords, NoTwoAreMixedAlike) {
    std::set<std::tuple<unsigned, unsigned, unsigned>> found;
    for (unsigned lane = 0; lane < lanes; lane++) {
        for (unsigned i = 0; i < 4; i++) {
            const pi::DottedWord dotted = pi::dotted_word(lane, i);
            EXPECT_TRUE(found.emplace(dotted.lane, dotted.word, pi::tensor_factors(i)).second) << lane << " " << i;
        }
    }
}

TEST(TensorWords, WarpsHitBinomially) {
    constexpr std::uint64_t warps = 2048;
    constexpr double significant = 1e-6;
    const double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;
    for (const unsigned iters : {1u, 33u, 100u}) {  // of a group of 1,024, a whole one and a rest, four and a rest
        std::vector<std::uint32_t> hits;
        for (std::uint64_t warp = 0; warp < warps; warp++) {
            hits.push_back(static_cast<std::uint32_t>(
                pi::sources::tensor_words.replay({1234, 0, lanes * warps, lanes * warp}, iters)));
        }
        const auto d = quality::dispersion(hits, lanes * iters, p);
        EXPECT_GT(d.p_mean, significant) << iters << ": " << d.mean_z << " sd";
        EXPECT_GT(d.p_variance, significant) << iters << ": ratio " << d.variance_ratio;
        EXPECT_GT(d.p_histogram, significant) << iters << ": " << d.chi2 << " with " << d.dof << " degrees of freedom";
        EXPECT_GT(d.p_neighbours, significant) << iters << ": " << d.neighbour_correlation;
    }
}

}  // namespace
