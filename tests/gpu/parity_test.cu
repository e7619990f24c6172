// As tests/host/kernels/random/parity_test.cpp, with a thousand times as many words.
#include "bench/cuda/resources.hpp"
#include "kernels/pi/device/expectations.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/parity.cuh"

namespace {

using bench::Count;

constexpr unsigned blocks = 1024, threads = 256;
constexpr unsigned words = 1u << 18;  // of a thread: 2^36 in all

template <typename Draws, unsigned... lags>
__global__ void add_parities(Parities* sums) {
    Draws draw({1234, 0, pi::grid_threads(), pi::grid_thread()});
    const Parities mine = parities<lags...>(draw, words);
    atomicAdd(&sums->words, mine.words);
    for (unsigned bit = 0; bit < 32; bit++) {
        atomicAdd(&sums->ones[bit], mine.ones[bit]);
    }
}

template <unsigned first, unsigned second>
__global__ void add_triples(Triples* sums) {
    pi::MrgDraws draw({1234, 0, pi::grid_threads(), pi::grid_thread()});
    const Triples mine = triples<first, second>(draw, words / 2);
    for (unsigned hits = 0; hits < 4; hits++) {
        atomicAdd(&sums->with_hits[hits], mine.with_hits[hits]);
    }
}

class ParityOnGpu : public GpuTest {
 protected:
    template <typename Sums>
    static Sums run(void (*kernel)(Sums*)) {
        const bench::DeviceBuffer<Sums> on_device(1);
        CUDA_CHECK(cudaMemset(on_device.data(), 0, sizeof(Sums)));
        kernel<<<blocks, threads>>>(on_device.data());
        CUDA_CHECK(cudaGetLastError());
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
    const Parities found = run(add_parities<pi::MrgDraws, 31, 13>);
    EXPECT_EQ(found.words, Count{blocks} * threads * words);
    EXPECT_EQ(found.ones[0], 0u);
    const double root = std::sqrt(static_cast<double>(found.words));
    for (unsigned bit = 1; bit < 32; bit++) {
        EXPECT_NEAR(sigmas(found, bit), -std::ldexp(root, -static_cast<int>(bit)), 5) << "bit " << bit;
    }
}

TEST_F(ParityOnGpu, OfTheFoldedMrgShowsInNoBit) {
    expect_balanced(run(add_parities<pi::FoldedMrgDraws, 11, 2>));
    expect_balanced(run(add_parities<pi::FoldedMrgDraws, 2>));
    expect_balanced(run(add_parities<pi::FoldedMrgDraws, 11>));
}

TEST_F(ParityOnGpu, DoesNotShowInHitsOfTheMrg) {
    const double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;
    EXPECT_LT(std::abs(sigmas(run(add_triples<7, 16>), p)), 5);
    EXPECT_LT(std::abs(sigmas(run(add_triples<6, 15>), p)), 5);
}

}  // namespace
