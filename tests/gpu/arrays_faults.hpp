// Steps of the ladder arrays with a fault planted into one phase.
#pragma once

#include "bench/step.hpp"

enum class ArraysFault {
    unwritten_flag,    // flag 5 keeps what was there before
    incomplete_copy,   // the last word of Y is not copied
    unwritten_words,   // 100 words of X keep what was there before
    unwritten_partial  // so does a partial sum
};

bench::Step arrays_with(ArraysFault fault);
