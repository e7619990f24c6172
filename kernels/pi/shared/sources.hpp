// The source of each version's samples: generator, coordinate, expectation, soundness.
#pragma once

#include "bench/estimands/hits/source.hpp"

namespace pi::sources {

extern const bench::Source xorwow;              // v1 to v5, v12
extern const bench::Source philox;              // v6
extern const bench::Source xorshift32;          // v7
extern const bench::Source lcg;                 // v8, v9
extern const bench::Source lcg_two_families;    // v10
extern const bench::Source lcg_mantissa;        // v11
extern const bench::Source lcg_folded;          // v13
extern const bench::Source mrg;                 // v14
extern const bench::Source bit_sliced;          // v15
extern const bench::Source half_cells;          // v16
extern const bench::Source tensor_pairs;        // v16t
extern const bench::Source sobol;               // v17
extern const bench::Source dot_sliced;          // v18
extern const bench::Source octant_sliced;       // v19
extern const bench::Source deep_octant_sliced;  // v20
extern const bench::Source alternating_sliced;  // v21 to v23
extern const bench::Source first_bit_sliced;    // v24
extern const bench::Source two_bit_halving;     // v25
extern const bench::Source three_bit_halving;   // v26
extern const bench::Source shifted_halving;     // v27

// v27's words in the planes of v21, and single lanes of v15's, v18's, v21's and v27's words, for the tests of quality/.
extern const bench::Source shifted_sliced;
extern const bench::Source folded_mrg_lanes;
extern const bench::Source dot_mrg_lanes;
extern const bench::Source alternating_mrg_lanes;
extern const bench::Source shifted_mrg_lanes;

// Candidates for v14.
extern const bench::Source philox7;
extern const bench::Source mwc64x;
extern const bench::Source xor_mrg;
extern const bench::Source hybrid_tausworthe;  // of the options: its words are tested here
extern const bench::Source folded_mrg;

// For ablations.
extern const bench::Source philox_mantissa;
extern const bench::Source lcg_one_family;
extern const bench::Source lcg_mantissa_centred;
extern const bench::Source xorshift32_mantissa;
extern const bench::Source octant_folded_mrg;
extern const bench::Source tensor_words;
extern const bench::Source seven_bit_halving;
extern const bench::Source three_dots_halving;

}  // namespace pi::sources
