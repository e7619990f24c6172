// Tests that take long run at full length only if they are asked for.
#pragma once

#include <cstdlib>
#include <string>

/// Whether SUITE_TESTS=full is set, as make test-full does.
inline bool long_tests() {
    const char* length = std::getenv("SUITE_TESTS");
    return length != nullptr && std::string(length) == "full";
}
