// What a kernel file tells the harness about itself, and what the harness asks of it.
// Included by .cu files, hence C++17. Designated initialisers are an extension there, which their compilers accept.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace bench {

/// A 64-bit count; the type that CUDA's 64-bit atomicAdd takes.
using Count = unsigned long long;
static_assert(sizeof(Count) == 8);

/// Every published count holds this before a launch, so that one left unwritten is found.
inline constexpr Count unwritten = ~Count{0};

/// A one-dimensional grid.
struct Shape {
    unsigned blocks;
    unsigned threads;  // per block
};

/// Threads of the whole grid.
constexpr std::uint64_t total_threads(Shape shape) { return std::uint64_t{shape.blocks} * shape.threads; }

/// One launch: everything that decides its counts, and where they go.
struct Launch {
    Shape shape;
    unsigned iters;       // samples per thread
    std::uint64_t seed;   // of the run
    std::uint64_t index;  // k: launches of a run are numbered from 0
    Count* counts;        // device memory, Version::counts of them
    void* scratch;        // device memory, Version::scratch_bytes of it
    cudaStream_t stream;
};

/// One thread of one launch, which has a random stream of its own.
struct StreamId {
    std::uint64_t seed;     // of the run
    std::uint64_t launch;   // k, Launch::index
    std::uint64_t threads;  // T: threads of the launch
    std::uint64_t thread;   // t: 0 to T - 1
};

/// The random words of one thread, in the order in which its kernel consumes them, without an end.
class WordStream {
 public:
    virtual ~WordStream() = default;
    virtual std::uint32_t next() = 0;
};

/// Probability of a hit, exact: `count` of `total` equally likely outcomes. Totals are 2^n or 2^n - 1 (n <= 64), which
/// a double holds exactly.
struct Expectation {
    std::uint64_t count;
    double total;
};

/// What the tests of `make quality` say of a source, for the use that it makes of its words; a test holds it against their
/// stored result.
enum class Soundness {
    sound,                // nothing found in whole words
    sound_in_24_bits,     // nothing found in the upper 24 bits, which are all that a float coordinate keeps
    sound_in_bit_planes,  // nothing found where each bit of a word belongs to another sample
    quasi_random,         // not random: evenly spread points, whose error the spread of random scramblings tells
    not_tested,           // not in the use that is made of them
    demonstration         // faults found
};

/// Where samples come from: random words, the coordinates made of them, and the hits that both lead to.
struct Source {
    const char* name;       // "lcg"
    const char* generator;  // in words
    Soundness soundness;
    Expectation expected;
    double log2_cycle_samples;  // so many samples (their binary logarithm) use up the generator's whole cycle
    bool bit_planes = false;    // a word holds one bit of each of 32 lanes, the streams that replay follows
    bool lagged = false;        // hundreds of bits of state, hashed for each thread: threads start in different cycles

    /// Of a thread. Null where only the launch as a whole gives them.
    std::unique_ptr<WordStream> (*words)(const StreamId&) = nullptr;
    float (*coordinate)(std::uint32_t word) = nullptr;         // x and y are two successive words; null if they are not
    bool (*hit)(std::uint32_t x, std::uint32_t y) = nullptr;   // what the version's test says of the two; null likewise
    std::uint64_t (*replay)(const StreamId&, unsigned iters);  // hits of a thread's first `iters` samples
};

/// Grids that a version accepts.
enum class Blocks { one, any, resident };               // resident: all blocks on the GPU at once
enum class Threads { one, any, warps, powers_of_two };  // per block; warps: multiples of 32

/// Blocks per multiprocessor of the default grid: as many as the occupancy API says are resident together.
inline constexpr unsigned as_many_as_fit = 0;

/// The independent units of a run, over which its variance is measured: samples; the published counts, each of a block
/// whose samples depend on each other; or only launches, inside which samples depend on each other.
enum class Independent { samples, counts, launches };

/// What most versions publish: one count a block.
inline std::size_t one_count_per_block(Shape shape) { return shape.blocks; }
/// Shared memory that many versions take: a count per thread of the block.
inline std::size_t one_count_per_thread(unsigned threads) { return threads * sizeof(Count); }
inline std::size_t no_scratch(Shape) { return 0; }
inline std::size_t no_dynamic_shared(unsigned) { return 0; }

/// A version of the ladder: one idea, one kernel. Functions return the error of what they enqueued. A field without a
/// default is required: warnings are errors, and a designated initialiser that leaves it out is warned about.
struct Version {
    const char* name;             // "v7"
    const char* after = nullptr;  // the step that it builds on and is compared with, "v6"; null for the first
    const char* title;            // of the step
    const char* technique;        // what is new, for the table
    const char* lesson;           // what the step teaches, for --help

    const Source* source;
    Independent independent = Independent::samples;
    /// Of independent counts whose samples depend on each other: the variance of a count of launches of `iters` samples a
    /// thread, relative to the binomial's. Null: 1.
    double (*variance_ratio)(unsigned iters) = nullptr;
    /// Of a launch: points of the set that it takes its samples from, a power of two. 0: no set.
    std::uint64_t most_samples = 0;

    Blocks accepted_blocks = Blocks::any;
    Threads accepted_threads = Threads::warps;
    unsigned default_blocks = 0;                      // 0: by multiprocessor; ignored where only one block is accepted
    unsigned default_blocks_per_sm = as_many_as_fit;  // where default_blocks is 0
    unsigned default_threads;
    unsigned default_iters = 100'000;

    const void* kernel;  // the sampling kernel, for its registers and occupancy
    std::size_t (*dynamic_shared_bytes)(unsigned threads) = no_dynamic_shared;
    std::size_t (*counts)(Shape) = one_count_per_block;  // published by a launch
    std::size_t (*scratch_bytes)(Shape) = no_scratch;    // device memory kept between set-up and launch
    cudaError_t (*setup)(const Launch&) = nullptr;       // null where there is no set-up kernel
    cudaError_t (*launch)(const Launch&);
};

}  // namespace bench
