// The sources of the samples of this ladder.
#pragma once

#include "bench/estimands/hits/source.hpp"

namespace arrays::sources {

extern const bench::Source mt19937;         // a0 to a6
extern const bench::Source mt19937_chunks;  // a7 and a8

}  // namespace arrays::sources
