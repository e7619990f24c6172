// Parities of draws whose words a recurrence ties, bit by bit, for even and odd places apart: AlternatingMrg makes draws in turns.
#pragma once

#include "quality/words/test_kernel.cuh"

namespace quality::words {

constexpr unsigned reach = 64;  // a parity's draws are fewer than this apart

/// The XOR of draw n and those `lags` before it. `draws` is a ring.
template <unsigned... lags>
struct Xor {
    static_assert(((lags < reach) && ...));
    static constexpr unsigned turns = 1;
    __host__ __device__ __forceinline__ static unsigned of(const unsigned* draws, unsigned n, unsigned) {
        unsigned parity = draws[n % reach];
        ((parity ^= draws[(n - lags) % reach]), ...);
        return parity;
    }
};

/// Draw n - r is turned by 1 to 31 bits: three different bits.
template <unsigned s, unsigned r>
struct Turned {
    static constexpr unsigned turns = 31;
    __host__ __device__ __forceinline__ static unsigned of(const unsigned* draws, unsigned n, unsigned turn) {
        const unsigned oldest = draws[(n - r) % reach];
        return draws[n % reach] ^ draws[(n - s) % reach] ^ funnel_right(oldest, oldest, 32 - turn);
    }
};

/// x[n] = a x[n - r] + x[n - s] implies x[n] = x[n - 2s] + 2a x[n - r] - a^2 x[n - 2r]: bit b of three draws and bit b - 1 of the
/// fourth. For even r AlternatingMrg makes all four in one way.
template <unsigned s, unsigned r>
struct Squared {
    static_assert(2 * r < reach);
    static constexpr unsigned turns = 1;
    __host__ __device__ __forceinline__ static unsigned of(const unsigned* draws, unsigned n, unsigned) {
        return Xor<2 * s, 2 * r>::of(draws, n, 0) ^ draws[(n - r) % reach] << 1;
    }
};

template <typename Generator_, typename Relation>
struct Parity {
    using Generator = Generator_;
    using Draws = typename Generator::Draws;
    static constexpr unsigned block = 512, words_of_trip = 2048;
    static constexpr std::size_t sums = 64 * Relation::turns, shared_bytes = 0;

    /// Bit p of the number of ones in bit b, of class n % 2, is bit b of `counts[n % 2][p]`.
    static constexpr unsigned low = 6, middle = 4, high = 12, planes = low + middle + high;
    using Counts = unsigned[2][planes];

    __host__ __device__ __forceinline__ static void count(Draws& draw, unsigned trips, unsigned turn, Counts& counts) {
        unsigned draws[reach], tens[2][middle] = {}, thousands[2][high];
        CarrySave<low> adder[2];
        for (unsigned p = 0; p < high; p++) {
            thousands[0][p] = thousands[1][p] = 0;
        }
#pragma unroll
        for (unsigned n = 0; n < reach; n++) {
            draws[n] = draw();
        }
#pragma unroll 1
        for (unsigned trip = 0; trip < trips; trip++) {
            unsigned carry[2] = {};
#pragma unroll 1
            for (unsigned part = 0; part < 1u << middle; part++) {
#pragma unroll
                for (unsigned n = 0; n < 2u << low; n++) {
                    draws[n % reach] = draw();
                    unsigned word = Relation::of(draws, n, turn);
                    if (adder[n % 2].add(word, n / 2)) {
                        carry[n % 2] |= carried(tens[n % 2], word);  // once in a trip
                    }
                }
            }
            carry_on(thousands, carry);
        }
        for (unsigned c = 0; c < 2; c++) {
            for (unsigned p = 0; p < low; p++) counts[c][p] = adder[c].sum[p];
            for (unsigned p = 0; p < middle; p++) counts[c][low + p] = tens[c][p];
            for (unsigned p = 0; p < high; p++) counts[c][low + middle + p] = thousands[c][p];
        }
    }

    __device__ static void on_gpu(Count* sums, const Part& part) {
        auto draw = Generator::draws(part, rng::grid_thread());
        const unsigned turn = turn_of(blockIdx.x), lane = threadIdx.x % 32;
        Counts counts;
        count(draw, part.size.trips, turn, counts);
#pragma unroll 1
        for (unsigned c = 0; c < 2; c++) {
            Count of_lane = 0;  // of the warp, in bit `lane`
#pragma unroll 1
            for (unsigned p = 0; p < planes; p++) {
#pragma unroll 1
                for (unsigned bit = 0; bit < 32; bit++) {
                    const unsigned set = __popc(__ballot_sync(~0u, counts[c][p] >> bit & 1));
                    of_lane += lane == bit ? Count{set} << p : 0;
                }
            }
            atomicAdd(&sums[turn_row(turn) + 32 * c + lane], of_lane);
        }
    }

    static void on_host(Count* sums, const Part& part, std::uint64_t thread) {
        auto draw = Generator::draws(part, thread);
        const unsigned turn = turn_of(thread / part.size.shape.threads);
        Counts counts;
        count(draw, part.size.trips, turn, counts);
        for (unsigned c = 0; c < 2; c++) {
            for (unsigned p = 0; p < planes; p++) {
                for (unsigned bit = 0; bit < 32; bit++) {
                    sums[turn_row(turn) + 32 * c + bit] += Count{counts[c][p] >> bit & 1} << p;
                }
            }
        }
    }

    static Findings findings(const std::vector<Count>& ones, std::uint64_t words) {
        const std::uint64_t terms = words / Relation::turns / 2;
        Findings found;
        for (std::size_t row = 0; row < ones.size(); row += 32) {
            Group group = {row / 32 % 2 == 0 ? "even n" : "odd n", "bit", 0, terms, 1, 1, {}};
            if (Relation::turns > 1) {
                group.name += ", turned by " + std::to_string(row / 64 + 1);
            }
            for (std::size_t i = row; i < row + 32; i++) {
                group.sums.push_back(static_cast<std::int64_t>(terms - 2 * ones[i]));
            }
            found.groups.push_back(group);
        }
        return found;
    }

 private:
    /// Blocks turn by 1 to 31 bits.
    __host__ __device__ static unsigned turn_of(std::uint64_t block) {
        return Relation::turns == 1 ? 0 : 1 + static_cast<unsigned>(block % Relation::turns);
    }
    __host__ __device__ static unsigned turn_row(unsigned turn) { return Relation::turns == 1 ? 0 : 64 * (turn - 1); }

    __host__ __device__ __forceinline__ static unsigned carried(unsigned (&planes)[middle], unsigned word) {
#pragma unroll
        for (unsigned p = 0; p < middle; p++) {
            const unsigned carry = planes[p] & word;
            planes[p] ^= word;
            word = carry;
        }
        return word;
    }

    /// Not unrolled, so that the planes lie in memory and leave registers free.
    __host__ __device__ __forceinline__ static void carry_on(unsigned (&planes)[2][high], unsigned (&carry)[2]) {
#pragma unroll 1
        for (unsigned p = 0; p < high; p++) {
#pragma unroll
            for (unsigned c = 0; c < 2; c++) {
                const unsigned next = planes[c][p] & carry[c];
                planes[c][p] ^= carry[c];
                carry[c] = next;
            }
        }
    }
};

/// The parities of a generator with the lags s and r.
template <typename Generator>
struct ParitiesOf {
    static constexpr unsigned s = Generator::s, r = Generator::r;
    template <typename Relation>
    using Test = Parity<Generator, Relation>;

    using Bits = Test<Xor<>>;
    using Pair = Test<Xor<s>>;
    using Recurrence = Test<Xor<s, r>>;
    using Doubled = Test<Xor<2 * s, 2 * r>>;
    using SquaredRecurrence = Test<Squared<s, r>>;
    using Cubed = Test<Xor<3 * s, r, 2 * r, 3 * r>>;
    using Substituted = Test<Xor<2 * s, r, r + s>>;
    using SubstitutedFar = Test<Xor<s, r + s, 2 * r>>;
    using Neighbours = Test<Xor<s, r, 1, s + 1, r + 1>>;
    using TurnedRecurrence = Test<Turned<s, r>>;
};

}  // namespace quality::words
