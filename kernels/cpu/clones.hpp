// Functions that are compiled for three instruction sets of x86-64; the widest that the machine has runs. g++ compiles one as
// FUNCTION_CLONES. A file is compiled for all by add_clones (kernels/steps.cmake), with any compiler.
#pragma once

// g++ 11 takes no levels of x86-64 here, only single extensions: FMA brings AVX but not AVX2.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#if __GNUC__ >= 12
#define CLONE_WIDE "x86-64-v3"
#define CLONE_WIDEST "x86-64-v4"
#define FUNCTION_CLONES __attribute__((target_clones("default", "arch=" CLONE_WIDE, "arch=" CLONE_WIDEST)))
#else
#define CLONE_WIDE "fma"
#define CLONE_WIDEST "avx512f"
#define FUNCTION_CLONES __attribute__((target_clones("default", CLONE_WIDE, CLONE_WIDEST)))
#endif
#else
#define FUNCTION_CLONES
#endif

namespace bench {

#ifdef __x86_64__
/// Whether the machine runs what is compiled for levels 3 and 4 of x86-64 without LZCNT, for which clang 14 cannot ask.
inline bool has_x86_64_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}
inline bool has_x86_64_v4() {
    return has_x86_64_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

/// The instruction set of the clone that runs on this machine.
inline const char* isa_of_clones() {
#ifdef CLONE_WIDE
    return __builtin_cpu_supports(CLONE_WIDEST) ? CLONE_WIDEST
           : __builtin_cpu_supports(CLONE_WIDE) ? CLONE_WIDE
                                                : "x86-64";
#else
    return "the compiler's default";
#endif
}

}  // namespace bench
