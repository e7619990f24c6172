// One function, compiled for three instruction sets of x86-64; the widest that the machine has runs.
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
