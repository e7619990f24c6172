// The command line: what it accepts and what it refuses.
#include "bench/options/options.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/values.hpp"

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

using Own = std::shared_ptr<const bench::OwnOptions>;

bench::ProgramFacts facts_of(bool on_gpu, const Own& own = {}) {
    return {.name = "pi_v0",
            .units = "samples",
            .iterations = "samples",
            .work_is_known = true,
            .precision = "its error",
            .description = "what it teaches",
            .on_gpu = on_gpu,
            .default_iters = 100'000,
            .default_shape = "one block",
            .streams = 4096,
            .own_options = own};
}

Options parsed(std::vector<const char*> arguments, const bench::ProgramFacts& facts) {
    arguments.insert(arguments.begin(), "pi_v0");
    const auto options = bench::parse_command_line(static_cast<int>(arguments.size()), arguments.data(), facts);
    EXPECT_TRUE(options);
    return options.value();
}

Options parse(const std::vector<const char*>& arguments, bool on_gpu = true, const Own& own = {}) {
    return parsed(arguments, facts_of(on_gpu, own));
}

std::string help_of(const bench::ProgramFacts& facts) {
    const char* const arguments[] = {"pi_v0", "--help"};
    testing::internal::CaptureStdout();
    EXPECT_FALSE(bench::parse_command_line(2, arguments, facts));
    return testing::internal::GetCapturedStdout();
}

bool lists(const std::string& help, const std::string& option) {
    return help.find("  " + option + " ") != std::string::npos;
}

/// Asserts that these arguments are refused in one line that names all of the options.
void expect_refused(const std::vector<const char*>& arguments, const std::vector<std::string>& options,
                    bool on_gpu = true, const Own& own = {}) {
    std::string command;
    for (const char* argument : arguments) command += std::string(" ") + argument;
    try {
        parse(arguments, on_gpu, own);
        ADD_FAILURE() << "accepted" << command;
    } catch (const UsageError& error) {
        const std::string line = error.what();
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        for (const std::string& option : options) {
            EXPECT_NE((line + " ").find(option), std::string::npos) << command << ": " << line;
        }
    }
}

TEST(CommandLine, DefaultsAreThoseOfTheDocumentation) {
    const Options options = parse({});
    EXPECT_FALSE(options.iters || options.blocks || options.threads || options.launches || options.goal);
    EXPECT_FALSE(options.batch || options.devices);
    EXPECT_EQ(options.scaling, bench::Scaling::strong);
    EXPECT_EQ(options.min_time, 0.5);
    EXPECT_EQ(options.max_time, 15);
    EXPECT_EQ(options.seed, 1234u);
    EXPECT_EQ(options.device, 0);
    EXPECT_EQ(options.json, "");
    EXPECT_EQ(options.checkpoint, "");
    EXPECT_EQ(options.checkpoint_every, 60);
    EXPECT_EQ(options.resume, "");
    EXPECT_FALSE(options.profile || options.list_devices || options.quiet || options.oversubscribe);
    EXPECT_FALSE(options.seed_given || options.device_given);
}

TEST(CommandLine, ReadsEveryOption) {
    const Options options =
        parse({"--iters", "100k", "--blocks", "7", "--threads", "256", "--min-time", "1.5", "--max-time", "2.5",
               "--seed", "18446744073709551615", "--device", "3", "--json", "-", "--list-devices", "--quiet"});
    EXPECT_EQ(options.iters, 100'000u);
    EXPECT_EQ(options.blocks, 7u);
    EXPECT_EQ(options.threads, 256u);
    EXPECT_EQ(options.min_time, 1.5);
    EXPECT_EQ(options.max_time, 2.5);
    EXPECT_EQ(options.seed, largest);
    EXPECT_EQ(options.device, 3);
    EXPECT_EQ(options.json, "-");
    EXPECT_TRUE(options.list_devices);
    EXPECT_TRUE(options.quiet);
    EXPECT_EQ(parse({"--launches", "1e3"}).launches, 1000u);
    EXPECT_EQ(parse({"--samples", "1T"}).goal, 1'000'000'000'000u);
    EXPECT_TRUE(parse({"--profile"}).profile);
    EXPECT_FALSE(parse({"--no-profile"}).profile);
}

class TwoOptions : public bench::OwnOptions {
 public:
    std::vector<bench::OwnOption> list() const override {
        return {{"system", "NAME|FILE", "what to solve"},
                {"store", "", "into memory"},
                {"depth", "N", "what no step has", false},
                {"wide", "", "what no step is", false}};
    }
};

const Own two = std::make_shared<TwoOptions>();

TEST(CommandLine, KeepsTheValuesOfTheProgramsOwnOptions) {
    using Values = bench::OwnValues;
    EXPECT_EQ(parse({}, true, two).own, Values());
    for (const bool on_gpu : {true, false}) {
        EXPECT_EQ(parse({"--system", "a b.mtx"}, on_gpu, two).own, (Values{{"system", "a b.mtx"}}));
        EXPECT_EQ(parse({"--store", "--system=-3"}, on_gpu, two).own, (Values{{"store", ""}, {"system", "-3"}}));
        EXPECT_EQ(parse({"--wide", "--depth", "3"}, on_gpu, two).own, (Values{{"wide", ""}, {"depth", "3"}}))
            << "for the program to refuse";
    }
}

TEST(CommandLine, HelpListsWhatTheProgramAccepts) {
    const std::string all = help_of(facts_of(true, two));
    for (const char* option : {"--iters", "--system", "--store"}) EXPECT_TRUE(lists(all, option)) << all;
    for (const char* option : {"--depth", "--wide"}) EXPECT_FALSE(lists(all, option)) << all;
    bench::ProgramFacts always_one = facts_of(true);
    always_one.default_iters.reset();
    EXPECT_FALSE(lists(help_of(always_one), "--iters"));
    EXPECT_EQ(parsed({"--iters", "2"}, always_one).iters, 2u) << "for the step to refuse";
}

TEST(CommandLine, RefusesWhatIsNotAnOwnOption) {
    expect_refused({"--system"}, {"--system"}, true, two);
    expect_refused({"--system", "a", "--system", "b"}, {"--system"}, true, two);
    expect_refused({"--store=2"}, {"--store"}, true, two);
    expect_refused({"--store"}, {"--store"});
}

TEST(CommandLine, ReadsTheOptionsOfCheckpoints) {
    for (const bool on_gpu : {true, false}) {
        const Options options =
            parse({"--launches", "9", "--checkpoint", "run.ck", "--checkpoint-every", "0.25"}, on_gpu);
        EXPECT_EQ(options.checkpoint, "run.ck");
        EXPECT_EQ(options.checkpoint_every, 0.25);
        EXPECT_EQ(parse({"--samples", "1T", "--checkpoint", "run.ck"}, on_gpu).checkpoint, "run.ck");
        const Options resumed = parse({"--resume", "run.ck", "--checkpoint-every", "600"}, on_gpu);
        EXPECT_EQ(resumed.resume, "run.ck");
        EXPECT_EQ(resumed.checkpoint_every, 600);
        EXPECT_FALSE(resumed.pooled()) << "its goal is in the file";
        EXPECT_EQ(parse({"--resume", "run.ck", "--samples", "2T"}, on_gpu).goal, 2'000'000'000'000u);
        EXPECT_EQ(parse({"--resume", "run.ck", "--launches", "7"}, on_gpu).launches, 7u);
    }
}

TEST(CommandLine, ReadsHowWorkIsShared) {
    for (const bool on_gpu : {true, false}) {
        EXPECT_EQ(parse({"--launches", "9", "--scaling", "weak"}, on_gpu).scaling, bench::Scaling::weak);
        EXPECT_EQ(parse({"--samples", "1T", "--scaling", "strong"}, on_gpu).scaling, bench::Scaling::strong);
        EXPECT_EQ(parse({"--batch", "8", "--scaling", "weak"}, on_gpu).batch, 8u);
        EXPECT_EQ(parse({"--batch", "1", "--max-time", "1"}, on_gpu).batch, 1u);
        EXPECT_EQ(parse({"--batch", "1k", "--launches", "5"}, on_gpu).batch, 1000u);
    }
    EXPECT_TRUE(parse({"--oversubscribe"}).oversubscribe);
}

TEST(CommandLine, DevicesAreAListOrAll) {
    using Devices = bench::DeviceChoice;
    EXPECT_EQ(parse({"--devices", "all"}).devices, Devices()) << "empty for all";
    EXPECT_EQ(parse({"--devices", "0"}).devices, Devices{0});
    EXPECT_EQ(parse({"--devices", "2,0,3"}).devices, (Devices{2, 0, 3})) << "in this order";
    EXPECT_EQ(parse({"--devices=2147483647"}).devices, Devices{2147483647});
}

TEST(CommandLine, RefusesBadValuesOfTheOptionsOfScale) {
    const std::pair<const char*, std::vector<const char*>> table[] = {
        {"--devices",
         {"", "0,0", "1,2,1", "0,", ",0", "0,,1", ",", "a", "-1", "0,-1", "all,0", "ALL", "1.5", "0 1", "0, 1", "0;1",
          "2147483648", "99999999999999999999"}},
        {"--scaling", {"", "both", "Weak", "STRONG", "weak ", "1", "-1"}},
        {"--batch", {"", "0", "-1", "1.5", "10x", "nan", "1e30", "99999999999999999999"}},
        {"--checkpoint", {""}},
        {"--checkpoint-every", {"", "0", "-1", "-0", "10x", "1 ", "inf", "nan", "1e999"}},
        {"--resume", {""}},
    };
    for (const auto& [option, values] : table) {
        for (const char* value : values) {
            expect_refused({"--launches", "5", option, value}, {option});
        }
    }
}

TEST(CommandLine, RefusesTheOptionsOfScaleWithoutAValue) {
    for (const char* option : {"--devices", "--scaling", "--batch", "--checkpoint", "--checkpoint-every", "--resume"}) {
        expect_refused({"--launches", "5", option}, {option});
    }
    expect_refused({"--oversubscribe=1"}, {"--oversubscribe"});
}

TEST(CommandLine, WholeCallsAreTimedAlone) {
    EXPECT_FALSE(parse({}).whole_calls);
    for (const bool on_gpu : {true, false}) {
        EXPECT_TRUE(parse({"--call", "--json", "-", "--batch", "4"}, on_gpu).whole_calls);
        EXPECT_TRUE(parse({"--call", "--launches", "4"}, on_gpu).pooled());
        expect_refused({"--call", "--launches", "4", "--checkpoint", "run.ck"}, {"--call", "--checkpoint"}, on_gpu);
        expect_refused({"--call", "--resume", "run.ck"}, {"--call", "--resume"}, on_gpu);
    }
    expect_refused({"--call", "--devices", "all"}, {"--call", "--devices"});
    expect_refused({"--call", "--profile"}, {"--call", "--profile"});
}

TEST(CommandLine, OptionsOfScaleExcludeWhatContradictsThem) {
    expect_refused({"--devices", "0", "--device", "0"}, {"--devices ", "--device "});
    expect_refused({"--device", "1", "--devices", "all"}, {"--devices ", "--device "});
    expect_refused({"--launches", "5", "--checkpoint", "a", "--resume", "b"}, {"--checkpoint ", "--resume"});
    for (const char* limit : {"--min-time", "--max-time"}) {
        expect_refused({"--resume", "b", limit, "3"}, {"--resume", limit});
        expect_refused({"--launches", "20", limit, "3"}, {"--launches", limit});
    }
    expect_refused({"--min-time", "3", "--max-time", "2.5"}, {"--min-time 3", "--max-time 2.5"});
    expect_refused({"--min-time", "16"}, {"--min-time 16", "--max-time 15"});
    EXPECT_EQ(parse({"--max-time", "0.2"}).max_time, 0.2) << "shorter than the least time by default";
    const std::vector<const char*> others[] = {
        {"--devices", "0"},  {"--batch", "2"},    {"--resume", "a"},   {"--checkpoint", "a"}, {"--json", "-"},
        {"--max-time", "1"}, {"--min-time", "1"}, {"--launches", "2"}, {"--samples", "1"},    {"--no-profile"}};
    for (std::vector<const char*> arguments : others) {
        const std::string other = arguments.front();
        arguments.insert(arguments.begin(), "--profile");
        expect_refused(arguments, {"--profile", other});
    }
}

TEST(CommandLine, OptionsOfScaleNeedWhatTheyAreAbout) {
    for (const bool on_gpu : {true, false}) {
        expect_refused({"--scaling", "weak"}, {"--scaling"}, on_gpu);
        expect_refused({"--scaling", "strong", "--max-time", "1"}, {"--scaling"}, on_gpu);
        expect_refused({"--checkpoint", "a"}, {"--checkpoint ", "--launches", "--samples"}, on_gpu);
        expect_refused({"--checkpoint", "a", "--max-time", "1"}, {"--checkpoint "}, on_gpu);
        expect_refused({"--checkpoint-every", "5"}, {"--checkpoint-every", "--checkpoint ", "--resume"}, on_gpu);
        expect_refused({"--checkpoint-every", "5", "--launches", "1"}, {"--checkpoint-every"}, on_gpu);
    }
}

// The user gave the value, even if it is the default: the checkpoint may have another.
TEST(CommandLine, TellsWhatWasGivenFromWhatWasNot) {
    EXPECT_TRUE(parse({"--seed", "1234"}).seed_given);
    EXPECT_TRUE(parse({"--seed", "1234"}, false).seed_given);
    EXPECT_TRUE(parse({"--device", "0"}).device_given);
    EXPECT_FALSE(parse({"--devices", "0"}).device_given);
    EXPECT_FALSE(parse({"--iters", "5"}, false).seed_given);
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
    for (const std::vector<const char*>& arguments : {std::vector{"--blocks", "7"},
                                                      {"--device", "0"},
                                                      {"--devices", "0"},
                                                      {"--oversubscribe"},
                                                      {"--profile"},
                                                      {"--no-profile"},
                                                      {"--list-devices"}}) {
        expect_refused(arguments, {arguments.front()}, false);
    }
}

/// Parses under a tool that sets this environment variable.
class Under {
 public:
    explicit Under(const char* variable) : variable_(variable) { setenv(variable, "1", 1); }
    Under(const Under&) = delete;
    Under& operator=(const Under&) = delete;
    ~Under() { unsetenv(variable_); }

 private:
    const char* variable_;
};

constexpr std::pair<const char*, const char*> slowing_tools[] = {
    {"NV_COMPUTE_PROFILER_PERFWORKS_DIR", "Nsight Compute"}, {"NV_SANITIZER_INJECTION_PORT_BASE", "compute-sanitizer"}};

TEST(CommandLine, IsThatOfAProfileUnderAToolThatSlowsLaunches) {
    for (const auto& [variable, tool] : slowing_tools) {
        const Under under(variable);
        for (const std::vector<const char*>& arguments :
             {std::vector<const char*>{}, {"--iters", "5"}, {"--quiet"}, {"--device", "1", "--seed", "7"}}) {
            const Options options = parse(arguments);
            EXPECT_TRUE(options.profile);
            EXPECT_EQ(options.profiled_by, tool);
        }
    }
}

TEST(CommandLine, IsTheUsersUnderATool) {
    for (const auto& [variable, tool] : slowing_tools) {
        const Under under(variable);
        for (const std::vector<const char*>& arguments : {std::vector{"--no-profile"},
                                                          {"--no-profile", "--json", "-", "--max-time", "1"},
                                                          {"--launches", "3", "--json", "-"},
                                                          {"--samples", "1T", "--devices", "all"},
                                                          {"--resume", "run.ck"},
                                                          {"--list-devices"}}) {
            EXPECT_FALSE(parse(arguments).profile) << arguments.front();
        }
        EXPECT_EQ(parse({"--profile"}).profiled_by, "") << "nothing to explain";
        EXPECT_FALSE(parse({}, false).profile) << "a program for the CPU is not slowed";
    }
}

TEST(CommandLine, RecordsNoRateByMistakeUnderATool) {
    for (const auto& [variable, tool] : slowing_tools) {
        const Under under(variable);
        for (const std::vector<const char*>& arguments :
             {std::vector{"--json", "-"}, {"--max-time", "1"}, {"--batch", "2"}, {"--devices", "all"}}) {
            expect_refused(arguments, {arguments.front(), tool, "--no-profile"});
        }
    }
}

TEST(CommandLine, IsAsEverUnderToolsThatDoNotSlowLaunches) {
    for (const char* variable : {"NSYS_PROFILING_SESSION_ID", "CUDA_INJECTION64_PATH"}) {
        const Under under(variable);
        EXPECT_FALSE(parse({"--json", "-"}).profile) << variable;
    }
}

TEST(CommandLine, ANegativeWordIsNoPartOfAValueThatIsThere) {
    EXPECT_THROW(parse({"--json=out.json", "-5"}, true), UsageError);
}

TEST(ParseQuantity, RefusesAnEndlessNumber) {
    EXPECT_THROW(bench::parse_quantity("--iters", std::string(200'000, '1'), 1, 100), UsageError);
}

}  // namespace
