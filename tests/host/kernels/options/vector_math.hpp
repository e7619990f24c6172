// The functions of kernels/options/shared/cpu_floats.hpp on arrays, for their tests.
#pragma once

/// Each takes and gives `width` numbers.
struct VectorMath {
    unsigned width;
    void (*minus_log2_of_31_bits)(const unsigned* words, float* logarithms);
    void (*radius)(const unsigned* words, float* radii);
    void (*root_of_rounded)(const float* x, float* roots);
    void (*exp2f)(const float* x, float* powers);
};
