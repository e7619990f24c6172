// A run as JSON and as text: nothing lost, nothing left out.
#include "bench/record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bench/team/world.hpp"

namespace {

using bench::Context;
using bench::Run;
using nlohmann::json;
using Keys = std::set<std::string>;

Context context() {
    return {
        .date = "2026-01-31T23:59:59Z",
        .build = {.commit = "0123456789abcdef0123456789abcdef01234567",
                  .dirty = true,
                  .compiler = "nvcc 13.0.88, GNU 12.2.0",
                  .flags = "kernels: -O3; CPU: -O3",
                  .optimized = true},
        .host = {.cpu = "Some CPU", .cores = 16, .os = "Linux 6.1.0"},
        .device = bench::DeviceFacts{.name = "NVIDIA H200",
                                     .major = 9,
                                     .minor = 0,
                                     .multiprocessors = 132,
                                     .max_clock_mhz = 1980,
                                     .memory_gib = 139.8,
                                     .ecc = true},
        .driver = "580.1",
        .runtime = "13.0",
    };
}

/// Three launches of a million samples in 1, 2 and 4 ms: 1, 0.5 and 0.25 samples/ns.
Run run() {
    return {
        .subject = {.version = "v7",
                    .title = "Xorshift32",
                    .technique = "own \"generator\"",
                    .generator = "xorshift32 (13, 17, 5)",
                    .soundness = bench::Soundness::demonstration,
                    .law = {{1, 2}},
                    .after = "v6"},
        .seed = 0xffffffffffffffff,
        .threads = 256,
        .iters = 1000,
        .samples_per_launch = 1'000'000,
        .launches = 3,
        .batch = 1,
        .kernel_ms = {4, 1, 2},
        .outcome = {.hits = 1'500'000, .samples = 3'000'000},
        .trace = {},
        .gpu = bench::GpuSide{.blocks = 264,
                              .registers = 32,
                              .shared_bytes = 8192,
                              .occupancy = 0.75,
                              .setup_ms = 0.125,
                              .sm_clock_mhz = 1965.5,
                              .power_w = 250},
        .cpu = {},
        .warnings = {"the first", "the second, with a\nline break"},
    };
}

/// The same launches, as --launches 3 runs them.
Run pooled_run() {
    Run result = run();
    result.trace = {{500'400, 1'000'000}, {999'900, 2'000'000}, {1'500'000, 3'000'000}};
    return result;
}

Context cpu_context() {
    Context result = context();
    result.device.reset();
    result.driver.reset();
    result.runtime.reset();
    return result;
}

Run cpu_run() {
    Run result = run();
    result.subject.version = "cpu_openmp";
    result.subject.after.reset();
    result.threads = 16;
    result.gpu.reset();
    result.cpu = {.streams = 4096, .isa = "x86-64-v4"};
    return result;
}

json document_of(const Context& context, const Run& run) { return json::parse(to_json(context, run)); }
json run_of(const Context& context, const Run& run) { return document_of(context, run).at("runs").at(0); }

void expect_keys(const json& object, const Keys& keys) {
    ASSERT_TRUE(object.is_object()) << object;
    for (const std::string& key : keys) {
        EXPECT_TRUE(object.contains(key)) << "no " << key;
    }
}

void expect_null(const json& object, const Keys& keys) {
    for (const std::string& key : keys) {
        ASSERT_TRUE(object.contains(key)) << "no " << key;
        EXPECT_TRUE(object.at(key).is_null()) << key << " is " << object.at(key);
    }
}

const Keys run_keys = {"version",
                       "after",
                       "title",
                       "technique",
                       "generator",
                       "sound",
                       "seed",
                       "expected",
                       "blocks",
                       "threads",
                       "iters",
                       "launches",
                       "samples_per_launch",
                       "batch",
                       "kernel_ms",
                       "setup_ms",
                       "samples_per_ns",
                       "hits",
                       "samples",
                       "pi",
                       "sigma",
                       "registers",
                       "shared_bytes",
                       "occupancy",
                       "sm_clock_mhz",
                       "power_w",
                       "warnings",
                       "samples_per_joule",
                       "soundness",
                       "pi_sd",
                       "bias",
                       "trace",
                       "independent",
                       "variance_ratio",
                       "effective_samples_per_ns",
                       "team",
                       "resumed_from"};

TEST(Json, IsADocumentOfSchemaOneWithOneRun) {
    const json document = document_of(context(), run());
    EXPECT_EQ(document.at("schema"), 1);
    EXPECT_EQ(document.at("suite"), "pi");
    EXPECT_EQ(document.at("runs").size(), 1u);
}

TEST(Json, HasEveryKeyOfTheSchema) {
    const json document = document_of(context(), run());
    expect_keys(document, {"schema", "suite", "context", "runs"});
    const json& c = document.at("context");
    expect_keys(c, {"date", "commit", "dirty", "device", "host", "driver", "runtime", "compiler", "flags"});
    expect_keys(c.at("device"),
                {"name", "compute_capability", "multiprocessors", "max_clock_mhz", "memory_gib", "ecc"});
    expect_keys(c.at("host"), {"cpu", "cores", "os"});
    const json& r = document.at("runs").at(0);
    expect_keys(r, run_keys);
    expect_keys(r.at("expected"), {"count", "total"});
    expect_keys(r.at("samples_per_ns"), {"median", "low", "high", "min", "max"});
}

TEST(Json, TellsWhereItWasMeasured) {
    const json c = document_of(context(), run()).at("context");
    EXPECT_EQ(c.at("date"), "2026-01-31T23:59:59Z");
    EXPECT_EQ(c.at("commit"), "0123456789abcdef0123456789abcdef01234567");
    EXPECT_EQ(c.at("dirty"), true);
    EXPECT_EQ(c.at("compiler"), "nvcc 13.0.88, GNU 12.2.0");
    EXPECT_EQ(c.at("flags"), "kernels: -O3; CPU: -O3");
    EXPECT_EQ(c.at("driver"), "580.1");
    EXPECT_EQ(c.at("runtime"), "13.0");
    EXPECT_EQ(c.at("host"), json({{"cpu", "Some CPU"}, {"cores", 16}, {"os", "Linux 6.1.0"}}));
    EXPECT_EQ(c.at("device").at("name"), "NVIDIA H200");
    EXPECT_EQ(c.at("device").at("compute_capability"), "9.0");
    EXPECT_EQ(c.at("device").at("multiprocessors"), 132);
    EXPECT_EQ(c.at("device").at("max_clock_mhz"), 1980);
    EXPECT_EQ(c.at("device").at("memory_gib"), 139.8);
    EXPECT_EQ(c.at("device").at("ecc"), true);
}

TEST(Json, TellsWhatWasRun) {
    const json r = run_of(context(), run());
    EXPECT_EQ(r.at("version"), "v7");
    EXPECT_EQ(r.at("after"), "v6");
    EXPECT_EQ(r.at("title"), "Xorshift32");
    EXPECT_EQ(r.at("technique"), "own \"generator\"");
    EXPECT_EQ(r.at("generator"), "xorshift32 (13, 17, 5)");
    EXPECT_EQ(r.at("sound"), false);
    EXPECT_EQ(r.at("blocks"), 264);
    EXPECT_EQ(r.at("threads"), 256);
    EXPECT_EQ(r.at("iters"), 1000);
    EXPECT_EQ(r.at("samples_per_launch"), 1'000'000);
    EXPECT_EQ(r.at("launches"), 3);
    EXPECT_EQ(r.at("batch"), 1);
    EXPECT_EQ(r.at("registers"), 32);
    EXPECT_EQ(r.at("shared_bytes"), 8192);
    EXPECT_EQ(r.at("occupancy"), 0.75);
    EXPECT_EQ(r.at("warnings"), json({"the first", "the second, with a\nline break"}));
}

TEST(Json, TellsWhatWasMeasured) {
    const json r = run_of(context(), run());
    EXPECT_EQ(r.at("kernel_ms"), json({4.0, 1.0, 2.0}));
    EXPECT_EQ(r.at("setup_ms"), 0.125);
    EXPECT_EQ(r.at("hits"), 1'500'000);
    EXPECT_EQ(r.at("samples"), 3'000'000);
    EXPECT_EQ(r.at("pi"), 2.0);
    EXPECT_DOUBLE_EQ(r.at("pi_sd"), 0.0011547005383792515);  // 4 sqrt(1/4 / 3,000,000)
    EXPECT_DOUBLE_EQ(r.at("bias"), -1.1415926535897932);     // 2 - pi
    EXPECT_EQ(r.at("sigma"), 0.0);
    EXPECT_EQ(r.at("sm_clock_mhz"), 1965.5);
    EXPECT_EQ(r.at("power_w"), 250);
    EXPECT_DOUBLE_EQ(r.at("samples_per_joule"), 2e6);  // 0.5e9 a second, 250 W
}

/// Launches of which only a part is independent, with a spread of its units: a variance of 0.04, a fifth of the sd. Of
/// blocks a variance of 0.16 is known.
Run dependent(Run result, bench::Independent independent, std::uint64_t units = 40) {
    result.subject.law.independent = independent;
    if (independent == bench::Independent::counts) result.subject.law.variance_ratio = 0.16;
    const auto over = independent == bench::Independent::launches ? bench::Unit::launch : bench::Unit::block;
    result.spread = bench::Spread{over, units, 0.04, 0.009};
    return result;
}

TEST(Json, TellsTheSpreadOfEveryRunThatHasOne) {
    auto with = run();
    with.spread = bench::Spread{bench::Unit::block, 792, 1.02, 0.05};
    const json r = run_of(context(), with);
    EXPECT_EQ(r.at("independent"), "samples");
    EXPECT_EQ(r.at("variance_ratio"),
              json({{"ratio", 1.02}, {"sd", 0.05}, {"units", 792}, {"over", "blocks"}, {"known", 1.0}}));
    expect_null(r, {"effective_samples_per_ns"});
    EXPECT_DOUBLE_EQ(r.at("pi_sd"), 0.0011547005383792515) << "the binomial's";
    expect_null(run_of(context(), run()), {"variance_ratio", "effective_samples_per_ns"});
}

TEST(Json, OfDependentSamplesHasTheMeasuredUncertainty) {
    auto measured = dependent(run(), bench::Independent::launches);
    measured.outcome.hits = 1'499'000;  // 1.1547 of the binomial's standard deviations too few
    const json r = run_of(context(), measured);
    EXPECT_EQ(r.at("independent"), "launches");
    EXPECT_EQ(r.at("variance_ratio").at("over"), "launches");
    EXPECT_NEAR(r.at("pi_sd"), 0.0011547005383792515 / 5, 1e-15);
    EXPECT_NEAR(r.at("sigma"), -1.1547005383792515 * 5, 1e-12);
    EXPECT_DOUBLE_EQ(r.at("effective_samples_per_ns"), 12.5);  // 0.5 over 0.04
    expect_null(r.at("variance_ratio"), {"known"});
}

TEST(Json, OfDependentSamplesHasTheKnownUncertaintyWhereThereIsOne) {
    for (const std::uint64_t units : {15u, 40u}) {
        const json r = run_of(context(), dependent(run(), bench::Independent::counts, units));
        EXPECT_EQ(r.at("independent"), "blocks");
        EXPECT_EQ(r.at("variance_ratio").at("known"), 0.16);
        EXPECT_EQ(r.at("variance_ratio").at("ratio"), 0.04);
        EXPECT_NEAR(r.at("pi_sd"), 0.0011547005383792515 * 2 / 5, 1e-15);
        EXPECT_DOUBLE_EQ(r.at("effective_samples_per_ns"), 3.125);  // 0.5 over 0.16
    }
}

TEST(Json, HasNoUncertaintyOfTooFewLaunches) {
    const json r = run_of(context(), dependent(run(), bench::Independent::launches, 15));
    expect_null(r, {"pi_sd", "sigma"});
    EXPECT_EQ(r.at("variance_ratio").at("units"), 15);
}

TEST(Json, TracesPooledRunsOnly) {
    expect_null(run_of(context(), run()), {"trace"});
    EXPECT_EQ(run_of(context(), pooled_run()).at("trace"),
              json::parse("[[1000000, 500400], [2000000, 999900], [3000000, 1500000]]"));
}

TEST(Json, RatesAreSamplesPerNanosecond) {
    const json rates = run_of(context(), run()).at("samples_per_ns");
    EXPECT_DOUBLE_EQ(rates.at("median"), 0.5);
    EXPECT_DOUBLE_EQ(rates.at("min"), 0.25);
    EXPECT_DOUBLE_EQ(rates.at("max"), 1);
    EXPECT_LE(rates.at("low"), rates.at("median"));
    EXPECT_GE(rates.at("high"), rates.at("median"));
}

TEST(Json, Keeps64BitIntegersExact) {
    auto large = run();
    large.subject.law.expected = {14488039784235244011u, 18446744073709551616.0};
    large.outcome = {7244019892117607921u, 9223372036854775807u};
    large.samples_per_launch = 9223372036854775807u;
    large.launches = 9007199254740993u;  // no double
    const json r = run_of(context(), large);
    EXPECT_EQ(r.at("expected").at("count").get<std::uint64_t>(), 14488039784235244011u);
    EXPECT_EQ(r.at("expected").at("total").get<double>(), 18446744073709551616.0);
    EXPECT_EQ(r.at("seed").get<std::uint64_t>(), 18446744073709551615u);
    EXPECT_EQ(r.at("hits").get<std::uint64_t>(), 7244019892117607921u);
    EXPECT_EQ(r.at("samples").get<std::uint64_t>(), 9223372036854775807u);
    EXPECT_EQ(r.at("samples_per_launch").get<std::uint64_t>(), 9223372036854775807u);
    EXPECT_EQ(r.at("launches").get<std::uint64_t>(), 9007199254740993u);
    for (const char* key : {"seed", "hits", "samples", "samples_per_launch", "launches"}) {
        EXPECT_TRUE(r.at(key).is_number_unsigned()) << key << " is " << r.at(key);
    }
}

TEST(Json, KeepsTimesToThePicosecond) {
    auto odd = run();
    odd.kernel_ms = {0.1, 1.0 / 3, 12345.678901234567};
    const json stored = run_of(context(), odd).at("kernel_ms");
    ASSERT_EQ(stored.size(), 3u);
    for (std::size_t i = 0; i < 3; i++) {
        EXPECT_NEAR(stored[i].get<double>(), odd.kernel_ms[i], 1e-9);
    }
}

TEST(Json, SetUpTimeIsNullWithoutASetUpKernel) {
    auto without = run();
    without.gpu->setup_ms.reset();
    expect_null(run_of(context(), without), {"setup_ms"});
}

TEST(Json, EnergyIsNullWhereItWasNotMeasured) {
    auto without = run();
    without.gpu->power_w.reset();
    expect_null(run_of(context(), without), {"power_w", "samples_per_joule"});
}

TEST(Json, CpuRunsHaveTheSameKeysAndNullForWhatOnlyAGpuHas) {
    const json document = document_of(cpu_context(), cpu_run());
    expect_null(document.at("context"), {"device", "driver", "runtime"});
    const json& r = document.at("runs").at(0);
    expect_keys(r, run_keys);
    expect_null(r, {"after", "blocks", "setup_ms", "registers", "shared_bytes", "occupancy", "sm_clock_mhz", "power_w",
                    "samples_per_joule"});
    EXPECT_EQ(r.at("version"), "cpu_openmp");
    EXPECT_EQ(r.at("threads"), 16);
    EXPECT_DOUBLE_EQ(r.at("samples_per_ns").at("median"), 0.5);
}

TEST(Json, CpuRunsTellTheInstructionSet) {
    EXPECT_NE(to_json(cpu_context(), cpu_run()).find("\"x86-64-v4\""), std::string::npos);
}

TEST(SamplesPerNs, SummarisesTheLaunches) {
    const bench::Summary rates = samples_per_ns(run());
    EXPECT_DOUBLE_EQ(rates.median, 0.5);
    EXPECT_DOUBLE_EQ(rates.min, 0.25);
    EXPECT_DOUBLE_EQ(rates.max, 1);
    EXPECT_FALSE(rates.interval_is_95);
}

TEST(SamplesPerNs, IntervalIsThatOfTheTimes) {
    auto ten = run();
    ten.kernel_ms = {1, 4, 1.25, 2.5, 2, 2, 2, 2, 2, 2};
    const bench::Summary rates = samples_per_ns(ten);
    EXPECT_DOUBLE_EQ(rates.low, 0.4);
    EXPECT_DOUBLE_EQ(rates.median, 0.5);
    EXPECT_DOUBLE_EQ(rates.high, 0.8);
    EXPECT_TRUE(rates.interval_is_95);
}

TEST(Text, NamesTheDeviceAndTheUnitOfTheRate) {
    const std::string text = to_text(context(), run());
    EXPECT_NE(text.find("samples/ns"), std::string::npos) << text;
    EXPECT_NE(text.find("NVIDIA H200"), std::string::npos) << text;
}

constexpr bench::Expectation lcg_mantissa = {3373260247, 4294967296.0};  // 4 P - pi = 7.6449e-7

/// A pooled run of v11's generator over 10^11 samples, half an sd (1.298e6 hits each in 10^11) over its expectation.
Run run_of_lcg_mantissa() {
    Run result = pooled_run();
    result.subject.soundness = bench::Soundness::sound;
    result.subject.law.expected = lcg_mantissa;
    result.outcome = {78'539'900'372, 100'000'000'000};
    return result;
}

/// The line that begins with a label.
std::string line_of(const std::string& text, const std::string& label) {
    const auto start = text.find("\n  " + label + " ");
    return start == std::string::npos ? "no line " + label : text.substr(start + 1, text.find('\n', start + 1) - start);
}

TEST(Text, PooledRunsTellHowFarToBelieveThem) {
    const std::string text = to_text(context(), run_of_lcg_mantissa());
    EXPECT_EQ(
        line_of(text, "pi"),
        "  pi        3.141596015 +- 5.2e-06 (1 sd) from 100,000,000,000 samples, +0.50 sd from its expectation\n");
    EXPECT_EQ(line_of(text, "bias"), "  bias      +7.64e-07 known, from coordinates and generator (4P - pi)\n");
    EXPECT_EQ(line_of(text, "believed"),
              "  believed  3.1416 (bias and two sd come to 1.1e-05; right to +-1 in the last digit)\n");
    EXPECT_NE(line_of(text, "rate").find("samples/ns"), std::string::npos) << text;
}

TEST(Text, OtherRunsTellTheirEstimateOnly) {
    const std::string text = to_text(context(), run());
    EXPECT_EQ(line_of(text, "pi"), "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n");
    EXPECT_EQ(text.find("believed"), std::string::npos) << text;
}

TEST(Text, DemonstrationsSayThatTheirSdIsThatOfIndependentSamples) {
    auto demonstration = run_of_lcg_mantissa();
    demonstration.subject.soundness = bench::Soundness::demonstration;
    EXPECT_NE(line_of(to_text(context(), demonstration), "pi").find("independent"), std::string::npos);
    for (const auto soundness : {bench::Soundness::sound, bench::Soundness::sound_in_24_bits}) {
        auto other = run_of_lcg_mantissa();
        other.subject.soundness = soundness;
        EXPECT_EQ(to_text(context(), other).find("independent"), std::string::npos);
    }
}

TEST(Json, TellsSoundFromDemonstration) {
    for (const auto& [soundness, text, sound] :
         {std::tuple(bench::Soundness::sound, "sound", true),
          std::tuple(bench::Soundness::sound_in_24_bits, "sound for 24-bit coordinates", true),
          std::tuple(bench::Soundness::sound_in_bit_planes, "sound in bit planes", true),
          std::tuple(bench::Soundness::not_tested, "not tested", false),
          std::tuple(bench::Soundness::quasi_random, "quasi-random", true),
          std::tuple(bench::Soundness::demonstration, "demonstration only", false)}) {
        auto declared = run();
        declared.subject.soundness = soundness;
        const json r = run_of(context(), declared);
        EXPECT_EQ(r.at("soundness"), text);
        EXPECT_EQ(r.at("sound"), sound) << text;
    }
}

TEST(Text, ACertainOutcomeHasABiasAndNoSpread) {
    auto always = pooled_run();
    always.subject.law.expected = {1, 1};
    always.outcome = {3'000'000, 3'000'000};
    const std::string text = to_text(context(), always);
    EXPECT_EQ(line_of(text, "pi"),
              "  pi        4.000000000 +- 0 (1 sd) from 3,000,000 samples, +0.00 sd from its expectation\n");
    EXPECT_EQ(line_of(text, "bias"), "  bias      +0.858 known, from coordinates and generator (4P - pi)\n");
    EXPECT_EQ(line_of(text, "believed"), "  believed  no digit (bias and two sd come to 0.86)\n");
    const json r = run_of(context(), always);
    EXPECT_EQ(r.at("pi_sd"), 0.0);
    EXPECT_DOUBLE_EQ(r.at("bias"), 0.858407346410207);
}

TEST(Text, InterruptedRunsTellWhatWasReachedAndNoRate) {
    const auto whole = run_of_lcg_mantissa();
    const std::string text = interrupted_text(whole.subject, whole.outcome, {}, 12, 3700);
    EXPECT_NE(text.substr(0, text.find('\n')).find("12 of 3,700 launches"), std::string::npos) << text;
    for (const char* label : {"pi", "bias", "believed"}) {
        EXPECT_EQ(line_of(text, label), line_of(to_text(context(), whole), label));
    }
    EXPECT_EQ(text.find("/ns"), std::string::npos) << text;
}

TEST(Text, ProfilesHaveNoRate) {
    for (const char* tool : {"", "Nsight Compute"}) {
        const std::string text = profile_text(run().subject, run().outcome, {}, tool);
        EXPECT_NE(line_of(text, "pi"), "");
        EXPECT_EQ(text.find("/ns"), std::string::npos) << text;
    }
}

TEST(Text, AProfileThatAToolImpliesSaysSoInOneLine) {
    const std::string text = profile_text(run().subject, run().outcome, {}, "Nsight Compute");
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_NE(first.find("one launch under Nsight Compute, not timed"), std::string::npos) << first;
    EXPECT_NE(first.find("--no-profile"), std::string::npos) << first;
    const std::string asked = profile_text(run().subject, run().outcome, {});
    EXPECT_EQ(text.substr(text.find('\n')), asked.substr(asked.find('\n'))) << "the rest is as ever";
}

TEST(Text, DependentSamplesTellWhatTheRateIsWorth) {
    const std::string text = to_text(context(), dependent(run(), bench::Independent::counts, 10'560));
    EXPECT_EQ(
        line_of(text, "effective"),
        "  effective 3.125 samples/ns: variance 0.16 of the binomial, 0.04 +- 0.009 measured over 10,560 blocks\n");
    EXPECT_GT(text.find("\n  effective"), text.find("\n  rate"));
    const std::string launches = to_text(context(), dependent(run(), bench::Independent::launches));
    EXPECT_EQ(line_of(launches, "effective"),
              "  effective 12.5 samples/ns: variance 0.04 +- 0.009 of the binomial measured over 40 launches\n");
}

TEST(Text, IndependentSamplesAreWorthWhatTheyAre) {
    auto with = run();
    with.spread = bench::Spread{bench::Unit::block, 792, 1.02, 0.05};
    EXPECT_EQ(to_text(context(), with), to_text(context(), run()));
}

// A fifth of the binomial's standard deviation, so five times the distance.
TEST(Text, DependentSamplesHaveTheMeasuredStandardDeviation) {
    auto pooled = dependent(run_of_lcg_mantissa(), bench::Independent::launches);
    pooled.subject.soundness = bench::Soundness::demonstration;
    const std::string text = to_text(context(), pooled);
    EXPECT_EQ(line_of(text, "pi"),
              "  pi        3.141596015 +- 1e-06 (1 sd, as measured) from 100,000,000,000 samples, +2.50 sd from its "
              "expectation\n");
    EXPECT_EQ(line_of(text, "believed"),
              "  believed  3.14160 (bias and two sd come to 2.8e-06; right to +-1 in the last digit)\n");
    auto other = dependent(run(), bench::Independent::launches);
    other.outcome.hits = 1'500'100;  // 0.11547 of the binomial's
    EXPECT_EQ(line_of(to_text(context(), other), "pi"),
              "  pi        2.000133333 from 3,000,000 samples, +0.58 sd from its expectation\n");
}

TEST(Text, AFineStandardDeviationHasTheDecimalsThatReachIt) {
    auto fine = dependent(run_of_lcg_mantissa(), bench::Independent::launches);
    fine.spread->variance_ratio = 1e-9;  // an sd of 1.6e-10
    const std::string pooled = to_text(context(), fine);
    EXPECT_EQ(line_of(pooled, "pi").find("  pi        3.1415960149 +- 1.6e-10 (1 sd, as measured) from"), 0u) << pooled;
    fine.trace.reset();
    const std::string other = to_text(context(), fine);
    EXPECT_EQ(line_of(other, "pi").find("  pi        3.1415960149 from"), 0u) << other;
}

TEST(Text, InterruptedTooSoonThereIsNoError) {
    const auto whole = dependent(run_of_lcg_mantissa(), bench::Independent::launches, 15);
    const std::string early = interrupted_text(whole.subject, whole.outcome, whole.spread, 15, 3700);
    EXPECT_EQ(line_of(early, "pi"),
              "  pi        3.141596015 from 100,000,000,000 samples; too few launches for an error\n");
    EXPECT_NE(early.find("\n  bias "), std::string::npos) << early;
    EXPECT_EQ(early.find("believed"), std::string::npos) << early;
    EXPECT_EQ(early.find("+-"), std::string::npos) << early;
    const auto enough = dependent(run_of_lcg_mantissa(), bench::Independent::launches, 16);
    const std::string text = interrupted_text(enough.subject, enough.outcome, enough.spread, 16, 3700);
    EXPECT_EQ(line_of(text, "pi"), line_of(to_text(context(), enough), "pi"));
}

TEST(Text, AProfileOfAPointSetSaysThatItHasNoError) {
    const auto of_launches = dependent(run(), bench::Independent::launches);
    EXPECT_EQ(line_of(profile_text(of_launches.subject, of_launches.outcome, {}), "pi"),
              "  pi        2.000000000 from 3,000,000 samples; one launch has no error estimate\n");
    const auto of_blocks = dependent(run(), bench::Independent::counts);
    EXPECT_EQ(line_of(profile_text(of_blocks.subject, of_blocks.outcome, of_blocks.spread), "pi"),
              "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n");
}

TEST(Grouped, SeparatesThousands) {
    EXPECT_EQ(bench::grouped(0), "0");
    EXPECT_EQ(bench::grouped(999), "999");
    EXPECT_EQ(bench::grouped(1'000), "1,000");
    EXPECT_EQ(bench::grouped(1'000'000), "1,000,000");
    EXPECT_EQ(bench::grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

/// What a worker did: launches at so many a millisecond.
bench::TeamMember member(std::uint64_t launches, std::optional<double> launches_per_ms) {
    bench::TeamMember result = {{{"NVIDIA H200", {}}, {}, "a"}, launches, launches_per_ms, {}, {}};
    return result;
}

/// The run, by devices 2 and 0 of one process, of which the second had no launch.
Run run_of_devices() {
    Run result = run();
    bench::TeamMember first = member(3, 0.5), second = member(0, {});
    first.facts.worker.device = 2;
    first.sm_clock_mhz = 1964.96;
    first.power_w = 250.04;
    second.facts.worker.device = 0;
    result.team = bench::TeamSide{bench::Scaling::strong, {{4.5, 1.25, 2.0000000004}, {first, second}}};
    return result;
}

/// The run, by three MPI ranks on two hosts.
Run run_of_ranks() {
    Run result = run();
    std::vector<bench::TeamMember> members(3, member(1, 0.25));
    for (int rank = 0; rank < 3; rank++) members[static_cast<std::size_t>(rank)].facts.rank = rank;
    members[1].facts.host = std::string(1, 'b');  // g++ 12 warns of the assignment of "b"
    members[1].facts.worker.device = 1;
    result.team = bench::TeamSide{bench::Scaling::weak, {{5, 2, 3}, members}};
    return result;
}

TEST(Json, OfAPlainRunHasNoTeamAndNoEarlierPart) {
    expect_null(run_of(context(), run()), {"team", "resumed_from"});
    expect_null(run_of(cpu_context(), cpu_run()), {"team", "resumed_from"});
}

TEST(Json, TellsOfATeamOfDevices) {
    const json team = run_of(context(), run_of_devices()).at("team");
    EXPECT_EQ(team.at("kind"), "devices");
    EXPECT_EQ(team.at("scaling"), "strong");
    EXPECT_EQ(team.at("size"), 2);
    EXPECT_TRUE(team.at("mpi").is_null());
    EXPECT_EQ(team.at("hosts"), json::parse(R"(["a"])"));
    EXPECT_EQ(team.at("wall_ms"), json({4.5, 1.25, 2.0})) << "to the picosecond";
    EXPECT_EQ(team.at("members"), json::parse(R"([
        {"rank": null, "host": "a", "device": 2, "name": "NVIDIA H200", "launches": 3, "samples_per_ns": 0.5,
         "sm_clock_mhz": 1965.0, "power_w": 250.0},
        {"rank": null, "host": "a", "device": 0, "name": "NVIDIA H200", "launches": 0, "samples_per_ns": null,
         "sm_clock_mhz": null, "power_w": null}])"));
    EXPECT_EQ(team.size(), 7u) << team;
}

TEST(Json, TellsOfATeamOfRanks) {
    const json team = run_of(context(), run_of_ranks()).at("team");
    EXPECT_EQ(team.at("kind"), "mpi");
    EXPECT_EQ(team.at("scaling"), "weak");
    EXPECT_EQ(team.at("size"), 3);
    const auto library = bench::mpi_library();
    EXPECT_EQ(team.at("mpi"), library ? json(*library) : json(nullptr));
    EXPECT_EQ(team.at("hosts"), json::parse(R"(["a", "b"])")) << "each once";
    ASSERT_EQ(team.at("members").size(), 3u);
    for (int rank = 0; rank < 3; rank++) {
        const json& one = team.at("members").at(static_cast<std::size_t>(rank));
        EXPECT_EQ(one.at("rank"), rank);
        EXPECT_EQ(one.at("host"), rank == 1 ? "b" : "a");
        EXPECT_EQ(one.at("device"), rank == 1 ? json(1) : json(nullptr));
        EXPECT_DOUBLE_EQ(one.at("samples_per_ns"), 0.25);
    }
}

// Half a launch of 27,033,600,000 samples in 10^6 ns.
TEST(Json, RateOfAMemberIsThatOfItsOwnLaunches) {
    auto fast = run_of_devices();
    fast.samples_per_launch = 27'033'600'000;
    fast.team->report.members[0].launches_per_ms = 0.5;
    EXPECT_DOUBLE_EQ(run_of(context(), fast).at("team").at("members").at(0).at("samples_per_ns"), 13516.8);
}

TEST(Json, ATeamOfOneIsATeam) {
    auto one = run_of_devices();
    one.team->report.members.resize(1);
    const json r = run_of(context(), one);
    EXPECT_EQ(r.at("team").at("size"), 1);
    EXPECT_EQ(r.at("team").at("members").size(), 1u);
}

TEST(Json, ATeamKeepsEveryMember) {
    auto many = run_of_ranks();
    many.team->report.members.resize(100, member(1, 0.25));
    EXPECT_EQ(run_of(context(), many).at("team").at("members").size(), 100u);
}

TEST(Json, TellsWhereAResumedRunBegan) {
    auto resumed = pooled_run();
    resumed.resumed_from = 9007199254740993u;  // no double
    const json r = run_of(context(), resumed);
    EXPECT_TRUE(r.at("resumed_from").is_number_unsigned()) << r.at("resumed_from");
    EXPECT_EQ(r.at("resumed_from").get<std::uint64_t>(), 9007199254740993u);
}

/// The pooled run, all of it done by an earlier part.
Run run_with_nothing_left() {
    Run result = pooled_run();
    result.kernel_ms.clear();
    result.gpu->setup_ms.reset();
    result.gpu->sm_clock_mhz.reset();
    result.gpu->power_w.reset();
    result.resumed_from = 3;
    return result;
}

TEST(Json, HasNoRateWhereNothingWasTimed) {
    const json r = run_of(context(), run_with_nothing_left());
    EXPECT_EQ(r.at("kernel_ms"), json::array());
    expect_null(r, {"samples_per_ns", "samples_per_joule", "effective_samples_per_ns"});
    EXPECT_EQ(r.at("resumed_from"), 3);
    EXPECT_EQ(r.at("hits"), 1'500'000);
    EXPECT_EQ(r.at("pi"), 2.0);
    EXPECT_DOUBLE_EQ(r.at("pi_sd"), 0.0011547005383792515);
    expect_null(run_of(context(), dependent(run_with_nothing_left(), bench::Independent::launches)),
                {"samples_per_ns", "effective_samples_per_ns"});
}

TEST(Text, HasNoRateWhereNothingWasTimed) {
    for (const auto independent : {bench::Independent::samples, bench::Independent::launches}) {
        const std::string text = to_text(context(), dependent(run_with_nothing_left(), independent));
        EXPECT_EQ(text.find("/ns"), std::string::npos) << text;
        EXPECT_EQ(text.find("ms each"), std::string::npos) << text;
        EXPECT_NE(text.find("\n  believed "), std::string::npos) << text;
    }
    EXPECT_EQ(line_of(to_text(context(), run_with_nothing_left()), "launches"),
              "  launches  3 of 1,000,000 samples, 3 of them before, seed 18446744073709551615\n");
}

TEST(Text, TellsHowManyLaunchesWereDoneBefore) {
    auto resumed = pooled_run();
    resumed.launches = 5000;
    resumed.resumed_from = 1234;
    EXPECT_EQ(line_of(to_text(context(), resumed), "launches"),
              "  launches  5000 of 1,000,000 samples, 2 ms each, 1,234 of them before, seed 18446744073709551615\n");
    EXPECT_EQ(to_text(context(), pooled_run()).find("before"), std::string::npos);
}

/// The lines that tell of a team: from its label to the next one.
std::string team_of(const std::string& text) {
    const auto start = text.find("\n  team ");
    const auto end = text.find("\n  launches ");
    return start == std::string::npos ? "" : text.substr(start + 1, end - start);
}

TEST(Text, APlainRunHasNoTeam) {
    EXPECT_EQ(team_of(to_text(context(), run())), "");
    EXPECT_EQ(team_of(to_text(cpu_context(), cpu_run())), "");
}

TEST(Text, TellsOfEachDevice) {
    EXPECT_EQ(team_of(to_text(context(), run_of_devices())),
              "  team      device 2, NVIDIA H200: 0.5 samples/ns, 1965 MHz, 250 W\n"
              "            device 0, NVIDIA H200\n");
}

TEST(Text, TellsOfEachRank) {
    EXPECT_EQ(team_of(to_text(context(), run_of_ranks())),
              "  team      rank 0 on a, NVIDIA H200: 0.25 samples/ns\n"
              "            rank 1 on b, device 1, NVIDIA H200: 0.25 samples/ns\n"
              "            rank 2 on a, NVIDIA H200: 0.25 samples/ns\n");
}

TEST(Text, TellsOfTheFirstSixteenOfMany) {
    const auto lines = [](std::size_t members) {
        auto many = run_of_ranks();
        many.team->report.members.resize(members, member(1, 0.25));
        return team_of(to_text(context(), many));
    };
    EXPECT_EQ(std::ranges::count(lines(16), '\n'), 16);
    EXPECT_EQ(lines(16).find("more"), std::string::npos) << lines(16);
    EXPECT_EQ(std::ranges::count(lines(17), '\n'), 17);
    EXPECT_NE(lines(17).find("\n            and 1 more\n"), std::string::npos) << lines(17);
    EXPECT_NE(lines(500).find("\n            and 484 more\n"), std::string::npos) << lines(500);
}

}  // namespace
