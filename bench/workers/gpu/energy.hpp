// What NVML tells of a GPU: its energy, and so its power, and what holds its clock down, and who uses it. NVML is loaded at run time: a machine
// without it has no such figures.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "bench/workers/throttle.hpp"

namespace bench {

class Nvml {
 public:
    /// Loads NVML and finds CUDA device `index` by its PCI address. Null on failure.
    static std::unique_ptr<Nvml> open(int index);

    /// Finds the board at a PCI address as CUDA writes it: "0000:1B:00.0".
    static std::unique_ptr<Nvml> open(const std::string& pci_address);
    ~Nvml();

    /// Version of the driver: "580.159.04"; empty if NVML does not know it.
    std::optional<std::string> driver_version() const;

    /// Energy used by the device since the driver was loaded, in joules. Empty if the device does not count it, and if
    /// the device is a slice of its board (MIG): the counter covers the whole board, including the work of others.
    /// nvmlDeviceGetTotalEnergyConsumption, NVML API reference, "Device Queries".
    std::optional<double> energy_joules() const;

    /// What holds the clock down now, and the temperature: one timing. Of a slice, that of its board. Empty if the device or the
    /// driver does not tell both. nvmlDeviceGetCurrentClocksEventReasons and nvmlDeviceGetTemperature, likewise.
    std::optional<Throttle> throttle() const;

    /// How many processes use the device to compute. Empty if it is a slice, or if NVML does not tell.
    /// nvmlDeviceGetComputeRunningProcesses, likewise.
    std::optional<unsigned> processes() const;

 private:
    struct Library;
    explicit Nvml(std::unique_ptr<Library> library);
    std::unique_ptr<Library> library_;
};

/// A warning if other processes use one of these CUDA devices too.
std::optional<Warning> sharing_warning(std::span<const int> devices);

/// Mean power in watts while `keep_busy` keeps the GPU busy. Calls it again and again for at least one second; it calls
/// its argument often while it waits. Empty if the energy counter does not advance.
std::optional<double> mean_power(const Nvml& nvml,
                                 const std::function<void(const std::function<void()>& idle)>& keep_busy);

}  // namespace bench
