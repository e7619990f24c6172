// For Estimand::check.
#pragma once

#include <stdexcept>

namespace bench {

/// Throws std::invalid_argument, with the reason `otherwise`, unless this holds.
inline void demand(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

}  // namespace bench
