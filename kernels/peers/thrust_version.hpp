// Thrust and its version, as the peers print it.
#pragma once

#include <thrust/version.h>

#include <string>

namespace peers {

/// "Thrust 3.0.1"
inline std::string thrust_version() {
    std::string text = "Thrust";
    char separator = ' ';
    for (const int number : {THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION}) {
        text += separator + std::to_string(number);
        separator = '.';
    }
    return text;
}

}  // namespace peers
