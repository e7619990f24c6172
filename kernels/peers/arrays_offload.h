/* The parts of a peer that a C compiler with directives makes. Its main function is in arrays_offload.cpp. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "arrays_openmp" */
extern const char peer_name[];

/* "gcc 12.2.0, OpenMP" */
extern const char peer_package[];

/* Whether directives run on a GPU. Without one they run on the host, and say nothing. */
int runs_on_gpu(void);

/* Hits of n points with these words, in host memory. */
unsigned long long count_hits(const uint32_t* x_words, const uint32_t* y_words, size_t n);

#ifdef __cplusplus
}
#endif
