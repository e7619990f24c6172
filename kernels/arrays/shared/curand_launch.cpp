#include "kernels/arrays/shared/curand_launch.hpp"

#include "kernels/arrays/shared/unwritten_words.hpp"

namespace arrays {
namespace {

std::uint64_t words_of_launch(const bench::Launch& l) { return 2 * samples_of(l); }

}  // namespace

cudaError_t seed_curand(const bench::Launch& l) {
    curand_equipment(l).words.begin(l.seed, l.index, words_of_launch(l));
    return cudaSuccess;
}

cudaError_t make_curand_words(const bench::Launch& l) {
    curand_equipment(l).words.generate(words_on_gpu(l).x, words_of_launch(l));
    return cudaSuccess;
}

cudaError_t go_on_with_curand_words(const bench::Launch& l) {
    seed_curand(l);
    return make_curand_words(l);
}

cudaError_t sum_curand_hits(const bench::Launch& l) {
    return curand_equipment(l).sum.enqueue(words_on_gpu(l), l.counts, l.stream);
}

void inspect_curand_words(const bench::Launch& l) { refuse_unwritten(words_on_gpu(l).x, words_of_launch(l), l.stream); }

}  // namespace arrays
