// The command line: what it accepts and what it refuses.
#include "bench/options/options.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/values.hpp"
#include "tests/host/bench/sample_estimand.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Options;
using bench::parse_quantity;
using bench::UsageError;

constexpr std::uint64_t largest = UINT64_MAX;

TEST(ParseQuantity, AcceptsWholeNumbersInEveryDocumentedForm) {
    const std::pair<const char*, std::uint64_t> table[] = {
        {"0", 0},
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
        {"1.5e9", 1'500'000'000},
        {"2.5G", 2'500'000'000},
        {"0.001k", 1},
        {"12.50e1", 125},
        {"1.0e0", 1},
        {"18.446744073709551615e18", largest},
    };
    for (const auto& [text, value] : table) {
        EXPECT_EQ(parse_quantity("--iters", text, 0, largest), value) << text;
    }
    EXPECT_EQ(parse_quantity("--iters", "1", 1, 10), 1u);
    EXPECT_EQ(parse_quantity("--iters", "1e1", 1, 10), 10u);
}

TEST(ParseQuantity, RefusesEverythingElseInOneLine) {
    const std::string table[] = {
        "", "k", "e9", "e", "-1", "-0", "+1", " 1", "1 ", "1\n", "1.5", "1.0", ".5", "1.", "10x", "0x10", "1e", "1e+",
        "1e-3", "1e-0", "1ek", "1e3k", "1kk", "1kM", "1 k", "1K", "1m", "1g", "1t", "1P", "ten", "nan", "inf", "1,000",
        "1.5e0", "2.5e-1", "1.0005k", "1.e3", ".5k", "1.5.5k", "1.8446744073709551616e19", "1_000", "1'000", "1e3.0",
        "1e1e1", "--1", "1-", "0b1", "1u", "１", std::string("1\0", 2),
        // beyond 64 bits
        "18446744073709551616", "99999999999999999999999999", "1e20", "2e19", "1e400", "1e99999999999999999999",
        "18446744073709552k", "18446745T", "18446744073709551615T", std::string(200'000, '1')};
    for (const std::string& text : table) {
        const std::string line = line_of<UsageError>([&] { parse_quantity("--iters", text, 0, largest); });
        EXPECT_EQ(line.find("--iters: "), 0u) << line;
    }
    for (const char* text : {"0", "11", "1k"}) EXPECT_THROW(parse_quantity("--iters", text, 1, 10), UsageError);
}

using Own = std::shared_ptr<const bench::OwnOptions>;

/// A step whose program has these options of its own.
bench::Step step_of(bool on_gpu, const Own& own = {}) {
    bench::Step step = {};
    step.name = "v0";
    step.title = "Walks";
    step.technique = "one after the other";
    step.lesson = "What it teaches.";
    step.estimand = std::make_shared<sample_estimand::Walks>();
    step.cpu.streams = on_gpu ? 0 : 4096;
    step.own.options = own;
    return step;
}

using Arguments = std::vector<const char*>;

std::optional<Options> parsed(Arguments arguments, const bench::Step& step) {
    arguments.insert(arguments.begin(), "walks_v0");
    const auto count = static_cast<int>(arguments.size());
    return bench::parse_command_line(count, arguments.data(), "walks_v0", "1.0", step);
}

Options parse(const Arguments& arguments, bool on_gpu = true, const Own& own = {}) {
    return parsed(arguments, step_of(on_gpu, own)).value();
}

/// Asserts that these arguments are refused in one line that names all of the options.
void expect_refused(const Arguments& arguments, const std::vector<std::string>& options, bool on_gpu = true,
                    const Own& own = {}) {
    std::string command;
    for (const char* argument : arguments) command += std::string(" ") + argument;
    SCOPED_TRACE(command);
    const std::string line = line_of<UsageError>([&] { parse(arguments, on_gpu, own); });
    for (const std::string& option : options) EXPECT_NE((line + " ").find(option), std::string::npos) << line;
}

TEST(CommandLine, DefaultsAreThoseOfTheDocumentation) {
    const Options options = parse({});
    EXPECT_FALSE(options.iters || options.blocks || options.threads || options.launches || options.goal);
    EXPECT_FALSE(options.batch || options.devices || options.pooled());
    EXPECT_EQ(options.scaling, bench::Scaling::strong);
    EXPECT_EQ(options.min_time, 0.5);
    EXPECT_EQ(options.max_time, 15);
    EXPECT_EQ(options.seed, 1234u);
    EXPECT_EQ(options.device, 0);
    EXPECT_EQ(options.json + options.checkpoint + options.resume, "");
    EXPECT_EQ(options.checkpoint_every, 60);
    EXPECT_FALSE(options.profile || options.list_devices || options.quiet || options.oversubscribe ||
                 options.whole_calls || options.seed_given || options.device_given);
}

TEST(CommandLine, ReadsEveryOption) {
    const Options on_gpu = parse({"--blocks", "7", "--device", "3", "--list-devices", "--oversubscribe"});
    EXPECT_EQ(on_gpu.blocks, 7u);
    EXPECT_EQ(on_gpu.device, 3);
    EXPECT_TRUE(on_gpu.device_given);
    EXPECT_TRUE(on_gpu.list_devices);
    EXPECT_TRUE(on_gpu.oversubscribe);
    EXPECT_TRUE(parse({"--profile"}).profile);
    EXPECT_FALSE(parse({"--no-profile"}).profile);
    for (const bool gpu : {true, false}) {
        const Options options = parse({"--iters", "100k",       "--threads", "256",       "--min-time",
                                       "1.5",     "--max-time", "2.5",       "--seed",    "18446744073709551615",
                                       "--json",  "-",          "--csv",     "a.csv",     "--quiet",
                                       "--call",  "--batch",    "8",         "--scaling", "weak"},
                                      gpu);
        EXPECT_EQ(options.iters, 100'000u);
        EXPECT_EQ(options.threads, 256u);
        EXPECT_EQ(options.min_time, 1.5);
        EXPECT_EQ(options.max_time, 2.5);
        EXPECT_EQ(options.seed, largest);
        EXPECT_TRUE(options.seed_given);
        EXPECT_EQ(options.json, "-");
        EXPECT_EQ(options.csv, "a.csv");
        EXPECT_TRUE(options.quiet);
        EXPECT_TRUE(options.whole_calls);
        EXPECT_EQ(options.batch, 8u);
        EXPECT_EQ(options.scaling, bench::Scaling::weak);
        EXPECT_FALSE(options.pooled());
        const Options saved = parse({"--launches", "1e3", "--checkpoint", "run.ck", "--checkpoint-every", "0.25"}, gpu);
        EXPECT_EQ(saved.launches, 1000u);
        EXPECT_FALSE(saved.first);
        const Options part = parse({"--launches", "1k:2500", "--checkpoint", "run.ck"}, gpu);
        EXPECT_EQ(part.first, 1000u);
        EXPECT_EQ(part.launches, 1500u);
        EXPECT_EQ(parse({"--judge", "a", "b"}, gpu).judge, (std::vector<std::string>{"a", "b"}));
        EXPECT_TRUE(saved.pooled());
        EXPECT_EQ(saved.checkpoint, "run.ck");
        EXPECT_EQ(saved.checkpoint_every, 0.25);
        const Options resumed = parse({"--resume", "run.ck", "--path-steps", "2T", "--seed", "1234"}, gpu);
        EXPECT_EQ(resumed.resume, "run.ck");
        EXPECT_EQ(resumed.goal, 2'000'000'000'000u);
        EXPECT_TRUE(resumed.pooled());
        EXPECT_TRUE(resumed.seed_given) << "even the default: the checkpoint may have another";
        EXPECT_FALSE(parse({"--resume", "run.ck"}, gpu).pooled()) << "its goal is in the file";
    }
    EXPECT_NE(parse({"--seed", "random"}).seed, parse({"--seed", "random"}).seed);
    EXPECT_EQ(parse({"--max-time", "0.2"}).max_time, 0.2) << "shorter than the least time by default";
    EXPECT_EQ(parse({"--threads", "4096"}, false).threads, 4096u);
}

TEST(CommandLine, DevicesAreAListOrAll) {
    using Devices = bench::DeviceChoice;
    EXPECT_EQ(parse({"--devices", "all"}).devices, Devices()) << "empty for all";
    EXPECT_EQ(parse({"--devices", "2,0,3"}).devices, (Devices{2, 0, 3})) << "in this order";
    EXPECT_EQ(parse({"--devices=2147483647"}).devices, Devices{2147483647});
    EXPECT_FALSE(parse({"--devices", "0"}).device_given);
}

class TwoOptions : public bench::OwnOptions {
 public:
    std::vector<bench::OwnOption> list() const override {
        return {{"system", "NAME|FILE", "what to solve"},
                {"store", "", "into memory"},
                {"depth", "N", "what no step has", false},
                {"wide", "", "what no step is", false}};
    }
    std::string settle(const bench::OwnValues&, bench::Step&) const override { return ""; }
};

const Own two = std::make_shared<TwoOptions>();

TEST(CommandLine, KeepsTheValuesOfTheProgramsOwnOptions) {
    using Values = bench::OwnValues;
    for (const bool on_gpu : {true, false}) {
        EXPECT_EQ(parse({}, on_gpu, two).own, Values());
        EXPECT_EQ(parse({"--system", "a b.mtx"}, on_gpu, two).own, (Values{{"system", "a b.mtx"}}));
        EXPECT_EQ(parse({"--store", "--system=-3"}, on_gpu, two).own, (Values{{"store", ""}, {"system", "-3"}}));
        EXPECT_EQ(parse({"--wide", "--depth", "3"}, on_gpu, two).own, (Values{{"wide", ""}, {"depth", "3"}}))
            << "for the program to refuse";
    }
    expect_refused({"--system"}, {"--system"}, true, two);
    expect_refused({"--system", "a", "--system", "b"}, {"--system"}, true, two);
    expect_refused({"--store=2"}, {"--store"}, true, two);
    expect_refused({"--store"}, {"--store"});
}

TEST(CommandLine, HelpListsWhatTheProgramAccepts) {
    const auto lists = [](const bench::Step& step, const std::string& option) {
        testing::internal::CaptureStdout();
        EXPECT_FALSE(parsed({"--help"}, step));
        return testing::internal::GetCapturedStdout().find("  " + option + " ") != std::string::npos;
    };
    for (const char* option : {"--iters", "--system", "--store"}) EXPECT_TRUE(lists(step_of(true, two), option));
    for (const char* option : {"--depth", "--wide"}) EXPECT_FALSE(lists(step_of(true, two), option));
    bench::Step always_one = step_of(true);
    always_one.most_iters = 1;
    EXPECT_FALSE(lists(always_one, "--iters"));
    EXPECT_EQ(parsed({"--iters", "2"}, always_one)->iters, 2u) << "for the step to refuse";
}

TEST(CommandLine, NamesWhatItDoesNotKnowAsItWasGiven) {
    expect_refused({"--block", "2"}, {"--block 2", "did you mean --blocks?"});
    expect_refused({"--bogus", "2"}, {"--bogus 2", "see --help"});
    expect_refused({"--blocks", "2", "7"}, {" 7;"}, false);
    expect_refused({"v8"}, {" v8;"});
}

TEST(CommandLine, RefusesBadValues) {
    const std::pair<const char*, Arguments> table[] = {
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
        for (const char* value : values) expect_refused({"--launches", "5", option, value}, {option});
        expect_refused({"--launches", "5", option}, {option});
    }
    expect_refused({"--oversubscribe=1"}, {"--oversubscribe"});
    expect_refused({"--json=out.json", "-5"}, {"-5"});            // no part of the value that is there
    expect_refused({"--threads", "4097"}, {"--threads"}, false);  // more than streams
}

TEST(CommandLine, RefusesWhatContradictsItselfOrIsAboutNothing) {
    for (const bool on_gpu : {true, false}) {
        expect_refused({"--path-steps", "1T", "--launches", "3"}, {"--launches"}, on_gpu);
        expect_refused({"--launches", "5", "--checkpoint", "a", "--resume", "b"}, {"--checkpoint ", "--resume"},
                       on_gpu);
        for (const char* limit : {"--min-time", "--max-time"}) {
            expect_refused({"--resume", "b", limit, "3"}, {"--resume", limit}, on_gpu);
            expect_refused({"--launches", "20", limit, "3"}, {"--launches", limit}, on_gpu);
        }
        expect_refused({"--min-time", "3", "--max-time", "2.5"}, {"--min-time 3", "--max-time 2.5"}, on_gpu);
        expect_refused({"--min-time", "16"}, {"--min-time 16", "--max-time 15"}, on_gpu);
        expect_refused({"--call", "--launches", "4", "--checkpoint", "run.ck"}, {"--call", "--checkpoint"}, on_gpu);
        expect_refused({"--call", "--resume", "run.ck"}, {"--call", "--resume"}, on_gpu);
        expect_refused({"--scaling", "strong", "--max-time", "1"}, {"--scaling"}, on_gpu);
        expect_refused({"--json", "a", "--csv", "./a"}, {"--csv", "--json"}, on_gpu);
        expect_refused({"--json", "-", "--csv", "-"}, {"--csv", "--json"}, on_gpu);
        expect_refused({"--csv", "a", "--launches", "4", "--checkpoint", "a"}, {"--csv", "checkpoint"}, on_gpu);
        expect_refused({"--launches", "3:5"}, {"--launches", "--checkpoint"}, on_gpu);
        expect_refused({"--launches", "5:5", "--checkpoint", "a"}, {"--launches"}, on_gpu);
        expect_refused({"--judge", "a", "--launches", "5"}, {"--judge", "--launches"}, on_gpu);
        expect_refused({"--checkpoint", "a"}, {"--checkpoint ", "--launches", "--path-steps"}, on_gpu);
        expect_refused({"--checkpoint-every", "5"}, {"--checkpoint-every", "--checkpoint ", "--resume"}, on_gpu);
    }
    expect_refused({"--devices", "0", "--device", "0"}, {"--devices ", "--device "});
    expect_refused({"--call", "--devices", "all"}, {"--call", "--devices"});
    const Arguments others[] = {{"--devices", "0"},  {"--batch", "2"},    {"--resume", "a"},     {"--checkpoint", "a"},
                                {"--json", "-"},     {"--call"},          {"--csv", "-"},        {"--max-time", "1"},
                                {"--min-time", "1"}, {"--launches", "2"}, {"--path-steps", "1"}, {"--no-profile"}};
    for (Arguments arguments : others) {
        const std::string other = arguments.front();
        arguments.insert(arguments.begin(), "--profile");
        expect_refused(arguments, {"--profile", other});
    }
}

TEST(CommandLine, ProgramsForTheCpuHaveNoGpuOptions) {
    const Arguments table[] = {{"--blocks", "7"}, {"--device", "0"}, {"--devices", "0"}, {"--oversubscribe"},
                               {"--profile"},     {"--no-profile"},  {"--list-devices"}};
    for (const Arguments& arguments : table) expect_refused(arguments, {arguments.front()}, false);
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

TEST(CommandLine, IsThatOfAProfileUnderAToolThatSlowsLaunchesUnlessTheUserSaysOtherwise) {
    for (const auto& [variable, tool] : {std::pair("NV_COMPUTE_PROFILER_PERFWORKS_DIR", "Nsight Compute"),
                                         {"NV_SANITIZER_INJECTION_PORT_BASE", "compute-sanitizer"}}) {
        const Under under(variable);
        const Arguments profiled[] = {{}, {"--iters", "5"}, {"--quiet"}, {"--device", "1", "--seed", "7"}};
        for (const Arguments& arguments : profiled) {
            EXPECT_TRUE(parse(arguments).profile);
            EXPECT_EQ(parse(arguments).profiled_by, tool);
        }
        const Arguments measured[] = {{"--no-profile"},
                                      {"--no-profile", "--json", "-", "--max-time", "1"},
                                      {"--launches", "3", "--json", "-"},
                                      {"--json", "-"},
                                      {"--max-time", "1"},
                                      {"--batch", "2"},
                                      {"--devices", "all"},
                                      {"--path-steps", "1T", "--devices", "all"},
                                      {"--resume", "run.ck"},
                                      {"--list-devices"}};
        for (const Arguments& arguments : measured) EXPECT_FALSE(parse(arguments).profile) << arguments.front();
        EXPECT_EQ(parse({"--profile"}).profiled_by, "") << "nothing to explain";
        EXPECT_FALSE(parse({}, false).profile) << "a program for the CPU is not slowed";
    }
    for (const char* variable : {"NSYS_PROFILING_SESSION_ID", "CUDA_INJECTION64_PATH"}) {
        const Under under(variable);
        EXPECT_FALSE(parse({"--json", "-"}).profile) << variable << " slows nothing";
    }
}

}  // namespace
