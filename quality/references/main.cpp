// options_references: prices and moments of the options in double precision, to which the steps are compared.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/errors.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/record/record.hpp"
#include "bench/workers/gpu/device.hpp"
#include "quality/references/references.hpp"

namespace {

using Json = nlohmann::ordered_json;
using references::Estimate;
using references::Estimates;
using references::Option;
using references::Plan;

constexpr const char* program = "options_references";
constexpr const char* description =
    "Prices the options of the ladders asian and lookback in double precision, and computes the moments of their "
    "payoffs,\n"
    "in kernels that the steps do not share. Exits with 1 if a control is more than 5 standard deviations from its "
    "closed\n"
    "form, or a price from the stored one.";
constexpr int schema = 1;
constexpr double most_sigma = 5;

struct Arguments {
    Plan plan;
    std::string option;  // empty: all
    unsigned steps = 0;  // 0: all
    int device = 0;
    std::string json;
};

struct Row {
    Option option;
    Estimates estimates;
};

/// Returns nothing after printing --help or --version.
std::optional<Arguments> parse(int argc, const char* const* argv) {
    Arguments arguments;
    Plan& plan = arguments.plan;
    CLI::App app(description, program);
    app.add_option("--option", arguments.option, "asian or lookback (default: both)")
        ->check(CLI::IsMember({"asian", "lookback"}));
    bench::add_quantity(app, "--steps", 1, 256, "only paths of N steps", [&](auto n) { arguments.steps = n; });
    app.add_flag_callback(
        "--random", [&] { plan.points = references::Points::random; },
        "random numbers and control variates in place of Sobol's points");
    bench::add_quantity(app, "--points", references::least_points, std::uint64_t{1} << 32,
                        "points of a launch, a power of two (default 16777216)", [&](auto n) { plan.of_launch = n; });
    bench::add_quantity(app, "--launches", 16, UINT_MAX, "launches (default 128)",
                        [&](auto n) { plan.launches = static_cast<unsigned>(n); });
    bench::add_quantity(app, "--seed", 0, UINT64_MAX, "seed (default 1234)", [&](auto n) { plan.seed = n; });
    bench::add_quantity(app, "--device", 0, INT_MAX, "CUDA device (default 0)",
                        [&](auto n) { arguments.device = static_cast<int>(n); });
    app.add_option("--json", arguments.json, "write the result as JSON; '-' writes it, and nothing else, to stdout")
        ->type_name("FILE|-");
    if (!bench::parse(app, argc, argv)) {
        return std::nullopt;
    }
    if ((plan.of_launch & (plan.of_launch - 1)) != 0) {
        throw bench::UsageError(fmt::format("--points: {} is not a power of two", plan.of_launch));
    }
    return arguments;
}

/// The options that the arguments choose, at least one.
std::vector<Option> chosen(const Arguments& arguments) {
    std::vector<Option> some;
    for (const Option& option : references::options()) {
        const bool named = arguments.option.empty() || arguments.option == option.name;
        if (named && (arguments.steps == 0 || arguments.steps == option.steps)) some.push_back(option);
    }
    if (some.empty()) throw bench::UsageError(fmt::format("--steps: no option has paths of {} steps", arguments.steps));
    return some;
}

Estimates run(const Option& option, const Plan& plan) {
    std::vector<references::LaunchMeans> launches;
    for (unsigned launch = 0; launch < plan.launches; launch++) {
        launches.push_back(references::run(option, plan, launch));
    }
    return references::estimates_of(option, plan, launches);
}

double sigma(const Estimate& measured, const bench::Expected& known) {
    return (measured.value - known.value) / std::hypot(measured.sd, known.sd);
}

std::string line_of(const char* name, const Estimate& estimate) {
    return fmt::format("  {:<16}{:.9g} (sd {:.2g})", name, estimate.value, estimate.sd);
}

std::string text_of(const Row& row) {
    const auto& [option, estimates] = row;
    std::string text = fmt::format("{}, {} steps\n{}, {:+.2f} sd from the stored price\n", option.name, option.steps,
                                   line_of("price", estimates.price), sigma(estimates.price, option.stored));
    text += line_of("variance", estimates.variance) + '\n';
    text += line_of("kurtosis", estimates.kurtosis) + '\n';
    text += line_of("share above 0", estimates.positive) + '\n';
    for (std::size_t i = 0; i < option.controls.size(); i++) {
        text += fmt::format("{}, {:+.2f} sd from the closed form\n",
                            line_of(option.controls[i].name, estimates.controls[i]),
                            sigma(estimates.controls[i], {option.controls[i].mean}));
    }
    return text;
}

Json json_of(const Estimate& estimate) { return {{"value", estimate.value}, {"sd", estimate.sd}}; }

Json json_of(const Row& row) {
    const auto& [option, estimates] = row;
    Json controls = Json::array();
    for (std::size_t i = 0; i < option.controls.size(); i++) {
        controls.push_back({{"name", option.controls[i].name},
                            {"mean", json_of(estimates.controls[i])},
                            {"exact", option.controls[i].mean},
                            {"sigma", sigma(estimates.controls[i], {option.controls[i].mean})}});
    }
    return {{"option", option.name},
            {"steps", option.steps},
            {"price", json_of(estimates.price)},
            {"stored", {{"value", option.stored.value}, {"sd", option.stored.sd}}},
            {"sigma", sigma(estimates.price, option.stored)},
            {"variance", json_of(estimates.variance)},
            {"kurtosis", json_of(estimates.kurtosis)},
            {"positive", json_of(estimates.positive)},
            {"controls", controls}};
}

std::string json_of(const std::vector<Row>& rows, const Arguments& arguments) {
    Json all = Json::array();
    for (const Row& row : rows) all.push_back(json_of(row));
    const Plan& plan = arguments.plan;
    const Json document = {{"schema", schema},
                           {"suite", "references"},
                           {"context", bench::to_json(bench::gpu_context(arguments.device))},
                           {"points", plan.points == references::Points::sobol ? "sobol" : "random"},
                           {"points_of_launch", plan.of_launch},
                           {"launches", plan.launches},
                           {"seed", plan.seed},
                           {"references", all}};
    return document.dump(1) + "\n";
}

void judge(const Row& row) {
    const auto& option = row.option;
    const auto& estimates = row.estimates;
    const auto refuse = [&](const char* what, double sigma) {
        if (!(std::fabs(sigma) <= most_sigma)) {
            throw bench::VerdictError(fmt::format("{}, {} steps: the {} is {:+.2f} sd from what it should be",
                                                  option.name, option.steps, what, sigma));
        }
    };
    for (std::size_t i = 0; i < option.controls.size(); i++) {
        refuse(option.controls[i].name, sigma(estimates.controls[i], {option.controls[i].mean}));
    }
    refuse("price", sigma(estimates.price, option.stored));
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        const auto arguments = parse(argc, argv);
        if (!arguments) {
            return;
        }
        const std::vector<Option> options = chosen(*arguments);
        if (!arguments->json.empty()) bench::check_target(arguments->json);
        bench::select_device(arguments->device);
        std::vector<Row> rows;
        for (const Option& option : options) {
            rows.push_back({option, run(option, arguments->plan)});
            if (arguments->json != "-") bench::write_stdout(text_of(rows.back()));
        }
        if (!arguments->json.empty()) bench::write_target(arguments->json, json_of(rows, *arguments));
        for (const Row& row : rows) judge(row);
    });
}
