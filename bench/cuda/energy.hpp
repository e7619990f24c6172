// Power of a GPU from NVML's energy counter. NVML is loaded at run time: a machine without it has no energy figures.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace bench {

class Nvml {
 public:
    /// Loads NVML and finds CUDA device `index` in it by its PCI address; empty where it cannot.
    static std::unique_ptr<Nvml> open(int index);

    /// The same, of the board at a PCI address as CUDA writes it: "0000:1B:00.0".
    static std::unique_ptr<Nvml> open(const std::string& pci_address);
    ~Nvml();

    /// Version of the driver: "580.159.04"; empty where NVML does not say.
    std::optional<std::string> driver_version() const;

    /// Energy that the device has used since the driver was loaded, in joules; empty where it does not count, and where the
    /// device is a slice of the board (MIG): the count is the whole board's, with what others run on it.
    /// nvmlDeviceGetTotalEnergyConsumption, NVML API reference, "Device Queries".
    std::optional<double> energy_joules() const;

 private:
    struct Library;
    explicit Nvml(std::unique_ptr<Library> library);
    std::unique_ptr<Library> library_;
};

/// Mean power in watts while `keep_busy` keeps the GPU busy: it is called over and over for at least one second, and
/// calls its argument often while it waits. Empty where the counter does not step.
std::optional<double> mean_power(const Nvml& nvml,
                                 const std::function<void(const std::function<void()>& idle)>& keep_busy);

}  // namespace bench
