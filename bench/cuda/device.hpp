// The GPU: choosing it, and its facts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bench/contract.hpp"
#include "bench/record.hpp"

namespace bench {

/// Makes CUDA device `index` current. Throws NoGpuError if there is no usable one, UsageError if there is no such
/// index.
void select_device(int index);

/// How many CUDA devices there are. Throws NoGpuError if there is no usable one.
int device_count();

/// Facts of device `index`.
DeviceFacts device_facts(int index);

/// What tells one GPU from another, on whatever machine.
using Uuid = std::array<unsigned char, 16>;
Uuid device_uuid(int index);

/// Where device `index` is, as NVML and nvidia-smi take it: "0000:1B:00.0". Under MIG, where its board is.
std::string pci_address(int index);

/// A line for each device, for --list-devices. Throws NoGpuError.
std::string device_list();

/// Version of the CUDA runtime: "13.0".
std::string runtime_version();

/// Highest CUDA version that the driver supports: "13.0".
std::string driver_cuda_version();

/// What a step's kernel takes on the current device at a block size.
struct KernelFacts {
    int registers;
    std::size_t shared_bytes;    // static and dynamic, per block
    int resident_blocks_per_sm;  // by the occupancy API
    double occupancy;            // resident warps of the possible
};

KernelFacts kernel_facts(const Step& step, unsigned threads, int device);

/// A step's default grid, with what the user gave in its place. Throws UsageError, naming the rule, for a grid
/// that the step or the device does not accept.
Shape resolve_shape(const Step& step, std::optional<unsigned> blocks, std::optional<unsigned> threads, int device);

/// Throws UsageError if a grid of so many blocks or threads breaks a rule of the step; needs no GPU.
void check_shape(const Step& step, std::optional<unsigned> blocks, std::optional<unsigned> threads);

}  // namespace bench
