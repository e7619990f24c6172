#include "quality/wallace_tests.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>

#include "kernels/random/normals/wallace_replay.hpp"
#include "kernels/random/normals/ziggurat.hpp"

namespace quality {
namespace {

using rng::of_thread;
using rng::pool_size;
using rng::pool_threads;
using rng::WallacePool;
using rng::ZigguratNormals;
using Numbers = std::vector<float>;

constexpr unsigned pools = 16, passes = 25'600;
constexpr unsigned cycle = 256;           // of the permutations
constexpr unsigned passes_of_pairs = 64;  // whose numbers W3 compares with their sources
constexpr double most_sigma = 5;

/// The numbers of one pool, pass by pass.
class Passes {
 public:
    Passes(Normals normals, std::uint64_t seed, unsigned pool)
        : normals_(normals),
          ziggurat_({seed, 0, pools, pool}),
          pool_(first_pool(), normals == Normals::wallace_of_chapter ? 1 : rng::first_m(seed, 0, pool)),
          output_(pool_size) {}

    void next() {
        pool_.pass();
        if (normals_ == Normals::independent) {
            ziggurat_.fill(output_);
            return;
        }
        const float factor = next_factor();
        for (unsigned i = 0; i < pool_size; i++) output_[i] = factor * pool_.numbers()[i];
    }

    const Numbers& numbers() const { return output_; }
    unsigned m() const { return pool_.m(); }

 private:
    Numbers first_pool() {
        Numbers first(pool_size);
        ziggurat_.fill(first);
        if (normals_ == Normals::wallace_of_chapter) {
            return first;
        }
        double squares = 0;
        for (const float x : first) squares += double{x} * x;
        const double scale = std::sqrt(pool_size / squares);
        for (float& x : first) x = static_cast<float>(x * scale);
        return first;
    }

    float next_factor() {
        float g;
        ziggurat_.fill({&g, 1});
        switch (normals_) {
            case Normals::wallace:
                return rng::chi_factor(g);
            case Normals::wallace_of_chapter: {
                const double c1 = std::pow(1 - 1.0 / (16 * pool_size), 0.25);
                return static_cast<float>(c1 + std::sqrt(1 - c1 * c1) * g);
            }
            default:
                return 1;
        }
    }

    Normals normals_;
    ZigguratNormals ziggurat_;
    WallacePool pool_;
    Numbers output_;
};

/// Sums over the numbers of a pass.
struct PassSums {
    double first, squares, fourth;
};

PassSums sums_of(const Numbers& numbers) {
    constexpr unsigned lanes = 8;  // so that the compiler can vectorise, in a fixed order
    double first[lanes] = {}, squares[lanes] = {}, fourth[lanes] = {};
    for (unsigned i = 0; i < pool_size; i += lanes) {
        for (unsigned lane = 0; lane < lanes; lane++) {
            const double z = numbers[i + lane], square = z * z;
            first[lane] += z;
            squares[lane] += square;
            fourth[lane] += square * square;
        }
    }
    PassSums sums = {};
    for (unsigned lane = 0; lane < lanes; lane++) {
        sums.first += first[lane];
        sums.squares += squares[lane];
        sums.fourth += fourth[lane];
    }
    return sums;
}

/// The sum of the products of each number with the first of the four that it comes from, times their sign: K/2 for a pass
/// of Wallace's generator, by expectation, and 0 for independent numbers.
double products_with_sources(const Numbers& before, const Numbers& now, unsigned m) {
    float sign[of_thread] = {1, 0, 0, 0, 1, 0, 0, 0};
    rng::rotate(sign);  // halves: what the first number of each four becomes
    double sum = 0;
    for (unsigned thread = 0; thread < pool_threads; thread++) {
        const auto& reads = rng::read_places[(m + thread) % pool_threads];
        for (unsigned j = 0; j < of_thread; j++) {
            sum += 2 * double{sign[j]} * before[reads[j / 4 * 4]] * now[j * pool_threads + thread];
        }
    }
    return sum;
}

/// What one pool gave.
struct PoolRecord {
    std::vector<double> first, squares, shape;  // of each pass: sum z, sum z^2, sum z^4 / (sum z^2)^2
    double products = 0;                        // with their sources
};

PoolRecord record(Normals normals, std::uint64_t seed, unsigned pool) {
    Passes source(normals, seed, pool);
    PoolRecord record;
    source.next();
    Numbers before = source.numbers();
    for (unsigned pass = 0; pass < passes; pass++) {
        source.next();
        const PassSums sums = sums_of(source.numbers());
        record.first.push_back(sums.first);
        record.squares.push_back(sums.squares);
        record.shape.push_back(sums.fourth / (sums.squares * sums.squares));
        if (pass < passes_of_pairs) {
            record.products += products_with_sources(before, source.numbers(), source.m());
            before = source.numbers();
        }
    }
    return record;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

/// The sum over i of (values[i] - mean) (values[i + lag] - mean).
double covariance_sum(const std::vector<double>& values, unsigned lag) {
    const double centre = mean(values);
    double sum = 0;
    for (std::size_t i = 0; i + lag < values.size(); i++) sum += (values[i] - centre) * (values[i + lag] - centre);
    return sum;
}

/// A variance over its expectation, with this many degrees of freedom. Its cube root is nearly normal: Wilson and Hilferty,
/// "The distribution of chi-square", PNAS 17, 1931.
Finding variance_finding(const char* test, double ratio, double freedom) {
    const double spread = 2 / (9 * freedom);
    return {test, ratio, 1, (std::cbrt(ratio) - (1 - spread)) / std::sqrt(spread)};
}

Finding correlation_finding(const char* test, double correlation, double pairs) {
    return {test, correlation, 0, correlation * std::sqrt(pairs)};
}

double autocorrelation(const std::vector<double>& values, unsigned lag) {
    return covariance_sum(values, lag) / covariance_sum(values, 0);
}

}  // namespace

bool Finding::passes() const { return std::abs(sigma) <= most_sigma; }

const char* name_of(Normals normals) {
    switch (normals) {
        case Normals::wallace:
            return "n4, n5";
        case Normals::wallace_without_chi:
            return "without chi factors";
        case Normals::wallace_of_chapter:
            return "the chapter's code";
        case Normals::independent:
            return "independent normals";
    }
    throw std::logic_error("unknown normals");
}

std::array<bool, wallace_test_count> expected_passes(Normals normals) {
    switch (normals) {
        case Normals::wallace:
            return {true, false, false, false, true};
        case Normals::wallace_without_chi:
        case Normals::wallace_of_chapter:
            return {false, false, false, false, false};
        case Normals::independent:
            return {true, true, true, true, true};
    }
    throw std::logic_error("unknown normals");
}

std::array<Finding, wallace_test_count> wallace_findings(Normals normals, std::uint64_t seed) {
    std::vector<PoolRecord> records(pools);
#pragma omp parallel for schedule(dynamic)
    for (unsigned pool = 0; pool < pools; pool++) records[pool] = record(normals, seed, pool);

    constexpr double variance_of_squares = 2 * pool_size;
    double within = 0, products = 0, shape = 0, cycles = 0;
    std::vector<double> means;
    for (const PoolRecord& of_pool : records) {
        within += covariance_sum(of_pool.squares, 0) / (passes - 1) / pools;
        products += of_pool.products;
        shape += autocorrelation(of_pool.shape, 1) / pools;
        cycles += std::pow(autocorrelation(of_pool.first, cycle), 2) * passes / pools;
        means.push_back(mean(of_pool.squares));
    }
    const double between = covariance_sum(means, 0) / (pools - 1) * passes;
    const double pairs = double{pools} * passes_of_pairs * pool_size;
    return {variance_finding("W1", within / variance_of_squares, double{pools} * (passes - 1)),
            correlation_finding("W2", shape, double{pools} * passes),
            correlation_finding("W3", products / pairs, pairs), variance_finding("W4", cycles, pools),
            variance_finding("W5", between / variance_of_squares, pools - 1)};
}

}  // namespace quality
