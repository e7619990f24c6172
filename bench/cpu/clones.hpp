// One function, compiled for three instruction sets of x86-64; the widest that the machine has runs.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FUNCTION_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define FUNCTION_CLONES
#endif

namespace bench {

/// The instruction set of the clone that runs on this machine.
inline const char* isa_of_clones() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    return __builtin_cpu_supports("x86-64-v4")   ? "x86-64-v4"
           : __builtin_cpu_supports("x86-64-v3") ? "x86-64-v3"
                                                 : "x86-64";
#else
    return "the compiler's default";
#endif
}

}  // namespace bench
