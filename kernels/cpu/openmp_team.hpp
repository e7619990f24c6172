// The threads that OpenMP gives. Its users are compiled with OpenMP.
#pragma once

#include <omp.h>

namespace bench {

/// The number of threads that a parallel region for `threads` threads gets. It also switches off that OpenMP gives fewer
/// on a busy machine.
inline unsigned openmp_team_size(unsigned threads) {
    unsigned size = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
#pragma omp single
    size = static_cast<unsigned>(omp_get_num_threads());
    return size;
}

}  // namespace bench
