// What the options of a program say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/options/own_options.hpp"
#include "kernels/mcls/problem/design.hpp"
#include "kernels/mcls/system/systems.hpp"

namespace mcls {

/// A history has 2^32 random words, two of them for its start.
inline constexpr std::uint64_t most_steps = (std::uint64_t{1} << 32) - 3;

/// What the user wants to be solved, and how.
struct Wish {
    System system;
    std::string rhs;            // its name: that of the system's own is empty
    std::uint64_t steps;        // most transitions of a history
    double cutoff;              // 0: none
    bool chose_steps;           // the user did; otherwise they are the usual ones
    bool chose_cutoff;          // also by --steps, which go without
    std::uint64_t sweeps;       // of guided histories, else 0
    std::uint64_t histories;    // of a launch
    std::string solution_file;  // "-": stdout; empty: none
    bool without_estimate;      // accepts that there may be none
    std::string suffix;         // of the name of the run: all of the above that chance depends on
};

/// A number between 0 and 1. Throws bench::UsageError, with the option, for another text.
double parse_fraction(const char* option, const std::string& text);

/// Whether the transitions of its histories can be limited by --steps.
bool has_steps(const Design& design);

std::vector<bench::OwnOption> options_list(const Design& design);

/// Throws bench::UsageError for a value that is not possible and as read_system() and right_hand_side(), bench::WriteError for a
/// solution file that cannot be written.
Wish wish_of(const Design& design, const bench::OwnValues& values);

}  // namespace mcls
