#include "kernels/mcls/system/right_hand_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/errors.hpp"
#include "kernels/mcls/system/lines.hpp"

namespace mcls {
namespace {

std::vector<double> sine(std::uint32_t n) {
    std::vector<double> b;
    for (std::uint32_t i = 0; i < n; ++i) {
        b.push_back(std::sin(std::numbers::pi * i / std::max(n - 1, 1u)));
    }
    return b;
}

double only_number(const std::vector<std::string_view>& words, const Lines& lines) {
    const auto number = words.size() == 1 ? number_in<double>(words[0]) : std::nullopt;
    if (!number) {
        lines.refuse("a number");
    }
    return *number;
}

}  // namespace

bool is_named_rhs(const std::string& name) { return name == "ones" || name == "sine"; }

std::vector<double> right_hand_side(const std::string& name, std::uint32_t n) {
    if (name == "ones") {
        return std::vector<double>(n, 1);
    }
    return name == "sine" ? sine(n) : read_vector(name, n);
}

std::vector<double> read_vector(const std::string& path, std::uint32_t n) {
    return within_memory(path, [&] {
        Lines lines(path);
        std::vector<double> vector;
        for (auto words = lines.next(); !words.empty(); words = lines.next()) {
            vector.push_back(only_number(words, lines));
            if (!std::isfinite(vector.back())) {
                throw bench::UsageError(
                    fmt::format("{}: value {} in line {}", path, printable(words[0]), lines.number()));
            }
        }
        if (vector.size() != n) {
            throw bench::UsageError(fmt::format("rhs has {} entries, matrix {}", vector.size(), n));
        }
        return vector;
    });
}

}  // namespace mcls
