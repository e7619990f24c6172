#include "quality/cpu_tests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "bench/estimands/hits/law.hpp"
#include "quality/lanes.hpp"
#include "quality/launch_words.hpp"
#include "quality/linear_complexity.hpp"
#include "quality/serial_cell.cuh"

namespace quality {
namespace {

constexpr std::uint64_t lanes = 32;

/// Calls `work(i)` for each i below `count` on all cores.
void on_all_cores(std::uint64_t count, const std::function<void(std::uint64_t)>& work) {
#pragma omp parallel for schedule(dynamic, 16)
    for (std::uint64_t i = 0; i < count; i++) {
        work(i);
    }
}

/// Draws the words of streams 2i and 2i + 1.
class Couple {
 public:
    Couple(const bench::Source& source, const Streams& streams, std::uint64_t i)
        : sliced_(source.bit_planes), first_lane_(2 * i % lanes) {
        const std::uint64_t per_thread = sliced_ ? lanes : 1, threads = streams.count / per_thread;
        order_.lanes = sliced_;
        threads_.emplace_back(source, bench::StreamId{streams.seed, 0, threads, 2 * i / per_thread}, order_);
        if (!sliced_) {
            threads_.emplace_back(source, bench::StreamId{streams.seed, 0, threads, 2 * i + 1}, order_);
        }
    }

    void next(std::uint32_t* first, std::uint32_t* second) {
        if (sliced_) {
            std::uint32_t words[lanes];
            threads_[0].turn(words);
            *first = words[first_lane_];
            *second = words[first_lane_ + 1];
        } else {
            threads_[0].turn(first);
            threads_[1].turn(second);
        }
    }

 private:
    bool sliced_;
    std::uint64_t first_lane_;
    WordOrder order_;
    std::vector<ThreadWords> threads_;
};

template <typename T>
void add(std::vector<T>& total, const std::vector<T>& part) {
    std::transform(total.begin(), total.end(), part.begin(), total.begin(), std::plus<>());
}

/// Each turn draws two words of both streams: two pairs (x, y) and two pairs of neighbours.
PairCounts pairs_of_couple(const bench::Source& source, const Streams& streams, std::uint64_t i, std::uint64_t pairs) {
    PairCounts counts = {std::vector<std::uint64_t>(serial_cells), std::vector<std::uint64_t>(serial_cells)};
    Couple couple(source, streams, i);
    for (std::uint64_t n = 0; n < pairs; n++) {
        std::uint32_t x[2], y[2];
        couple.next(&x[0], &x[1]);
        couple.next(&y[0], &y[1]);
        counts.xy[serial_cell(x[0], y[0])]++;
        counts.xy[serial_cell(x[1], y[1])]++;
        counts.neighbours[serial_cell(x[0], x[1])]++;
        counts.neighbours[serial_cell(y[0], y[1])]++;
    }
    return counts;
}

/// For each sample of a thread: its hit, 0 or 1, minus the exact probability.
std::vector<double> deviations(const bench::Source& source, const bench::StreamId& id, unsigned iters) {
    const auto words = source.words(id);
    const double p = bench::hit_probability(source.expected);
    std::vector<double> deviation(iters);
    for (double& d : deviation) {
        const std::uint32_t x = words->next();
        const std::uint32_t y = words->next();
        d = (source.hit(x, y) ? 1 : 0) - p;
    }
    return deviation;
}

}  // namespace

std::vector<std::uint32_t> hits_per_stream(const bench::Source& source, const Streams& streams, unsigned iters) {
    std::vector<std::uint32_t> hits(streams.count);
    on_all_cores(streams.count, [&](std::uint64_t t) {
        hits[t] = static_cast<std::uint32_t>(source.replay({streams.seed, 0, streams.count, t}, iters));
    });
    return hits;
}

PairCounts count_pairs(const bench::Source& source, const Streams& streams, std::uint64_t pairs_per_stream) {
    PairCounts total = {std::vector<std::uint64_t>(serial_cells), std::vector<std::uint64_t>(serial_cells)};
    on_all_cores(streams.count / 2, [&](std::uint64_t i) {
        const PairCounts counts = pairs_of_couple(source, streams, i, pairs_per_stream);
#pragma omp critical
        {
            add(total.xy, counts.xy);
            add(total.neighbours, counts.neighbours);
        }
    });
    return total;
}

LagCorrelations lag_correlations(const bench::Source& source, const Streams& streams, unsigned iters, unsigned lags) {
    std::vector<double> sums(lags);
    on_all_cores(streams.count, [&](std::uint64_t t) {
        const std::vector<double> d = deviations(source, {streams.seed, 0, streams.count, t}, iters);
        std::vector<double> products(lags);
        for (unsigned lag = 1; lag <= lags; lag++) {
            products[lag - 1] = std::inner_product(d.begin(), d.end() - lag, d.begin() + lag, 0.0);
        }
#pragma omp critical
        add(sums, products);
    });
    const double p = bench::hit_probability(source.expected), variance = p * (1 - p);
    for (unsigned lag = 1; lag <= lags; lag++) {
        sums[lag - 1] /= static_cast<double>(streams.count) * (iters - lag) * variance;
    }
    return {sums, 1 / std::sqrt(static_cast<double>(streams.count) * iters)};
}

std::vector<unsigned> bit_complexities(const bench::Source& source, std::uint64_t seed, unsigned bits) {
    const auto words = source.words({seed, 0, 1, 0});
    std::vector<Bits> sequences(32);
    for (unsigned i = 0; i < bits; i++) {
        const std::uint32_t word = words->next();
        for (unsigned b = 0; b < sequences.size(); b++) {
            sequences[b].add(word >> b & 1);
        }
    }
    std::vector<unsigned> complexities(sequences.size());
    on_all_cores(sequences.size(), [&](std::uint64_t b) { complexities[b] = linear_complexity(sequences[b]); });
    return complexities;
}

}  // namespace quality
