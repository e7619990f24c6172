// Versions that keep the contract in a known way, or break it on purpose. Blocks of whole warps; by default 1024 threads.
#pragma once

#include "bench/contract.hpp"

bench::Version always_hit();
bench::Version never_hit();
bench::Version half_hit();                            // every second sample
bench::Version half_hit_dropping_a_warp();            // warp 1 of each block counts nothing
bench::Version half_hit_leaving_a_count_unwritten();  // that of block 1
bench::Version half_hit_that_cannot_be_launched();    // more shared memory than a block may have
