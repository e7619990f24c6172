#include "tests/host/bench/workers/gpu/fake_nvml.hpp"

#include <cstring>

namespace {

// NVML API reference, "Device Enums".
constexpr int success = 0, not_supported = 3, not_found = 6, insufficient_size = 7;

Mig mig_now = Mig::unsupported;
unsigned long long reasons_now = 0;
std::optional<unsigned> celsius_now;
unsigned processes_now = 0;
int board;

}  // namespace

void set_fake_mig(Mig mig) { mig_now = mig; }

void set_fake_clocks(unsigned long long reasons, std::optional<unsigned> celsius) {
    reasons_now = reasons;
    celsius_now = celsius;
}

void set_fake_processes(unsigned count) { processes_now = count; }

extern "C" {
int nvmlInit_v2();
int nvmlShutdown();
int nvmlSystemGetDriverVersion(char* text, unsigned size);
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device);
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules);
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending);
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons);
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius);
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void* of_each);

int nvmlInit_v2() { return success; }
int nvmlShutdown() { return success; }

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
    std::strncpy(text, "580.1", size);
    return success;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
    *device = &board;
    return std::strcmp(address, fake_board) == 0 ? success : not_found;
}

int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
    *millijoules = 5000;
    return device == &board ? success : not_found;
}

int nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
    *current = *pending = mig_now == Mig::enabled;
    return mig_now == Mig::unsupported ? not_supported : success;
}

int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons) {
    *reasons = reasons_now;
    return device == &board ? success : not_found;
}

int nvmlDeviceGetTemperature(void*, int sensor, unsigned* celsius) {
    *celsius = celsius_now.value_or(0);
    return celsius_now && sensor == 0 ? success : not_supported;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void*) {
    if (device != &board) return not_found;
    const unsigned room = *count;
    *count = processes_now;
    return room < processes_now ? insufficient_size : success;
}
}
