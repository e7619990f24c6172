#include "kernels/mcls/system/lines.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "bench/errors.hpp"
#include "bench/text.hpp"

namespace mcls {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

[[noreturn]] void refuse_file(const std::string& path, int error) {
    const std::string line = fmt::format("cannot read {}: {}", path, std::strerror(error));
    if (error == ENOENT || error == ENOTDIR || error == EISDIR || error == EACCES) {
        throw bench::UsageError(line);
    }
    throw bench::Error(bench::exit_machine, line);
}

std::string contents(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) {
        refuse_file(path, errno);
    }
    std::string text;
    std::vector<char> part(1 << 16);
    while (const std::size_t size = std::fread(part.data(), 1, part.size(), file.get())) {
        text.append(part.data(), size);
    }
    if (std::ferror(file.get())) {
        refuse_file(path, errno);
    }
    return text;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (auto start = line.find_first_not_of(blanks); start != line.npos; start = line.find_first_not_of(blanks)) {
        line.remove_prefix(start);
        words.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(words.back().size());
    }
    return words;
}

}  // namespace

std::string printable(std::string_view text) {
    constexpr std::size_t longest = 60;
    const std::string escaped = bench::quoted(text.substr(0, longest));
    return escaped.substr(1, escaped.size() - 2) + (text.size() > longest ? "..." : "");
}

Lines::Lines(const std::string& path) : path_(path), text_(contents(path)), rest_(text_) {}

std::vector<std::string_view> Lines::next() {
    std::vector<std::string_view> words;
    do {
        ++number_;
        if (rest_.empty()) {
            line_.reset();
            break;
        }
        const auto size = rest_.find('\n');
        if (size == rest_.npos) {
            throw bench::UsageError(
                fmt::format("{}:{}: the file ends within this line: a line break is missing", path_, number_));
        }
        line_ = rest_.substr(0, size);
        rest_.remove_prefix(size + 1);
        words = words_of(*line_);
    } while (words.empty());
    return words;
}

void Lines::refuse(std::string_view expected) const {
    throw bench::UsageError(fmt::format("{}:{}: expected {}, found {}", path_, number_, expected,
                                        line_ ? "'" + printable(*line_) + "'" : "the end of the file"));
}

}  // namespace mcls
