// The interface between a kernel file and the harness.
// .cu files include it, so it is C++17. Their compilers accept designated initialisers as an extension.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>

namespace bench {

/// A 64-bit count; the type that CUDA's 64-bit atomicAdd takes.
using Count = unsigned long long;
static_assert(sizeof(Count) == 8);

/// Counts have this value before a launch, so a count that the kernel did not write is found.
inline constexpr Count unwritten = ~Count{0};

/// A one-dimensional grid.
struct Shape {
    unsigned blocks;
    unsigned threads;  // per block
};

inline bool operator==(Shape a, Shape b) { return a.blocks == b.blocks && a.threads == b.threads; }

/// Threads of the whole grid.
constexpr std::uint64_t total_threads(Shape shape) { return std::uint64_t{shape.blocks} * shape.threads; }

/// What a step keeps from launch to launch besides memory: streams, a generator, a graph. The step derives from it.
class Equipment {
 public:
    virtual ~Equipment() = default;
};

/// What the launches of a run work on, where the program's own options choose it: a linear system. The ladder derives from
/// it. Its memory is the host's; Step::equip uploads what the GPU needs. It does not change during a run.
class Problem {
 public:
    virtual ~Problem() = default;
    /// A rehearsal has a launch of so many units of work at least, in which all loops of the kernel run; 0: any does.
    virtual double least_rehearsed_work(Shape) const { return 0; }
    virtual std::uint64_t work(std::uint64_t asked) const { return asked; }  // of a launch on it
    virtual std::uint64_t vertices() const { return 0; }                     // of its graph; 0: it has none
};

/// Times the phases of a launch that overlap. Phases are numbered as in Step::phases. Functions may throw CudaError. This one
/// times nothing.
class PhaseClock {
 public:
    virtual ~PhaseClock() = default;

    /// Around work that is enqueued on a stream. A stream does the work of one phase at a time.
    virtual void begin(unsigned /* phase */, cudaStream_t) {}
    virtual void end(unsigned /* phase */, cudaStream_t) {}

    /// Around work on the host, one phase at a time.
    virtual void begin_on_host(unsigned /* phase */) {}
    virtual void end_on_host(unsigned /* phase */) {}

    /// Around work on the host that is no part of the launch, and not timed.
    virtual void pause() {}
    virtual void resume() {}
};

/// What all launches of a run have in common. With the number of a launch it fixes what that publishes. It is settled once,
/// before the first launch, and the same in all processes of a run.
struct LaunchSpec {
    std::uint64_t seed = 0;  // of the run
    Shape shape = {};    // on the CPU one block, of the threads that this process uses: they do not affect the counts
    unsigned iters = 0;  // per stream
    std::uint64_t streams = 0;    // random streams of a launch; on a GPU, one per thread
    std::uint64_t published = 1;  // counts of a launch
    std::uint64_t work = 0;       // units of work of a launch
};

inline bool operator==(const LaunchSpec& a, const LaunchSpec& b) {
    return a.seed == b.seed && a.shape == b.shape && a.iters == b.iters && a.streams == b.streams &&
           a.published == b.published && a.work == b.work;
}

/// One launch: all inputs that determine its counts, and where to store them.
struct Launch : LaunchSpec {
    std::uint64_t index = 0;  // k: launches of a run are numbered from 0
    Count* counts =
        nullptr;  // `published` values: device memory, with Clock::wall host memory that the GPU reaches too
    void* scratch = nullptr;            // memory of Step::scratch_bytes bytes: of the device, on the CPU of the host
    cudaStream_t stream = {};           // none on the CPU
    void* host = nullptr;               // host memory of Arrays::host_bytes bytes
    Equipment* equipment = nullptr;     // from Step::equip
    PhaseClock* phase_clock = nullptr;  // with Clock::wall
    const Problem* problem = nullptr;   // Own::problem
};

/// Identifies one thread of one launch, and so its random stream.
struct StreamId {
    std::uint64_t seed;     // of the run
    std::uint64_t launch;   // k, Launch::index
    std::uint64_t threads;  // T: threads of the launch
    std::uint64_t thread;   // t: 0 to T - 1
};

/// The endless sequence of random words of all threads of a launch, a word of each in turn.
class LaunchStream {
 public:
    virtual ~LaunchStream() = default;
    /// Writes the next word of every thread.
    virtual void next(std::uint32_t* words) = 0;
};

/// The endless sequence of random words of one thread, in the order in which its kernel uses them.
class WordStream {
 public:
    virtual ~WordStream() = default;
    virtual std::uint32_t next() = 0;
    /// The words of all threads of a launch, whatever thread `id` names. Null: there are only those of each thread.
    virtual std::unique_ptr<LaunchStream> of_launch(const StreamId& /* id */) const { return nullptr; }
};

/// How the random words did in the tests of `make quality`, for the bits that the step uses. A test compares it with
/// the stored results.
enum class Soundness {
    sound,                        // no test failed on whole words
    sound_in_24_bits,             // no test failed on the upper 24 bits; a float coordinate keeps no others
    sound_in_24_bits_but_parity,  // the same, but a test that knows the recurrence sees a parity of these bits
    sound_in_bit_planes,          // no test failed on bit planes: each bit of a word is used separately
    quasi_random,  // not random: evenly spread points; the spread over random scramblings gives the error
    not_tested,    // not for the bits that the step uses
    demonstration  // tests failed
};

/// Grids that a step accepts.
enum class Blocks { one, any, resident };                      // resident: all blocks on the GPU at once
enum class Threads { one, any, warps, powers_of_two, fixed };  // per block; warps: multiples of 32; fixed: the default

/// Value of default_blocks_per_sm: as many blocks as are resident at once, according to the occupancy API.
inline constexpr unsigned as_many_as_fit = 0;

/// Value of loops_from for plain loops, of which nvcc makes trips of 16 iterations at most: two trips and what remains.
inline constexpr unsigned plain_loops = 33;

/// Shared memory of many steps: one count per thread of the block.
inline std::size_t one_count_per_thread(unsigned threads) { return threads * sizeof(Count); }
inline std::size_t no_memory(Shape, unsigned) { return 0; }

class Estimand;    // what the counts mean: bench/estimand.hpp
class OwnOptions;  // of a program, beside those that all share: bench/options/own_options.hpp

/// The size of `n` values of `each` bytes; the largest size if it is larger, which no machine has.
constexpr std::size_t bytes_of(std::uint64_t n, std::size_t each) {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    return n > most / each ? most : n * each;
}

/// The clock that times a launch.
enum class Clock {
    gpu,  // the GPU's, over launches enqueued in advance
    wall  // the host's, over one launch at a time: from its first action until its counts are in host memory
};

/// Maximum number of phases of a step.
inline constexpr unsigned max_phases = 8;

/// Where a phase does its work.
enum class On {
    stream,  // enqueued on the launch's stream
    host,    // on the host, with the results of the phases before it
    both  // side by side: `run` tells the PhaseClock when each phase begins and ends, also those after it without `run`
};

/// A part of a launch that is timed separately.
struct Phase {
    const char* name = nullptr;  // "seed"
    /// Enqueues the phase or runs it. Returns its error.
    cudaError_t (*run)(const Launch&) = nullptr;
    On on = On::stream;
};

/// The function of a phase that works on the host without CUDA.
template <void (*work)(const Launch&)>
cudaError_t on_host(const Launch& l) {
    work(l);
    return cudaSuccess;
}

/// Of a step that works on arrays.
struct Arrays {
    std::size_t (*host_bytes)(Shape, unsigned iters) = no_memory;  // their memory on the host
    bool pinned = false;                                           // that memory, for the GPU's copy engines
    /// Looks at the memory after the first launch, not timed. Throws VerdictError if it does not hold what it should.
    void (*inspect)(const Launch&) = nullptr;

    // Bytes moved for each unit of work. From them follows what part of a limit the step reaches.
    double pcie_up = 0;    // from the host to the GPU
    double pcie_down = 0;  // back
    double dram = 0;       // between the GPU and its memory
};

/// Of a step that runs on the CPU. Its phases are On::host.
struct OnCpu {
    unsigned streams = 0;            // of a launch, which any number of cores share; 0: the step runs on a GPU
    const char* (*isa)() = nullptr;  // instruction set of the loop on this machine
    /// The number of threads that a launch on `threads` threads really gets.
    unsigned (*team_size)(unsigned threads) = nullptr;
    const char* serial_name = nullptr;  // on one thread: "cpu_serial"; null if it is the same step there
    const char* serial_technique = nullptr;
};

/// Of a step whose program has options of its own.
struct Own {
    std::shared_ptr<const OwnOptions> options = {};
    std::shared_ptr<const Problem> problem = {};  // that they choose
};

/// A step of a ladder: one idea, one kernel. Fields without a default are required: the compiler warns of a designated
/// initialiser that omits one, and in .ci/run warnings are errors.
struct Step {
    const char* name;             // "v7"
    const char* after = nullptr;  // the step that it builds on and is compared with, "v6"; null for the first
    const char* title;            // of the step
    const char* technique;        // what is new, for the table
    const char* lesson;           // what the step teaches, for --help

    /// With own options, the harness asks it for the text of --help before they replace it.
    std::shared_ptr<const Estimand> estimand;

    Blocks accepted_blocks = Blocks::any;
    Threads accepted_threads = Threads::warps;
    unsigned default_blocks = 0;                      // 0: use default_blocks_per_sm; ignored for Blocks::one
    unsigned default_blocks_per_sm = as_many_as_fit;  // used if default_blocks is 0
    unsigned default_threads = 0;                     // on a GPU above 0
    unsigned default_iters = 100'000;
    unsigned most_iters = std::numeric_limits<unsigned>::max();
    /// Iterations of a stream (of mcls: histories of a thread) from which every loop of the kernel runs, also the unrolled trips
    /// and what remains after them; 0: not named, which a test refuses.
    unsigned loops_from = 0;

    const void* kernel =
        nullptr;  // that does the work, for its registers and occupancy; null if it is a library's, or no GPU's
    std::function<std::size_t(unsigned threads)> dynamic_shared_bytes = [](unsigned) { return std::size_t{0}; };
    std::function<std::size_t(Shape)> counts = [](Shape shape) { return std::size_t{shape.blocks}; };  // of a launch
    std::function<std::size_t(Shape, unsigned iters)> scratch_bytes = no_memory;  // memory; poisoned like the counts
    std::function<std::unique_ptr<Equipment>(const Launch&)> equip = nullptr;     // before the first launch, not timed
    Clock clock = Clock::gpu;
    Arrays arrays = {};
    Phase phases[max_phases];  // in order, at least one

    OnCpu cpu = {};
    Own own = {};
};

inline bool is_on_cpu(const Step& step) { return step.cpu.streams > 0; }

/// The clock of its launches.
inline Clock clock_of(const Step& step) { return is_on_cpu(step) ? Clock::wall : step.clock; }

/// Number of phases of a step. Throws std::logic_error if there is none.
inline unsigned phases_of(const Step& step) {
    unsigned n = 0;
    while (n < max_phases && step.phases[n].name) n++;
    if (n == 0) throw std::logic_error("a step without a phase");
    return n;
}

}  // namespace bench
