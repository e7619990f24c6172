// Steps whose hits are known. Blocks of whole warps; by default 1024 threads.
#pragma once

#include "bench/estimands/hits/source.hpp"

bench::Step always_hit();
bench::Step cannot_be_launched();  // more shared memory than a block may have
bench::Step coin();                // of which half of the throws hit
