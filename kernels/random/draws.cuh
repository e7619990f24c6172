// The random words of one thread, for every generator of the ladder: the generator, and the choice of a thread's stream.
// Kernels write this out themselves. The classes here repeat it for host replays and for the tests of quality/.
#pragma once

#include "bench/step.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/hybrid_tausworthe.cuh"
#include "kernels/random/lcg.cuh"
#include "kernels/random/mrg.cuh"
#include "kernels/random/mwc64x.cuh"
#include "kernels/random/philox.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/xorshift32.cuh"

namespace rng {

/// Facts about a generator.
struct Generator {
    const char* name;
    double log2_cycle;    // binary logarithm of the cycle length, in draws
    bool lagged = false;  // hundreds of bits of state, hashed for each thread: threads start in different cycles
};

/// Number of a thread's cuRAND subsequence: k*T + t.
__host__ __device__ __forceinline__ unsigned long long subsequence_of(const bench::StreamId& id) {
    return id.launch * id.threads + id.thread;
}

/// Initial state of stream number `stream` of a thread.
__host__ __device__ __forceinline__ unsigned state_of(const bench::StreamId& id, unsigned stream) {
    return stream_seed(id.seed, id.launch, id.thread, stream);
}

/// v1 to v5, v12. (2^160 - 1) 2^32 draws: Marsaglia, "Xorshift RNGs", section 4.
class XorwowDraws {
 public:
    static constexpr Generator generator = {.name = "cuRAND XORWOW", .log2_cycle = 192};
    __host__ __device__ explicit XorwowDraws(const bench::StreamId& id) {
        curand_init(id.seed, subsequence_of(id), 0, &rng_);
    }
    __host__ __device__ unsigned operator()() { return curand(&rng_); }

 private:
    curandState_t rng_;
};

/// v6. The four words of a curand4 are four consecutive draws. 2^128 counters of four draws: Salmon et al.
/// (kernels/random/philox.cuh), section 4.3.
class PhiloxDraws {
 public:
    static constexpr Generator generator = {.name = "cuRAND Philox4_32_10", .log2_cycle = 130};
    __host__ __device__ explicit PhiloxDraws(const bench::StreamId& id) {
        curand_init(id.seed, subsequence_of(id), 0, &rng_);
    }
    __host__ __device__ unsigned operator()() { return curand(&rng_); }

 private:
    curandStatePhilox4_32_10_t rng_;
};

/// v7. 2^32 - 1 draws.
class Xorshift32Draws {
 public:
    static constexpr Generator generator = {.name = "xorshift32 (13, 17, 5)", .log2_cycle = 32};
    __host__ __device__ explicit Xorshift32Draws(const bench::StreamId& id)
        : state_(xorshift32_state(state_of(id, 0))) {}
    __host__ __device__ unsigned operator()() { return xorshift32(&state_); }

 private:
    unsigned state_;
};

/// v8, v9, v11, v13. 2^32 draws: Knuth, The Art of Computer Programming 2, section 3.2.1.2, theorem A.
class LcgDraws {
 public:
    static constexpr Generator generator = {.name = "LCG 1664525, 1013904223", .log2_cycle = 32};
    __host__ __device__ explicit LcgDraws(const bench::StreamId& id) : state_(state_of(id, 0)) {}
    __host__ __device__ unsigned operator()() { return lcg(&state_); }

 private:
    unsigned state_;
};

/// v10: four streams in turn. x comes from the first family, y from the second.
template <unsigned (*family_of_x)(unsigned*), unsigned (*family_of_y)(unsigned*)>
class FourLcgDraws {
 public:
    __host__ __device__ explicit FourLcgDraws(const bench::StreamId& id)
        : states_{state_of(id, 0), state_of(id, 1), state_of(id, 2), state_of(id, 3)} {}
    __host__ __device__ unsigned operator()() {
        const unsigned stream = turn_++ % 4;
        return stream % 2 == 0 ? family_of_x(&states_[stream]) : family_of_y(&states_[stream]);
    }

 private:
    unsigned states_[4];
    unsigned turn_ = 0;
};

/// The words of a state. Each is a hash of the thread and of the word's number.
struct HashedState {
    bench::StreamId id;
    __host__ __device__ unsigned operator()(unsigned i) const { return state_of(id, i); }
};

/// v14. (2^31 - 1) 2^31 draws.
class MrgDraws : public Mrg<31, 13> {
 public:
    static constexpr Generator generator = {.name = "MRG 31, 13 modulo 2^32", .log2_cycle = 62, .lagged = true};
    __host__ __device__ explicit MrgDraws(const bench::StreamId& id) : Mrg(HashedState{id}) {}
};

/// v15, v16, v16t. At least (2^11 - 1) 2^31 draws.
class FoldedMrgDraws : public FoldedMrg<11, 2> {
 public:
    static constexpr Generator generator = {
        .name = "MRG 11, 2 in 64 bits, halves added", .log2_cycle = 42, .lagged = true};
    __host__ __device__ explicit FoldedMrgDraws(const bench::StreamId& id) : FoldedMrg(HashedState{id}) {}
};

/// v18 to v20. (2^17 - 1) 2^31 draws.
class DotMrgDraws : public DotMrg<17, 5, 16, 0xd9c9a5a1> {
 public:
    static constexpr Generator generator = {
        .name = "MRG 17, 5 modulo 2^32, plus a dot product of bytes", .log2_cycle = 48, .lagged = true};
    __host__ __device__ explicit DotMrgDraws(const bench::StreamId& id) : DotMrg(HashedState{id}) {}
};

/// v21 to v26, the bit-sliced CPU, v23 of mcls. (2^20 - 1) 2^31 draws.
class AlternatingMrgDraws : public AlternatingMrg<20, 3, 0xd9c9a5a1> {
 public:
    static constexpr Generator generator = {
        .name = "MRG 20, 3 modulo 2^32, plus a dot product or a shift in turns", .log2_cycle = 51, .lagged = true};
    __host__ __device__ explicit AlternatingMrgDraws(const bench::StreamId& id) : AlternatingMrg(HashedState{id}) {}
};

/// v26_dots. (2^20 - 1) 2^31 draws.
class ThreeDotsMrgDraws : public ThreeDotsMrg<20, 3, 0xd9c9a5a1> {
 public:
    static constexpr Generator generator = {
        .name = "MRG 20, 3 modulo 2^32, plus three dot products and a shift in turns",
        .log2_cycle = 51,
        .lagged = true};
    __host__ __device__ explicit ThreeDotsMrgDraws(const bench::StreamId& id) : ThreeDotsMrg(HashedState{id}) {}
};

/// v27. (2^20 - 1) 2^31 draws.
class ShiftedMrgDraws : public ShiftedMrg<20, 3> {
 public:
    static constexpr Generator generator = {
        .name = "MRG 20, 3 modulo 2^32, plus shifts by 11 and 16 in turns", .log2_cycle = 51, .lagged = true};
    __host__ __device__ explicit ShiftedMrgDraws(const bench::StreamId& id) : ShiftedMrg(HashedState{id}) {}
};

/// A candidate for v14. At least 2^31 - 1 draws.
class XorMrgDraws : public XorMrg {
 public:
    static constexpr Generator generator = {.name = "MRG 31 modulo 2^32, XOR of 3", .log2_cycle = 31, .lagged = true};
    __host__ __device__ explicit XorMrgDraws(const bench::StreamId& id) : XorMrg(HashedState{id}) {}
};

/// A candidate for v14.
class Mwc64xDraws : public Mwc64x {
 public:
    static constexpr Generator generator = {.name = "MWC64X", .log2_cycle = 63};
    __host__ __device__ explicit Mwc64xDraws(const bench::StreamId& id) : Mwc64x(state_of(id, 0), state_of(id, 1)) {}
};

/// A candidate for v14.
class Philox7Draws : public Philox7 {
 public:
    static constexpr Generator generator = {.name = "Philox4x32-7", .log2_cycle = 130};
    __host__ __device__ explicit Philox7Draws(const bench::StreamId& id) : Philox7(id.seed, subsequence_of(id)) {}
};

/// The chapter's generator of normals. 2^120 draws.
class HybridTauswortheDraws : public HybridTausworthe {
 public:
    static constexpr Generator generator = {.name = "hybrid Tausworthe", .log2_cycle = 120};
    __host__ __device__ explicit HybridTauswortheDraws(const bench::StreamId& id)
        : HybridTausworthe(state_of(id, 0) | tausworthe_used_bit, state_of(id, 1) | tausworthe_used_bit,
                           state_of(id, 2) | tausworthe_used_bit, state_of(id, 3)) {}
};

}  // namespace rng
