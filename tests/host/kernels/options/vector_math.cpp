// This file is compiled once for each instruction set, as CLONE.
#include "tests/host/kernels/options/vector_math.hpp"

#include "kernels/options/device/cpu_vector.hpp"

namespace vector_math::CLONE {
namespace {

using options::CLONE::Floats, options::CLONE::Words, options::CLONE::width;

void minus_log2_of_31_bits(const unsigned* from, float* to) {
    Words words;
    __builtin_memcpy(words.part, from, sizeof words);
    const Floats x = options::CLONE::minus_log2_of_31_bits(words);
    __builtin_memcpy(to, &x, sizeof x);
}

template <Floats (*function)(Floats)>
void on_arrays(const float* from, float* to) {
    Floats x = 0;
    __builtin_memcpy(x.part, from, sizeof x);
    x = function(x);
    __builtin_memcpy(to, &x, sizeof x);
}

}  // namespace

extern const VectorMath math;
const VectorMath math = {width, minus_log2_of_31_bits, on_arrays<options::CLONE::sqrtf>,
                         on_arrays<options::CLONE::exp2f>};

}  // namespace vector_math::CLONE
