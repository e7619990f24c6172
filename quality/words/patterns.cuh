// Every parity of successive draws of a lane: how often each pattern of its bits occurs. A thread's lane is its number modulo 32.
#pragma once

#include "quality/words/test_kernel.cuh"

namespace quality::words {

/// The parities of all sets of bits that include the newest, from the counts of the patterns; `bit_name(i)` is that of bit i of a
/// pattern, of which bit 0 is the newest.
Largest largest_parities(const std::string& name, const Count* counts, unsigned bits,
                         const std::function<std::string(unsigned)>& bit_name);

/// All parities of 21 successive draws, counted in device memory: the table fits the L2.
struct Successive {
    static constexpr unsigned bits = 21, history = 32, block = 512, words_of_trip = 32;
    static constexpr bool in_shared_memory = false;
    static unsigned lag(unsigned bit) { return bit; }
    __host__ __device__ __forceinline__ static unsigned pattern(unsigned newest, unsigned) {
        return newest & ((1u << bits) - 1);
    }
};

/// All parities of 14 draws in three runs that the recurrence <20, 3> and its square tie: 0 to 4, 20 to 24 and 40 to 43 apart.
struct Tied {
    static constexpr unsigned r = 20, bits = 14, history = 64, block = 1024, words_of_trip = 64;
    static constexpr bool in_shared_memory = true;
    static unsigned lag(unsigned bit) { return bit < 5 ? bit : bit < 10 ? 15 + bit : 30 + bit; }
    __host__ __device__ __forceinline__ static unsigned pattern(unsigned newest, unsigned oldest) {
        return (newest & 0x1f) | (newest >> 15 & 0x3e0) | (oldest << 2 & 0x3c00);
    }
};

/// Counts a pattern.
template <typename T>
struct CountIn {
    T* counts;
    __host__ __device__ __forceinline__ void operator()(unsigned cell) const {
#ifdef __CUDA_ARCH__
        atomicAdd(&counts[cell], T{1});
#else
        counts[cell]++;
#endif
    }
};

template <typename Generator_, typename Window>
struct Patterns {
    using Generator = Generator_;
    using Draws = typename Generator::Draws;
    static constexpr unsigned block = Window::block, words_of_trip = Window::words_of_trip, cells = 1u << Window::bits;
    static constexpr std::size_t sums = 2 * cells;  // of even n, then of odd n
    static constexpr std::size_t shared_bytes = Window::in_shared_memory ? sums * sizeof(unsigned) : 0;
    static_assert(words_of_trip % 2 == 0 && Window::history % 2 == 0);

    template <typename T>
    __host__ __device__ __forceinline__ static void count(Draws& draw, unsigned trips, unsigned lane, CountIn<T> add) {
        unsigned newest = 0, oldest = 0;  // bits of the last 64 draws
        const auto shift_in = [&](unsigned word) {
            oldest = funnel_right(newest, oldest, 31);
            newest = newest << 1 | (word >> lane & 1);
        };
#pragma unroll
        for (unsigned n = 0; n < Window::history; n++) {
            shift_in(draw());
        }
#pragma unroll 1
        for (unsigned trip = 0; trip < trips; trip++) {
#pragma unroll
            for (unsigned n = 0; n < words_of_trip; n++) {
                shift_in(draw());
                add(n % 2 * cells + Window::pattern(newest, oldest));
            }
        }
    }

    __device__ static void on_gpu(Count* total, const Part& part) {
        auto draw = Generator::draws(part, rng::grid_thread());
        if constexpr (Window::in_shared_memory) {
            extern __shared__ unsigned of_block[];
            for (unsigned i = threadIdx.x; i < sums; i += blockDim.x) {
                of_block[i] = 0;
            }
            __syncthreads();
            count(draw, part.size.trips, threadIdx.x % 32, CountIn<unsigned>{of_block});
            __syncthreads();
            for (unsigned i = threadIdx.x; i < sums; i += blockDim.x) {
                atomicAdd(&total[i], Count{of_block[i]});
            }
        } else {
            count(draw, part.size.trips, threadIdx.x % 32, CountIn<Count>{total});
        }
    }

    static void on_host(Count* total, const Part& part, std::uint64_t thread) {
        auto draw = Generator::draws(part, thread);
        count(draw, part.size.trips, static_cast<unsigned>(thread % 32), CountIn<Count>{total});
    }

    static Findings findings(const std::vector<Count>& counts, std::uint64_t) {
        const auto bit_name = [](unsigned bit) {
            return bit == 0 ? std::string("n") : "n - " + std::to_string(Window::lag(bit));
        };
        return {{},
                {largest_parities("even n", counts.data(), Window::bits, bit_name),
                 largest_parities("odd n", counts.data() + cells, Window::bits, bit_name)}};
    }
};

}  // namespace quality::words
