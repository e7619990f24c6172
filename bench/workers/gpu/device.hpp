// Selects a GPU, reads its facts and measures its clock. .cu files include it, so it is C++17.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "bench/step.hpp"

namespace bench {

struct DeviceFacts {
    std::string name;
    int major;  // compute capability
    int minor;
    int multiprocessors;
    double max_clock_mhz;
    double memory_gib;
    bool ecc;
};

/// Resources of a step's kernel, for a block size.
struct KernelFacts {
    int registers;
    std::size_t shared_bytes;  // per block, static and dynamic
    double occupancy;          // resident warps over maximum, from the occupancy API
};

/// Makes CUDA device `index` current. Throws NoGpuError if there is no usable one, UsageError if there is no such
/// index.
void select_device(int index);

/// How many CUDA devices there are. Throws NoGpuError if there is no usable one.
int device_count();

/// Facts of device `index`.
DeviceFacts device_facts(int index);

/// Identifies a GPU, on any machine.
using Uuid = std::array<unsigned char, 16>;
Uuid device_uuid(int index);

/// PCI address of device `index` as NVML and nvidia-smi write it: "0000:1B:00.0". Under MIG, that of its board.
std::string pci_address(int index);

/// A line for each device, for --list-devices. Throws NoGpuError.
std::string device_list();

/// Version of the CUDA runtime: "13.0".
std::string runtime_version();

/// Highest CUDA version that the driver supports: "13.0".
std::string driver_cuda_version();

/// Resources of a step's kernel on the current device, for a block size. Empty if a library has the kernel.
std::optional<KernelFacts> kernel_facts(const Step& step, unsigned threads, int device);

/// A step's grid: its default, with the user's values in its place. Throws UsageError, naming the rule, if the step or the device
/// does not accept it, or as check_shared_memory. Afterwards the kernel may use its dynamic shared memory.
Shape resolve_shape(const Step& step, std::optional<unsigned> blocks, std::optional<unsigned> threads, int device);

/// Throws UsageError if these blocks or threads break a rule of the step. Needs no GPU.
void check_shape(const Step& step, std::optional<unsigned> blocks, std::optional<unsigned> threads);

/// Throws NoGpuError if a block of the step needs more shared memory than a block of the GPU may have: dynamic, and `fixed` bytes
/// that its kernel always has, against `most`. Of other threads than its own, UsageError. Needs no GPU.
void check_shared_memory(const Step& step, unsigned threads, std::size_t fixed, std::size_t most);

/// Throws UsageError if a thread of the step cannot do this many units of work. Needs no GPU.
void check_iters(const Step& step, std::optional<unsigned> iters);

/// The counts of a probe between two ticks of the global timer.
struct ClockProbe {
    long long cycles;
    long long ns;

    double mhz() const { return 1e3 * static_cast<double>(cycles) / static_cast<double>(ns); }
};

/// Enqueues a kernel of one thread that compares its multiprocessor's cycle counter (clock64) with the global timer
/// over `ns` nanoseconds. It stores the counts where the GPU can write: in its memory, or pinned on the host.
cudaError_t enqueue_clock_probe(ClockProbe* result, long long ns, cudaStream_t stream);

}  // namespace bench
