#include <cusparse.h>

#include <algorithm>
#include <map>

#include "bench/cli/errors.hpp"
#include "bench/cuda/resources.hpp"
#include "kernels/peers/block_sums.cuh"
#include "kernels/peers/cusparse_solvers.hpp"
#include "kernels/peers/gpu_solver.hpp"
#include "kernels/random/thread_id.cuh"

namespace peers {
namespace {

void check(cusparseStatus_t status, const char* what) {
    if (status != CUSPARSE_STATUS_SUCCESS) {
        throw bench::CudaError(std::string(what) + " failed: " + cusparseGetErrorString(status));
    }
}
#define CUSPARSE_CHECK(call) check((call), #call)

// Kernels

/// An iteration beyond the exact solution divides 0 by 0: it must change nothing.
__device__ double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

/// The vectors and sums of a solve, in device memory. Every kernel has the same grid.
struct Common {
    unsigned n;
    const double *b, *inverse;  // of the diagonal
    double *x, *r;
};

struct OfCg {
    Common all;
    double *p, *q;       // q = A p
    Sums<1>* pq;         // p . q
    Sums<2>* rz_and_rr;  // r . z and r . r, z = r / diagonal
    double* rz;          // r . z of the iteration
};

template <typename Body>
__device__ void for_each_entry(unsigned n, Body body) {
    for (unsigned i = pi::grid_thread(); i < n; i += pi::grid_threads()) body(i);
}

__global__ void __launch_bounds__(sum_threads) start(OfCg cg) {
    Sums<2> mine = {};
    for_each_entry(cg.all.n, [&](unsigned i) {
        const double r = cg.all.b[i], z = r * cg.all.inverse[i];
        cg.all.x[i] = 0;
        cg.all.r[i] = r;
        cg.p[i] = z;
        add(mine, {r * z, r * r});
    });
    publish(cg.rz_and_rr, mine);
}

__global__ void __launch_bounds__(sum_threads) multiply(OfCg cg) {
    if (blockIdx.x == 0) {
        const double rz = sums_of_grid(cg.rz_and_rr, gridDim.x).of[0];
        if (threadIdx.x == 0) *cg.rz = rz;
    }
    Sums<1> mine = {};
    for_each_entry(cg.all.n, [&](unsigned i) { mine.of[0] += cg.p[i] * cg.q[i]; });
    publish(cg.pq, mine);
}

__global__ void __launch_bounds__(sum_threads) step(OfCg cg) {
    const double alpha = ratio(*cg.rz, sums_of_grid(cg.pq, gridDim.x).of[0]);
    Sums<2> mine = {};
    for_each_entry(cg.all.n, [&](unsigned i) {
        cg.all.x[i] += alpha * cg.p[i];
        const double r = cg.all.r[i] -= alpha * cg.q[i];
        add(mine, {r * r * cg.all.inverse[i], r * r});
    });
    publish(cg.rz_and_rr, mine);
}

__global__ void __launch_bounds__(sum_threads) turn(OfCg cg) {
    const double beta = ratio(sums_of_grid(cg.rz_and_rr, gridDim.x).of[0], *cg.rz);
    for_each_entry(cg.all.n, [&](unsigned i) { cg.p[i] = cg.all.r[i] * cg.all.inverse[i] + beta * cg.p[i]; });
}

/// H. A. van der Vorst, "Bi-CGSTAB", 1992, for the matrix A / diagonal (by columns), whose unknowns are x * diagonal.
struct OfBicgstab {
    Common all;           // r holds s between the two products
    double *p, *v, *t;    // v = A / diagonal p, t = A / diagonal s
    Sums<1>* bv;          // b . v: the shadow residual is b
    Sums<2>* ts_and_tt;   // t . s and t . t
    Sums<2>* rho_and_rr;  // b . r and r . r
    double* rho;          // b . r of the iteration
};

__global__ void __launch_bounds__(sum_threads) start(OfBicgstab m) {
    Sums<2> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) {
        const double r = m.all.b[i];
        m.all.x[i] = 0;
        m.all.r[i] = m.p[i] = r;
        add(mine, {r * r, r * r});
    });
    publish(m.rho_and_rr, mine);
}

__global__ void __launch_bounds__(sum_threads) multiply(OfBicgstab m) {
    if (blockIdx.x == 0) {
        const double rho = sums_of_grid(m.rho_and_rr, gridDim.x).of[0];
        if (threadIdx.x == 0) *m.rho = rho;
    }
    Sums<1> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) { mine.of[0] += m.all.b[i] * m.v[i]; });
    publish(m.bv, mine);
}

__device__ double alpha_of(const OfBicgstab& m) { return ratio(*m.rho, sums_of_grid(m.bv, gridDim.x).of[0]); }

__device__ double omega_of(const OfBicgstab& m) {
    const Sums<2> sums = sums_of_grid(m.ts_and_tt, gridDim.x);
    return ratio(sums.of[0], sums.of[1]);
}

__global__ void __launch_bounds__(sum_threads) half_step(OfBicgstab m) {
    const double alpha = alpha_of(m);
    for_each_entry(m.all.n, [&](unsigned i) { m.all.r[i] -= alpha * m.v[i]; });
}

__global__ void __launch_bounds__(sum_threads) multiply_again(OfBicgstab m) {
    Sums<2> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) { add(mine, {m.t[i] * m.all.r[i], m.t[i] * m.t[i]}); });
    publish(m.ts_and_tt, mine);
}

__global__ void __launch_bounds__(sum_threads) step(OfBicgstab m) {
    const double alpha = alpha_of(m), omega = omega_of(m);
    Sums<2> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) {
        const double s = m.all.r[i], r = s - omega * m.t[i];
        m.all.x[i] += m.all.inverse[i] * (alpha * m.p[i] + omega * s);
        m.all.r[i] = r;
        add(mine, {m.all.b[i] * r, r * r});
    });
    publish(m.rho_and_rr, mine);
}

__global__ void __launch_bounds__(sum_threads) turn(OfBicgstab m) {
    const double alpha = alpha_of(m), omega = omega_of(m);
    const double beta = ratio(sums_of_grid(m.rho_and_rr, gridDim.x).of[0], *m.rho) * ratio(alpha, omega);
    for_each_entry(m.all.n, [&](unsigned i) { m.p[i] = m.all.r[i] + beta * (m.p[i] - omega * m.v[i]); });
}

struct OfJacobi {
    Common all;   // r holds A x
    Sums<1>* rr;  // of the residual before the step
};

__global__ void __launch_bounds__(sum_threads) start(OfJacobi m) {
    for_each_entry(m.all.n, [&](unsigned i) { m.all.x[i] = 0; });
}

__global__ void __launch_bounds__(sum_threads) step(OfJacobi m) {
    Sums<1> mine = {};
    for_each_entry(m.all.n, [&](unsigned i) {
        const double r = m.all.b[i] - m.all.r[i];
        m.all.x[i] += m.all.inverse[i] * r;
        mine.of[0] += r * r;
    });
    publish(m.rr, mine);
}

template <int n>
__global__ void __launch_bounds__(sum_threads) sum_up(const Sums<n>* parts, unsigned blocks, double* last) {
    const double sum = sums_of_grid(parts, blocks).of[n - 1];
    if (threadIdx.x == 0) *last = sum;
}

// Memory and libraries

LinearSystem with_columns_scaled(LinearSystem system) {
    for (std::size_t entry = 0; entry < system.value.size(); entry++) {
        system.value[entry] /= system.diagonal[static_cast<std::size_t>(system.column[entry])];
    }
    return system;
}

class Handle {
 public:
    explicit Handle(cudaStream_t stream) {
        CUSPARSE_CHECK(cusparseCreate(&handle_));
        CUSPARSE_CHECK(cusparseSetStream(handle_, stream));
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { cusparseDestroy(handle_); }
    cusparseHandle_t get() const { return handle_; }

 private:
    cusparseHandle_t handle_ = nullptr;
};

/// A vector in device memory, as cuSPARSE wants it.
class DenseVector {
 public:
    DenseVector(std::size_t n, double* data) {
        CUSPARSE_CHECK(cusparseCreateDnVec(&vector_, static_cast<std::int64_t>(n), data, CUDA_R_64F));
    }
    DenseVector(const DenseVector&) = delete;
    DenseVector& operator=(const DenseVector&) = delete;
    ~DenseVector() { cusparseDestroyDnVec(vector_); }
    cusparseDnVecDescr_t get() const { return vector_; }

 private:
    cusparseDnVecDescr_t vector_ = nullptr;
};

/// The matrix, and what cuSPARSE needs for products with it.
class Matrix {
 public:
    Matrix(const LinearSystem& system, const Handle& handle)
        : handle_(handle),
          first_(uploaded(system.first)),
          column_(uploaded(system.column)),
          value_(uploaded(system.value)),
          scratch_(0) {
        const auto n = static_cast<std::int64_t>(system.b.size());
        CUSPARSE_CHECK(cusparseCreateCsr(&matrix_, n, n, static_cast<std::int64_t>(system.value.size()), first_.data(),
                                         column_.data(), value_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    ~Matrix() { cusparseDestroySpMat(matrix_); }

    /// Lets cuSPARSE look at the matrix.
    void prepare(const DenseVector& from, const DenseVector& to) {
        std::size_t bytes = 0;
        CUSPARSE_CHECK(cusparseSpMV_bufferSize(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_,
                                               from.get(), &zero, to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                                               &bytes));
        scratch_ = bench::DeviceBuffer<unsigned char>(std::max<std::size_t>(bytes, 1));
#if CUSPARSE_VERSION >= 12300
        CUSPARSE_CHECK(cusparseSpMV_preprocess(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_,
                                               from.get(), &zero, to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                                               scratch_.data()));
#endif
    }

    /// Enqueues to = matrix * from.
    void multiply(const DenseVector& from, const DenseVector& to) const {
        CUSPARSE_CHECK(cusparseSpMV(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, from.get(), &zero,
                                    to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, scratch_.data()));
    }

 private:
    static constexpr double one = 1, zero = 0;
    const Handle& handle_;
    bench::DeviceBuffer<int> first_, column_;
    bench::DeviceBuffer<double> value_;
    bench::DeviceBuffer<unsigned char> scratch_;
    cusparseSpMatDescr_t matrix_ = nullptr;
};

/// A recorded graph, ready to run.
class Graph {
 public:
    template <typename Enqueue>
    Graph(cudaStream_t stream, Enqueue enqueue) {
        cudaGraph_t graph = nullptr;
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        enqueue();
        CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        CUDA_CHECK(cudaGraphInstantiate(&ready_, graph, 0));
        CUDA_CHECK(cudaGraphDestroy(graph));
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() { cudaGraphExecDestroy(ready_); }
    void launch(cudaStream_t stream) const { CUDA_CHECK(cudaGraphLaunch(ready_, stream)); }

 private:
    cudaGraphExec_t ready_ = nullptr;
};

// Solvers

constexpr unsigned most_blocks = 512;  // each block adds up the parts of all

/// Runs iterations in graphs, and looks at the residual after each graph.
class GraphSolver : public Solver {
 public:
    GraphSolver(const LinearSystem& system, std::uint64_t iterations_of_graph)
        : n_(system.b.size()),
          blocks_(static_cast<unsigned>(std::min<std::size_t>((n_ + sum_threads - 1) / sum_threads, most_blocks))),
          of_graph_(iterations_of_graph),
          enough_(enough(system)),
          b_(uploaded(system.b)),
          inverse_(uploaded(reciprocals(system.diagonal))),
          x_(n_),
          r_(n_) {}

    Solved solve(std::uint64_t most) override {
        begin_.record(stream_);
        start();
        Solved solved = {0, false, 0};
        while (!solved.reached && solved.iterations < most) {
            const std::uint64_t iterations = std::min(of_graph_, most - solved.iterations);
            graph_of(iterations).launch(stream());
            end_.record(stream_);
            stream_.synchronize();
            solved.iterations += iterations;
            solved.reached = *squared_residual() <= enough_;
        }
        solved.ms = end_.ms_since(begin_);
        return solved;
    }

    std::vector<double> solution() const override {
        std::vector<double> x(n_);
        CUDA_CHECK(cudaMemcpy(x.data(), x_.data(), n_ * sizeof(double), cudaMemcpyDeviceToHost));
        return x;
    }

 protected:
    /// Each enqueues kernels.
    virtual void start() = 0;
    virtual void iterate() = 0;
    virtual void sum_up_residual(double* sum) = 0;

    /// Runs everything once: CUDA loads code when it first runs, which it must not do while it records.
    void prepare() {
        start();
        iterate();
        sum_up_residual(sum_.data());
        CUDA_CHECK(cudaGetLastError());
        stream_.synchronize();
        graph_of(of_graph_);
    }

    cudaStream_t stream() const { return stream_.get(); }
    unsigned blocks() const { return blocks_; }
    std::size_t n() const { return n_; }
    Common common() const { return {static_cast<unsigned>(n_), b_.data(), inverse_.data(), x_.data(), r_.data()}; }
    const Handle& handle() const { return handle_; }

 private:
    const Graph& graph_of(std::uint64_t iterations) {
        return graphs_
            .try_emplace(iterations, stream(),
                         [&] {
                             for (std::uint64_t i = 0; i < iterations; i++) iterate();
                             sum_up_residual(sum_.data());
                             CUDA_CHECK(cudaMemcpyAsync(on_host_.data(), sum_.data(), sizeof(double),
                                                        cudaMemcpyDeviceToHost, stream()));
                         })
            .first->second;
    }

    const double* squared_residual() const { return reinterpret_cast<const double*>(on_host_.data()); }

    std::size_t n_;
    unsigned blocks_;
    std::uint64_t of_graph_;
    double enough_;  // squared residual
    bench::Stream stream_;
    Handle handle_{stream_.get()};
    bench::DeviceBuffer<double> b_, inverse_, x_, r_;
    bench::Event begin_, end_;
    bench::DeviceBuffer<double> sum_{1};
    bench::HostBuffer on_host_{sizeof(double), bench::HostMemory::pinned};
    std::map<std::uint64_t, Graph> graphs_;
};

constexpr std::uint64_t krylov_iterations = 8, jacobi_iterations = 32;  // of a graph

class Cg : public GraphSolver {
 public:
    explicit Cg(const LinearSystem& system)
        : GraphSolver(system, krylov_iterations), a_(system, handle()), p_(n()), q_(n()), pq_(blocks()), rz_(blocks()) {
        a_.prepare(from_, to_);
        prepare();
    }

 private:
    OfCg all() const { return {common(), p_.data(), q_.data(), pq_.data(), rz_.data(), scalar_.data()}; }
    void start() override { peers::start<<<blocks(), sum_threads, 0, stream()>>>(all()); }
    void iterate() override {
        a_.multiply(from_, to_);
        multiply<<<blocks(), sum_threads, 0, stream()>>>(all());
        step<<<blocks(), sum_threads, 0, stream()>>>(all());
        turn<<<blocks(), sum_threads, 0, stream()>>>(all());
    }
    void sum_up_residual(double* sum) override { sum_up<<<1, sum_threads, 0, stream()>>>(rz_.data(), blocks(), sum); }

    Matrix a_;
    bench::DeviceBuffer<double> p_, q_;
    bench::DeviceBuffer<Sums<1>> pq_;
    bench::DeviceBuffer<Sums<2>> rz_;
    bench::DeviceBuffer<double> scalar_{1};
    DenseVector from_{n(), p_.data()}, to_{n(), q_.data()};
};

class Bicgstab : public GraphSolver {
 public:
    explicit Bicgstab(const LinearSystem& system)
        : GraphSolver(system, krylov_iterations),
          a_(with_columns_scaled(system), handle()),
          p_(n()),
          v_(n()),
          t_(n()),
          bv_(blocks()),
          ts_(blocks()),
          rho_(blocks()) {
        a_.prepare(from_p_, to_v_);
        prepare();
    }

 private:
    OfBicgstab all() const {
        return {common(), p_.data(), v_.data(), t_.data(), bv_.data(), ts_.data(), rho_.data(), scalar_.data()};
    }
    void start() override { peers::start<<<blocks(), sum_threads, 0, stream()>>>(all()); }
    void iterate() override {
        a_.multiply(from_p_, to_v_);
        multiply<<<blocks(), sum_threads, 0, stream()>>>(all());
        half_step<<<blocks(), sum_threads, 0, stream()>>>(all());
        a_.multiply(from_s_, to_t_);
        multiply_again<<<blocks(), sum_threads, 0, stream()>>>(all());
        step<<<blocks(), sum_threads, 0, stream()>>>(all());
        turn<<<blocks(), sum_threads, 0, stream()>>>(all());
    }
    void sum_up_residual(double* sum) override { sum_up<<<1, sum_threads, 0, stream()>>>(rho_.data(), blocks(), sum); }

    Matrix a_;
    bench::DeviceBuffer<double> p_, v_, t_;
    bench::DeviceBuffer<Sums<1>> bv_;
    bench::DeviceBuffer<Sums<2>> ts_, rho_;
    bench::DeviceBuffer<double> scalar_{1};
    DenseVector from_p_{n(), p_.data()}, to_v_{n(), v_.data()};
    DenseVector from_s_{n(), common().r}, to_t_{n(), t_.data()};
};

class Jacobi : public GraphSolver {
 public:
    explicit Jacobi(const LinearSystem& system)
        : GraphSolver(system, jacobi_iterations), a_(system, handle()), rr_(blocks()) {
        a_.prepare(from_, to_);
        prepare();
    }

 private:
    OfJacobi all() const { return {common(), rr_.data()}; }
    void start() override { peers::start<<<blocks(), sum_threads, 0, stream()>>>(all()); }
    void iterate() override {
        a_.multiply(from_, to_);
        step<<<blocks(), sum_threads, 0, stream()>>>(all());
    }
    void sum_up_residual(double* sum) override { sum_up<<<1, sum_threads, 0, stream()>>>(rr_.data(), blocks(), sum); }

    Matrix a_;
    bench::DeviceBuffer<Sums<1>> rr_;
    DenseVector from_{n(), common().x}, to_{n(), common().r};
};

}  // namespace

std::unique_ptr<Solver> cusparse_solver(const std::string& method, const LinearSystem& system) {
    if (method == "cg") return std::make_unique<Cg>(system);
    if (method == "bicgstab") return std::make_unique<Bicgstab>(system);
    if (method == "jacobi") return std::make_unique<Jacobi>(system);
    throw bench::UsageError("the first argument is a method: cg, bicgstab or jacobi");
}

std::string cusparse_package() {
    int major = 0, minor = 0, patch = 0;
    CUSPARSE_CHECK(cusparseGetProperty(MAJOR_VERSION, &major));
    CUSPARSE_CHECK(cusparseGetProperty(MINOR_VERSION, &minor));
    CUSPARSE_CHECK(cusparseGetProperty(PATCH_LEVEL, &patch));
    return "cuSPARSE " + std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace peers
