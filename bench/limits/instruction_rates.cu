#include <algorithm>
#include <cstdint>

#include "bench/limits/limits.hpp"
#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"

namespace bench {
namespace {

constexpr unsigned threads = 1024;  // one block: 8 warps for each scheduler of a multiprocessor
constexpr unsigned chains = 4;      // that depend on themselves alone, in a thread
constexpr unsigned unrolled = 64, trips = 64;
constexpr unsigned timings = 9;

// Each gives its instruction, and no other, the result of the one before. PTX, as a compiler may rewrite arithmetic.
struct Imad {
    using Value = std::uint32_t;
    static __device__ void run(Value& x, unsigned a, unsigned b) {
        asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
    }
};
struct ImadWide {  // of both halves: nothing less gives them. Without an addend, which compilers add apart
    using Value = std::uint64_t;
    static __device__ void run(Value& x, unsigned, unsigned) {
        asm volatile("{.reg .u32 low, high; mov.b64 {low, high}, %0; mul.wide.u32 %0, low, high;}" : "+l"(x));
    }
};
struct Dp4a {
    using Value = std::uint32_t;
    static __device__ void run(Value& x, unsigned a, unsigned b) {
        asm volatile("dp4a.u32.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
    }
};
struct Lop3 {
    using Value = std::uint32_t;
    static __device__ void run(Value& x, unsigned a, unsigned b) {
        asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x) : "r"(a), "r"(b));
    }
};
struct Ffma {
    using Value = float;
    static __device__ void run(Value& x, unsigned a, unsigned b) {
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    }
};
struct Popc {
    using Value = std::uint32_t;
    static __device__ void run(Value& x, unsigned, unsigned) { asm volatile("popc.b32 %0, %0;" : "+r"(x)); }
};
struct FourWords {
    std::uint32_t of[4];
    FourWords() = default;
    __device__ explicit FourWords(unsigned first) : of{first, 3 * first, 5 * first, 7 * first} {}
    __device__ bool operator!=(unsigned other) const { return of[0] != other || of[2] != other || of[3] != other; }
};
struct Imma {  // a matrix product of bytes, 16 x 32 by 32 x 8
    using Value = FourWords;
    static __device__ void run(Value& x, unsigned a, unsigned b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800  // the largest there is, 8 x 16 by 16 x 8
        asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+r"(x.of[0]), "+r"(x.of[1])
                     : "r"(a), "r"(b));
#else
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 "
            "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
            : "+r"(x.of[0]), "+r"(x.of[1]), "+r"(x.of[2]), "+r"(x.of[3])
            : "r"(a), "r"(b));
#endif
    }
};

/// LOP3 of so many registers, then a multiply-add of two. None is an operand in the same place twice in a row: all are read.
template <unsigned registers>
struct Lop3BesideImad {
    using Value = FourWords;
    static __device__ void run(Value& x, unsigned, unsigned) {
        if (registers == 3) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x.of[0]) : "r"(x.of[1]), "r"(x.of[2]));
        if (registers == 2) asm volatile("lop3.b32 %0, %0, %1, 0x12345678, 0x96;" : "+r"(x.of[0]) : "r"(x.of[1]));
        asm volatile("mad.lo.u32 %0, %1, 1664525, %0;" : "+r"(x.of[3]) : "r"(x.of[1]));
    }
};

/// Other once, then Op several times.
template <unsigned times, typename Op, typename Other>
struct Beside {
    struct Value {
        typename Op::Value op;
        typename Other::Value other;
        Value() = default;
        __device__ explicit Value(unsigned first)
            : op(static_cast<typename Op::Value>(first)), other(static_cast<typename Other::Value>(first)) {}
        __device__ bool operator!=(unsigned value) const { return op != value || other != value; }
    };
    static __device__ void run(Value& x, unsigned a, unsigned b) {
        Other::run(x.other, a, b);
#pragma unroll
        for (unsigned i = 0; i < times; i++) Op::run(x.op, a, b);
    }
};

/// Counts the clocks in which one block runs the instruction of Op `trips * unrolled * chains` times in each thread.
template <typename Op>
__global__ void __launch_bounds__(threads) count_clocks(unsigned a, unsigned b, long long* clocks, unsigned* sum) {
    typename Op::Value x[chains];
    for (unsigned c = 0; c < chains; c++) x[c] = static_cast<typename Op::Value>(threadIdx.x + c);
    __syncthreads();
    const long long begin = clock64();
    for (unsigned trip = 0; trip < trips; trip++) {
#pragma unroll
        for (unsigned i = 0; i < unrolled; i++) {
#pragma unroll
            for (unsigned c = 0; c < chains; c++) Op::run(x[c], a, b);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) *clocks = clock64() - begin;
    for (unsigned c = 0; c < chains; c++) atomicAdd(sum, static_cast<unsigned>(x[c] != 0));
}

/// `counted`: instructions of a run of Op that count.
template <typename Op>
Limit rate(const char* name, unsigned counted = 1) {
    const DeviceBuffer<long long> clocks(1);
    const DeviceBuffer<unsigned> sum(1);
    long long fewest = 0;
    for (unsigned i = 0; i < timings; i++) {
        count_clocks<Op><<<1, threads>>>(1664525, 1013904223, clocks.data(), sum.data());
        CUDA_CHECK(cudaGetLastError());
        long long found = 0;
        CUDA_CHECK(cudaMemcpy(&found, clocks.data(), sizeof found, cudaMemcpyDeviceToHost));
        fewest = i == 0 ? found : std::min(fewest, found);
    }
    return {name, double{threads} * counted * trips * unrolled * chains / static_cast<double>(fewest)};
}

}  // namespace

std::vector<Limit> measure_instruction_rates() {
    return {rate<Ffma>("ffma"),
            rate<Imad>("imad"),
            rate<ImadWide>("imad_wide"),
            rate<Dp4a>("dp4a"),
            rate<Lop3>("lop3"),
            rate<Popc>("popc"),
            rate<Imma>("imma"),
            rate<Beside<8, Ffma, Popc>>("ffma_beside_popc", 8),
            rate<Beside<8, Ffma, Imma>>("ffma_beside_imma", 8),
            rate<Beside<4, Imad, Imma>>("imad_beside_imma", 4),
            rate<Lop3BesideImad<3>>("lop3_beside_imad"),
            rate<Lop3BesideImad<2>>("lop3_2_beside_imad")};
}

}  // namespace bench
