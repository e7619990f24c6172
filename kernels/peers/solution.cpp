#include "kernels/peers/solution.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/system/splitting.hpp"
#include "kernels/peers/report.hpp"

namespace peers {
namespace {

constexpr std::uint64_t most_iterations = 1 << 20;
constexpr double long_ms = 10'000;  // of one solve: then fewer iterations must do
constexpr unsigned fewest_repeats = 3, most_repeats = 10;
constexpr double enough_ms = 1000;  // of all repeats

/// 1, 2, 3, 4, 6, 8, 12, ...
std::uint64_t next_number(std::uint64_t iterations) {
    const bool is_power_of_2 = (iterations & (iterations - 1)) == 0;
    return iterations == 1 ? 2 : is_power_of_2 ? iterations / 2 * 3 : iterations / 3 * 4;
}

struct Timings {
    Solved solved;
    std::vector<double> ms;
};

Timings timed(Solver& solver, std::uint64_t most) {
    Timings result{.solved = solver.solve(most), .ms = {}};  // this one warms up
    double all = 0;
    while (result.ms.size() < fewest_repeats || (result.ms.size() < most_repeats && all < enough_ms)) {
        result.solved = solver.solve(most);
        result.ms.push_back(result.solved.ms);
        all += result.solved.ms;
    }
    return result;
}

}  // namespace

LinearSystem linear_system(const mcls::System& system) {
    mcls::jacobi(system);  // refuses what has no diagonal
    const mcls::Sparse& a = system.a;
    return {.first = {a.first.begin(), a.first.end()},
            .column = {a.column.begin(), a.column.end()},
            .value = a.value,
            .diagonal = mcls::diagonal_of(a),
            .b = system.b};
}

Judge::Judge(const mcls::System& system) : system_(system), exact_(mcls::solution_of(mcls::jacobi(system))) {}

double Judge::residual(const std::vector<double>& x) const {
    return mcls::relative_error(mcls::product(system_.a, x), system_.b);
}

double Judge::error(const std::vector<double>& x) const { return mcls::relative_error(x, exact_); }

void measure_solver(const SolverFacts& facts, const mcls::System& system,
                    const std::function<std::unique_ptr<Solver>(const LinearSystem&)>& prepare) {
    const Judge judge(system);
    const LinearSystem stated = linear_system(system);
    const auto start = Clock::now();
    const std::unique_ptr<Solver> solver = prepare(stated);
    const double prepare_ms = ms_since(start);
    warm_up([&](std::uint64_t) { solver->solve(1); });
    auto points = nlohmann::ordered_json::array();
    Timings last{};
    for (std::uint64_t most = 1; !last.solved.reached && most <= most_iterations; most = next_number(most)) {
        last = timed(*solver, most);
        const std::vector<double> x = solver->solution();
        const double residual = judge.residual(x);
        if (!std::isfinite(residual)) {
            throw bench::Error(bench::exit_machine, fmt::format("it breaks down within {} iterations", most));
        }
        points.push_back({{"iterations", last.solved.iterations},
                          {"ms", last.ms},
                          {"residual", residual},
                          {"error", judge.error(x)}});
        if (last.ms.back() > long_ms) break;
    }
    const nlohmann::ordered_json record = {{"peer", facts.peer},
                                           {"package", facts.package},
                                           {"method", facts.method},
                                           {"system", facts.system},
                                           {"processor", facts.processor},
                                           {"tolerance", tolerance},
                                           {"reached", last.solved.reached},
                                           {"prepare_ms", prepare_ms},
                                           {"points", std::move(points)}};
    std::printf("%s\n", record.dump().c_str());
}

}  // namespace peers
