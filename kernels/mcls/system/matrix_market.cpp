#include "kernels/mcls/system/matrix_market.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/system/lines.hpp"

namespace mcls {
namespace {

using Words = std::vector<std::string_view>;

struct Size {
    std::uint32_t n;
    std::uint64_t entries;
};

/// Whether the word is the name, in upper or lower case.
bool is(std::string_view word, std::string_view name) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::equal(word.begin(), word.end(), name.begin(), name.end(), same);
}

/// The choice that the word names; throws if it names none.
std::size_t chosen(const Lines& lines, std::string_view word, std::initializer_list<std::string_view> choices) {
    const auto choice = std::find_if(choices.begin(), choices.end(), [&](auto name) { return is(word, name); });
    if (choice == choices.end()) {
        lines.reject(
            fmt::format("{} not supported, only {}", printable(word), fmt::join(choices.begin(), choices.end(), ", ")));
    }
    return static_cast<std::size_t>(choice - choices.begin());
}

Size read_size(Lines& lines) {
    const std::vector<std::uint64_t> sizes = read_sizes(lines, "'rows columns entries'");
    const std::uint64_t rows = sizes[0], columns = sizes[1];
    if (rows != columns) {
        lines.reject(fmt::format("the matrix is {} x {}, not square", rows, columns));
    }
    if (rows == 0) {
        lines.reject("the matrix is 0 x 0");
    }
    if (rows > INT32_MAX) {
        lines.reject(fmt::format("n {} exceeds 2^31 - 1", rows));
    }
    return {.n = static_cast<std::uint32_t>(rows), .entries = sizes[2]};
}

class Reader {
 public:
    explicit Reader(const std::string& path)
        : lines_(path), header_(header_of(lines_, lines_.next(), "coordinate")), size_(read_size(lines_)) {}

    Sparse matrix() {
        std::uint64_t found = 0;
        for (Words words = lines_.next(); !words.empty(); words = lines_.next()) {
            ++found;
            add(words);
        }
        if (found != size_.entries) {
            lines_.reject(fmt::format("header says {} entries, {} follow", size_.entries, found));
        }
        refuse_empty_rows();
        lines_.warn();
        return sparse(size_.n, entries_);
    }

 private:
    void add(const Words& words) {
        if (words.size() != 3) {
            lines_.refuse(form);
        }
        const std::uint32_t row = index(words[0]), column = index(words[1]);
        const double entry = value(words[2]);
        if (header_.symmetric && row < column) {
            lines_.reject(fmt::format("entry above the diagonal of a symmetric matrix in line {}", lines_.number()));
        }
        entries_.push_back({row, column, entry});
        if (header_.symmetric && row != column) {
            entries_.push_back({column, row, entry});
        }
    }

    std::uint32_t index(std::string_view word) const {
        const auto index = number_in<std::int64_t>(word);
        if (!index) {
            lines_.refuse(form);
        }
        if (*index < 1 || *index > size_.n) {
            lines_.reject(fmt::format("index {} outside 1..{} in line {}", *index, size_.n, lines_.number()));
        }
        return static_cast<std::uint32_t>(*index - 1);
    }

    double value(std::string_view word) {
        const std::optional<double> value =
            header_.integers ? std::optional<double>(number_in<std::int64_t>(word)) : lines_.number_of(word);
        if (!value) {
            lines_.refuse(header_.integers ? "'row column integer'" : form);
        }
        if (!std::isfinite(*value)) {
            lines_.reject(fmt::format("value {} in line {}", printable(word), lines_.number()));
        }
        return *value;
    }

    // Before memory is used for every row: the number of rows may be a mistake. A matrix with fewer entries than rows has an
    // empty row among the first of them.
    void refuse_empty_rows() const {
        std::vector<bool> filled(std::min<std::size_t>(size_.n, entries_.size() + 1));
        for (const Entry& entry : entries_) {
            if (entry.row < filled.size()) {
                filled[entry.row] = true;
            }
        }
        const auto empty = std::find(filled.begin(), filled.end(), false);
        if (empty != filled.end()) {
            lines_.reject(fmt::format("row {} is empty", empty - filled.begin() + 1));
        }
    }

    static constexpr std::string_view form = "'row column value'";
    Lines lines_;
    Header header_;
    Size size_;
    std::vector<Entry> entries_;
};

}  // namespace

bool is_banner(const std::vector<std::string_view>& words) { return !words.empty() && is(words[0], "%%MatrixMarket"); }

Header header_of(const Lines& lines, const std::vector<std::string_view>& words, std::string_view format) {
    if (words.size() != 5 || !is_banner(words)) {
        lines.refuse(fmt::format("'%%MatrixMarket matrix {} real general'", format));
    }
    chosen(lines, words[1], {"matrix"});
    chosen(lines, words[2], {format});
    return {.integers = chosen(lines, words[3], {"real", "integer"}) == 1,
            .symmetric = chosen(lines, words[4], {"general", "symmetric", "hermitian"}) > 0};
}

std::vector<std::uint64_t> read_sizes(Lines& lines, std::string_view form) {
    Words words = lines.next();
    while (!words.empty() && words[0].starts_with('%')) {
        words = lines.next();
    }
    std::vector<std::uint64_t> sizes;
    for (const std::string_view word : words) {
        const auto size = number_in<std::uint64_t>(word);
        if (!size) {
            lines.refuse(form);
        }
        sizes.push_back(*size);
    }
    if (static_cast<std::ptrdiff_t>(sizes.size()) != std::count(form.begin(), form.end(), ' ') + 1) {
        lines.refuse(form);
    }
    return sizes;
}

System read_system(const std::string& path) {
    return within_memory(path, [&] {
        Sparse a = Reader(path).matrix();
        std::vector<double> b(a.n, 1);
        return System{.name = std::filesystem::path(path).filename(), .a = std::move(a), .b = std::move(b)};
    });
}

}  // namespace mcls
