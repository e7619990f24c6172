// Generators with known faults, as sources.
#pragma once

#include "bench/estimands/hits/source.hpp"

namespace quality::specimens {

extern const bench::Source constant;
extern const bench::Source counter;
extern const bench::Source philox_stuck_bit;
extern const bench::Source xorshift32_consecutive;
extern const bench::Source lcg_consecutive;
extern const bench::Source trinomial_63_1;
extern const bench::Source trinomial_31_3;

}  // namespace quality::specimens
