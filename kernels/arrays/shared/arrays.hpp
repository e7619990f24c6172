// Where the arrays of a launch lie: the words of X, those of Y behind them, then the flags, then partial sums. Host memory
// has the same order and no partial sums.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/step.hpp"

namespace arrays {

inline std::uint64_t samples_of(bench::Shape shape, unsigned iters) { return bench::total_threads(shape) * iters; }
inline std::uint64_t samples_of(const bench::Launch& l) { return samples_of(l.shape, l.iters); }

/// The fixed grid that a4 introduces: 2^26 samples on every GPU. Where a library has the kernel, it chooses its own grid.
inline constexpr unsigned fixed_blocks = 1024, fixed_threads = 256, fixed_iters = 256;

/// Step::counts: a launch publishes its hits.
inline std::size_t one_count(bench::Shape) { return 1; }

/// Rounded up, so that what lies behind an array of `n` elements is aligned.
constexpr std::uint64_t padded(std::uint64_t n) { return (n + 63) / 64 * 64; }

inline constexpr std::size_t word_bytes = sizeof(std::uint32_t);

inline constexpr std::size_t words_of_sample = 2 * word_bytes;  // x and y
inline constexpr std::size_t with_flag = words_of_sample + word_bytes;

/// Bytes of the arrays of X and Y.
inline std::size_t words_bytes(bench::Shape shape, unsigned iters) {
    return bench::bytes_of(padded(samples_of(shape, iters)), words_of_sample);
}

/// Bytes of X, Y and a flag for each sample.
inline std::size_t flags_bytes(bench::Shape shape, unsigned iters) {
    return bench::bytes_of(padded(samples_of(shape, iters)), with_flag);
}

/// Bytes of X, Y, the flags and `sums` partial sums.
inline std::size_t flags_and_sums_bytes(bench::Shape shape, unsigned iters, std::uint64_t sums) {
    static_assert(with_flag >= sizeof(bench::Count));
    return bench::bytes_of(padded(samples_of(shape, iters)) + padded(sums), with_flag);
}

/// Bytes of X, Y and `sums` partial sums.
inline std::size_t words_and_sums_bytes(bench::Shape shape, unsigned iters, std::uint64_t sums) {
    static_assert(words_of_sample >= sizeof(bench::Count));
    return bench::bytes_of(padded(samples_of(shape, iters)) + padded(sums), words_of_sample);
}

/// X and Y on one side.
struct Words {
    std::uint32_t* x;
    std::uint32_t* y;
    std::uint64_t samples;
};

inline Words words_in(void* memory, std::uint64_t samples) {
    auto* x = static_cast<std::uint32_t*>(memory);
    return {x, x + samples, samples};
}
inline Words words_on_host(const bench::Launch& l) { return words_in(l.host, samples_of(l)); }
inline Words words_on_gpu(const bench::Launch& l) { return words_in(l.scratch, samples_of(l)); }

inline std::uint32_t* flags_in(void* memory, std::uint64_t samples) {
    return static_cast<std::uint32_t*>(memory) + 2 * padded(samples);
}
inline std::uint32_t* flags_on_host(const bench::Launch& l) { return flags_in(l.host, samples_of(l)); }
inline std::uint32_t* flags_on_gpu(const bench::Launch& l) { return flags_in(l.scratch, samples_of(l)); }

/// The partial sums of a launch with flags, and of one without.
inline bench::Count* sums_behind_flags(const bench::Launch& l) {
    return reinterpret_cast<bench::Count*>(flags_on_gpu(l) + padded(samples_of(l)));
}
inline bench::Count* sums_behind_words(const bench::Launch& l) {
    return reinterpret_cast<bench::Count*>(flags_on_gpu(l));
}

}  // namespace arrays
