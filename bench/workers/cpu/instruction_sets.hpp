// A file that is compiled for several instruction sets of x86-64, by add_clones of kernels/steps.cmake; the widest that the
// machine has runs. Where one function is all, clones.hpp does.
#pragma once

#include <vector>

namespace bench {

/// What one of the compilations makes.
template <class Made>
struct Clone {
    const char* isa;
    Made made;
};

#ifdef WITH_X86_64_CLONES

inline bool has_x86_64_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

inline bool has_x86_64_v4_and_more() {
    return has_x86_64_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

/// Those that run on this machine, that with the widest vectors first.
template <class Made>
std::vector<Clone<Made>> clones_of_this_machine(Made baseline, Made x86_64_v3, Made x86_64_v4) {
    std::vector<Clone<Made>> found;
    if (has_x86_64_v4_and_more()) found.push_back({"x86-64-v4, VNNI, VPOPCNTDQ", x86_64_v4});
    if (has_x86_64_v3()) found.push_back({"x86-64-v3", x86_64_v3});
    found.push_back({"x86-64", baseline});
    return found;
}

#else

template <class Made>
std::vector<Clone<Made>> clones_of_this_machine(Made baseline) {
    return {{"the compiler's default", baseline}};
}

#endif

}  // namespace bench

/// Declares `extern const type name` in the namespace of each compilation, and CLONES(name), their clones on this machine.
#ifdef WITH_X86_64_CLONES
#define DECLARE_CLONES(type, name) \
    namespace baseline {           \
    extern const type name;        \
    }                              \
    namespace x86_64_v3 {          \
    extern const type name;        \
    }                              \
    namespace x86_64_v4 {          \
    extern const type name;        \
    }
#define CLONES(name) bench::clones_of_this_machine(baseline::name, x86_64_v3::name, x86_64_v4::name)
#else
#define DECLARE_CLONES(type, name) \
    namespace baseline {           \
    extern const type name;        \
    }
#define CLONES(name) bench::clones_of_this_machine(baseline::name)
#endif
