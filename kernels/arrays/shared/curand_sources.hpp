// The sources of the steps whose words cuRAND's host interface makes. Only a launch as a whole gives the words, so none can
// replay a thread; cuRAND on the host replays a launch.
#pragma once

#include "bench/estimands/hits/source.hpp"

namespace arrays::sources {

extern const bench::Source curand_mtgp32;   // a6_curand_host, a9
extern const bench::Source curand_mt19937;  // a9_mt19937
extern const bench::Source curand_xorwow;   // a9_xorwow
extern const bench::Source curand_philox;
extern const bench::Source curand_mrg32k3a;
extern const bench::Source curand_sobol;

}  // namespace arrays::sources
