// Wallace's pools against answers worked out in whole numbers, and the order in which shared memory keeps them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "bench/tally.hpp"
#include "kernels/normals/versions.hpp"
#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/shared/published_sums.cuh"
#include "kernels/random/normals/wallace_replay.hpp"
#include "kernels/random/normals/ziggurat.hpp"

namespace {

using rng::pool_size;
using rng::pool_threads;
using rng::WallacePool;

WallacePool ramp() {
    std::vector<float> numbers(pool_size);
    std::iota(numbers.begin(), numbers.end(), -1024.0f);
    return {numbers, 1};
}

/// The numbers times 2^passes, which are whole.
std::vector<std::int64_t> whole_numbers(const WallacePool& pool, unsigned passes) {
    std::vector<std::int64_t> whole;
    for (const float x : pool.numbers()) whole.push_back(std::llround(std::ldexp(double{x}, static_cast<int>(passes))));
    return whole;
}

struct Answer {
    unsigned passes;
    std::vector<std::int64_t> first;    // numbers 0 to 7
    std::int64_t middle[2];             // numbers 1023 and 1024
    std::int64_t last;                  // number 2047
    std::int64_t sum, moment, squares;  // of x, (i + 1) x, x^2
};

// A program in Python's whole numbers, written from the chapter.
const Answer answers[] = {
    {1, {378, -662, 346, 1354, 2362, -726, -1766, -758}, {2656, -1202}, 216, 0, 3735552, 2863312896},
    {2, {-234, 1070, 2750, 1922, -302, 3476, 2618, -1984}, {354, -2802}, -50, -32768, -53414912, 11453251584},
    {4, {7950, 348, -5184, -13910, -320, 5918, 3240, 4970}, {-3142, -11016}, -3326, -720896, -1110243648, 183252025344},
    {8,
     {-39618, -49894, -51036, 110530, 237524, -29110, 52830, 353304},
     {54804, 94852},
     -69234,
     -2512640,
     -8222178368,
     46912518488064}};

TEST(Wallace, PoolsAreThoseOfWholeNumbers) {
    WallacePool pool = ramp();
    unsigned passes = 0;
    for (const Answer& answer : answers) {
        while (passes < answer.passes) {
            pool.pass();
            passes++;
        }
        const auto x = whole_numbers(pool, passes);
        EXPECT_EQ(std::vector(x.begin(), x.begin() + 8), answer.first) << passes << " passes";
        EXPECT_EQ(x[1023], answer.middle[0]);
        EXPECT_EQ(x[1024], answer.middle[1]);
        EXPECT_EQ(x[2047], answer.last);
        std::int64_t sum = 0, moment = 0, squares = 0;
        for (std::size_t i = 0; i < x.size(); i++) {
            sum += x[i];
            moment += static_cast<std::int64_t>(i + 1) * x[i];
            squares += x[i] * x[i];
        }
        EXPECT_EQ(sum, answer.sum) << passes << " passes";
        EXPECT_EQ(moment, answer.moment) << passes << " passes";
        EXPECT_EQ(squares, answer.squares) << passes << " passes";
    }
}

TEST(Wallace, ReadsWhereTheSourceReads) {
    const auto reads = [](unsigned first) {
        const auto& places = rng::read_places[first];
        return std::vector<unsigned>(places.begin(), places.end());
    };
    EXPECT_EQ(reads(0), (std::vector<unsigned>{472, 1585, 1290, 1635, 572, 149, 366, 1223}));
    EXPECT_EQ(reads(1), (std::vector<unsigned>{352, 1337, 914, 1131, 1988, 1437, 1526, 207}));
    EXPECT_EQ(reads(255), (std::vector<unsigned>{592, 1833, 1666, 91, 1204, 909, 1254, 191}));
}

TEST(Wallace, AnImpulseReachesFourNumbers) {
    const auto after_a_pass = [](unsigned place) {
        std::vector<float> numbers(pool_size);
        numbers[place] = 1;
        WallacePool pool(numbers, 1);
        pool.pass();
        std::vector<std::pair<unsigned, float>> changed;
        for (unsigned i = 0; i < pool_size; i++) {
            if (pool.numbers()[i] != 0) changed.emplace_back(i, pool.numbers()[i]);
        }
        return changed;
    };
    using Changed = std::vector<std::pair<unsigned, float>>;
    EXPECT_EQ(after_a_pass(0), (Changed{{169, 0.5f}, {425, -0.5f}, {681, 0.5f}, {937, 0.5f}}));
    EXPECT_EQ(after_a_pass(1000), (Changed{{246, 0.5f}, {502, -0.5f}, {758, 0.5f}, {1014, 0.5f}}));
}

/// Wavefronts of a warp whose threads access these words: the most in one bank.
unsigned wavefronts(const std::vector<unsigned>& words) {
    unsigned of_bank[32] = {}, most = 0;
    for (const unsigned word : words) most = std::max(most, ++of_bank[word % 32]);
    return most;
}

/// Over all accesses of all warps and every m, the numbers of wavefronts found. `place(m, thread, j)`: what the threads
/// access.
template <typename Layout, typename Place>
std::set<unsigned> wavefronts_of_all(Place&& place) {
    std::set<unsigned> found;
    for (unsigned m = 0; m < pool_threads; m++) {
        for (unsigned j = 0; j < rng::of_thread; j++) {
            for (unsigned warp = 0; warp < pool_threads; warp += 32) {
                std::vector<unsigned> words;
                for (unsigned lane = 0; lane < 32; lane++) words.push_back(Layout::place(place(m, warp + lane, j)));
                found.insert(wavefronts(words));
            }
        }
    }
    return found;
}

using Wavefronts = std::set<unsigned>;

unsigned read_of_source(unsigned m, unsigned thread, unsigned j) {
    return rng::read_places[(m + thread) % pool_threads][j];
}
unsigned write_of_source(unsigned, unsigned thread, unsigned j) { return j * pool_threads + thread; }

TEST(Wallace, EveryReadOfTheSourceTakesEightWavefronts) {
    EXPECT_EQ(wavefronts_of_all<rng::SourceLayout>(read_of_source), Wavefronts{8});
    EXPECT_EQ(wavefronts_of_all<rng::SourceLayout>(write_of_source), Wavefronts{1});
}

TEST(Wallace, ThreadsOfTheSourceMeetInNoBankOfTheXorLayout) {
    EXPECT_EQ(wavefronts_of_all<rng::XorLayout>(read_of_source), Wavefronts{1});
    EXPECT_EQ(wavefronts_of_all<rng::XorLayout>(write_of_source), Wavefronts{1});
}

TEST(Wallace, SteadyThreadsMeetInNoBankOfTheSwizzledLayout) {
    const auto row = [](unsigned thread) { return thread % 32 * 8 + thread / 32; };
    EXPECT_EQ(wavefronts_of_all<rng::SwizzledLayout>(
                  [&](unsigned, unsigned thread, unsigned j) { return rng::read_places[row(thread)][j]; }),
              Wavefronts{1});
    EXPECT_EQ(wavefronts_of_all<rng::SwizzledLayout>([&](unsigned m, unsigned thread, unsigned j) {
                  return j * pool_threads + (row(thread) - m) % pool_threads;
              }),
              Wavefronts{1});
}

template <typename Layout>
void expect_a_place_for_every_number() {
    std::set<unsigned> places;
    for (unsigned i = 0; i < pool_size; i++) places.insert(Layout::place(i));
    EXPECT_EQ(places.size(), pool_size);
    EXPECT_LT(*places.rbegin(), Layout::words);
}

TEST(Wallace, EveryLayoutHasAPlaceForEveryNumber) {
    expect_a_place_for_every_number<rng::SourceLayout>();
    expect_a_place_for_every_number<rng::XorLayout>();
    expect_a_place_for_every_number<rng::SwizzledLayout>();
}

TEST(Wallace, TheSquareOfAChiFactorHasMeanOneAndVarianceTwoByK) {
    // The fourth moment of c1 + c2 g, exactly: E g^2 = 1, E g^4 = 3.
    const double c1 = rng::chi_factor(0), c2 = double{rng::chi_factor(1)} - c1;
    const double square = c1 * c1 + c2 * c2;
    const double fourth = c1 * c1 * c1 * c1 + 6 * c1 * c1 * c2 * c2 + 3 * c2 * c2 * c2 * c2;
    EXPECT_NEAR(square, 1, 3e-7);
    EXPECT_NEAR((fourth - square * square) * pool_size / 2, 1, 1e-4);
}

/// What n4 would publish in a launch of `blocks`: each thread has one group of normals.
std::vector<bench::Count> launch_of_pools(std::uint64_t index, unsigned blocks) {
    using Sums = options::PublishedSums<normals::squares_bits, normals::sum_bits>;
    std::vector<bench::Count> counts(Sums::columns * blocks);
    for (unsigned block = 0; block < blocks; block++) {
        rng::ZigguratNormals source({1, index, blocks, block});
        std::vector<float> first(pool_size);
        source.fill(first);
        double squares = 0;
        for (const float x : first) squares += double{x} * x;
        for (float& x : first) x = static_cast<float>(x * std::sqrt(pool_size / squares));
        WallacePool pool(first, rng::first_m(1, index, block));
        float sum_of[pool_threads] = {}, squares_of[pool_threads] = {};
        for (unsigned pass = 0; pass < normals::normals_per_group / rng::of_thread; pass++) {
            float g;
            source.fill({&g, 1});
            pool.pass();
            for (unsigned i = 0; i < pool_size; i++) {
                const float z = rng::chi_factor(g) * pool.numbers()[i];
                sum_of[i % pool_threads] += z;
                squares_of[i % pool_threads] += z * z;
            }
        }
        Sums sums;
        for (unsigned thread = 0; thread < pool_threads; thread++) sums.add(squares_of[thread], sum_of[thread]);
        for (unsigned column = 0; column < Sums::columns; column++) {
            counts[column * blocks + block] = sums.column(column);
        }
    }
    return counts;
}

// No sum of squares shows what is wrong with the numbers: that is why options_wallace_tests exists.
TEST(Wallace, PoolsPassTheVerdictOnSums) {
    constexpr unsigned blocks = 132;
    const bench::Step& n4 = **std::find_if(normals::versions().begin(), normals::versions().end(),
                                           [](const bench::Step* step) { return step->name == std::string("n4"); });
    bench::Tally tally(*n4.estimand, bench::spec_of(n4, 1, {blocks, pool_threads}, 1));
    for (unsigned k = 0; k < 20; k++) tally.add(launch_of_pools(k, blocks));
    EXPECT_NO_THROW(n4.estimand->judge(tally));
}

}  // namespace
