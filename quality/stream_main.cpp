// suite_stream: writes the random words of a version, for a test battery to read.
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "bench/errors.hpp"
#include "bench/options/app.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/record/record.hpp"
#include "bench/text.hpp"
#include "quality/catalogue.hpp"
#include "quality/launch_words.hpp"

namespace {

using bench::UsageError;

static_assert(std::endian::native == std::endian::little, "words are written as they lie in memory");

constexpr const char* program = "suite_stream";
constexpr const char* description =
    "Writes the random words of a version's threads to stdout: raw, 32 bits each, little-endian, without end.\n"
    "Feed them to dieharder (-g 200), PractRand (RNG_test stdin32) or another test battery.";
constexpr std::uint64_t max_streams = 1 << 24;
constexpr std::size_t buffer_words = 1 << 16;

struct Options {
    std::string name;
    quality::WordOrder order;
    std::string order_name = "interleaved";
    std::optional<std::uint64_t> iters;
    std::optional<std::uint64_t> words;
    bool upper_24 = false;
    bool list = false;
};

void add_options(CLI::App& app, Options& o) {
    app.add_option("name", o.name, "a version (v8) or a generator; see --list")->type_name("NAME");
    app.add_flag("--list", o.list, "list all versions and generators")->disable_flag_override();
    bench::add_quantity(app, "--streams", 1, max_streams, "number of threads (default 1)",
                        [&](auto n) { o.order.threads = n; });
    app.add_option("--order", o.order_name,
                   "interleaved: one draw from each thread in turn (default); thread: all draws of a thread, then\n"
                   "those of the next, then the next launch")
        ->type_name("interleaved|thread");
    bench::add_quantity(app, "--iters", 1, UINT32_MAX,
                        "with --order thread: samples per thread, two words each (default 100000)",
                        [&](auto n) { o.iters = n; });
    app.add_flag("--lanes", o.order.lanes, "write the 32 lanes of bit planes; for bit-sliced generators")
        ->disable_flag_override();
    const auto coordinates = app.add_flag("--coordinates", o.order.pairs,
                                          "write the coordinates x, y of samples as 32-bit floats, not the words")
                                 ->disable_flag_override();
    app.add_flag("--upper-24", o.upper_24,
                 "write the upper 24 bits of each word, which a float keeps, in 3 bytes without gaps")
        ->disable_flag_override()
        ->excludes(coordinates);
    bench::add_quantity(app, "--seed", 0, UINT64_MAX, "seed of the run (default 1234)",
                        [&](auto n) { o.order.seed = n; });
    bench::add_quantity(app, "--launch", 0, UINT32_MAX, "number of the launch (default 0)",
                        [&](auto n) { o.order.launch = n; });
    bench::add_quantity(app, "--words", 1, UINT64_MAX / 4, "stop after N words", [&](auto n) { o.words = n; });
}

/// Parses the command line. Returns nothing after printing --help or --version.
std::optional<Options> parse(int argc, const char* const* argv) {
    Options o;
    CLI::App app(description, program);
    add_options(app, o);
    if (!bench::parse(app, argc, argv)) {
        return std::nullopt;
    }
    if (o.order_name != "interleaved" && o.order_name != "thread") {
        throw UsageError(fmt::format("--order {}: use interleaved or thread", bench::quoted(o.order_name)));
    }
    if (o.iters && o.order_name != "thread") {
        throw UsageError("--iters needs --order thread: interleaved streams never end");
    }
    if (o.order_name == "thread") {
        o.order.words_per_thread = 2 * o.iters.value_or(100'000);
    }
    return o;
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " ")); }

std::string list_text() {
    std::string text = fmt::format("{:<24}{:<28}{:<53}{}\n", "name", "versions", "soundness", "generator");
    for (const quality::Entry& entry : quality::catalogue()) {
        const bench::Source& source = *entry.source;
        text += fmt::format("{:<24}{:<28}{:<53}{}{}\n", source.name, entry.is_specimen() ? "-" : joined(entry.versions),
                            entry.is_specimen() ? "known faults" : bench::text_of(source.soundness), source.generator,
                            source.bit_planes ? " (--lanes)" : "");
    }
    return text;
}

/// Writes all elements to stdout. Returns false if the reader has closed the pipe. Throws WriteError on any other failure.
template <typename T>
bool write_all(const std::vector<T>& elements) {
    const char* at = reinterpret_cast<const char*>(elements.data());
    std::size_t left = elements.size() * sizeof elements[0];
    while (left > 0) {
        const ssize_t written = write(STDOUT_FILENO, at, left);
        if (written < 0 && errno == EPIPE) {
            return false;
        }
        if (written < 0 && errno != EINTR) {
            throw bench::WriteError(fmt::format("stdout: {}", std::strerror(errno)));
        }
        at += std::max<ssize_t>(written, 0);
        left -= static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    return true;
}

void to_coordinates(std::vector<std::uint32_t>& words, float (*coordinate)(std::uint32_t)) {
    for (std::uint32_t& word : words) {
        word = std::bit_cast<std::uint32_t>(coordinate(word));
    }
}

/// The upper 24 bits of each word, as little-endian as the words.
std::vector<std::uint8_t> upper_24_bits(const std::vector<std::uint32_t>& words) {
    std::vector<std::uint8_t> bytes(3 * words.size() + 1);
    for (std::size_t i = 0; i < words.size(); i++) {
        const std::uint32_t upper = words[i] >> 8;
        std::memcpy(&bytes[3 * i], &upper, sizeof upper);  // the next word covers the byte that is too much
    }
    bytes.pop_back();
    return bytes;
}

void stream(const Options& o) {
    const bench::Source& source = quality::source_named(o.name);
    quality::LaunchWords launch(source, o.order);
    std::uint64_t left = o.words.value_or(UINT64_MAX);
    bool open = true;
    for (std::vector<std::uint32_t> words; open && left > 0; words.clear()) {
        while (words.size() < std::min<std::uint64_t>(left, buffer_words)) {
            launch.turn(words);
        }
        words.resize(std::min<std::uint64_t>(left, words.size()));
        if (o.order.pairs) {
            to_coordinates(words, source.coordinate);
        }
        left -= o.words ? words.size() : 0;
        open = o.upper_24 ? write_all(upper_24_bits(words)) : write_all(words);
    }
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        bench::release_interrupts();  // an endless stream has no result to lose
        std::signal(SIGPIPE, SIG_IGN);
        const auto options = parse(argc, argv);
        if (!options) {
            return;
        }
        if (options->list) {
            bench::write_stdout(list_text());
            return;
        }
        if (options->name.empty()) {
            throw UsageError("name a version or a generator; --list shows all");
        }
        if (isatty(STDOUT_FILENO)) {
            throw UsageError("stdout is a terminal: send the words into a pipe or a file");
        }
        stream(*options);
    });
}
