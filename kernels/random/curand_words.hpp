// Words of cuRAND's host interface: the generators of the steps, and how each launch gets words of its own.
#pragma once

#include <curand.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace rng {

/// Where the words of launch k begin, if a launch draws n words.
enum class Start {
    at_offset,  // in the sequence of the run's seed, at word n*k
    by_seed,    // a generator that cannot skip: a sequence with the seed stream_seed(seed, k, 0, 0)
    anew,       // the same, but a generator that was used does not begin its sequence anew: another one is made
    at_zero     // a point set: the same words in every launch
};

/// A generator with the order of its words.
struct CurandKind {
    curandRngType_t type;
    curandOrdering_t order;
    Start start;
};

// LEGACY is the order that NVIDIA keeps in every release. MTGP32 and MRG32k3a are slow in it: it gives them few threads.
// DYNAMIC is made for speed, but the CPU's side lacks it, so its words could not be checked.
inline constexpr CurandKind xorwow_words = {CURAND_RNG_PSEUDO_XORWOW, CURAND_ORDERING_PSEUDO_LEGACY, Start::at_offset};
inline constexpr CurandKind philox_words = {CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_ORDERING_PSEUDO_LEGACY,
                                            Start::at_offset};
inline constexpr CurandKind mt19937_words = {CURAND_RNG_PSEUDO_MT19937, CURAND_ORDERING_PSEUDO_LEGACY, Start::by_seed};
inline constexpr CurandKind mtgp32_words = {CURAND_RNG_PSEUDO_MTGP32, CURAND_ORDERING_PSEUDO_DEFAULT, Start::anew};
inline constexpr CurandKind mrg32k3a_words = {CURAND_RNG_PSEUDO_MRG32K3A, CURAND_ORDERING_PSEUDO_DEFAULT,
                                              Start::at_offset};
inline constexpr CurandKind sobol_words = {CURAND_RNG_QUASI_SOBOL32, CURAND_ORDERING_QUASI_DEFAULT, Start::at_zero};

/// A generator. Its functions throw NoGpuError without a usable library, CudaError if cuRAND refuses.
class CurandWords {
 public:
    enum class Side { gpu, host };

    /// Words of the host are made by one thread of the CPU. They are those of the GPU.
    CurandWords(const CurandKind& kind, Side side);

    /// The stream on which the GPU's words are made.
    void use(cudaStream_t stream);

    /// Goes to the first word of launch `launch` in a run with seed `seed`, whose launches draw `words` words each.
    void begin(std::uint64_t seed, std::uint64_t launch, std::size_t words);

    /// Goes to word `first` of the sequence of `seed`. Waits for the GPU, unless the generator is there already: it goes on
    /// where it stopped. A point set has no seed, and a generator that starts by seed only goes to word 0.
    void start(std::uint64_t seed, std::uint64_t first);

    /// Makes `n` words; of a point set, the n / 2 first coordinates, then the n / 2 second ones.
    void generate(std::uint32_t* words, std::size_t n);

    /// Makes `n` standard normals of as many words, `n` even. Not of a point set.
    void generate_normals(float* normals, std::size_t n);

 private:
    struct Place {
        std::uint64_t seed, word;
    };

    void make_generator();

    CurandKind kind_;
    Side side_;
    cudaStream_t stream_ = nullptr;
    std::unique_ptr<curandGenerator_st, void (*)(curandGenerator_t)> generator_;
    std::optional<Place> place_;  // of the next word
};

}  // namespace rng
