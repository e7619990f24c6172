// What this program was built from and with: compiled in, so that a program carried to another machine still knows it.
#pragma once

#include <string>

namespace bench {

struct BuildInfo {
    std::string commit;    // 40 hexadecimal digits, or "unknown" outside a git checkout
    bool dirty;            // the checkout differed from it (results and rendered tables left out of account)
    std::string compiler;  // CUDA and host compiler with versions
    std::string flags;     // of the kernels, and of the CPU baseline
    bool optimized;        // false in a Debug build, whose times mean nothing
};

BuildInfo build_info();

/// For --version: suite version, commit, compiler.
std::string version_text();

/// For warnings of a result; empty in an optimized build.
std::string debug_build_warning();

}  // namespace bench
