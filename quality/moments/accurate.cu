// The transform of the step that is compiled without --use_fast_math.
#include "kernels/random/normals/accurate_box_muller.cuh"
#include "quality/moments/exhaust.cuh"

namespace normals {
namespace {

__device__ float sine(unsigned word) { return rng::accurate_direction(word).sine; }
__device__ float cosine(unsigned word) { return rng::accurate_direction(word).cosine; }

}  // namespace

Exhausted exhaust_accurate_box_muller() {
    const WordSums radius = words_summed<rng::accurate_radius, tail_of_radius>();
    return of_two_words(radius, radius, words_summed<sine, tail_of_normal>(), words_summed<cosine, tail_of_normal>());
}

}  // namespace normals
