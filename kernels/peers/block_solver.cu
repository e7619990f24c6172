#include "bench/errors.hpp"
#include "kernels/peers/block_solver.hpp"
#include "kernels/peers/block_sums.cuh"
#include "kernels/peers/gpu_solver.hpp"

namespace peers {
namespace {

constexpr int most_unknowns = 1024, most_entries = 8;  // of a system, of a row
constexpr int warps = most_unknowns / 32;

/// A row of the matrix and of the right-hand side. Rows that do not exist are 0.
struct Row {
    double value[most_entries];
    int column[most_entries];
    double inverse, b;  // inverse of the diagonal
};

struct Outcome {
    unsigned long long iterations;
    bool reached;
};

/// The sums over the block. Each thread gets them. `of_warps` must be free.
template <int n>
__device__ Sums<n> sums_of_full_block(Sums<n> mine, Sums<n>* of_warps) {
    mine = sums_of_warp(mine);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    return sums_of_warp(of_warps[threadIdx.x % 32]);
}

/// A thread has a row, and its entries of the vectors in registers; the direction is in shared memory, too.
__global__ void __launch_bounds__(most_unknowns)
    solve(const Row* rows, double enough, unsigned long long most, double* solution, Outcome* outcome) {
    __shared__ double direction[most_unknowns];
    __shared__ Sums<1> curvatures[warps];
    __shared__ Sums<2> residuals[warps];
    const Row row = rows[threadIdx.x];
    double x = 0, r = row.b, p = r * row.inverse;
    Sums<2> residual = sums_of_full_block<2>({r * p, r * r}, residuals);  // r . z and r . r
    unsigned long long iteration = 0;
    while (iteration < most && residual.of[1] > enough) {
        direction[threadIdx.x] = p;
        __syncthreads();
        double q = 0;
        for (int entry = 0; entry < most_entries; entry++) q += row.value[entry] * direction[row.column[entry]];
        const double rz = residual.of[0], alpha = rz / sums_of_full_block<1>({p * q}, curvatures).of[0];
        x += alpha * p;
        r -= alpha * q;
        const double z = r * row.inverse;
        residual = sums_of_full_block<2>({r * z, r * r}, residuals);
        p = z + residual.of[0] / rz * p;
        iteration++;
    }
    solution[threadIdx.x] = x;
    if (threadIdx.x == 0) *outcome = {iteration, residual.of[1] <= enough};
}

std::vector<Row> rows_of(const LinearSystem& system) {
    const std::size_t n = system.b.size();
    if (n > most_unknowns) throw bench::UsageError("one block solves for up to 1024 unknowns");
    std::vector<Row> rows(most_unknowns);
    for (std::size_t i = 0; i < n; i++) {
        rows[i].inverse = 1 / system.diagonal[i];
        rows[i].b = system.b[i];
        const auto first = static_cast<std::size_t>(system.first[i]),
                   end = static_cast<std::size_t>(system.first[i + 1]);
        if (end - first > most_entries) throw bench::UsageError("one block solves with up to 8 entries in a row");
        for (std::size_t entry = first; entry < end; entry++) {
            rows[i].value[entry - first] = system.value[entry];
            rows[i].column[entry - first] = system.column[entry];
        }
    }
    return rows;
}

class BlockSolver : public Solver {
 public:
    explicit BlockSolver(const LinearSystem& system)
        : n_(system.b.size()), enough_(enough(system)), rows_(on_device(rows_of(system))) {}

    Solved solve(std::uint64_t most) override {
        begin_.record(cudaStream_t{});
        peers::solve<<<1, most_unknowns>>>(rows_.data(), enough_, most, x_.data(), outcome_.data());
        CUDA_CHECK(cudaGetLastError());
        end_.record(cudaStream_t{});
        Outcome outcome;
        CUDA_CHECK(cudaMemcpy(&outcome, outcome_.data(), sizeof outcome, cudaMemcpyDeviceToHost));
        return {outcome.iterations, outcome.reached, end_.ms_since(begin_)};
    }

    std::vector<double> solution() const override {
        std::vector<double> x(n_);
        CUDA_CHECK(cudaMemcpy(x.data(), x_.data(), n_ * sizeof(double), cudaMemcpyDeviceToHost));
        return x;
    }

 private:
    std::size_t n_;
    double enough_;
    bench::DeviceBuffer<Row> rows_;
    bench::DeviceBuffer<double> x_{most_unknowns};
    bench::DeviceBuffer<Outcome> outcome_{1};
    bench::Event begin_, end_;
};

}  // namespace

std::unique_ptr<Solver> block_solver(const LinearSystem& system) { return std::make_unique<BlockSolver>(system); }

}  // namespace peers
