#include "kernels/mcls/system/lines.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "bench/errors.hpp"
#include "bench/options/output.hpp"
#include "bench/text.hpp"

namespace mcls {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

[[noreturn]] void refuse_file(const std::string& path, int error) {
    const std::string line = fmt::format("cannot read {}: {}", path, std::strerror(error));
    constexpr std::array of_name = {ENOENT, ENOTDIR, EISDIR, EACCES, ENAMETOOLONG, ELOOP, ENXIO};
    if (std::find(of_name.begin(), of_name.end(), error) != of_name.end()) {
        throw bench::UsageError(line);
    }
    throw bench::Error(bench::exit_machine, line);
}

using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string rest_of(const Stream& file, const std::string& path) {
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

std::string quoted_for_shell(const std::string& path) {
    std::string quoted;
    for (const char c : path) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return "'" + quoted + "'";
}

/// The gzip of the machine unpacks it: a library would be one more thing to install.
std::string unpacked(const std::string& path) {
    constexpr int not_found = 127;  // as a shell says it
    if (!std::filesystem::is_regular_file(path)) {
        throw bench::UsageError(fmt::format("cannot read {}: it is packed; gzip -d unpacks it", path));
    }
    Stream pipe(popen(("exec gzip -dc 2>/dev/null <" + quoted_for_shell(path)).c_str(), "r"), pclose);
    std::string text = rest_of(pipe, path);
    if (const int status = pclose(pipe.release()); status != 0) {
        const bool missing = WIFEXITED(status) && WEXITSTATUS(status) == not_found;
        throw bench::UsageError(fmt::format("cannot read {}: it is packed, and gzip {}", path,
                                            missing ? "is missing" : "fails to unpack it"));
    }
    return text;
}

/// Files that are no text of single bytes, by what they have at a place.
struct Foreign {
    std::size_t place;
    std::string_view mark;
    const char* what;
};
constexpr std::array<Foreign, 11> foreign{
    {{0, "\xEF\xBB\xBF", R"(it starts with a byte order mark, EF BB BF; sed -i '1s/^\xEF\xBB\xBF//' removes it)"},
     {0, "\xFF\xFE", "it is UTF-16 text, with the byte order mark FF FE; iconv -f UTF-16 -t UTF-8 rewrites it"},
     {0, "\xFE\xFF", "it is UTF-16 text, with the byte order mark FE FF; iconv -f UTF-16 -t UTF-8 rewrites it"},
     {0, "BZh", "it is packed; bunzip2 unpacks it"},
     {0, "\xFD\x37zXZ", "it is packed; unxz unpacks it"},
     {0, "\x28\xB5\x2F\xFD", "it is packed; unzstd unpacks it"},
     {0, "\x04\x22\x4D\x18", "it is packed; unlz4 unpacks it"},
     {0, "\x89HDF", "it is a file of HDF5; scipy.io.mmwrite of the matrix in it makes one of the Matrix Market"},
     {0, "PK\x03\x04", "it is a zip archive; unzip unpacks it"},
     {0, "MATLAB",
      "it is a file of MATLAB; scipy.io.mmwrite of what scipy.io.loadmat reads makes one of the Matrix Market"},
     {257, "ustar", "it is a tar archive; tar -xf unpacks it"}}};

std::string contents(const std::string& path) {
    std::string text = rest_of(Stream(std::fopen(path.c_str(), "rb"), std::fclose), path);
    if (text.starts_with("\x1F\x8B") || text.starts_with("\x1F\x9D")) {  // of compress
        text = unpacked(path);
    }
    for (const Foreign& other : foreign) {
        if (text.compare(std::min(other.place, text.size()), other.mark.size(), other.mark) == 0) {
            throw bench::UsageError(fmt::format("cannot read {}: {}", path, other.what));
        }
    }
    if (text.find('\n') == text.npos) {
        std::replace(text.begin(), text.end(), '\r', '\n');  // lines that end as on an old Mac
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
        const auto size = std::min(rest_.find('\n'), rest_.size());
        if (size == rest_.size()) {
            end_ = "; the last line has no line break: if the file was cut, its last number may be wrong";
        }
        line_ = rest_.substr(0, size);
        rest_.remove_prefix(std::min(size + 1, rest_.size()));
        words = words_of(*line_);
    } while (words.empty());
    return words;
}

void Lines::refuse(std::string_view expected) const {
    throw bench::UsageError(fmt::format("{}:{}: expected {}, found {}{}", path_, number_, expected,
                                        line_ ? "'" + printable(*line_) + "'" : "the end of the file",
                                        line_ && line_->find(',') != line_->npos ? "; numbers have no commas" : ""));
}

void Lines::reject(std::string_view why) const { throw bench::UsageError(fmt::format("{}: {}", path_, why)); }

std::optional<double> Lines::number_of(std::string_view word) {
    std::string digits(without_plus(word));
    for (char& c : digits) c = c == 'd' || c == 'D' ? 'e' : c;  // exponents of Fortran
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
        return std::nullopt;
    }
    if (error == std::errc{}) return number;
    number = std::strtod(digits.c_str(), nullptr);  // which tells the ends of the range apart
    if (std::isfinite(number) && underflow_.empty()) {
        underflow_ = fmt::format("; {} in line {} is taken as {}", printable(word), number_, number);
    }
    return number;
}

void Lines::warn() const {
    const std::string odd = underflow_ + end_;
    if (!odd.empty()) {
        bench::say(program_invocation_short_name, fmt::format("warning: {}: {}", path_, odd.substr(2)));
    }
}

}  // namespace mcls
