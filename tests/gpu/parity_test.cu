// As tests/host/kernels/random/parity_test.cpp, with 10,000 times as many words.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "bench/workers/resources.hpp"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/parity.cuh"

namespace {

using bench::Count;

constexpr unsigned blocks = 2048, threads = 256;
constexpr unsigned words = 1u << 21;  // of a thread: 2^40 in all, seconds on any GPU
constexpr unsigned samples = 1u << 17;

template <typename Draws, unsigned memory, unsigned... lags>
__global__ void add_parities(Parities* sums, std::uint64_t launch) {
    Draws draw({1234, launch, rng::grid_threads(), rng::grid_thread()});
    const Parities mine = parities<memory, lags...>(draw, words);
    atomicAdd(&sums->words, mine.words);
    for (unsigned bit = 0; bit < 32; bit++) {
        atomicAdd(&sums->ones[bit], mine.ones[bit]);
    }
}

template <unsigned first, unsigned second>
__global__ void add_triples(Triples* sums, std::uint64_t launch) {
    rng::MrgDraws draw({1234, launch, rng::grid_threads(), rng::grid_thread()});
    const Triples mine = triples<first, second>(draw, samples);
    for (unsigned hits = 0; hits < 4; hits++) {
        atomicAdd(&sums->with_hits[hits], mine.with_hits[hits]);
    }
}

class ParityOnGpu : public GpuTest {
 protected:
    template <typename Sums>
    static Sums run(void (*kernel)(Sums*, std::uint64_t launch), std::uint64_t launches = 1) {
        const bench::DeviceBuffer<Sums> on_device(1);
        CUDA_CHECK(cudaMemset(on_device.data(), 0, sizeof(Sums)));
        for (std::uint64_t launch = 0; launch < launches; launch++) {
            kernel<<<blocks, threads>>>(on_device.data(), launch);
            CUDA_CHECK(cudaGetLastError());
        }
        Sums sums;
        CUDA_CHECK(cudaMemcpy(&sums, on_device.data(), sizeof sums, cudaMemcpyDeviceToHost));
        return sums;
    }

    static void expect_balanced(const Parities& parities) {
        for (unsigned bit = 0; bit < 32; bit++) {
            EXPECT_LT(std::abs(sigmas(parities, bit)), 5) << "bit " << bit;
        }
    }
};

TEST_F(ParityOnGpu, OfTheMrgHalvesFromBitToBit) {
    const Parities found = run(add_parities<rng::MrgDraws, 31, 31, 13>);
    EXPECT_GE(found.words, Count{blocks} * threads * words);
    EXPECT_EQ(found.ones[0], 0u);
    const double root = std::sqrt(static_cast<double>(found.words));
    for (unsigned bit = 1; bit < 32; bit++) {
        EXPECT_NEAR(sigmas(found, bit), -std::ldexp(root, -static_cast<int>(bit)), 5) << "bit " << bit;
    }
}

TEST_F(ParityOnGpu, OfTheFoldedMrgShowsInNoBit) {
    expect_balanced(run(add_parities<rng::FoldedMrgDraws, 11, 11, 2>));
    expect_balanced(run(add_parities<rng::FoldedMrgDraws, 11, 2>));
    expect_balanced(run(add_parities<rng::FoldedMrgDraws, 11, 11>));
}

/// v18's generator with another K.
template <unsigned K>
struct DotMrgWith : rng::DotMrg<17, 5, 16, K> {
    __device__ explicit DotMrgWith(const bench::StreamId& id) : rng::DotMrg<17, 5, 16, K>(rng::HashedState{id}) {}
};

/// Of three draws that the recurrence ties, n, n - r and n - s, in enough launches for `least` words.
///
/// v18 to v23 draw words for planes only, but for one sample in 128 or 512. Lane l of a group takes bit l of each of its planes,
/// so what lane l ever takes is bit l of every word of the thread, from the first one: just the bits that are counted here.
/// Over all states the parity is the same wherever in a group the three words stand.
class TiedDraws : public ParityOnGpu {
 protected:
    template <typename Draws, unsigned r = 17, unsigned s = 5>
    Parities run_tied(double least) {
        const double launches = std::ceil(least / (static_cast<double>(blocks) * threads * words));
        const Parities found =
            run(add_parities<Draws, r, r, s>, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(launches)));
        std::printf("%.3g words, bits 0 to 31 in sd:", static_cast<double>(found.words));
        for (unsigned bit = 0; bit < 32; bit++) {
            std::printf(" %.2f", sigmas(found, bit));
        }
        std::printf("\n");
        return found;
    }

    /// By bit: the exact mean parities, of tests/host/kernels/random/dot_mrg_test.cpp. Those of other bits are 0 for all
    /// that any test here could see.
    static void expect_means(const Parities& found, const std::map<unsigned, double>& means) {
        const double root = std::sqrt(static_cast<double>(found.words));
        for (unsigned bit = 0; bit < 32; bit++) {
            const auto mean = means.find(bit);
            EXPECT_NEAR(sigmas(found, bit), mean == means.end() ? 0 : -root * mean->second, 5) << "bit " << bit;
        }
    }
};

TEST_F(TiedDraws, OfTheDotMrgShowInNoBit) { expect_balanced(run_tied<rng::DotMrgDraws>(1e12)); }

TEST_F(TiedDraws, OfTheAlternatingMrgShowInNoBit) { expect_balanced(run_tied<rng::AlternatingMrgDraws, 20, 3>(1e12)); }
TEST_F(TiedDraws, OfTheShiftedMrgShowInNoBit) { expect_balanced(run_tied<rng::ShiftedMrgDraws, 20, 3>(1e12)); }

// The measurement can fail: it finds the bias of a bad K at 170 sd.
TEST_F(TiedDraws, ShowTheBiasOfABadK) { expect_means(run_tied<DotMrgWith<0x9d89a3b9>>(1e12), {{3, -1.635e-4}}); }

// 11 sd, which takes 2^44 words.
TEST_F(TiedDraws, ShowTheBiasOfAPoorK) { expect_means(run_tied<DotMrgWith<0x6b9f3d55>>(0x1p44), {{2, -2.691e-6}}); }

TEST_F(ParityOnGpu, OfTheDotMrgShowsInNoBit) {
    expect_balanced(run(add_parities<rng::DotMrgDraws, 17, 1>));
    expect_balanced(run(add_parities<rng::DotMrgDraws, 17, 5>));
    expect_balanced(run(add_parities<rng::DotMrgDraws, 17, 12>));
    expect_balanced(run(add_parities<rng::DotMrgDraws, 17, 17>));
    expect_balanced(run(add_parities<rng::DotMrgDraws, 34, 10, 17, 22>));  // the recurrence for n and n - 5
}

TEST_F(ParityOnGpu, OfTheAlternatingMrgShowsInNoBit) {
    expect_balanced(run(add_parities<rng::AlternatingMrgDraws, 20, 20, 3>));
    expect_balanced(run(add_parities<rng::AlternatingMrgDraws, 20, 1>));
    expect_balanced(run(add_parities<rng::AlternatingMrgDraws, 20, 3>));
    expect_balanced(run(add_parities<rng::AlternatingMrgDraws, 20, 17>));
    expect_balanced(run(add_parities<rng::AlternatingMrgDraws, 20, 20>));
}

TEST_F(ParityOnGpu, DoesNotShowInHitsOfTheMrg) {
    const double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;
    EXPECT_LT(std::abs(sigmas(run(add_triples<7, 16>), p)), 5);
    EXPECT_LT(std::abs(sigmas(run(add_triples<6, 15>), p)), 5);
}

}  // namespace
