// Memory that launches need, and that there is.
#pragma once

#include <cstddef>

namespace bench {

/// Bytes of memory that new programs can use without swapping.
std::size_t available_memory();

/// Throws UsageError, naming the bytes, if a launch needs more memory of a kind ("GPU") than there is.
void require_bytes(std::size_t needed, std::size_t available, const char* kind);

}  // namespace bench
