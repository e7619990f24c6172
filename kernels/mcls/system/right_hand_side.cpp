#include "kernels/mcls/system/right_hand_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/mcls/system/lines.hpp"
#include "kernels/mcls/system/matrix_market.hpp"

namespace mcls {
namespace {

std::vector<double> sine(std::uint32_t n) {
    std::vector<double> b;
    for (std::uint32_t i = 0; i < n; ++i) {
        b.push_back(std::sin(std::numbers::pi * i / std::max(n - 1, 1u)));
    }
    return b;
}

double only_number(const std::vector<std::string_view>& words, Lines& lines) {
    const auto number = words.size() == 1 ? lines.number_of(words[0]) : std::nullopt;
    if (!number) {
        lines.refuse("a number");
    }
    if (!std::isfinite(*number)) {
        lines.reject(fmt::format("value {} in line {}", printable(words[0]), lines.number()));
    }
    return *number;
}

/// After the header of an array of the Matrix Market.
void skip_size(Lines& lines, std::uint32_t n) {
    const std::vector<std::uint64_t> sizes = read_sizes(lines, "'rows columns'");
    if (sizes[0] != n || sizes[1] != 1) {
        lines.reject(fmt::format("the array is {} x {}, a right-hand side here {} x 1", sizes[0], sizes[1], n));
    }
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
        auto words = lines.next();
        if (is_banner(words)) {
            header_of(lines, words, "array");
            skip_size(lines, n);
            words = lines.next();
        }
        for (; !words.empty(); words = lines.next()) {
            vector.push_back(only_number(words, lines));
        }
        if (vector.size() != n) {
            lines.reject(fmt::format("it has {} entries, the matrix {} rows", vector.size(), n));
        }
        lines.warn();
        return vector;
    });
}

}  // namespace mcls
