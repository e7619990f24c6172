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
    unsigned iters;       // per thread
    std::uint64_t seed;   // of the run
    std::uint64_t index;  // k: launches of a run are numbered from 0
    Count* counts;        // device memory, Step::counts of them
    void* scratch;        // device memory, Step::scratch_bytes of it
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

/// What the tests of `make quality` say of random words, for the use that is made of them. A test holds it against their
/// stored result.
enum class Soundness {
    sound,                // nothing found in whole words
    sound_in_24_bits,     // nothing found in the upper 24 bits, which are all that a float coordinate keeps
    sound_in_bit_planes,  // nothing found where the bits of a word are used apart from each other
    quasi_random,         // not random: evenly spread points, whose error the spread of random scramblings tells
    not_tested,           // not in the use that is made of them
    demonstration         // faults found
};

/// Grids that a step accepts.
enum class Blocks { one, any, resident };               // resident: all blocks on the GPU at once
enum class Threads { one, any, warps, powers_of_two };  // per block; warps: multiples of 32

/// Blocks per multiprocessor of the default grid: as many as the occupancy API says are resident together.
inline constexpr unsigned as_many_as_fit = 0;

/// What most steps publish: one count a block.
inline std::size_t one_count_per_block(Shape shape) { return shape.blocks; }
/// Shared memory that many steps take: a count per thread of the block.
inline std::size_t one_count_per_thread(unsigned threads) { return threads * sizeof(Count); }
inline std::size_t no_scratch(Shape) { return 0; }
inline std::size_t no_dynamic_shared(unsigned) { return 0; }

class Estimand;  // what the counts mean: bench/estimand.hpp

/// Most phases of a step.
inline constexpr unsigned max_phases = 8;

/// A part of a launch that is timed apart from the others.
struct Phase {
    const char* name = nullptr;  // "seed"
    /// Enqueues the phase on the launch's stream, or does it, and returns its error.
    cudaError_t (*run)(const Launch&) = nullptr;
    bool on_host = false;  // whether it works on the host, on what the phases before it left
};

/// A step of a ladder: one idea, one kernel. A field without a default is required: warnings are errors, and a designated
/// initialiser that leaves it out is warned about.
struct Step {
    const char* name;             // "v7"
    const char* after = nullptr;  // the step that it builds on and is compared with, "v6"; null for the first
    const char* title;            // of the step
    const char* technique;        // what is new, for the table
    const char* lesson;           // what the step teaches, for --help

    std::shared_ptr<const Estimand> estimand;

    Blocks accepted_blocks = Blocks::any;
    Threads accepted_threads = Threads::warps;
    unsigned default_blocks = 0;                      // 0: by multiprocessor; ignored where only one block is accepted
    unsigned default_blocks_per_sm = as_many_as_fit;  // where default_blocks is 0
    unsigned default_threads;
    unsigned default_iters = 100'000;

    const void* kernel;  // the kernel that does the work, for its registers and occupancy
    std::size_t (*dynamic_shared_bytes)(unsigned threads) = no_dynamic_shared;
    std::size_t (*counts)(Shape) = one_count_per_block;  // published by a launch
    std::size_t (*scratch_bytes)(Shape) = no_scratch;    // device memory kept between the phases of a launch
    Phase phases[max_phases];                            // in their order, one at least
};

/// How many phases a step has.
inline unsigned phases_of(const Step& step) {
    unsigned n = 0;
    while (n < max_phases && step.phases[n].run) n++;
    return n;
}

}  // namespace bench
