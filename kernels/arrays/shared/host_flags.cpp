#include "kernels/arrays/shared/host_flags.hpp"

#include <omp.h>

#include "kernels/arrays/shared/hit.cuh"
#include "kernels/cpu/clones.hpp"

namespace arrays {

FUNCTION_CLONES static void flag_part(std::uint32_t* flags, const std::uint32_t* x, const std::uint32_t* y,
                                      std::uint64_t samples) {
    for (std::uint64_t i = 0; i < samples; i++) flags[i] = is_hit(x[i], y[i]) ? 1 : 0;
}

void flag_hits_on_host(std::uint32_t* flags, const Words& words, unsigned threads) {
    constexpr std::uint64_t part = 1 << 16;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::uint64_t first = 0; first < words.samples; first += part) {
        flag_part(flags + first, words.x + first, words.y + first,
                  words.samples - first < part ? words.samples - first : part);
    }
}

bench::Count sum_on_host(const std::uint32_t* flags, std::uint64_t samples, unsigned threads) {
    bench::Count sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
    for (std::uint64_t i = 0; i < samples; i++) sum += flags[i];
    return sum;
}

unsigned usable_cores() { return static_cast<unsigned>(omp_get_num_procs()); }

}  // namespace arrays
