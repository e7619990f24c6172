// A CUDA driver of which every call ends with the code in FAKE_CUDA_CODE. A program loads it as the driver.
#include <cstdlib>
#include <cstring>

extern "C" {
int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long flags, int* found);

int cuInit(unsigned) { return std::atoi(std::getenv("FAKE_CUDA_CODE")); }

int cuDriverGetVersion(int* version) {
    *version = 99000;
    return 0;
}

int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* found) {
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    *function = is("cuDriverGetVersion") ? reinterpret_cast<void*>(cuDriverGetVersion)
                : is("cuGetProcAddress") ? reinterpret_cast<void*>(cuGetProcAddress_v2)
                                         : reinterpret_cast<void*>(cuInit);
    if (found) *found = 0;
    return 0;
}
}
