// What the compilations of cpu_pairs.cpp for several instruction sets share.
#pragma once

#include <vector>

#include "kernels/cpu/instruction_sets.hpp"
#include "kernels/pi/shared/cpu_streams.hpp"

namespace pi::pairs {

/// The tests of pairs of words, as pi::sources calls them, compiled for an instruction set.
struct Loops {
    HitsOfStreams xorwow;
    HitsOfStreams philox;
    HitsOfStreams philox_mantissa;
    HitsOfStreams xorshift32;
    HitsOfStreams xorshift32_mantissa;
    HitsOfStreams lcg;
    HitsOfStreams lcg_mantissa;
    HitsOfStreams lcg_mantissa_centred;
    HitsOfStreams lcg_folded;
    HitsOfStreams lcg_two_families;
    HitsOfStreams lcg_one_family;
    HitsOfStreams mrg;
    HitsOfStreams folded_mrg;
    HitsOfStreams xor_mrg;
    HitsOfStreams philox7;
};

using Loop = HitsOfStreams Loops::*;
using Clone = bench::Clone<Loops>;

/// Those that run on this machine, that with the widest vectors first.
const std::vector<Clone>& clones();

}  // namespace pi::pairs
