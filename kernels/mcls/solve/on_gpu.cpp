#include "kernels/mcls/solve/on_gpu.hpp"

#include <cmath>
#include <utility>

#include "bench/errors.hpp"
#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/mcls/solve/kernels.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {
namespace {

using bench::Count;
using bench::DeviceBuffer;
using bench::on_device;

std::size_t scan_bytes(std::uint32_t n) {
    std::size_t bytes = 0;
    CUDA_CHECK(bytes_of_scan(n, &bytes));
    return bytes;
}

int attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

/// Fills the current device. Tallies that shared memory cannot hold stay in global memory; their sums are the same.
WalkGrid grid_for(std::uint32_t n) {
    cudaFuncAttributes kernel{};
    CUDA_CHECK(cudaFuncGetAttributes(&kernel, walking_kernel()));
    const std::size_t room =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) - kernel.sharedSizeBytes;
    const std::uint32_t in_shared = n <= room / sizeof(std::uint32_t) ? n : 0;
    const std::size_t bytes = in_shared * sizeof(std::uint32_t);
    CUDA_CHECK(
        cudaFuncSetAttribute(walking_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, walking_kernel(), walking_threads, bytes));
    return {static_cast<unsigned>(blocks * attribute(cudaDevAttrMultiProcessorCount)), in_shared};
}

class IterateOnGpu : public Iterate {
 public:
    IterateOnGpu(const SolveProblem& problem, std::uint64_t seed)
        : problem_(problem),
          seed_(seed),
          limits_(problem.limits),
          first_(on_device(problem.splitting.h.first)),
          column_(on_device(problem.splitting.h.column)),
          value_(on_device(problem.splitting.h.value)),
          b_(on_device(problem.splitting.b)),
          diagonal_(on_device(problem.diagonal)),
          slots_(on_device(problem.rows.slots)),
          factors_(on_device(problem.rows.factors)),
          x_(n()),
          r_(n()),
          groups_(groups_of_lanes),
          sizes_(1),
          ends_(n()),
          last_(n()),
          start_(n()),
          guide_(std::size_t{1} << Starts::guide_bits(n())),
          counts_(first_tally + n()),
          scan_(scan_bytes(n())),
          rows_{n(), problem.rows.bits, slots_.data(), factors_.data()},
          host_sizes_(bench::HostBuffer::pinned(sizeof(Sizes))),
          host_work_(bench::HostBuffer::pinned(first_tally * sizeof(Count))),
          grid_(grid_for(n())) {}

    std::uint32_t n() const override { return static_cast<std::uint32_t>(b_.size()); }

    Sizes begin() override {
        CUDA_CHECK(cudaMemsetAsync(x_.data(), 0, n() * sizeof(double), stream_.get()));
        return renewed_residual();
    }

    Sizes sweep() override {
        CUDA_CHECK(mcls::sweep(n(), vectors(), stream_.get()));
        return renewed_residual();
    }

    std::uint64_t most_histories() const override { return grid_.blocks * most_of_share; }

    Corrected correct(std::uint32_t launch, std::uint64_t histories, int bits) override {
        const SolveMethod method = {{64 - Starts::guide_bits(n()), guide_.data(), last_.data(), start_.data()},
                                    Strata::of(histories),
                                    rows_,
                                    limits_,
                                    std::ldexp(1.0, bits)};
        CUDA_CHECK(renew_starts(n(), vectors(), stream_.get()));
        CUDA_CHECK(walk_all(method, seed_, launch, histories, grid_, vectors(), stream_.get()));
        CUDA_CHECK(add_tallies(n(), unit_of(histories, bits), vectors(), stream_.get()));
        CUDA_CHECK(cudaMemcpyAsync(host_work_.data(), counts_.data(), host_work_.size(), cudaMemcpyDeviceToHost,
                                   stream_.get()));
        const Sizes residual = renewed_residual();
        const auto* const work = reinterpret_cast<const Count*>(host_work_.data());
        if (work[histories_count] != histories) {
            throw bench::VerdictError("the GPU walked another number of histories than it was told to");
        }
        return {residual, work[transitions_count]};
    }

    std::vector<double> x() const override {
        std::vector<double> values(n());
        CUDA_CHECK(cudaMemcpy(values.data(), x_.data(), n() * sizeof(double), cudaMemcpyDeviceToHost));
        return problem_.x_of(std::move(values));
    }

 private:
    SplitSystem system() const {
        return {n(), first_.data(), column_.data(), value_.data(), b_.data(), diagonal_.data()};
    }

    SolveVectors vectors() const {
        return {.x = x_.data(),
                .r = r_.data(),
                .groups = groups_.data(),
                .sizes = sizes_.data(),
                .ends = ends_.data(),
                .last = last_.data(),
                .start = start_.data(),
                .guide = guide_.data(),
                .counts = counts_.data(),
                .scan = scan_.data(),
                .scan_bytes = scan_.size()};
    }

    /// Waits for the GPU.
    Sizes renewed_residual() {
        CUDA_CHECK(renew_residual(system(), vectors(), stream_.get()));
        CUDA_CHECK(
            cudaMemcpyAsync(host_sizes_.data(), sizes_.data(), sizeof(Sizes), cudaMemcpyDeviceToHost, stream_.get()));
        stream_.synchronize();
        return *reinterpret_cast<const Sizes*>(host_sizes_.data());
    }

    const SolveProblem& problem_;
    std::uint64_t seed_;
    Limits limits_;
    DeviceBuffer<std::uint64_t> first_;
    DeviceBuffer<std::uint32_t> column_;
    DeviceBuffer<double> value_, b_, diagonal_;
    DeviceBuffer<AliasSlot> slots_;
    DeviceBuffer<double> factors_;
    DeviceBuffer<double> x_, r_;
    DeviceBuffer<Sizes> groups_, sizes_;
    DeviceBuffer<std::uint64_t> ends_, last_;
    DeviceBuffer<Start> start_;
    DeviceBuffer<std::uint32_t> guide_;
    DeviceBuffer<Count> counts_;
    DeviceBuffer<unsigned char> scan_;
    AliasRows rows_;
    bench::HostBuffer host_sizes_, host_work_;
    WalkGrid grid_;
    bench::Stream stream_;
};

}  // namespace

std::unique_ptr<Iterate> iterate_on_gpu(const SolveProblem& problem, std::uint64_t seed) {
    return std::make_unique<IterateOnGpu>(problem, seed);
}

}  // namespace mcls
