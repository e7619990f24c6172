// Population counts of words. Their sums are compared with those of fair bits: a word has 16 ones on average, with variance 8.
#pragma once

#include <cmath>

#include "quality/words/test_kernel.cuh"

namespace quality::words {

inline constexpr double weight_variance = 8;
inline constexpr double square_variance = 124;  // of (ones - 16)^2: the fourth central moment of 32 fair bits is 188

__host__ __device__ __forceinline__ int weight_of(unsigned word) { return static_cast<int>(ones_of(word)) - 16; }

/// The sum of products of four signed bytes, plus `sum`.
__host__ __device__ __forceinline__ int dot_of_signed_bytes(unsigned a, unsigned b, int sum) {
#ifdef __CUDA_ARCH__
    return __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
#else
    for (unsigned shift = 0; shift < 32; shift += 8) {
        sum += int{static_cast<std::int8_t>(a >> shift)} * int{static_cast<std::int8_t>(b >> shift)};
    }
    return sum;
#endif
}

/// The sum over the threads of a warp, for its first thread; 0 for the others, and on the host, which has no warps.
__host__ __device__ __forceinline__ long long sum_of_warp([[maybe_unused]] long long value) {
#ifdef __CUDA_ARCH__
    for (unsigned mask = 16; mask > 0; mask /= 2) {
        value += __shfl_xor_sync(~0u, value, mask);
    }
    return threadIdx.x % 32 == 0 ? value : 0;
#else
    return 0;
#endif
}

/// A test whose threads sum on their own: T::add(draw, trips, found) adds to T::sums numbers of the type T::Sum.
template <typename T>
struct SumsOfThreads {
    __device__ static void on_gpu(Count* total, const Part& part) {
        auto draw = T::Generator::draws(part, rng::grid_thread());
        typename T::Sum found[T::sums] = {};
        T::add(draw, part.size.trips, found);
#pragma unroll
        for (unsigned i = 0; i < T::sums; i++) {
            const long long of_warp = sum_of_warp(found[i]);
            if (threadIdx.x % 32 == 0) {
                atomicAdd(&total[i], static_cast<Count>(of_warp));
            }
        }
    }

    static void on_host(Count* total, const Part& part, std::uint64_t thread) {
        auto draw = T::Generator::draws(part, thread);
        typename T::Sum found[T::sums] = {};
        T::add(draw, part.size.trips, found);
        for (unsigned i = 0; i < T::sums; i++) {
            total[i] += static_cast<Count>(static_cast<long long>(found[i]));
        }
    }
};

/// What the thread whose number differs by `mask` has. The host gives 0.
__host__ __device__ __forceinline__ unsigned of_neighbour([[maybe_unused]] unsigned value, [[maybe_unused]] int mask) {
#ifdef __CUDA_ARCH__
    return __shfl_xor_sync(~0u, value, mask);
#else
    return 0;
#endif
}

/// Mean and variance of the ones of a word; covariances of those of words 1 to 64 apart, and of the same word of two threads.
template <typename Generator_>
struct Lags : SumsOfThreads<Lags<Generator_>> {
    using Generator = Generator_;
    using Sum = int;
    using Draws = typename Generator::Draws;
    static constexpr unsigned block = 384, words_of_trip = 80, lags = 65, packs = words_of_trip / 4;
    static constexpr std::size_t shared_bytes = 0;
    enum { mean = lags, one_apart, sixteen_apart, sums };

    /// The weights of four words, a byte each.
    __host__ __device__ __forceinline__ static unsigned pack_of(Draws& draw) {
        unsigned pack = 0;
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            pack |= (static_cast<unsigned>(weight_of(draw())) & 0xff) << 8 * i;
        }
        return pack;
    }

    /// A pack's four words times those `lag` before the words of the newest packs.
    __host__ __device__ __forceinline__ static void add(Draws& draw, unsigned trips, int (&found)[sums]) {
        unsigned pack[packs];
#pragma unroll
        for (unsigned t = 0; t < packs; t++) {
            pack[t] = pack_of(draw);
        }
#pragma unroll 1
        for (unsigned trip = 0; trip < trips; trip++) {
#pragma unroll
            for (unsigned t = 0; t < packs; t++) {
                pack[t] = pack_of(draw);
                const unsigned before = (t + packs - 1) % packs;
#pragma unroll
                for (unsigned lag = 0; lag < lags; lag++) {
                    const unsigned later = funnel_right(pack[before], pack[t], lag % 4 * 8);
                    found[lag] = dot_of_signed_bytes(later, pack[(t + packs - 1 - lag / 4) % packs], found[lag]);
                }
                found[mean] = dot_of_signed_bytes(pack[t], 0x01010101, found[mean]);
                found[one_apart] = dot_of_signed_bytes(pack[t], of_neighbour(pack[t], 1), found[one_apart]);
                found[sixteen_apart] = dot_of_signed_bytes(pack[t], of_neighbour(pack[t], 16), found[sixteen_apart]);
            }
        }
    }

    static Findings findings(const std::vector<Count>& total, std::uint64_t words) {
        const auto sum = as_signed(total.data(), total.size());
        const double product = weight_variance * weight_variance;
        const auto squares = sum[0] - static_cast<std::int64_t>(weight_variance) * static_cast<std::int64_t>(words);
        return {
            {{"mean of a bit, less 1/2", "", 0, words, weight_variance, 32, {sum[mean]}},
             {"variance of a word's ones, over 8, less 1", "", 0, words, square_variance, weight_variance, {squares}},
             {"correlation of words' ones",
              "lag",
              1,
              words,
              product,
              weight_variance,
              {sum.begin() + 1, sum.begin() + lags}},
             // Each product is there twice.
             {"correlation of threads' ones",
              "thread ^ 1, 16",
              0,
              words / 2,
              product,
              weight_variance,
              {sum[one_apart] / 2, sum[sixteen_apart] / 2}}},
            {}};
    }
};

/// Mean and variance of the ones of 640, 10,240 and 1,024,000 successive words of a thread, and of a warp's threads together;
/// covariance of successive 640.
template <typename Generator_>
struct Blocks : SumsOfThreads<Blocks<Generator_>> {
    using Generator = Generator_;
    using Sum = long long;
    using Draws = typename Generator::Draws;
    static constexpr unsigned block = 512, small = 640, small_in_middle = 16, middle_in_large = 100;
    static constexpr unsigned words_of_trip = small * small_in_middle * middle_in_large;
    static constexpr std::size_t shared_bytes = 0;
    enum { mean, small2, middle2, large2, next, next_but_one, warp_small2, warp_middle2, warp_large2, sums };

    /// Ones of 640 words, less 16 a word.
    __host__ __device__ __forceinline__ static int deviation(Draws& draw) {
        constexpr unsigned levels = 4, unrolled = 128;
        static_assert(small % unrolled == 0);
        CarrySave<levels> adder;
        unsigned sixteens = 0;
#pragma unroll 1
        for (unsigned part = 0; part < small / unrolled; part++) {
#pragma unroll
            for (unsigned i = 0; i < unrolled; i++) {
                unsigned word = draw();
                if (adder.add(word, i)) {
                    sixteens += ones_of(word);
                }
            }
        }
        unsigned ones = sixteens << levels;
        for (unsigned level = 0; level < levels; level++) {
            ones += ones_of(adder.sum[level]) << level;
        }
        return static_cast<int>(ones) - static_cast<int>(16 * small);
    }

    __host__ __device__ __forceinline__ static void add(Draws& draw, unsigned trips, long long (&found)[sums]) {
        const auto square = [](long long x) { return x * x; };
        long long before = 0, before_that = 0;
#pragma unroll 1
        for (unsigned trip = 0; trip < trips; trip++) {
            int large = 0;
#pragma unroll 1
            for (unsigned i = 0; i < middle_in_large; i++) {
                int middle = 0;
#pragma unroll 1
                for (unsigned j = 0; j < small_in_middle; j++) {
                    const int own = deviation(draw);
                    found[mean] += own;
                    found[small2] += square(own);
                    found[next] += own * before;
                    found[next_but_one] += own * before_that;
                    found[warp_small2] += square(sum_of_warp(own));
                    before_that = before;
                    before = own;
                    middle += own;
                }
                found[middle2] += square(middle);
                found[warp_middle2] += square(sum_of_warp(middle));
                large += middle;
            }
            found[large2] += square(large);
            found[warp_large2] += square(sum_of_warp(large));
        }
    }

    static Findings findings(const std::vector<Count>& total, std::uint64_t words) {
        const auto sum = as_signed(total.data(), total.size());
        Findings found;
        const auto variance = [&](const std::string& of, int which, std::uint64_t length) {
            // n fair bits have variance v = n / 4 and the fourth central moment 3 v^2 - n / 8
            const double bits = 32.0 * static_cast<double>(length), v = bits / 4;
            const auto squares = sum[which] - static_cast<std::int64_t>(8 * words);
            found.groups.push_back({"variance of the ones of " + of + ", over that of fair bits, less 1",
                                    "",
                                    0,
                                    words / length,
                                    2 * v * v - bits / 8,
                                    v,
                                    {squares}});
        };
        variance("640 words", small2, small);
        variance("10,240 words", middle2, small * small_in_middle);
        variance("1,024,000 words", large2, words_of_trip);
        variance("640 words of 32 threads", warp_small2, 32 * small);
        variance("10,240 words of 32 threads", warp_middle2, 32 * small * small_in_middle);
        variance("1,024,000 words of 32 threads", warp_large2, 32 * words_of_trip);
        const double v = 8.0 * small;
        found.groups.push_back({"mean of a bit, less 1/2", "", 0, words / small, v, 32.0 * small, {sum[mean]}});
        found.groups.push_back({"correlation of the ones of successive 640 words",
                                "distance",
                                1,
                                words / small,
                                v * v,
                                v,
                                {sum[next], sum[next_but_one]}});
        return found;
    }
};

/// Products of the ones of words that the recurrence ties.
template <typename Generator_>
struct Products : SumsOfThreads<Products<Generator_>> {
    using Generator = Generator_;
    using Sum = long long;
    using Draws = typename Generator::Draws;
    static constexpr unsigned block = 256, words_of_trip = 128, ring = 64;
    static constexpr std::size_t shared_bytes = 0;
    static constexpr unsigned s = Generator::s, r = Generator::r;
    static_assert(2 * r < ring);
    enum {
        recurrence,  // of even n and of odd n
        neighbours = recurrence + 2,
        doubled,
        substituted_far,
        substituted,
        parity_variance,  // of even n and of odd n
        squares_one = parity_variance + 2,
        squares_s,
        squares_r,
        sums
    };

    __host__ __device__ __forceinline__ static void add(Draws& draw, unsigned trips, long long (&found)[sums]) {
        unsigned draws[ring];
        int weight[ring], before = 0;
#pragma unroll
        for (unsigned n = 0; n < ring; n++) {
            draws[n] = draw();
            weight[n] = weight_of(draws[n]);
        }
#pragma unroll 1
        for (unsigned trip = 0; trip < trips; trip++) {
            int of_trip[sums] = {};
#pragma unroll
            for (unsigned n = 0; n < words_of_trip; n++) {
                draws[n % ring] = draw();
                const int own = weight[n % ring] = weight_of(draws[n % ring]);
                const auto at = [&](unsigned lag) { return weight[(n - lag) % ring]; };
                const auto square_at = [&](unsigned lag) { return at(lag) * at(lag) - 8; };
                const int tied = own * at(s) * at(r);
                of_trip[recurrence + n % 2] += tied;
                of_trip[neighbours] += tied * before;
                before = tied;
                of_trip[doubled] += own * at(2 * s) * at(2 * r);
                of_trip[substituted_far] += own * at(s) * (at(r + s) * at(2 * r));
                of_trip[substituted] += own * at(2 * s) * (at(r) * at(r + s));
                const int parity = weight_of(draws[n % ring] ^ draws[(n - s) % ring] ^ draws[(n - r) % ring]);
                of_trip[parity_variance + n % 2] += parity * parity - 8;
                of_trip[squares_one] += square_at(0) * square_at(1);
                of_trip[squares_s] += square_at(0) * square_at(s);
                of_trip[squares_r] += square_at(0) * square_at(r);
            }
#pragma unroll
            for (unsigned i = 0; i < sums; i++) {
                found[i] += of_trip[i];
            }
        }
    }

    static Findings findings(const std::vector<Count>& total, std::uint64_t words) {
        const auto sum = as_signed(total.data(), total.size());
        const double v = weight_variance, v3 = v * v * v, v4 = v3 * v, squares = square_variance * square_variance;
        const auto group = [&](const char* name, double variance, int which, std::uint64_t terms) {
            return Group{name, "", 0, terms, variance, std::sqrt(variance), {sum[which]}};
        };
        return {{group("product of ones, even n, n - s, n - r", v3, recurrence, words / 2),
                 group("product of ones, odd n, n - s, n - r", v3, recurrence + 1, words / 2),
                 group("the same of n and of n - 1", v3 * v3, neighbours, words),
                 group("product of ones, n, n - 2s, n - 2r", v3, doubled, words),
                 group("product of ones, n, n - s, n - r - s, n - 2r", v4, substituted_far, words),
                 group("product of ones, n, n - 2s, n - r, n - r - s", v4, substituted, words),
                 group("variance of the ones of the parity, even n", square_variance, parity_variance, words / 2),
                 group("variance of the ones of the parity, odd n", square_variance, parity_variance + 1, words / 2),
                 group("product of squared ones, n, n - 1", squares, squares_one, words),
                 group("product of squared ones, n, n - s", squares, squares_s, words),
                 group("product of squared ones, n, n - r", squares, squares_r, words)},
                {}};
    }
};

}  // namespace quality::words
