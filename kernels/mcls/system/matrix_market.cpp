#include "kernels/mcls/system/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

struct Header {
    bool integers, symmetric;
};

struct Size {
    std::uint32_t n;
    std::uint64_t entries;
};

/// The choice that the word names, in upper or lower case; throws if it names none.
std::size_t chosen(const std::string& path, std::string_view word, std::initializer_list<std::string_view> choices) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    const auto choice = std::find_if(choices.begin(), choices.end(), [&](std::string_view name) {
        return std::equal(word.begin(), word.end(), name.begin(), name.end(), same);
    });
    if (choice == choices.end()) {
        throw bench::UsageError(fmt::format("{}: {} not supported", path, printable(word)));
    }
    return static_cast<std::size_t>(choice - choices.begin());
}

Header read_header(const std::string& path, Lines& lines) {
    const Words words = lines.next();
    if (words.size() != 5 || words[0] != "%%MatrixMarket") {
        lines.refuse("'%%MatrixMarket matrix coordinate real general'");
    }
    chosen(path, words[1], {"matrix"});
    chosen(path, words[2], {"coordinate"});
    return {.integers = chosen(path, words[3], {"real", "integer"}) == 1,
            .symmetric = chosen(path, words[4], {"general", "symmetric"}) == 1};
}

Size read_size(Lines& lines) {
    Words words = lines.next();
    while (!words.empty() && words[0].starts_with('%')) {
        words = lines.next();
    }
    std::array<std::uint64_t, 3> sizes{};
    bool understood = words.size() == sizes.size();
    for (std::size_t i = 0; understood && i < sizes.size(); ++i) {
        const auto size = number_in<std::uint64_t>(words[i]);
        understood = size.has_value();
        sizes[i] = size.value_or(0);
    }
    if (!understood) {
        lines.refuse("'rows columns entries'");
    }
    const auto [rows, columns, entries] = sizes;
    if (rows != columns) {
        throw bench::UsageError(fmt::format("matrix is {} x {}, not square", rows, columns));
    }
    if (rows > INT32_MAX) {
        throw bench::UsageError(fmt::format("n {} exceeds 2^31 - 1", rows));
    }
    return {.n = static_cast<std::uint32_t>(rows), .entries = entries};
}

class Reader {
 public:
    explicit Reader(const std::string& path)
        : path_(path), lines_(path), header_(read_header(path, lines_)), size_(read_size(lines_)) {}

    Sparse matrix() {
        std::uint64_t found = 0;
        for (Words words = lines_.next(); !words.empty(); words = lines_.next()) {
            ++found;
            add(words);
        }
        if (found != size_.entries) {
            throw bench::UsageError(fmt::format("{}: header says {} entries, {} follow", path_, size_.entries, found));
        }
        refuse_empty_rows();
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
            throw bench::UsageError(
                fmt::format("{}: entry above the diagonal of a symmetric matrix in line {}", path_, lines_.number()));
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
            throw bench::UsageError(
                fmt::format("{}: index {} outside 1..{} in line {}", path_, *index, size_.n, lines_.number()));
        }
        return static_cast<std::uint32_t>(*index - 1);
    }

    double value(std::string_view word) const {
        const std::optional<double> value =
            header_.integers ? std::optional<double>(number_in<std::int64_t>(word)) : number_in<double>(word);
        if (!value) {
            lines_.refuse(form);
        }
        if (!std::isfinite(*value)) {
            throw bench::UsageError(fmt::format("{}: value {} in line {}", path_, printable(word), lines_.number()));
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
            throw bench::UsageError(fmt::format("row {} is empty", empty - filled.begin() + 1));
        }
    }

    static constexpr std::string_view form = "'row column value'";
    std::string path_;
    Lines lines_;
    Header header_;
    Size size_;
    std::vector<Entry> entries_;
};

}  // namespace

System read_system(const std::string& path) {
    return within_memory(path, [&] {
        Sparse a = Reader(path).matrix();
        std::vector<double> b(a.n, 1);
        return System{.name = std::filesystem::path(path).filename(), .a = std::move(a), .b = std::move(b)};
    });
}

}  // namespace mcls
