// testu01_stdin: runs a battery of TestU01 on the words of its standard input, such as those of suite_stream.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

extern "C" {
#include <bbattery.h>
#include <swrite.h>
#include <unif01.h>
}

#include "bench/errors.hpp"
#include "bench/options/app.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/text.hpp"

namespace {

using bench::UsageError;

constexpr const char* program = "testu01_stdin";
constexpr const char* description =
    "Runs a battery of TestU01 on random words from stdin: raw, 32 bits each, little-endian, such as those of "
    "suite_stream.\n"
    "Prints TestU01's report, then the number of words and all p-values.";

struct Battery {
    const char* name;
    int tests;
    void (*run)(unif01_Gen* generator, int repetitions[]);  // the repetitions of test n are the element n
};
constexpr Battery batteries[] = {
    {"SmallCrush", 10, bbattery_RepeatSmallCrush},
    {"Crush", 96, bbattery_RepeatCrush},
    {"BigCrush", 106, bbattery_RepeatBigCrush},
};

struct Options {
    std::string battery;
    std::vector<int> tests;
    bool reversed = false;
};

std::optional<Options> parse(int argc, const char* const* argv) {
    Options o;
    CLI::App app(description, program);
    app.add_option("battery", o.battery, "the battery")->type_name("SmallCrush|Crush|BigCrush");
    app.add_option("--tests", o.tests, "only these tests, by TestU01's numbers, such as 1,4 (default: all)")
        ->delimiter(',')
        ->type_name("N,...");
    app.add_flag("--reversed", o.reversed,
                 "reverse the bits of each word: the tests look at leading bits more than at others")
        ->disable_flag_override();
    if (!bench::parse(app, argc, argv)) {
        return std::nullopt;
    }
    return o;
}

const Battery& battery_named(const std::string& name) {
    for (const Battery& battery : batteries) {
        if (name == battery.name) {
            return battery;
        }
    }
    throw UsageError(name.empty()
                         ? std::string("name a battery: SmallCrush, Crush or BigCrush")
                         : fmt::format("{} is no battery: use SmallCrush, Crush or BigCrush", bench::quoted(name)));
}

/// How often each test runs, as TestU01 takes it.
std::vector<int> repetitions_of(const Battery& battery, const std::vector<int>& tests) {
    std::vector<int> repetitions(battery.tests + 1, tests.empty() ? 1 : 0);
    for (const int test : tests) {
        if (test < 1 || test > battery.tests) {
            throw UsageError(fmt::format("--tests {}: {} has the tests 1 to {}", test, battery.name, battery.tests));
        }
        repetitions[test] = 1;
    }
    return repetitions;
}

std::uint32_t reversed(std::uint32_t word) {
    word = (word & 0x55555555u) << 1 | (word >> 1 & 0x55555555u);
    word = (word & 0x33333333u) << 2 | (word >> 2 & 0x33333333u);
    word = (word & 0x0f0f0f0fu) << 4 | (word >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(word);
}

/// The words of stdin.
class Words {
 public:
    explicit Words(bool reverses) : reverses_(reverses) {}

    std::uint32_t next() {
        if (at_ == words_in_buffer_) {
            fill();
        }
        const std::uint32_t word = buffer_[at_++];
        return reverses_ ? reversed(word) : word;
    }

    std::uint64_t taken() const { return filled_ - words_in_buffer_ + at_; }

 private:
    void fill() {
        std::size_t bytes = 0;
        while (bytes < sizeof buffer_) {
            const ssize_t got =
                read(STDIN_FILENO, reinterpret_cast<char*>(buffer_.data()) + bytes, sizeof buffer_ - bytes);
            if (got == 0) {
                break;
            }
            if (got < 0 && errno != EINTR) {
                stop(fmt::format("stdin: {}", std::strerror(errno)));
            }
            bytes += got > 0 ? static_cast<std::size_t>(got) : 0;
        }
        words_in_buffer_ = bytes / sizeof buffer_[0];
        filled_ += words_in_buffer_;
        at_ = 0;
        if (words_in_buffer_ == 0) {
            stop(fmt::format("stdin ended after {} words: the tests need more", filled_));
        }
    }

    /// Ends the program. An exception cannot pass through TestU01, which is C.
    [[noreturn]] static void stop(const std::string& text) {
        std::fflush(stdout);
        bench::say(program, text);
        std::_Exit(bench::exit_machine);
    }

    std::array<std::uint32_t, 1 << 14> buffer_;
    std::size_t words_in_buffer_ = 0;
    std::size_t at_ = 0;
    std::uint64_t filled_ = 0;  // words read, of which the last words_in_buffer_ - at_ are not taken yet
    bool reverses_;
};

unsigned long bits_of(void*, void* words) { return static_cast<Words*>(words)->next(); }
double uniform_of(void*, void* words) { return static_cast<Words*>(words)->next() * 0x1p-32; }
void write_state(void*) {}

std::string results_text(const Words& words) {
    std::string text = fmt::format("words = {}\n", words.taken());
    for (int i = 0; i < bbattery_NTests; i++) {
        if (bbattery_pVal[i] >= 0) {  // -1 stands for a test that did not run
            text += fmt::format("p = {:<24} {}\n", bbattery_pVal[i], bbattery_TestNames[i]);
        }
    }
    return text;
}

void run(const Battery& battery, std::vector<int> repetitions, bool reverses) {
    Words words(reverses);
    std::string name = "stdin";
    unif01_Gen generator = {&words, nullptr, name.data(), uniform_of, bits_of, write_state};
    swrite_Basic = FALSE;  // only the summary
    battery.run(&generator, repetitions.data());
    std::fflush(stdout);
    bench::write_stdout(results_text(words));
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        bench::release_interrupts();
        const auto options = parse(argc, argv);
        if (!options) {
            return;
        }
        const Battery& battery = battery_named(options->battery);
        const auto repetitions = repetitions_of(battery, options->tests);
        if (isatty(STDIN_FILENO)) {
            throw UsageError("stdin is a terminal: pipe words into it, such as those of suite_stream");
        }
        run(battery, repetitions, options->reversed);
    });
}
