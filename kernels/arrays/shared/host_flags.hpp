// Flags on the host: the article's f and its sum, on several cores.
#pragma once

#include <cstdint>

#include "bench/step.hpp"
#include "kernels/arrays/shared/arrays.hpp"

namespace arrays {

/// A flag for each sample: 1 for a hit, 0 for none.
void flag_hits_on_host(std::uint32_t* flags, const Words& words, unsigned threads);

/// Their sum.
bench::Count sum_on_host(const std::uint32_t* flags, std::uint64_t samples, unsigned threads);

/// The cores that this process may use.
unsigned usable_cores();

}  // namespace arrays
