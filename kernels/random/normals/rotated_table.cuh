// Normals from a table that are rotated: four values that random words choose become four others by an orthogonal matrix,
// as in Wallace's generator (wallace.cuh). There the four values are earlier output, here they are new ones each time.
//
// A rotation of four independent numbers has the joint moments of four independent normals, as far as the numbers have
// the moments of a normal: sums of products of their cumulants, which are 0, are the cumulants of the result. The values
// of the table have the first nine moments.
//
// What remains is the table itself. The transposed matrix makes four values of it again: half the sum of four successive
// normals, with the signs of a column, has 1,024 values. A test that knows the four shows it within some thousand normals.
#pragma once

#include <cuda_runtime.h>

namespace rng {

inline constexpr unsigned table_bits = 10, table_size = 1u << table_bits;

/// A value of the table, of the normal's quantile q at the middle of one of `table_size` equal intervals. The quantiles alone
/// lack tails. c1 q + c3 q^3 + c5 q^5 + c7 q^7 has a mean square of 1 and mean fourth, sixth and eighth powers of 3, 15 and
/// 105: four equations, solved by Newton's method. The largest value is 3.51.
__host__ __device__ __forceinline__ double stretched(double q) {
    constexpr double c1 = 0.9822276316, c3 = 0.02437522761, c5 = -0.006978254528, c7 = 0.0004995161478;
    const double y = q * q;
    return q * (((c7 * y + c5) * y + c3) * y + c1);
}

/// With t = (p + q + r + s) / 2, the numbers p, q, r, s become p - t, q - t, t - r, t - s: the first of Wallace's matrices.
__host__ __device__ __forceinline__ void rotate_four(float (&x)[4]) {
    const float sum = x[0] + x[1] + x[2] + x[3];
    x[0] -= 0.5f * sum;
    x[1] -= 0.5f * sum;
    x[2] = 0.5f * sum - x[2];
    x[3] = 0.5f * sum - x[3];
}

#ifdef __CUDACC__

/// The table in shared memory, `copies` times: 32 of them, one in each bank, have no conflicts. All threads of the block make
/// it. `shared` has `words` floats.
template <unsigned copies>
class NormalTable {
 public:
    static constexpr unsigned words = table_size * copies;

    __device__ __forceinline__ explicit NormalTable(float* shared)
        : shared_(shared), own_copy_(threadIdx.x % copies * sizeof(float)) {
        for (unsigned entry = threadIdx.x; entry < table_size; entry += blockDim.x) {
            const auto value = static_cast<float>(stretched(normcdfinv((entry + 0.5) / table_size)));
            // Neighbouring threads write to different banks.
            for (unsigned i = 0; i < copies; i++) shared[entry * copies + (i + threadIdx.x) % copies] = value;
        }
        __syncthreads();
    }

    /// The entry of the uppermost bits of a word, and that of the bits below them.
    __device__ __forceinline__ float upper(unsigned word) const { return at<32 - table_bits>(word); }
    __device__ __forceinline__ float next(unsigned word) const { return at<32 - 2 * table_bits>(word); }

    /// The entry whose place in bytes is in the word as it stands: with 32 copies that of bits 7 to 16.
    __device__ __forceinline__ float unshifted(unsigned word) const {
        const unsigned place = word & (table_size - 1) * bytes | own_copy_;
        return *reinterpret_cast<const float*>(reinterpret_cast<const char*>(shared_) + place);
    }

 private:
    static constexpr unsigned bytes = copies * sizeof(float);  // of an entry

    /// The entry whose number begins at bit `lowest` of the word. Its address takes two instructions in this form, nvcc makes
    /// four of an index.
    template <unsigned lowest>
    __device__ __forceinline__ float at(unsigned word) const {
        return unshifted(word / ((1u << lowest) / bytes));
    }

    const float* shared_;
    unsigned own_copy_;  // where it begins in an entry, in bytes
};

#endif

}  // namespace rng
