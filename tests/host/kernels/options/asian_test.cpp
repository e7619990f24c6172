// The Asian option: closed forms, constant numbers, and the float paths of the steps against double precision. Expected
// numbers were computed apart from the suite.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "bench/errors.hpp"
#include "kernels/options/asian/shared/bridge_path.cuh"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/option.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/options/asian/shared/points.hpp"
#include "kernels/options/shared/bridge.hpp"
#include "kernels/options/shared/exact_bridge.hpp"
#include "kernels/random/curand_library.hpp"
#include "kernels/random/curand_words.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/exact_normals.hpp"
#include "kernels/random/normals/wallace_block.hpp"

namespace {

using Words = std::vector<std::uint32_t>;

TEST(AsianModel, IsExactInFloat) {
    for (const unsigned steps : {16u, 64u, 256u}) {
        const asian::Model m = asian::model(steps);
        for (const double parameter : {m.start, m.mu_a, m.mu_b, m.s_aa, m.s_ab, m.s_bb}) {
            EXPECT_EQ(static_cast<float>(parameter), parameter) << steps;
            EXPECT_NE(parameter, 0) << steps;
        }
    }
}

TEST(AsianModel, HasReferencesForItsStepsOnly) {
    for (const unsigned steps : {16u, 64u, 256u}) EXPECT_EQ(asian::reference(steps).steps, steps);
    for (const unsigned steps : {0u, 17u, 1024u}) EXPECT_THROW(asian::reference(steps), std::out_of_range) << steps;
}

TEST(AsianClosedForms, HaveTheKnownValues) {
    struct Known {
        unsigned steps;
        double excess, geo_a, geo_b;
    };
    for (const auto& [steps, excess, geo_a, geo_b] :
         {Known{16, -5.6701883006, 4.3753470781, 5.6284819299}, Known{64, -6.0071055698, 4.5295496314, 5.8322162295},
          Known{256, -6.0946423114, 4.5680989650, 5.8832006936},
          Known{1024, -6.1169614101, 4.5777366115, 5.8959505078}}) {
        const asian::Model m = asian::model(steps);
        EXPECT_NEAR(asian::mean_maximum(m, steps), 115.5432428508, 1e-9) << steps;
        EXPECT_NEAR(asian::mean_excess(m), excess, 1e-9) << steps;
        EXPECT_NEAR(asian::mean_geo_a(m), geo_a, 1e-9) << steps;
        EXPECT_NEAR(asian::mean_geo_b(m), geo_b, 1e-9) << steps;
    }
}

TEST(AsianPath, OfConstantNumbersHasTheKnownPayoff) {
    const auto statistics = asian::constant_price(256, -1 / 8.0, -1 / 16.0).statistics;
    EXPECT_NEAR(statistics[0].mean.value, 17.57729084756855, 1e-11);
    const auto of_nothing = asian::constant_price(256, 0.25, -0.5).statistics;
    EXPECT_EQ(of_nothing[0].mean.value, 0);
    EXPECT_NEAR(of_nothing[1].mean.value, -102.36517694, 1e-8);
}

TEST(AsianPath, OfConstantNumbersHasItInFloat) {
    asian::PricePath<256> path;
    for (unsigned t = 0; t < 256; t++) path.step({-1 / 16.0f, -1 / 8.0f});
    EXPECT_NEAR(path.excess(), 17.57729084756855, 17.6e-5);
}

/// What the float paths of some steps miss.
struct Errors {
    double sum = 0, largest = 0;
    unsigned paths = 0;
    void add(double error) {
        sum += error;
        largest = std::fmax(largest, std::fabs(error));
        paths++;
    }
    double mean() const { return sum / paths; }
};

/// One path may miss 2e-3, and the mean of these paths 1e-5. The test on a GPU has more of them and asks for less.
void expect_small(const Errors& errors) {
    EXPECT_LE(errors.largest, 2e-3);
    EXPECT_LE(std::fabs(errors.mean()), 1e-5);
}

constexpr unsigned paths = 1 << 13;
constexpr bench::StreamId stream = {.seed = 1234, .launch = 3, .threads = 64, .thread = 37};

float positive(float excess) { return std::fmax(excess, 0.0f); }

/// Calls use(path) for each path of the stream in double.
template <typename Use>
void for_paths_in_double(unsigned steps, rng::NormalsOf normals_of, Use&& use) {
    normals_of(2 * steps, stream, paths,
               [&](const double* z) { use(asian::path(asian::model(steps), [&] { return *z++; })); });
}

template <unsigned steps, typename Draws, typename Pair>
void expect_price_paths(rng::NormalsOf normals_of, Pair pair) {
    Errors errors;
    Draws draw(stream);
    for_paths_in_double(steps, normals_of, [&](const auto& exact) {
        asian::PricePath<steps> path;
        for (unsigned t = 0; t < steps; t++) {
            const unsigned radius_word = draw();
            path.step(pair(radius_word, draw()));
        }
        errors.add(positive(path.excess()) - exact.payoff);
    });
    ASSERT_EQ(errors.paths, paths);
    expect_small(errors);
}

TEST(AsianFloatPaths, ThatMultiplyPricesAreNearThoseInDouble) {
    // Not pointers to these functions: they are always inlined.
    const auto normal_pair = [](unsigned radius, unsigned angle) { return rng::normal_pair(radius, angle); };
    const auto polynomial_pair = [](unsigned radius, unsigned angle) { return rng::polynomial_pair(radius, angle); };
    expect_price_paths<16, rng::HybridTauswortheDraws>(asian::normals_of_tausworthe, normal_pair);
    expect_price_paths<256, rng::HybridTauswortheDraws>(asian::normals_of_tausworthe, normal_pair);
    expect_price_paths<64, rng::MrgDraws>(asian::normals_of_mrg, polynomial_pair);
    expect_price_paths<256, rng::MrgDraws>(asian::normals_of_mrg, polynomial_pair);
}

template <unsigned steps>
void expect_log_paths() {
    Errors payoff, excess, geo_a, geo_b;
    rng::MrgDraws draw(stream);
    for_paths_in_double(steps, asian::normals_of_mrg, [&](const auto& exact) {
        asian::ControlledPath<steps> path;
        for (unsigned t = 0; t < steps;) {
            const unsigned group = std::min(31u, steps - t);
            for (unsigned i = 1; i <= group; i++, t++) {
                const unsigned radius_word = draw();
                path.step(i, path.move(radius_word, draw()));
            }
            path.end_group(group);
        }
        payoff.add(positive(path.excess()) - exact.payoff);
        excess.add(path.excess() - exact.excess);
        geo_a.add(path.geo_a() - exact.geo_a);
        geo_b.add(path.geo_b() - exact.geo_b);
    });
    for (const Errors& errors : {payoff, excess, geo_a, geo_b}) expect_small(errors);
}

TEST(AsianFloatPaths, InLogarithmsAreNearThoseInDouble) {
    expect_log_paths<16>();
    expect_log_paths<64>();
    expect_log_paths<256>();
}

// With the integral of the density, in long double.
TEST(ExactNormals, HaveTheProbabilityOfTheirWord) {
    for (std::uint64_t i = 0; i < 1 << 16; i++) {
        for (const auto word : {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i * 65537 + 11)}) {
            const long double z = rng::exact_inverse_cdf(word);
            const long double tail = std::erfc(std::fabs(z) / std::sqrt(2.0L)) / 2;
            const long double known = (std::min(word, ~word) + 0.5L) * 0x1p-32L;
            ASSERT_LT(std::fabs(tail / known - 1), 1e-13L) << word;
            ASSERT_EQ(z < 0, word < 0x80000000u) << word;
        }
    }
}

TEST(AsianBridge, VisitsEveryNodeOnceAndParentsFirst) {
    for (const unsigned steps : {1u, 2u, 16u, 256u}) {
        std::set<unsigned> visited;
        for (unsigned visit = 0; visit < steps; visit++) {
            const unsigned node = options::node_of_visit(visit, steps);
            EXPECT_LT(node, steps);
            if (node > 1) {
                EXPECT_TRUE(visited.count(node / 2)) << node;
            }
            EXPECT_TRUE(visited.insert(node).second) << node;
        }
    }
}

// Cov(W_s, W_t) = min(s, t).
TEST(AsianBridge, OfTheReplayIsABrownianMotion) {
    constexpr unsigned steps = 64;
    std::vector<std::vector<double>> of_normal;
    for (unsigned i = 0; i < steps; i++) {
        std::vector<double> normals(steps), levels(steps);
        normals[i] = 1;
        options::bridge(steps, normals.data(), levels.data(), 1);
        std::partial_sum(levels.begin(), levels.end(), levels.begin());
        of_normal.push_back(levels);
    }
    for (unsigned s = 0; s < steps; s++) {
        for (unsigned t = 0; t < steps; t++) {
            double covariance = 0;
            for (const auto& levels : of_normal) covariance += levels[s] * levels[t];
            EXPECT_NEAR(covariance, std::min(s, t) + 1, 1e-12) << s << " " << t;
        }
    }
}

/// The words of point number `n` of a launch in the order of a path: as the kernels take them from their tables.
Words words_of_point(unsigned n, const Words& directions) {
    const std::size_t words = directions.size() / 32;
    Words point;
    for (unsigned i = 0; i < words; i++) point.push_back(rng::stream_seed(stream.seed, stream.launch, 0, i));
    for (unsigned k = 0; k < 32; k++) {
        for (unsigned i = 0; (n ^ n >> 1) >> k & 1 && i < words; i++) point[i] ^= directions[k * words + i];
    }
    return point;
}

/// The numbers of a thread's points: each warp takes whole groups of 32, one after the other, and each lane one of a group.
std::vector<unsigned> points_of(const bench::StreamId& of, unsigned points) {
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < points; i++) {
        const auto first = static_cast<unsigned>((of.thread / 32 * points + i) * 32);
        for (unsigned n = first; n < first + 32; n++) {
            if (((n ^ n >> 1) & 31) == of.thread % 32) numbers.push_back(n);
        }
    }
    return numbers;
}

template <unsigned steps>
void expect_bridge_paths() {
    Errors payoff, excess;
    const Words directions = asian::directions_in_order(steps, asian::Order::bridge);
    const auto numbers = points_of(stream, paths);
    auto next = numbers.begin();
    for_paths_in_double(steps, asian::normals_of_bridges<steps>, [&](const auto& exact) {
        const Words words = words_of_point(*next++, directions);
        const std::uint32_t* word = words.data();
        const float found = asian::BridgePath<steps>().excess([&] {
            const std::uint32_t a = *word++;
            return asian::WordPair{a, *word++};
        });
        ASSERT_EQ(word, words.data() + words.size());
        payoff.add(positive(found) - exact.payoff);
        excess.add(found - exact.excess);
    });
    ASSERT_EQ(payoff.paths, paths);
    for (const Errors& errors : {payoff, excess}) expect_small(errors);
}

/// Calls `test`, which needs cuRAND's library.
template <typename Test>
void with_curand(Test&& test) {
    try {
        test();
    } catch (const bench::NoGpuError& error) {
        GTEST_SKIP() << error.what();
    }
}

TEST(AsianBridge, InFloatIsNearTheOneInDouble) {
    with_curand([] {
        expect_bridge_paths<16>();
        expect_bridge_paths<64>();
        expect_bridge_paths<256>();
    });
}

TEST(AsianPoints, GiveTheNormalsOfTheirWordsStepByStep) {
    with_curand([] {
        const Words directions = asian::directions_in_order(256, asian::Order::steps);
        const auto numbers = points_of(stream, 40);
        auto next = numbers.begin();
        asian::normals_of_points<256>(512, stream, 40, [&](const double* normals) {
            const Words words = words_of_point(*next++, directions);
            for (unsigned i = 0; i < 512; i++) ASSERT_NEAR(normals[i], rng::inverse_cdf(words[i]), 1e-5) << i;
        });
        EXPECT_EQ(next, numbers.end());
    });
}

// A launch's normals in memory, of which a path takes some.
TEST(AsianNormals, OfCurandAreThoseThatItsHostInterfaceMakes) {
    with_curand([] {
        constexpr unsigned normals = 32, of_thread = 3;
        rng::CurandWords source(rng::philox_words, rng::CurandWords::Side::host);
        const std::size_t of_launch = stream.threads * of_thread;
        std::vector<float> made(normals * of_launch);
        source.begin(stream.seed, stream.launch, made.size());
        source.generate_normals(made.data(), made.size());
        std::size_t path = stream.thread;
        asian::normals_of_curand(normals, stream, of_thread, [&](const double* z) {
            for (unsigned n = 0; n < normals; n++) ASSERT_NEAR(z[n], made[n * of_launch + path], 1e-4) << n;
            path += stream.threads;
        });
        EXPECT_EQ(path, of_launch + stream.thread);
    });
}

// Two counters of each of the 2^16 subsequences.
TEST(AsianNormals, WordsOfCurandAreThoseThatItsHostInterfaceMakes) {
    with_curand([] {
        rng::CurandWords source(rng::philox_words, rng::CurandWords::Side::host);
        Words made(1 << 19);
        source.start(stream.seed, 0);
        source.generate(made.data(), made.size());
        for (unsigned n = 0; n < made.size(); n += 4) {
            const auto words = rng::curand_philox_words(stream.seed, n / 4);
            ASSERT_TRUE(std::equal(words.word, words.word + 4, made.begin() + n)) << n;
        }
    });
}

// As price_with_wallace() takes the numbers of a pass: the first four are z_b of four steps, the others z_a.
TEST(AsianNormals, OfPoolsAreInTheOrderOfTheKernel) {
    constexpr unsigned normals = 32;
    const bench::StreamId first = {.seed = 1234, .launch = 3, .threads = 512, .thread = 256};
    std::vector<std::vector<double>> of_pool, of_path;
    const auto keep = [](auto& all) { return [&all](const double* z) { all.emplace_back(z, z + normals); }; };
    rng::normals_of_source_threads(normals, first, 2, keep(of_pool));
    asian::normals_of_source_pool(normals, first, 2, keep(of_path));
    ASSERT_EQ(of_path.size(), 2 * 256u);
    ASSERT_EQ(of_pool.size(), of_path.size());
    for (std::size_t p = 0; p < of_path.size(); p++) {
        for (unsigned pass = 0; pass < normals / 8; pass++) {
            for (unsigned k = 0; k < 4; k++) {
                EXPECT_EQ(of_path[p][8 * pass + 2 * k], of_pool[p][8 * pass + 4 + k]);
                EXPECT_EQ(of_path[p][8 * pass + 2 * k + 1], of_pool[p][8 * pass + k]);
            }
        }
    }
}

// Against cuRAND's own generator, which makes the coordinates of all points one dimension after the other.
TEST(AsianPoints, AreThoseOfCurandInTheOrderOfTheBridge) {
    constexpr unsigned steps = 256, points = 64;
    Words of_curand(2 * steps * points);
    try {
        const rng::CurandLibrary& library = rng::curand_library();
        curandGenerator_t generator = nullptr;
        ASSERT_EQ(library.create_on_host(&generator, CURAND_RNG_QUASI_SOBOL32), CURAND_STATUS_SUCCESS);
        EXPECT_EQ(library.set_dimensions(generator, 2 * steps), CURAND_STATUS_SUCCESS);
        EXPECT_EQ(library.generate(generator, of_curand.data(), of_curand.size()), CURAND_STATUS_SUCCESS);
        library.destroy(generator);
    } catch (const bench::NoGpuError& error) {
        GTEST_SKIP() << error.what();
    }
    for (const auto order : {asian::Order::bridge, asian::Order::steps}) {
        const Words directions = asian::directions_in_order(steps, order);
        for (unsigned row = 0; row < steps; row++) {
            const unsigned pair = order == asian::Order::bridge ? options::node_of_visit(row, steps) : row;
            for (unsigned n = 0; n < points; n++) {
                for (unsigned c = 0; c < 2; c++) {
                    std::uint32_t word = 0;
                    for (unsigned k = 0; k < 32; k++) {
                        if ((n ^ n >> 1) >> k & 1) word ^= directions[2 * (k * steps + row) + c];
                    }
                    ASSERT_EQ(word, of_curand[(2 * pair + c) * points + n]) << row << " " << n << " " << c;
                }
            }
        }
    }
}

}  // namespace
