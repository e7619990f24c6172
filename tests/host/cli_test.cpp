// What the command line accepts.
#include "bench/cli.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"

namespace {

using bench::Options;
using bench::parse_quantity;
using bench::UsageError;

constexpr std::uint64_t largest = UINT64_MAX;

TEST(ParseQuantity, AcceptsWholeNumbersInEveryDocumentedForm) {
    const std::pair<const char*, std::uint64_t> table[] = {
        {"0", 0},
        {"1", 1},
        {"42", 42},
        {"18446744073709551615", largest},
        {"1e9", 1'000'000'000},
        {"1e+3", 1'000},
        {"12e2", 1'200},
        {"1e0", 1},
        {"1e19", 10'000'000'000'000'000'000u},
        {"100k", 100'000},
        {"2M", 2'000'000},
        {"3G", 3'000'000'000},
        {"4T", 4'000'000'000'000},
        {"18446744073709551k", 18'446'744'073'709'551'000u},
    };
    for (const auto& [text, value] : table) {
        EXPECT_EQ(parse_quantity("--iters", text, 0, largest), value) << text;
    }
}

TEST(ParseQuantity, RefusesEverythingElse) {
    const std::string table[] = {
        "",      "k",     "e9",    "e",     "-1",    "-0",  "+1",  " 1",   "1 ",   "1\n", "1.5",
        "1.0",   ".5",    "1.",    "10x",   "0x10",  "1e",  "1e+", "1e-3", "1e-0", "1ek", "1e3k",
        "1kk",   "1kM",   "1 k",   "1K",    "1m",    "1g",  "1t",  "1P",   "ten",  "nan", "inf",
        "1,000", "1_000", "1'000", "1e3.0", "1e1e1", "--1", "1-",  "0b1",  "1u",   "１",  std::string("1\0", 2),
    };
    for (const std::string& text : table) {
        EXPECT_THROW(parse_quantity("--iters", text, 0, largest), UsageError) << '"' << text << '"';
    }
}

TEST(ParseQuantity, RefusesWhatPasses64Bits) {
    for (const char* text : {"18446744073709551616", "99999999999999999999999999", "1e20", "2e19", "1e400",
                             "1e99999999999999999999", "18446744073709552k", "18446745T", "18446744073709551615T"}) {
        EXPECT_THROW(parse_quantity("--iters", text, 0, largest), UsageError) << text;
    }
}

TEST(ParseQuantity, KeepsToTheLimits) {
    EXPECT_EQ(parse_quantity("--iters", "1", 1, 10), 1u);
    EXPECT_EQ(parse_quantity("--iters", "10", 1, 10), 10u);
    EXPECT_EQ(parse_quantity("--iters", "1e1", 1, 10), 10u);
    EXPECT_THROW(parse_quantity("--iters", "0", 1, 10), UsageError);
    EXPECT_THROW(parse_quantity("--iters", "11", 1, 10), UsageError);
    EXPECT_THROW(parse_quantity("--iters", "1k", 1, 10), UsageError);
}

TEST(ParseQuantity, NamesTheOptionInOneLine) {
    for (const char* text : {"ten", "1\n2", "0", "11", "1e400"}) {
        try {
            parse_quantity("--iters", text, 1, 10);
            ADD_FAILURE() << "accepted " << text;
        } catch (const UsageError& error) {
            const std::string line = error.what();
            EXPECT_NE(line.find("--iters"), std::string::npos) << line;
            EXPECT_EQ(line.find('\n'), std::string::npos) << line;
            EXPECT_EQ(error.code(), 2);
        }
    }
}

Options parse(std::vector<const char*> arguments, bool on_gpu = true) {
    arguments.insert(arguments.begin(), "pi_v0");
    const bench::ProgramFacts facts = {"pi_v0", "what it teaches", on_gpu, 100'000, "one block", 4096};
    const auto options = bench::parse_command_line(static_cast<int>(arguments.size()), arguments.data(), facts);
    EXPECT_TRUE(options);
    return options.value();
}

TEST(CommandLine, DefaultsAreThoseOfTheDocumentation) {
    const Options options = parse({});
    EXPECT_FALSE(options.iters || options.blocks || options.threads || options.launches || options.samples);
    EXPECT_EQ(options.max_time, 15);
    EXPECT_EQ(options.seed, 1234u);
    EXPECT_EQ(options.device, 0);
    EXPECT_EQ(options.json, "");
    EXPECT_FALSE(options.profile || options.list_devices || options.quiet);
}

TEST(CommandLine, ReadsEveryOption) {
    const Options options =
        parse({"--iters", "100k", "--blocks", "7", "--threads", "256", "--max-time", "2.5", "--seed",
               "18446744073709551615", "--device", "3", "--json", "-", "--list-devices", "--quiet"});
    EXPECT_EQ(options.iters, 100'000u);
    EXPECT_EQ(options.blocks, 7u);
    EXPECT_EQ(options.threads, 256u);
    EXPECT_EQ(options.max_time, 2.5);
    EXPECT_EQ(options.seed, largest);
    EXPECT_EQ(options.device, 3);
    EXPECT_EQ(options.json, "-");
    EXPECT_TRUE(options.list_devices);
    EXPECT_TRUE(options.quiet);
    EXPECT_EQ(parse({"--launches", "1e3"}).launches, 1000u);
    EXPECT_EQ(parse({"--samples", "1T"}).samples, 1'000'000'000'000u);
    EXPECT_TRUE(parse({"--profile"}).profile);
}

TEST(CommandLine, ASeedMayBeDrawn) { EXPECT_NE(parse({"--seed", "random"}).seed, parse({"--seed", "random"}).seed); }

TEST(CommandLine, AFixedAmountOfWorkIsPooled) {
    EXPECT_TRUE(parse({"--launches", "1"}).pooled());
    EXPECT_TRUE(parse({"--samples", "1"}).pooled());
    EXPECT_FALSE(parse({"--max-time", "1"}).pooled());
}

TEST(CommandLine, LaunchesAndSamplesExcludeEachOther) {
    EXPECT_THROW(parse({"--samples", "1T", "--launches", "3"}), UsageError);
}

TEST(CommandLine, ProgramsForTheCpuHaveNoGpuOptions) {
    EXPECT_EQ(parse({"--threads", "3"}, false).threads, 3u);
    EXPECT_EQ(parse({"--threads", "4096"}, false).threads, 4096u);
    EXPECT_THROW(parse({"--threads", "4097"}, false), UsageError) << "more threads than streams";
    for (const std::vector<const char*>& arguments :
         {std::vector{"--blocks", "7"}, {"--device", "0"}, {"--profile"}, {"--list-devices"}}) {
        EXPECT_THROW(parse(arguments, false), UsageError) << arguments.front();
    }
}

TEST(CommandLine, ANegativeWordIsNoPartOfAValueThatIsThere) {
    EXPECT_THROW(parse({"--json=out.json", "-5"}, true), UsageError);
}

TEST(ParseQuantity, RefusesAnEndlessNumber) {
    EXPECT_THROW(bench::parse_quantity("--iters", std::string(200'000, '1'), 1, 100), UsageError);
}

}  // namespace
