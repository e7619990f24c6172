#include "kernels/mcls/problem/wish.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>

#include "bench/errors.hpp"
#include "bench/fingerprints.hpp"
#include "bench/options/values.hpp"
#include "bench/record/files.hpp"
#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/system/lines.hpp"
#include "kernels/mcls/system/matrix_market.hpp"
#include "kernels/mcls/system/right_hand_side.hpp"

namespace mcls {
namespace {

constexpr const char* default_system = "lap2d";
constexpr double default_cutoff = 1e-9;
constexpr std::uint64_t default_steps = 10'000;
constexpr std::uint64_t default_sweeps = 200, most_sweeps = 1'000'000;
constexpr std::uint64_t most_histories = std::uint64_t{1} << 62;

std::optional<std::string> value_of(const bench::OwnValues& values, const std::string& name) {
    const auto given = values.find(name);
    return given == values.end() ? std::nullopt : std::optional(given->second);
}

std::optional<std::uint64_t> quantity(const bench::OwnValues& values, const std::string& name, std::uint64_t least,
                                      std::uint64_t most) {
    const auto text = value_of(values, name);
    return text ? std::optional(bench::parse_quantity("--" + name, *text, least, most)) : std::nullopt;
}

/// Hashes what a file holds: a run belongs to that, not to a name.
std::uint64_t fingerprint_of(const std::vector<double>& values) {
    std::vector<bench::Count> words;
    std::transform(values.begin(), values.end(), std::back_inserter(words),
                   [](double value) { return std::bit_cast<bench::Count>(value); });
    return bench::fingerprint_of(words);
}

std::uint64_t fingerprint_of(const Sparse& a) {
    std::vector<bench::Count> words(a.first.begin(), a.first.end());
    words.insert(words.end(), a.column.begin(), a.column.end());
    words.push_back(fingerprint_of(a.value));
    return bench::fingerprint_of(words);
}

void read_system_of(const bench::OwnValues& values, Wish& wish) {
    const std::string name = value_of(values, "system").value_or(default_system);
    if (name.find(".mtx") != std::string::npos) {  // .mtx.bz2 is refused for what it is
        wish.system = read_system(name);
        wish.suffix = fmt::format("_mtx{:016x}", fingerprint_of(wish.system.a));
    } else {
        wish.system = built_in(name);
        wish.suffix = name == default_system ? "" : "_" + name;
    }
}

void read_rhs(const bench::OwnValues& values, Wish& wish) {
    const auto name = value_of(values, "rhs");
    if (!name) {
        return;
    }
    wish.rhs = *name;
    wish.system.b = right_hand_side(*name, wish.system.a.n);
    wish.suffix += is_named_rhs(*name) ? "_" + *name : fmt::format("_rhs{:016x}", fingerprint_of(wish.system.b));
}

/// Without --cutoff and --steps, histories end by absorption or the usual cutoff.
void read_limits(const Design& design, const bench::OwnValues& values, Wish& wish) {
    if (!has_steps(design) && value_of(values, "steps")) {
        throw bench::UsageError(fmt::format("--steps: histories of this step have no limit; see {}", design.for_steps));
    }
    const auto steps = quantity(values, "steps", 1, most_steps);
    const auto cutoff = value_of(values, "cutoff");
    if (design.sampling == Sampling::absorbing) {
        wish.steps = steps.value_or(unlimited);
        wish.cutoff = 0;
    } else {
        wish.steps = steps.value_or(default_steps);
        wish.cutoff = cutoff ? parse_fraction("--cutoff", *cutoff) : steps ? 0 : default_cutoff;
    }
    wish.chose_steps = steps.has_value();
    wish.chose_cutoff = steps || cutoff;
    if (steps) {
        wish.suffix += fmt::format("_steps{}", *steps);
    }
    if (cutoff) {
        std::string digits = fmt::format("{}", wish.cutoff);  // "1e-06" and "0.5" have signs that names do not
        std::replace_if(
            digits.begin(), digits.end(), [](char c) { return c == '-' || c == '.'; }, '_');
        wish.suffix += "_cutoff" + digits;
    }
}

void read_sweeps(const Design& design, const bench::OwnValues& values, Wish& wish) {
    const auto sweeps = quantity(values, "sweeps", 0, most_sweeps);
    wish.sweeps = design.sampling == Sampling::importance ? sweeps.value_or(default_sweeps) : 0;
    if (sweeps) {
        wish.suffix += fmt::format("_sweeps{}", *sweeps);
    }
}

void read_histories(const Design& design, const bench::OwnValues& values, Wish& wish) {
    const std::uint64_t n = wish.system.a.n, of_each = design.method == Method::forward ? n : 1;
    const std::uint64_t fewest = design.stratified ? 2 : 1;  // Strata are at least two
    const auto histories = quantity(values, "histories", fewest, most_histories);
    if (histories && *histories % of_each != 0) {
        throw bench::UsageError(fmt::format("--histories: {} are not as many for each of {} entries", *histories, n));
    }
    const std::uint64_t least =
        std::max(design.histories, n / 10);  // adding up the tallies of all entries takes time, too
    wish.histories = histories.value_or((least + of_each - 1) / of_each * of_each);
    if (histories) {
        wish.suffix += fmt::format("_histories{}", *histories);
    }
}

void read_solution_file(const bench::OwnValues& values, Wish& wish) {
    if (const auto path = value_of(values, "solution")) {
        wish.solution_file = bench::parse_path("--solution", *path);
        for (const char* input : {"system", "rhs"}) {
            std::error_code no_file;
            const auto read = value_of(values, input);
            if (read && std::filesystem::equivalent(*read, wish.solution_file, no_file)) {
                throw bench::UsageError(fmt::format("--solution: it would overwrite the file of --{}", input));
            }
        }
        bench::check_target(wish.solution_file);
    }
}

}  // namespace

double parse_fraction(const char* option, const std::string& text) {
    const auto value = number_in<double>(text);
    if (!value || !(*value > 0 && *value < 1)) {
        throw bench::UsageError(fmt::format("{}: {} is not a number between 0 and 1", option, printable(text)));
    }
    return *value;
}

bool has_steps(const Design& design) { return *design.for_steps == '\0'; }

std::vector<bench::OwnOption> options_list(const Design& design) {
    const bool absorbing = design.sampling == Sampling::absorbing;
    std::vector<bench::OwnOption> list = {
        {"system", "NAME|FILE.mtx[.gz]",
         fmt::format("the linear system: {} (default {}), or a\nfile in the format of the Matrix Market",
                     fmt::join(system_names(), ", "), default_system)},
        {"rhs", "NAME|FILE",
         "its right-hand side: ones, sine, or a file with one number a line or an array of the Matrix\n"
         "Market (default: that of the system; ones for a file)"},
        {"steps", "M",
         fmt::format(
             "end histories after M transitions{}{}", absorbing ? "" : " and, unless --cutoff is given, not before",
             has_slots(design.sampling) ? ";\nup to 44 fewer, as several come from a word: the result has the number"
                                        : ""),
         has_steps(design)},
        {"histories", "N",
         fmt::format("histories of a launch (default {}, or more for a large system)", design.histories)},
        {"solution", "FILE", "write the estimate of the solution, one entry a line"}};
    if (!absorbing) {
        list.insert(
            list.begin() + 3,
            {"cutoff", "W",
             fmt::format("end histories when their weight is below W times the first one (default {:g}, with at\n"
                         "most {} transitions)",
                         default_cutoff, default_steps)});
        list.push_back({"infinite-variance", "", "time walks whose variance may be infinite, without an estimate"});
    }
    if (design.sampling == Sampling::importance) {
        list.push_back({"sweeps", "S",
                        fmt::format("sweeps of Jacobi's iteration that estimate |x|, which guides the histories\n"
                                    "(default {})",
                                    default_sweeps)});
    }
    return list;
}

Wish wish_of(const Design& design, const bench::OwnValues& values) {
    Wish wish{};
    read_system_of(values, wish);
    read_rhs(values, wish);
    read_limits(design, values, wish);
    read_sweeps(design, values, wish);
    read_histories(design, values, wish);
    read_solution_file(values, wish);
    wish.without_estimate = values.count("infinite-variance") > 0;
    return wish;
}

}  // namespace mcls
