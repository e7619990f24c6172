// A run as JSON: complete and exact.
#include "bench/record/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "bench/workers/world.hpp"
#include "tests/host/bench/sample_runs.hpp"

namespace {

using namespace sample_runs;
using nlohmann::json;
using sample_estimand::Walks;
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

const Keys run_keys = {"version",      "after",        "title",        "technique",
                       "generator",    "sound",        "problem",      "work_of_timings",
                       "soundness",    "seed",         "blocks",       "threads",
                       "iters",        "work",         "launches",     "batch",
                       "kernel_ms",    "phases_ms",    "per_ns",       "effective_per_ns",
                       "clock",        "call",         "host_memory",  "bytes",
                       "outcome",      "registers",    "shared_bytes", "occupancy",
                       "sm_clock_mhz", "power_w",      "per_joule",    "rehearsed_blocks",
                       "team",         "resumed_from", "warnings"};

TEST(Json, IsADocumentOfSchemaTwoWithOneRun) {
    const json document = document_of(context(), run());
    EXPECT_EQ(document.at("schema"), 2);
    EXPECT_EQ(document.at("suite"), "walks");
    EXPECT_EQ(document.at("unit"), "path-step");
    EXPECT_EQ(document.dump().find("sample"), std::string::npos) << "of which there are none: " << document;
    EXPECT_EQ(document.at("runs").size(), 1u);
}

TEST(Json, HasEveryKeyOfTheSchema) {
    const json document = document_of(context(), run());
    expect_keys(document, {"schema", "suite", "unit", "context", "runs"});
    const json& c = document.at("context");
    expect_keys(c, {"date", "commit", "dirty", "device", "host", "driver", "runtime", "compiler", "flags"});
    expect_keys(c.at("device"),
                {"name", "compute_capability", "multiprocessors", "max_clock_mhz", "memory_gib", "ecc"});
    expect_keys(c.at("host"), {"cpu", "cores", "os"});
    const json& r = document.at("runs").at(0);
    expect_keys(r, run_keys);
    expect_keys(r.at("per_ns"), {"median", "low", "high", "min", "max"});
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
    EXPECT_EQ(r.at("seed"), 18446744073709551615u);
    EXPECT_EQ(r.at("work"), 1'000'000);
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
    EXPECT_EQ(r.at("sm_clock_mhz"), 1965.5);
    EXPECT_EQ(r.at("power_w"), 250);
    EXPECT_DOUBLE_EQ(r.at("per_joule"), 2e6);  // 0.5e9 a second, 250 W
}

TEST(Json, HasTheTimesOfEachPhase) {
    const std::string phases = R"({"seed": [1.5, 0.25, 0.75], "walk": [2.0, 0.5, 1.0], "reduce": [0.5, 0.25, 0.25]})";
    EXPECT_EQ(run_of(context(), run()).at("phases_ms"), json::parse(phases));
    auto whole = run();
    whole.subject.phases = {"walk"};
    EXPECT_EQ(run_of(context(), whole).at("phases_ms"), json::object()) << "the only one takes all of the time";
}

TEST(Json, TellsTheClockAndTheBytesThatAStepMoves) {
    expect_null(run_of(context(), run()), {"bytes", "host_memory"});
    EXPECT_EQ(run_of(context(), run()).at("clock"), "gpu");
    EXPECT_EQ(run_of(cpu_context(), cpu_run()).at("clock"), "wall");
    auto copies = run();
    copies.subject.traffic = bench::Traffic{.pcie_up = 8, .pcie_down = 0.5, .dram = 24};
    copies.subject.host_memory = bench::HostMemory::pinned;
    copies.subject.clock = bench::Clock::wall;
    expect_null(run_of(context(), copies), {"per_joule"});  // of the GPU alone it would mean little
    EXPECT_EQ(run_of(context(), copies).at("host_memory"), "pinned");
    EXPECT_EQ(run_of(context(), copies).at("bytes"), json({{"pcie_up", 8.0}, {"pcie_down", 0.5}, {"dram", 24.0}}));
}

TEST(Json, AWholeCallHasItsOwnPhasesAndClock) {
    auto call = run();
    call.subject = of_whole_calls(call.subject);
    call.whole_calls = true;
    const json r = run_of(context(), call);
    EXPECT_EQ(r.at("call"), true);
    EXPECT_EQ(r.at("clock"), "wall");
    expect_keys(r.at("phases_ms"), {"alloc", "run", "copy", "sum", "free"});
    EXPECT_EQ(run_of(context(), run()).at("call"), false);
}

TEST(Json, AKernelOfALibraryHasNoFacts) {
    auto library = run();
    library.gpu->kernel.reset();
    const json r = run_of(context(), library);
    expect_null(r, {"registers", "shared_bytes", "occupancy"});
    EXPECT_EQ(r.at("blocks"), 264);
}

TEST(Json, TheEstimandTellsTheOutcomeAndItsTrace) {
    EXPECT_EQ(run_of(context(), run()).at("outcome"), json::parse(R"({"path_steps": 3000000, "trace": [
        {"walks": 1, "path_steps": 1000000}, {"walks": 2, "path_steps": 2000000}, {"walks": 3, "path_steps": 3000000}]})"));
}

TEST(Json, RatesAreUnitsOfWorkPerNanosecond) {
    const json rates = run_of(context(), run()).at("per_ns");
    EXPECT_DOUBLE_EQ(rates.at("median"), 0.5);
    EXPECT_DOUBLE_EQ(rates.at("min"), 0.25);
    EXPECT_DOUBLE_EQ(rates.at("max"), 1);
    EXPECT_LE(rates.at("low"), rates.at("median"));
    EXPECT_GE(rates.at("high"), rates.at("median"));
}

TEST(Json, WhereUnitsDependOnEachOtherTheRateIsWorthMoreOrLess) {
    const Walks dependent(bench::Soundness::sound, bench::VarianceRatio{0.04, ""});
    EXPECT_DOUBLE_EQ(run_of(context(), run(dependent)).at("effective_per_ns"), 12.5);  // 0.5 over 0.04
    expect_null(run_of(context(), run()), {"effective_per_ns"});
}

TEST(Json, OfLaunchesThatDifferTheWorkIsTheirMean) {
    auto uneven = run();
    uneven.tally = tally_of({1, 2, 4, 3});
    uneven.work = {1, 3, 3};
    EXPECT_EQ(run_of(context(), uneven).at("work"), 2.5);
    EXPECT_EQ(run_of(context(), uneven).at("work_of_timings"), json({1.0, 3.0, 3.0}));
}

TEST(Json, HasNoWorkOfTimingsWhereItIsKnown) {
    class Regular : public Walks {
        bool work_is_known() const override { return true; }
    };
    const Regular regular;
    expect_null(run_of(context(), run(regular)), {"work_of_timings"});
}

TEST(Json, TellsTheProblemOfItsEstimand) {
    class OfMazes : public Walks {
        nlohmann::ordered_json problem() const override { return {{"name", "maze"}, {"n", 3}}; }
    };
    const OfMazes of_mazes;
    EXPECT_EQ(run_of(context(), run(of_mazes)).at("problem"), json({{"name", "maze"}, {"n", 3}}));
    expect_null(run_of(context(), run()), {"problem"});
}

TEST(Json, Keeps64BitIntegersExact) {
    auto large = run();
    large.tally = tally_of({9223372036854775807u});
    large.launches = 9007199254740993u;  // no double
    large.resumed_from = 9007199254740995u;
    const json r = run_of(context(), large);
    for (const auto& [key, value] : {std::pair("seed", 18446744073709551615u),
                                     {"work", 9223372036854775807u},
                                     {"launches", 9007199254740993u},
                                     {"resumed_from", 9007199254740995u}}) {
        EXPECT_TRUE(r.at(key).is_number_unsigned()) << key << " is " << r.at(key);
        EXPECT_EQ(r.at(key).get<std::uint64_t>(), value) << key;
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

TEST(Json, EnergyIsNullWhereItWasNotMeasured) {
    auto without = run();
    without.gpu->power_w.reset();
    expect_null(run_of(context(), without), {"power_w", "per_joule"});
}

TEST(Json, CpuRunsHaveTheSameKeysAndNullForWhatOnlyAGpuHas) {
    const json document = document_of(cpu_context(), cpu_run());
    expect_null(document.at("context"), {"device", "driver", "runtime"});
    const json& r = document.at("runs").at(0);
    expect_keys(r, run_keys);
    expect_null(r,
                {"after", "blocks", "registers", "shared_bytes", "occupancy", "sm_clock_mhz", "power_w", "per_joule"});
    EXPECT_EQ(r.at("version"), "cpu_openmp");
    EXPECT_EQ(r.at("threads"), 16);
    EXPECT_DOUBLE_EQ(r.at("per_ns").at("median"), 0.5);
}

TEST(Json, CpuRunsTellTheInstructionSet) {
    EXPECT_NE(to_json(cpu_context(), cpu_run()).find("\"x86-64-v4\""), std::string::npos);
}

TEST(Json, TellsSoundFromDemonstration) {
    for (const auto& [soundness, text, sound] :
         {std::tuple(bench::Soundness::sound, "sound", true),
          std::tuple(bench::Soundness::sound_in_24_bits, "sound for 24-bit coordinates", true),
          std::tuple(bench::Soundness::sound_in_bit_planes, "sound in bit planes", true),
          std::tuple(bench::Soundness::not_tested, "not tested", false),
          std::tuple(bench::Soundness::quasi_random, "quasi-random", true),
          std::tuple(bench::Soundness::demonstration, "demonstration only", false)}) {
        const Walks declared(soundness);
        const json r = run_of(context(), run(declared));
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
        {"rank": null, "host": "a", "device": 2, "name": "NVIDIA H200", "launches": 3, "per_ns": 0.5,
         "sm_clock_mhz": 1965.0, "power_w": 250.0},
        {"rank": null, "host": "a", "device": 0, "name": "NVIDIA H200", "launches": 0, "per_ns": null,
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
        EXPECT_DOUBLE_EQ(one.at("per_ns"), 0.25);
    }
}

// Half a launch of 27,033,600,000 path-steps in 10^6 ns.
TEST(Json, RateOfAMemberIsThatOfItsOwnLaunches) {
    auto fast = run_of_devices();
    fast.tally = tally_of({27'033'600'000});
    fast.team->report.members[0].launches_per_ms = 0.5;
    EXPECT_DOUBLE_EQ(run_of(context(), fast).at("team").at("members").at(0).at("per_ns"), 13516.8);
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

TEST(Json, HasNoRateWhereNothingWasTimed) {
    const Walks dependent(bench::Soundness::sound, bench::VarianceRatio{0.04, ""});
    const json r = run_of(context(), run_with_nothing_left(dependent));
    EXPECT_EQ(r.at("kernel_ms"), json::array());
    EXPECT_EQ(r.at("phases_ms").at("walk"), json::array());
    expect_null(r, {"per_ns", "per_joule", "effective_per_ns"});
    EXPECT_EQ(r.at("resumed_from"), 3);
    EXPECT_EQ(r.at("work"), 1'000'000);
    EXPECT_EQ(r.at("outcome").at("path_steps"), 3'000'000);
}

}  // namespace
