/* OpenACC: the loop of step a0 with one directive. */
#include <math.h>
#include <openacc.h>

#include "kernels/peers/arrays_offload.h"

const char peer_name[] = "arrays_openacc";
const char peer_package[] = "gcc " __VERSION__ ", OpenACC";

int runs_on_gpu(void) {
    if (acc_get_num_devices(acc_device_nvidia) == 0) {
        return 0;
    }
    int on_gpu = 0;
#pragma acc parallel copyout(on_gpu)
    on_gpu = acc_on_device(acc_device_not_host);
    return on_gpu;
}

unsigned long long count_hits(const uint32_t* x_words, const uint32_t* y_words, size_t n) {
    const float ulp = 1.0f / 4294967296.0f;
    unsigned long long hits = 0;
#pragma acc parallel loop copyin(x_words [0:n], y_words [0:n]) reduction(+ : hits)
    for (size_t i = 0; i < n; i++) {
        const float x = (float)x_words[i] * ulp + ulp / 2;
        const float y = (float)y_words[i] * ulp + ulp / 2;
        hits += fmaf(x, x, y * y) <= 1.0f;
    }
    return hits;
}
