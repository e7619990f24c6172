// Tests that take long run only if they are asked for.
#pragma once

#include <cstdlib>
#include <string>

/// Whether PI_TESTS=full is set, as in .ci/run.
inline bool long_tests() {
    const char* length = std::getenv("PI_TESTS");
    return length != nullptr && std::string(length) == "full";
}
