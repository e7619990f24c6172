// A run as JSON: nothing lost, nothing left out.
#include "bench/keep/json.hpp"

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
#include "tests/host/bench/sample_runs.hpp"

namespace {

using namespace sample_runs;
using nlohmann::json;
using Keys = std::set<std::string>;

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

TEST(Json, TellsTheSpreadOfEveryRunThatHasOne) {
    auto with = run();
    with.spread = bench::Spread{bench::UnitOfSpread::block, 792, 1.02, 0.05};
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

TEST(Json, ACertainOutcomeHasABiasAndNoSpread) {
    const json r = run_of(context(), certain_run());
    EXPECT_EQ(r.at("pi_sd"), 0.0);
    EXPECT_DOUBLE_EQ(r.at("bias"), 0.858407346410207);
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

}  // namespace
