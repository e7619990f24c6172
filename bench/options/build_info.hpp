// Facts of the build, compiled in: a program that is copied to another machine keeps them.
#pragma once

#include <string>

namespace bench {

struct BuildInfo {
    std::string commit;    // 40 hexadecimal digits, or "unknown" outside a git checkout
    bool dirty;            // the checkout had changes (other than results and rendered tables)
    std::string compiler;  // CUDA and host compiler with versions
    std::string flags;     // of the kernels, and of the CPU baseline
    bool optimized;        // false in a Debug build, whose times mean nothing
};

BuildInfo build_info();

/// For --version: suite version, commit, compiler.
std::string version_text();

}  // namespace bench
