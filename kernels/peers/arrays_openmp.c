/* OpenMP: the loop of step a0 with one directive. */
#include <math.h>
#include <omp.h>

#include "kernels/peers/arrays_offload.h"

const char peer_name[] = "arrays_openmp";
const char peer_package[] = "gcc " __VERSION__ ", OpenMP";

int runs_on_gpu(void) {
    int on_host = 1;
#pragma omp target map(from : on_host)
    on_host = omp_is_initial_device();
    return !on_host;
}

unsigned long long count_hits(const uint32_t* x_words, const uint32_t* y_words, size_t n) {
    const float ulp = 1.0f / 4294967296.0f;
    unsigned long long hits = 0;
#pragma omp target teams distribute parallel for simd map(to : x_words [0:n], y_words [0:n]) reduction(+ : hits)
    for (size_t i = 0; i < n; i++) {
        const float x = (float)x_words[i] * ulp + ulp / 2;
        const float y = (float)y_words[i] * ulp + ulp / 2;
        hits += fmaf(x, x, y * y) <= 1.0f;
    }
    return hits;
}
