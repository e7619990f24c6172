// Eigen on the CPU: conjugate gradients and BiCGSTAB, both with the diagonal as preconditioner, and factorisations. Their time
// is that of the numbers; the analysis of a pattern belongs to the preparation.
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <array>
#include <string>

#include "kernels/peers/report.hpp"
#include "kernels/peers/solution.hpp"

namespace {

using Vector = Eigen::VectorXd;
using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;  // products with many threads need rows
using ByColumns = Eigen::SparseMatrix<double, Eigen::ColMajor>;

ByRows matrix_of(const peers::LinearSystem& system) {
    const auto n = static_cast<Eigen::Index>(system.b.size());
    return Eigen::Map<const ByRows>(n, n, static_cast<Eigen::Index>(system.value.size()), system.first.data(),
                                    system.column.data(), system.value.data());
}

Vector rhs_of(const peers::LinearSystem& system) {
    return Eigen::Map<const Vector>(system.b.data(), static_cast<Eigen::Index>(system.b.size()));
}

class EigenSolver : public peers::Solver {
 public:
    explicit EigenSolver(const peers::LinearSystem& system) : b_(rhs_of(system)) {}
    std::vector<double> solution() const override { return {x_.begin(), x_.end()}; }

 protected:
    Vector b_, x_;
};

/// `uncounted`: by how many iterations Eigen's number falls short when the tolerance is reached.
template <typename Method, int uncounted>
class Iterative : public EigenSolver {
 public:
    explicit Iterative(const peers::LinearSystem& system) : EigenSolver(system), a_(matrix_of(system)) {
        method_.setTolerance(peers::tolerance);
        method_.compute(a_);
    }

    peers::Solved solve(std::uint64_t most) override {
        method_.setMaxIterations(static_cast<Eigen::Index>(most));
        const auto start = peers::Clock::now();
        x_ = method_.solve(b_);
        const double ms = peers::ms_since(start);
        const bool reached = method_.error() <= peers::tolerance;
        return {static_cast<std::uint64_t>(method_.iterations() + (reached ? uncounted : 0)), reached, ms};
    }

 private:
    ByRows a_;
    Method method_;
};

/// A direct solver has one iteration.
template <typename Method>
class Direct : public EigenSolver {
 public:
    explicit Direct(const peers::LinearSystem& system) : EigenSolver(system), a_(matrix_of(system)) {
        method_.analyzePattern(a_);
    }

    peers::Solved solve(std::uint64_t) override {
        const auto start = peers::Clock::now();
        method_.factorize(a_);
        if (method_.info() != Eigen::Success) throw bench::Error(bench::exit_machine, "the factorisation failed");
        x_ = method_.solve(b_);
        return {1, true, peers::ms_since(start)};
    }

 private:
    ByColumns a_;
    Method method_;
};

template <typename Method>
std::unique_ptr<peers::Solver> prepared(const peers::LinearSystem& system) {
    return std::make_unique<Method>(system);
}

struct Kind {
    const char* name;  // of the argument
    std::unique_ptr<peers::Solver> (*prepare)(const peers::LinearSystem&);
};

using Diagonal = Eigen::DiagonalPreconditioner<double>;
constexpr std::array kinds{
    Kind{"cg", prepared<Iterative<Eigen::ConjugateGradient<ByRows, Eigen::Lower | Eigen::Upper, Diagonal>, 1>>},
    Kind{"bicgstab", prepared<Iterative<Eigen::BiCGSTAB<ByRows, Diagonal>, 0>>},
    Kind{"ldlt", prepared<Direct<Eigen::SimplicialLDLT<ByColumns>>>},
    Kind{"lu", prepared<Direct<Eigen::SparseLU<ByColumns>>>}};

const Kind& kind_of(const std::string& name) {
    for (const Kind& kind : kinds) {
        if (name == kind.name) return kind;
    }
    throw bench::UsageError("the first argument is a method: cg, bicgstab, ldlt or lu");
}

std::string package() {
    return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + '.' + std::to_string(EIGEN_MAJOR_VERSION) + '.' +
           std::to_string(EIGEN_MINOR_VERSION);
}

void measure(const std::string& method, const std::string& system) {
    const Kind& kind = kind_of(method);
    peers::measure_solver({"eigen_" + method + '_' + system, package(), method, system, "cpu"}, mcls::built_in(system),
                          kind.prepare);
}

}  // namespace

int main(int count, char** arguments) {
    return peers::run("peer_mcls_eigen",
                      [=] { measure(count > 1 ? arguments[1] : "", count > 2 ? arguments[2] : ""); });
}
