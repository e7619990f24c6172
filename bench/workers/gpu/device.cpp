#include "bench/workers/gpu/device.hpp"

#include <fmt/format.h>

#include <bit>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/workers/check.hpp"

namespace bench {
namespace {

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

cudaFuncAttributes function_attributes(const Step& step) {
    cudaFuncAttributes attributes = {};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, step.kernel));
    return attributes;
}

/// 0 if a library has the kernel.
int resident_blocks_per_sm(const Step& step, unsigned threads) {
    int blocks = 0;
    if (!step.kernel) return blocks;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, step.kernel, static_cast<int>(threads),
                                                             step.dynamic_shared_bytes(threads)));
    return blocks;
}

std::string dotted(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

unsigned default_blocks(const Step& step, unsigned resident_blocks, unsigned multiprocessors) {
    if (step.accepted_blocks == Blocks::one) {
        return 1;
    }
    if (step.default_blocks != 0) {
        return step.default_blocks;
    }
    return step.default_blocks_per_sm == as_many_as_fit ? resident_blocks
                                                        : step.default_blocks_per_sm * multiprocessors;
}

/// Lets the step's kernel use its dynamic shared memory, which a kernel has to ask for beyond 48 KiB, or throws.
void allow_shared_memory(const Step& step, unsigned threads, int device) {
    const std::size_t needed = step.dynamic_shared_bytes(threads);
    if (!step.kernel || needed == 0) return;
    check_shared_memory(step, threads, function_attributes(step).sharedSizeBytes,
                        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device)));
    CUDA_CHECK(
        cudaFuncSetAttribute(step.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(needed)));
}

}  // namespace

int device_count() {
    int count = 0;  // untouched on error
    check_start(cudaGetDeviceCount(&count));
    return count;
}

void select_device(int index) {
    const int count = device_count();
    if (index >= count) {
        throw UsageError(
            fmt::format("--device: there is no device {}; this machine has {}, numbered from 0", index, count));
    }
    check_start(cudaSetDevice(index));
}

DeviceFacts device_facts(int index) {
    cudaDeviceProp properties = {};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    return {properties.name,
            properties.major,
            properties.minor,
            properties.multiProcessorCount,
            attribute(cudaDevAttrClockRate, index) / 1e3,
            static_cast<double>(properties.totalGlobalMem) / (1024.0 * 1024 * 1024),
            properties.ECCEnabled != 0};
}

Uuid device_uuid(int index) {
    cudaDeviceProp properties = {};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    static_assert(sizeof properties.uuid == sizeof(Uuid));
    return std::bit_cast<Uuid>(properties.uuid);
}

std::string pci_address(int index) {
    std::array<char, 32> address = {};
    CUDA_CHECK(cudaDeviceGetPCIBusId(address.data(), address.size(), index));
    return address.data();
}

std::string device_list() {
    std::string list;
    const int count = device_count();
    for (int i = 0; i < count; i++) {
        const DeviceFacts d = device_facts(i);
        list += fmt::format("{}  {}, compute capability {}.{}, {} multiprocessors, {:.0f} MHz, {:.0f} GiB, PCI {}\n", i,
                            d.name, d.major, d.minor, d.multiprocessors, d.max_clock_mhz, d.memory_gib, pci_address(i));
    }
    return list;
}

std::string runtime_version() {
    int version = 0;
    CUDA_CHECK(cudaRuntimeGetVersion(&version));
    return dotted(version);
}

std::string driver_cuda_version() {
    int version = 0;
    CUDA_CHECK(cudaDriverGetVersion(&version));
    return dotted(version);
}

std::optional<KernelFacts> kernel_facts(const Step& step, unsigned threads, int device) {
    if (!step.kernel) return std::nullopt;
    const cudaFuncAttributes attributes = function_attributes(step);
    const int warp = attribute(cudaDevAttrWarpSize, device);
    const int warps = resident_blocks_per_sm(step, threads) * ((static_cast<int>(threads) + warp - 1) / warp);
    const int possible = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / warp;
    return KernelFacts{attributes.numRegs, attributes.sharedSizeBytes + step.dynamic_shared_bytes(threads),
                       static_cast<double>(warps) / possible};
}

void check_shape(const Step& step, std::optional<unsigned> blocks, std::optional<unsigned> threads) {
    if (blocks && step.accepted_blocks == Blocks::one && *blocks != 1) {
        throw UsageError(fmt::format("--blocks: {} runs 1 block, not {}", step.name, *blocks));
    }
    if (!threads) {
        return;
    }
    const auto demand = [&](bool holds, const std::string& rule) {
        if (!holds) throw UsageError(fmt::format("--threads: {} {}, not {}", step.name, rule, *threads));
    };
    switch (step.accepted_threads) {
        case Threads::any:
            return;
        case Threads::one:
            return demand(*threads == 1, "runs 1 thread per block");
        case Threads::warps:
            return demand(*threads % 32 == 0, "reduces by whole warps: it needs a multiple of 32");
        case Threads::powers_of_two:
            return demand(std::has_single_bit(*threads), "reduces by halves: it needs a power of two");
        case Threads::fixed:
            return demand(*threads == step.default_threads,
                          fmt::format("runs {} threads per block", step.default_threads));
    }
}

void check_shared_memory(const Step& step, unsigned threads, std::size_t fixed, std::size_t most) {
    const std::size_t needed = fixed + step.dynamic_shared_bytes(threads);
    if (needed <= most) return;
    const auto line = fmt::format("{} needs {} bytes of shared memory for a block of {} threads, and this GPU has {}",
                                  step.name, needed, threads, most);
    if (threads != step.default_threads) throw UsageError(line);
    throw NoGpuError(line);
}

void check_iters(const Step& step, std::optional<unsigned> iters) {
    if (iters && *iters > step.most_iters) {
        const Unit unit = step.estimand->unit();
        throw UsageError(fmt::format("--iters: a thread of {} does {} {}, not {}", step.name, step.most_iters,
                                     step.most_iters == 1 ? unit.one : unit.many, *iters));
    }
}

Shape resolve_shape(const Step& step, std::optional<unsigned> blocks, std::optional<unsigned> threads, int device) {
    check_shape(step, blocks, threads);
    Shape shape = {0, threads.value_or(step.default_threads)};
    const auto most = static_cast<unsigned>(step.kernel ? function_attributes(step).maxThreadsPerBlock
                                                        : attribute(cudaDevAttrMaxThreadsPerBlock, device));
    if (shape.threads > most) {
        throw UsageError(fmt::format("--threads: {} can run {} threads per block on this GPU, not {}", step.name, most,
                                     shape.threads));
    }
    allow_shared_memory(step, shape.threads, device);
    const auto multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount, device));
    const unsigned resident = static_cast<unsigned>(resident_blocks_per_sm(step, shape.threads)) * multiprocessors;
    shape.blocks = blocks.value_or(default_blocks(step, resident, multiprocessors));
    if (step.accepted_blocks == Blocks::resident && shape.blocks > resident) {
        throw UsageError(fmt::format(
            "--blocks: {} needs all its blocks resident at once: at most {} of {} threads on this GPU, not {}",
            step.name, resident, shape.threads, shape.blocks));
    }
    return shape;
}

}  // namespace bench
