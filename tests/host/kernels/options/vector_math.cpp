// This file is compiled once for each instruction set, as CLONE.
#include "tests/host/kernels/options/vector_math.hpp"

#include "kernels/options/shared/cpu_floats.hpp"

namespace vector_math::CLONE {
namespace {

using options::CLONE::Floats, options::CLONE::Words, options::CLONE::width;

template <Floats (*function)(Words)>
void of_words(const unsigned* from, float* to) {
    Words words;
    __builtin_memcpy(words.part, from, sizeof words);
    const Floats x = function(words);
    __builtin_memcpy(to, &x, sizeof x);
}

constexpr auto root_unit = static_cast<float>(options::CLONE::root_unit);

Floats radius(Words word) { return options::CLONE::radius(word) * root_unit; }
Floats root_of_rounded(Floats x) { return options::CLONE::root_of_rounded(x) * root_unit; }

template <Floats (*function)(Floats)>
void on_arrays(const float* from, float* to) {
    Floats x = 0;
    __builtin_memcpy(x.part, from, sizeof x);
    x = function(x);
    __builtin_memcpy(to, &x, sizeof x);
}

}  // namespace

extern const VectorMath math;
const VectorMath math = {width, of_words<options::CLONE::minus_log2_of_31_bits>, of_words<radius>,
                         on_arrays<root_of_rounded>, on_arrays<options::CLONE::exp2f>};

}  // namespace vector_math::CLONE
