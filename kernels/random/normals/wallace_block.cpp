#include "kernels/random/normals/wallace_block.hpp"

#include <cmath>
#include <vector>

#include "kernels/random/draws.cuh"
#include "kernels/random/normals/exact_normals.hpp"
#include "kernels/random/normals/wallace_replay.hpp"

namespace rng {
namespace {

/// What a block starts with (wallace_pools.hpp).
struct Start {
    std::vector<float> pool = std::vector<float>(pool_size), factors;  // the latter of each pass
};

Start start_of(const bench::StreamId& first, std::size_t passes) {
    Start start;
    start.factors.resize(passes + 1);
    std::vector<double> numbers(pool_size);
    double squares = 0;
    for (unsigned thread = 0; thread < pool_threads; thread++) {
        Philox7Draws draw({first.seed, first.launch, first.threads, first.thread + thread});
        const auto next = [&] {
            const std::uint32_t radius_word = draw();
            return whole_circle_sine_first(radius_word, draw());
        };
        for (unsigned j = 0; j < of_thread; j += 2) {
            const ExactPair pair = next();
            numbers[j * pool_threads + thread] = pair.first;
            numbers[(j + 1) * pool_threads + thread] = pair.second;
            squares += pair.first * pair.first + pair.second * pair.second;
        }
        for (std::size_t i = 2 * thread; i < passes; i += 2 * pool_threads) {
            const ExactPair pair = next();
            start.factors[i] = chi_factor(static_cast<float>(pair.first));
            start.factors[i + 1] = chi_factor(static_cast<float>(pair.second));
        }
    }
    const double scale = std::sqrt(pool_size / squares);
    for (unsigned i = 0; i < pool_size; i++) start.pool[i] = static_cast<float>(scale * numbers[i]);
    return start;
}

/// `place_of(m, thread)`: which of 256 numbers the thread writes, eight times in a pass.
template <unsigned (*place_of)(unsigned m, unsigned thread)>
void normals_of_block(unsigned normals, const bench::StreamId& first, unsigned paths, const UseNormals& use) {
    const unsigned passes = normals / of_thread;
    Start start = start_of(first, std::size_t{passes} * paths);
    WallacePool pool(std::move(start.pool),
                     first_m(first.seed, first.launch, static_cast<unsigned>(first.thread / pool_threads)));
    std::vector<double> of_threads(std::size_t{pool_threads} * normals);
    std::size_t pass = 0;
    for (unsigned path = 0; path < paths; path++) {
        for (unsigned p = 0; p < passes; p++) {
            pool.pass();
            const double factor = start.factors[pass++];
            for (unsigned thread = 0; thread < pool_threads; thread++) {
                const unsigned place = place_of(pool.m(), thread);
                double* const to = &of_threads[std::size_t{thread} * normals + p * of_thread];
                for (unsigned j = 0; j < of_thread; j++) to[j] = factor * pool.numbers()[j * pool_threads + place];
            }
        }
        for (unsigned thread = 0; thread < pool_threads; thread++) use(&of_threads[std::size_t{thread} * normals]);
    }
}

unsigned place_of_source(unsigned, unsigned thread) { return thread; }
unsigned place_of_swizzled(unsigned m, unsigned thread) { return (thread % 32 * 8 + thread / 32 - m) % pool_threads; }

}  // namespace

void normals_of_source_threads(unsigned normals, const bench::StreamId& first, unsigned paths, const UseNormals& use) {
    normals_of_block<place_of_source>(normals, first, paths, use);
}

void normals_of_swizzled_threads(unsigned normals, const bench::StreamId& first, unsigned paths,
                                 const UseNormals& use) {
    normals_of_block<place_of_swizzled>(normals, first, paths, use);
}

}  // namespace rng
