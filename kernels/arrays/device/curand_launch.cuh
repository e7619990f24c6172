// A launch of the steps whose words cuRAND makes on the GPU: X and Y side by side in device memory, then the pass of a5.
#pragma once

#include <memory>

#include "bench/contract.hpp"
#include "kernels/arrays/device/curand_words.hpp"
#include "kernels/arrays/device/hit_sum.cuh"
#include "kernels/arrays/device/unwritten_words.hpp"

namespace arrays {

inline std::uint64_t samples_of(const bench::Launch& l) { return bench::total_threads(l.shape) * l.iters; }

/// N words of X, then N words of Y.
inline std::size_t words_bytes(bench::Shape shape, unsigned iters) {
    return bench::bytes_of(bench::total_threads(shape), std::size_t{iters} * 2 * sizeof(std::uint32_t));
}
inline std::uint32_t* x_of(const bench::Launch& l) { return static_cast<std::uint32_t*>(l.scratch); }
inline std::uint32_t* y_of(const bench::Launch& l) { return x_of(l) + samples_of(l); }

inline std::size_t one_count(bench::Shape) { return 1; }

inline void inspect_words(const bench::Launch& l) { refuse_unwritten(x_of(l), 2 * samples_of(l), l.stream); }

/// A generator, and the sum of `Hit`.
template <typename Hit>
struct CurandEquipment : bench::Equipment {
    CurandEquipment(const CurandKind& kind, CurandWords::Side side, const bench::Launch& l)
        : words(kind, side), hits(samples_of(l)) {
        if (side == CurandWords::Side::gpu) words.use(l.stream);
    }
    CurandWords words;
    HitSum<Hit> hits;
};

/// The phases of a launch, in order.
template <const CurandKind& kind, typename Hit = HitOfWords>
struct CurandLaunch {
    using Equipment = CurandEquipment<Hit>;
    static Equipment& equipment(const bench::Launch& l) { return static_cast<Equipment&>(*l.equipment); }

    static std::unique_ptr<bench::Equipment> equip(const bench::Launch& l) {
        return std::make_unique<Equipment>(kind, CurandWords::Side::gpu, l);
    }

    static cudaError_t seed(const bench::Launch& l) {
        equipment(l).words.begin(l.seed, l.index, 2 * samples_of(l));
        return cudaSuccess;
    }

    static cudaError_t rng(const bench::Launch& l) {
        equipment(l).words.generate(x_of(l), 2 * samples_of(l));
        return cudaSuccess;
    }

    static cudaError_t compute(const bench::Launch& l) {
        return equipment(l).hits.enqueue(x_of(l), y_of(l), l.counts, l.stream, Hit{});
    }
};

}  // namespace arrays
