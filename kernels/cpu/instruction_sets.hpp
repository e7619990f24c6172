// A file that is compiled for several instruction sets of x86-64, by add_clones of kernels/steps.cmake; the widest that the
// machine has runs. Where one function is all, clones.hpp does.
#pragma once

#include <vector>

#include "kernels/cpu/clones.hpp"

namespace bench {

/// What one of the compilations makes.
template <class Made>
struct Clone {
    const char* isa;
    Made made;
};

#ifdef WITH_X86_64_CLONES

/// The widest compilation: what it is called, and whether the machine runs it.
struct Widest {
    const char* isa;
    bool (*runs)();
};

/// Level 4 with dot products of bytes and population counts.
inline bool has_x86_64_v4_with_counts() {
    return has_x86_64_v4() && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vpopcntdq");
}

inline constexpr Widest x86_64_v4 = {"x86-64-v4", has_x86_64_v4};
inline constexpr Widest x86_64_v4_with_counts = {"x86-64-v4, VNNI, VPOPCNTDQ", has_x86_64_v4_with_counts};

/// Those that run on this machine, that with the widest vectors first.
template <class Made>
std::vector<Clone<Made>> clones_of_this_machine(Made baseline, Made narrower, Made widest, const Widest& set) {
    std::vector<Clone<Made>> found;
    if (set.runs()) found.push_back({set.isa, widest});
    if (has_x86_64_v3()) found.push_back({"x86-64-v3", narrower});
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

/// Declares `extern const type name` in the namespace of each compilation. CLONES(name, set) are their clones on this machine, the
/// widest for `set`.
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
#define CLONES(name, set) bench::clones_of_this_machine(baseline::name, x86_64_v3::name, x86_64_v4::name, bench::set)
#else
#define DECLARE_CLONES(type, name) \
    namespace baseline {           \
    extern const type name;        \
    }
#define CLONES(name, set) bench::clones_of_this_machine(baseline::name)
#endif
