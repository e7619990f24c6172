#include "bench/workers/gpu/energy.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "bench/host.hpp"
#include "bench/workers/gpu/device.hpp"

namespace bench {

// The part of NVML's interface that the suite uses (NVML API reference). Not every toolkit includes nvml.h.
struct Nvml::Library {
    using Device = struct nvmlDevice_st*;
    static constexpr int success = 0, insufficient_size = 7;
    static constexpr unsigned mig_enabled = 1;
    static constexpr int sensor_of_gpu = 0;

    void* handle = nullptr;
    bool initialized = false;
    Device device = nullptr;
    bool is_slice = false;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*driver_version)(char* text, unsigned size) = nullptr;
    int (*device_by_pci_address)(const char* address, Device* device) = nullptr;
    int (*total_energy)(Device device, unsigned long long* millijoules) = nullptr;
    int (*mig_mode)(Device device, unsigned* current, unsigned* pending) = nullptr;  // since CUDA 11
    int (*clock_reasons)(Device device, unsigned long long* reasons) = nullptr;
    int (*temperature)(Device device, int sensor, unsigned* celsius) = nullptr;
    int (*processes)(Device device, unsigned* count, void* of_each) = nullptr;

    ~Library() {
        if (initialized) shutdown();
        if (handle) dlclose(handle);
    }

    template <typename Function>
    bool load(Function*& function, const char* name) {
        function = reinterpret_cast<Function*>(dlsym(handle, name));
        return function != nullptr;
    }

    bool open() {
        handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        initialized = handle && load(init, "nvmlInit_v2") && load(shutdown, "nvmlShutdown") &&
                      load(driver_version, "nvmlSystemGetDriverVersion") &&
                      load(device_by_pci_address, "nvmlDeviceGetHandleByPciBusId_v2") &&
                      load(total_energy, "nvmlDeviceGetTotalEnergyConsumption") && init() == success;
        if (initialized) load_optional();
        return initialized;
    }

    void load_optional() {
        load(mig_mode, "nvmlDeviceGetMigMode");
        load(temperature, "nvmlDeviceGetTemperature");
        load(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
        load(clock_reasons, "nvmlDeviceGetCurrentClocksEventReasons") ||  // older drivers know only the other name
            load(clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    }

    bool find(const std::string& pci_address) {
        unsigned current = 0, pending = 0;
        const bool found = device_by_pci_address(pci_address.c_str(), &device) == success;
        is_slice = found && mig_mode && mig_mode(device, &current, &pending) == success && current == mig_enabled;
        return found;
    }
};

Nvml::Nvml(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Nvml::~Nvml() = default;

std::unique_ptr<Nvml> Nvml::open(int index) { return open(pci_address(index)); }

std::unique_ptr<Nvml> Nvml::open(const std::string& pci_address) {
    auto library = std::make_unique<Library>();
    if (!library->open() || !library->find(pci_address)) {
        return nullptr;
    }
    return std::unique_ptr<Nvml>(new Nvml(std::move(library)));
}

std::optional<std::string> Nvml::driver_version() const {
    std::array<char, 96> text = {};
    if (library_->driver_version(text.data(), text.size()) != Library::success) {
        return std::nullopt;
    }
    return text.data();
}

std::optional<double> Nvml::energy_joules() const {
    unsigned long long millijoules = 0;
    if (library_->is_slice || library_->total_energy(library_->device, &millijoules) != Library::success) {
        return std::nullopt;
    }
    return static_cast<double>(millijoules) / 1e3;
}

std::optional<Throttle> Nvml::throttle() const {
    const Library& nvml = *library_;
    unsigned long long reasons = 0;
    unsigned celsius = 0;
    const bool is_known = nvml.clock_reasons && nvml.temperature &&
                          nvml.clock_reasons(nvml.device, &reasons) == Library::success &&
                          nvml.temperature(nvml.device, Library::sensor_of_gpu, &celsius) == Library::success;
    return is_known ? std::optional(throttle_of(reasons, celsius)) : std::nullopt;
}

std::optional<unsigned> Nvml::processes() const {
    const Library& nvml = *library_;
    unsigned count = 0;  // no room for them: NVML then tells how many there are
    const int status = nvml.processes && !nvml.is_slice ? nvml.processes(nvml.device, &count, nullptr) : -1;
    return status == Library::success || status == Library::insufficient_size ? std::optional(count) : std::nullopt;
}

std::optional<Warning> sharing_warning(std::span<const int> devices) {
    for (const int device : devices) {
        const auto nvml = Nvml::open(device);
        if (!nvml || nvml->processes().value_or(1) <= 1) continue;  // this one
        return Warning{"sharing",
                       fmt::format("another process uses device {}: rates are lower if that computes", device)};
    }
    return std::nullopt;
}

namespace {

/// The counter steps every 10 to 100 ms. Reads it often and keeps the first and the last step.
class StepWatcher {
 public:
    explicit StepWatcher(const Nvml& nvml) : nvml_(nvml), last_(nvml.energy_joules()) {}

    void look() {
        const auto joules = nvml_.energy_joules();
        if (!joules || joules == last_) {
            return;
        }
        last_ = joules;
        end_ = {monotonic_seconds(), *joules};
        if (!start_) start_ = end_;
    }

    double seconds() const { return start_ ? end_.seconds - start_->seconds : 0; }
    std::optional<double> watts() const {
        if (seconds() <= 0) return std::nullopt;
        return (end_.joules - start_->joules) / seconds();
    }

 private:
    struct Reading {
        double seconds;
        double joules;
    };
    const Nvml& nvml_;
    std::optional<double> last_;
    std::optional<Reading> start_;
    Reading end_ = {};
};

}  // namespace

std::optional<double> mean_power(const Nvml& nvml,
                                 const std::function<void(const std::function<void()>& idle)>& keep_busy) {
    constexpr double window = 1.0;   // seconds between the first and the last step
    constexpr double give_up = 5.0;  // seconds in all, for a counter that does not step
    constexpr double settle = 0.1;   // seconds under load before the window
    if (!nvml.energy_joules()) {
        return std::nullopt;
    }
    const double start = monotonic_seconds();
    while (monotonic_seconds() - start < settle) {
        keep_busy([] {});
    }
    StepWatcher watcher(nvml);
    while (watcher.seconds() < window && monotonic_seconds() - start < give_up) {
        keep_busy([&] { watcher.look(); });
    }
    return watcher.watts();
}

}  // namespace bench
