// Where each version's samples come from: generator, coordinate, expectation, soundness.
#pragma once

#include "bench/contract.hpp"

namespace pi::sources {

extern const bench::Source xorwow;            // v1 to v5, v12
extern const bench::Source philox;            // v6
extern const bench::Source xorshift32;        // v7
extern const bench::Source lcg;               // v8, v9
extern const bench::Source lcg_two_families;  // v10
extern const bench::Source lcg_mantissa;      // v11

// Of ablations.
extern const bench::Source philox_mantissa;
extern const bench::Source lcg_one_family;
extern const bench::Source lcg_mantissa_centred;
extern const bench::Source xorshift32_mantissa;

}  // namespace pi::sources
