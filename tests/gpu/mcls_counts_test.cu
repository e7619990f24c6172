// What the threads of a launch have done adds up in 64 bits.
#include <cstdint>
#include <vector>

#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

constexpr unsigned threads = 64;

__global__ void add_as_many_as_a_thread_counts(mcls::Counts counts) {
    counts.add_work(mcls::Work{std::uint64_t{1} << 50, UINT32_MAX});
}

class MclsCounts : public GpuTest {};

TEST_F(MclsCounts, OfAWarpExceed32Bits) {
    const auto counts = bench::on_device(std::vector<bench::Count>(mcls::first_tally));
    add_as_many_as_a_thread_counts<<<1, threads>>>({counts.data()});
    CUDA_CHECK(cudaGetLastError());
    std::vector<bench::Count> found(mcls::first_tally);
    CUDA_CHECK(cudaMemcpy(found.data(), counts.data(), found.size() * sizeof(bench::Count), cudaMemcpyDeviceToHost));
    EXPECT_EQ(found[mcls::histories_count], std::uint64_t{threads} * UINT32_MAX);
    EXPECT_EQ(found[mcls::transitions_count], std::uint64_t{threads} << 50);
}

}  // namespace
