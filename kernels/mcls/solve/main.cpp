// mcls_solve: solves a linear system to a tolerance, on one GPU or on the CPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/options/values.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/text.hpp"
#include "bench/workers/gpu/device.hpp"
#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/problem/wish.hpp"
#include "kernels/mcls/solve/notice.hpp"
#include "kernels/mcls/solve/on_gpu.hpp"
#include "kernels/mcls/solve/on_host.hpp"

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* program = "mcls_solve";
constexpr const char* description =
    "Solves a linear system by random walks, a step at a time, until its residual is small.";

/// What the options of the ladder's steps depend on.
constexpr mcls::Design design = {.table = mcls::Table::alias,
                                 .generator = "Philox4x32-10",
                                 .soundness = bench::Soundness::sound,
                                 .histories = 1,
                                 .stratified = true};

struct Options {
    bench::OwnValues own;  // those that the steps of the ladder have, too
    double tolerance = 1e-8;
    std::uint32_t max_steps = 1000;
    double max_time = INFINITY;  // seconds
    std::uint64_t seed = 1234;
    bool on_cpu = false;
    int device = 0;
    std::string json;  // a path, "-" for stdout, empty for none
};

void add_own_options(CLI::App& app, bench::OwnValues& values) {
    for (bench::OwnOption option : mcls::options_list(design)) {
        if (option.name == "steps" || option.name == "infinite-variance") continue;
        if (option.name == "histories") option.help = "histories of a step (default: what is cheapest)";
        if (option.name == "cutoff") {
            option.help =
                "end histories when their weight is below W times the first one (default: absorption\n"
                "ends them, or 1e-2 where the system does not allow that)";
        }
        if (option.name == "solution") {
            option.help = "write the solution, one entry a line; '-' writes it, and nothing else, to stdout";
            option.value = "FILE|-";
        }
        app.add_option_function<std::string>(
               "--" + option.name, [&values, name = option.name](const std::string& text) { values[name] = text; },
               option.help)
            ->type_name(option.value);
    }
}

/// Returns nothing after printing --help or --version.
std::optional<Options> parse(int argc, const char* const* argv) {
    Options options;
    CLI::App app(description, program);
    add_own_options(app, options.own);
    app.add_option_function<std::string>(
           "--tolerance",
           [&](const std::string& text) { options.tolerance = mcls::parse_fraction("--tolerance", text); },
           "norm of the residual to reach, over that of the right-hand side (default 1e-8); where diagonal\n"
           "entries differ tenfold, of the equations over theirs")
        ->type_name("T");
    bench::add_quantity(app, "--max-steps", 1, UINT32_MAX - 1, "give up after N steps (default 1000)",
                        [&](auto n) { options.max_steps = static_cast<std::uint32_t>(n); });
    app.add_option_function<std::string>(
           "--max-time", [&](const std::string& text) { options.max_time = bench::parse_seconds("--max-time", text); },
           "give up after S seconds (default: no limit)")
        ->type_name("S");
    app.add_option_function<std::string>(
           "--seed", [&](const std::string& text) { options.seed = bench::parse_seed("--seed", text); },
           "seed of the run (default 1234); 'random' draws one")
        ->type_name("N|random");
    bench::add_quantity(app, "--device", 0, INT_MAX, "CUDA device (default 0)",
                        [&](auto n) { options.device = static_cast<int>(n); });
    app.add_flag("--cpu", options.on_cpu, "solve on all cores of the CPU, without a GPU")->excludes("--device");
    app.add_option("--json", options.json, "write the result as JSON; '-' writes it, and nothing else, to stdout")
        ->type_name("FILE|-");
    return bench::parse(app, argc, argv) ? std::optional(options) : std::nullopt;
}

/// The exact solution of a built-in system. Files may need any number of terms for it.
std::optional<std::vector<double>> exact_solution(const mcls::SolveProblem& problem) {
    const auto& names = mcls::system_names();
    const bool built_in = std::find(names.begin(), names.end(), problem.system.name) != names.end();
    return built_in ? std::optional(problem.x_of(solution_of(problem.splitting))) : std::nullopt;
}

std::string title_of(const mcls::SolveProblem& problem, double prepare_ms) {
    const mcls::Sparse& h = problem.splitting.h;
    const bool absorbs = problem.sampling == mcls::Sampling::absorbing;
    return fmt::format("{}: {} unknowns, {} entries off the diagonal, ready after {:.3g} ms; histories end by {}\n",
                       problem.system.name, bench::grouped(h.n), bench::grouped(h.value.size()), prepare_ms,
                       absorbs ? "absorption" : fmt::format("the cutoff {:g} of weights", problem.limits.cutoff)) +
           fmt::format("{:>4} {:>16} {:>20} {:>10} {:>10} {:>8}\n", "step", "histories", "transitions", "ms",
                       "residual", "factor");
}

std::string line_of(const mcls::OuterStep& step) {
    return fmt::format("{:>4} {:>16} {:>20} {:>10.2f} {:>10.2e} {:>8.2g}\n", step.number,
                       bench::grouped(step.histories), bench::grouped(step.transitions), step.ms, step.residual,
                       step.factor);
}

/// A GPU's first launches take longer: code is loaded, clocks rise.
void warm_up(mcls::Iterate& iterate, const mcls::SolveProblem& problem) {
    const std::uint64_t histories = iterate.fewest_histories();
    const mcls::Sizes residual = iterate.begin();
    iterate.correct(0, histories, problem.bits_of(residual, histories));
    iterate.sweep();
}

void select_gpu(int device) {
    try {
        bench::select_device(device);
    } catch (const bench::NoGpuError& error) {
        throw bench::NoGpuError(fmt::format("{}; --cpu solves on the CPU", error.what()));
    }
}

struct Solved {
    std::vector<double> x;
    const char* processor;
    double prepare_ms;
    Json points;
    std::string summary;
};

/// What needs no step: b is the solution.
Solved solved_at_once(const mcls::System& system, const mcls::Splitting& splitting) {
    const double residual = mcls::residual_of(system, splitting.b).relative;
    return {.x = splitting.b,
            .processor = "cpu",
            .prepare_ms = 0,
            .points = {{{"iterations", 0}, {"ms", {0.0}}, {"residual", residual}, {"error", nullptr}}},
            .summary = fmt::format("{}: solved without a step, as {}\n", system.name,
                                   splitting.h.value.empty() ? "the matrix is diagonal" : "the right-hand side is 0")};
}

template <class Say>
Solved solved_by_walks(const Options& options, mcls::Wish& wish, std::optional<mcls::Notice>& notice, const Say& say) {
    const double start = bench::monotonic_seconds();
    const mcls::SolveProblem problem =
        mcls::solve_problem(std::move(wish.system), options.own.count("cutoff") > 0 ? wish.cutoff : 0);
    notice.reset();
    const double solvable = bench::monotonic_seconds();
    if (!options.on_cpu) select_gpu(options.device);
    const double selected = bench::monotonic_seconds();
    const std::unique_ptr<mcls::Iterate> iterate = options.on_cpu
                                                       ? std::make_unique<mcls::IterateOnHost>(problem, options.seed)
                                                       : mcls::iterate_on_gpu(problem, options.seed);
    const double prepare_ms = (bench::monotonic_seconds() - selected + solvable - start) * 1e3;
    const auto exact = exact_solution(problem);
    const auto error_of = [&](const std::vector<double>& x) {
        return exact ? std::optional(mcls::relative_error(x, *exact)) : std::nullopt;
    };
    const mcls::SolveLimits limits = {
        options.tolerance, options.max_steps,
        options.own.count("histories") > 0 ? std::optional(wish.histories) : std::nullopt};
    check_histories(limits, *iterate);
    say(title_of(problem, prepare_ms));
    notice.emplace(1, [] { bench::say(program, "makes the first step, which takes long where walks are long"); });
    if (!options.on_cpu) warm_up(*iterate, problem);

    Json points = Json::array();
    const auto steps = solve(
        *iterate, limits, [&](const auto& sizes, auto histories) { return problem.bits_of(sizes, histories); },
        [&](const mcls::OuterStep& step) {
            notice.reset();
            say(line_of(step));
            points.push_back({{"iterations", step.number},
                              {"ms", {step.ms}},
                              {"residual", step.residual},
                              {"error", bench::or_null(error_of(iterate->x()))}});
        });
    const auto error = error_of(iterate->x());
    std::vector<double> x = problem.stated(iterate->x());
    mcls::require_residual(problem.system, x, steps.back().residual);
    return {.x = std::move(x),
            .processor = options.on_cpu ? "cpu" : "gpu",
            .prepare_ms = prepare_ms,
            .points = std::move(points),
            .summary = fmt::format("solved in {:.4g} ms; the CPU finds the same residual{}\n", steps.back().ms,
                                   error ? fmt::format(", and a relative error of {:.2e}", *error) : "")};
}

void run(const Options& options) {
    if (!options.json.empty()) bench::check_target(options.json);
    std::optional<mcls::Notice> deadline(std::in_place, options.max_time, [&] {
        bench::say(program, fmt::format("not solved in {:g} seconds: use more --max-time", options.max_time));
        std::_Exit(bench::exit_verdict);
    });
    std::optional<mcls::Notice> notice(
        std::in_place, 1, [] { bench::say(program, "reads the system and shows that its walks converge"); });
    mcls::Wish wish = wish_of(design, options.own);
    if (!options.json.empty() && !wish.solution_file.empty() && bench::same_file(options.json, wish.solution_file)) {
        throw bench::UsageError("--solution and --json name the same file");
    }
    const std::string name = wish.system.name;
    const auto say = [quiet = options.json == "-" || wish.solution_file == "-"](const std::string& text) {
        if (!quiet) bench::write_stdout(text);
    };
    const mcls::Splitting splitting = named(wish.system, [&] { return split(wish.system); });
    const Solved solved =
        is_solved(splitting) ? solved_at_once(wish.system, splitting) : solved_by_walks(options, wish, notice, say);
    deadline.reset();

    if (!wish.solution_file.empty()) {
        std::string text;
        for (const double entry : solved.x) text += fmt::format("{}\n", entry);
        bench::write_target(wish.solution_file, text);
    }
    say(solved.summary);
    if (!options.json.empty()) {
        const Json document = {{"peer", fmt::format("{}_{}", program, name)},
                               {"package", "this suite"},
                               {"method", "mcsa"},
                               {"system", name},
                               {"processor", solved.processor},
                               {"tolerance", options.tolerance},
                               {"reached", true},
                               {"prepare_ms", solved.prepare_ms},
                               {"points", solved.points}};
        bench::write_target(options.json, bench::as_text(document) + "\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        if (const auto options = parse(argc, argv)) run(*options);
    });
}
