#include "kernels/mcls/problem/description.hpp"

#include <fmt/format.h>

#include <array>

#include "bench/text.hpp"

namespace mcls {
namespace {

using Json = nlohmann::ordered_json;

std::string number(const Json& field) { return bench::grouped(field.get<std::uint64_t>()); }

std::string system_text(const Json& problem) {
    const std::string rhs =
        problem["rhs"].is_null() ? "" : " with the right-hand side " + problem["rhs"].get<std::string>();
    return fmt::format(
        "{}{}: {} unknowns, {} entries off the diagonal; ready after {:.3g} ms, exact moments after {:.3g} ms more",
        problem["system"].get<std::string>(), rhs, number(problem["n"]), number(problem["entries_of_h"]),
        problem["prepare_ms"].get<double>(), problem["moments_ms"].get<double>());
}

/// Tells of a truncation that is not a rounding.
std::string truncation_text(const Json& truncation) {
    constexpr double rounding = 1e-6;
    return truncation.is_null() || truncation <= rounding
               ? ""
               : fmt::format(", which leave a residual of {:.2g}", truncation.get<double>());
}

constexpr std::array names_of_samplings = {"almost optimal", "absorbing", "importance", "equal slots", "paths"};
static_assert(names_of_samplings.size() == static_cast<std::size_t>(Sampling::paths) + 1, "one of each");

std::string walks_text(const Json& problem) {
    std::string text =
        fmt::format("{}, {} a launch", problem["method"].get<std::string>(), number(problem["histories"]));
    if (problem["sampling"] == "absorbing") text += ", until they are absorbed";
    if (!problem["sweeps"].is_null()) text += fmt::format(", guided by {} sweeps", number(problem["sweeps"]));
    if (!problem["cutoff"].is_null())
        text += fmt::format(", until {:g} of the first weight", problem["cutoff"].get<double>());
    if (!problem["steps"].is_null()) {
        text +=
            fmt::format(", at most {} transitions", number(problem["steps"])) + truncation_text(problem["truncation"]);
    }
    return text;
}

}  // namespace

Json description(const Design& design, const Wish& wish, const Histories& histories) {
    return {{"system", wish.system.name},
            {"rhs", wish.rhs.empty() ? Json(nullptr) : Json(wish.rhs)},
            {"n", histories.b.n},
            {"entries_of_h", histories.b.value.size()},
            {"method", design.method == Method::adjoint ? "adjoint" : "forward"},
            {"sampling", names_of_samplings[static_cast<std::size_t>(design.sampling)]},
            {"sweeps", design.sampling == Sampling::importance ? Json(wish.sweeps) : Json(nullptr)},
            {"stratified", design.stratified},
            {"steps", histories.steps == unlimited ? Json(nullptr) : Json(histories.steps)},
            {"cutoff", wish.cutoff > 0 ? Json(wish.cutoff) : Json(nullptr)},
            {"histories", wish.histories}};
}

std::string description_lines(const Json& problem) {
    return bench::line("system", system_text(problem)) + bench::line("walks", walks_text(problem));
}

}  // namespace mcls
