#include "bench/options/build_info.hpp"

#include <fmt/format.h>

#include "commit.hpp"    // generated at every build: bench/commit.cmake
#include "compiler.hpp"  // generated when configuring

namespace bench {

BuildInfo build_info() {
#ifdef NDEBUG
    constexpr bool optimized = true;
#else
    constexpr bool optimized = false;
#endif
    return {COMMIT, COMMIT_DIRTY, SUITE_COMPILER, SUITE_FLAGS, optimized};
}

std::string version_text() {
    const BuildInfo build = build_info();
    return fmt::format("{} (commit {}{}, {})", SUITE_VERSION, build.commit.substr(0, 12),
                       build.dirty ? ", modified" : "", build.compiler);
}

}  // namespace bench
