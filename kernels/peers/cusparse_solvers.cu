#include <algorithm>
#include <map>

#include "bench/errors.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/peers/cusparse.hpp"
#include "kernels/peers/cusparse_solvers.hpp"
#include "kernels/peers/gpu_solver.hpp"
#include "kernels/peers/krylov.cuh"

namespace peers {
namespace {

LinearSystem with_columns_scaled(LinearSystem system) {
    for (std::size_t entry = 0; entry < system.value.size(); entry++) {
        system.value[entry] /= system.diagonal[static_cast<std::size_t>(system.column[entry])];
    }
    return system;
}

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

constexpr unsigned most_blocks = 512;  // each block adds up the parts of all

/// Runs iterations in graphs, and looks at the residual after each graph.
class GraphSolver : public Solver {
 public:
    GraphSolver(const LinearSystem& system, std::uint64_t iterations_of_graph)
        : n_(system.b.size()),
          blocks_(static_cast<unsigned>(std::min<std::size_t>((n_ + sum_threads - 1) / sum_threads, most_blocks))),
          of_graph_(iterations_of_graph),
          enough_(enough(system)),
          b_(on_device(system.b)),
          inverse_(on_device(reciprocals(system.diagonal))),
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
    bench::HostBuffer on_host_ = bench::HostBuffer::pinned(sizeof(double));
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
