// Versions that keep the contract in a known way, or break it on purpose. Blocks of whole warps; by default 1024 threads.
#pragma once

#include "bench/estimands/hits/source.hpp"

bench::Step always_hit();
bench::Step never_hit();
bench::Step coin_that_cannot_be_launched();  // more shared memory than a block may have

/// What the launches of a coin do wrong.
enum class Fault {
    none,
    unwritten_count,   // that of block 1
    dropped_warp,      // warp 1 of block 1 counts nothing in launch 0
    dropped_block,     // block 1 counts nothing in launch 0
    dropped_launch,    // launch 0 counts nothing
    block_twice,       // block 1 counts its hits twice in launch 0
    repeated_launch,   // launch 16 draws the numbers of launch 0
    launches_in_twos,  // so does every odd launch with those of the one before
    launches_alike     // all launches draw the numbers of launch 0
};

/// A coin of which half of the throws hit: independent throws; or throws in fours that fall alike, so that a count varies by
/// four times the binomial's variance; or, as of a point set, all throws but one a thread in turn, which only the launch
/// makes independent of the others.
bench::Step coin(bench::Independent independent, Fault fault);
