// A run as JSON: complete and exact.
#include "bench/record/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/workers/launching.hpp"
#include "bench/workers/world.hpp"
#include "tests/host/bench/record/sample_runs.hpp"

namespace {

using namespace sample_runs;
using nlohmann::json;
using sample_estimand::Walks;

json run_of(const Record& run) { return json::parse(to_json(run)).at("runs").at(0); }

// docs/schema.md. Launches of 4, 1 and 2 ms; half a path-step a nanosecond with 250 W are 2 million a joule.
TEST(Json, IsADocumentOfSchemaThreeWithOneRun) {
    const json expected = json::parse(R"json({
        "schema": 3, "suite": "walks", "unit": "path-step",
        "context": {
            "date": "2026-01-31T23:59:59Z", "commit": "0123456789abcdef0123456789abcdef01234567", "dirty": true,
            "device": {"name": "NVIDIA H200", "compute_capability": "9.0", "multiprocessors": 132,
                       "max_clock_mhz": 1980, "memory_gib": 139.8, "ecc": true},
            "host": {"cpu": "Some CPU", "cores": 16, "machine_cores": 32, "os": "Linux 6.1.0"}, "driver": "580.1", "runtime": "13.0",
            "compiler": "nvcc 13.0.88, GNU 12.2.0", "flags": "kernels: -O3; CPU: -O3"},
        "runs": [{
            "version": "v7", "after": "v6", "title": "Xorshift32", "technique": "own \"generator\"", "problem": null,
            "generator": "xorshift32 (13, 17, 5)", "sound": false, "soundness": "demonstration only",
            "seed": 18446744073709551615, "blocks": 264, "threads": 256, "iters": 1000, "work": 1000000,
            "work_of_timings": [1000000, 1000000, 1000000], "launches": 3, "batch": 1, "stopped": "precise", "clock": "gpu", "call": false,
            "kernel_ms": [4, 1, 2],
            "phases_ms": {"seed": [1.5, 0.25, 0.75], "walk": [2, 0.5, 1], "reduce": [0.5, 0.25, 0.25]},
            "host_memory": null, "bytes": null,
            "per_ns": {"median": 0.5, "low": 0.25, "high": 1, "min": 0.25, "max": 1, "total": 0.42857142857142855},
            "by_wall": null,
            "effective_per_ns": null,
            "outcome": {"path_steps": 3000000, "trace": [{"walks": 1, "path_steps": 1000000},
                        {"walks": 2, "path_steps": 2000000}, {"walks": 3, "path_steps": 3000000}]},
            "registers": 32, "shared_bytes": 8192, "occupancy": 0.75, "sm_clock_mhz": 1965.5,
            "throttle": {"timings": 3, "power": 2, "thermal": 0, "sync_boost": 0, "other": 0, "min_c": 45, "max_c": 62},
            "power_w": 250, "per_joule": 2000000, "rehearsal": null, "audit": null, "team": null, "resumed_from": null,
            "warnings": [{"kind": "clock", "text": "the first"},
                         {"kind": "tool", "text": "the second, with a\nline break"}]}]})json");
    const json document = json::parse(to_json(run()));
    EXPECT_EQ(document, expected) << json::diff(expected, document);
}

/// Asserts the values of these fields of a run, whatever the others are.
void expect_fields(const Record& run, const char* fields) {
    const json actual = run_of(run), expected = json::parse(fields);
    for (const auto& [key, value] : expected.items()) EXPECT_EQ(actual.at(key), value) << key;
}

TEST(Json, TellsWhyTheMeasurementEnded) {
    using bench::Progress;
    const std::pair<Progress, const char*> table[] = {{Progress::precise, "precise"},
                                                      {Progress::done, "done"},
                                                      {Progress::out_of_reach, "out_of_reach"},
                                                      {Progress::out_of_time, "out_of_time"},
                                                      {Progress::few_timings, "few_timings"}};
    for (const auto& [progress, name] : table) {
        Record ended = run();
        ended.measured.progress = progress;
        EXPECT_EQ(run_of(ended).at("stopped"), name);
    }
}

// Two workers: one had a part replayed at full size.
TEST(Json, TellsWhatWasReplayed) {
    Record replayed = run();
    replayed.rehearsed = {{.brief = {1, 264, 264, 17'000'000}, .full = {}, .seconds = 0.1234}};
    expect_fields(replayed, R"({"rehearsal": {"brief": {"launches": 1, "parts": 264, "of": 264, "work": 17000000},
                                              "full": null, "seconds": 0.123}, "audit": null})");
    replayed.rehearsed->full = {1, 1, 1, 500, 65'536};
    expect_fields(replayed, R"({"rehearsal": {"brief": {"launches": 1, "parts": 264, "of": 264, "work": 17000000},
                                              "full": {"launches": 1, "parts": 1, "of": 1, "work": 500, "vertices": 65536},
                                              "seconds": 0.123}})");
    replayed.audits = {
        {.timed = 40,
         .full = {2, 2, 264, 1'000'000},
         .brief = {30, 30, 264, 500},
         .part_seconds = 0.75,
         .entropy = 0xbeef,
         .seconds = 0.25},
        {.timed = 5, .full = {}, .brief = {5, 5, 264, 500}, .part_seconds = 0, .entropy = ~0ull, .seconds = 0.5}};
    expect_fields(replayed, R"({"audit": {"timed": 45, "full": {"launches": 2, "parts": 2, "of": 264, "work": 1000000},
                                          "brief": {"launches": 35, "parts": 35, "of": 264, "work": 500},
                                          "part_seconds": 0.75, "entropy": ["000000000000beef", "ffffffffffffffff"], "seconds": 0.75}})");
}

// Three million path-steps in 15.625 ms, half of which belongs to launches.
TEST(Json, OfFixedWorkTellsTheRateByTheWall) {
    Record fixed = run();
    fixed.occasion = bench::Occasion::pooled;
    fixed.measured.timed_ms = 7.8125;
    fixed.measured.elapsed_seconds = 0.015625;
    expect_fields(fixed, R"({"by_wall": {"per_ns": 0.192, "seconds": 0.015625, "share": 0.5}})");
    expect_fields(run_with_nothing_left(), R"({"by_wall": null, "per_ns": null})");
}

TEST(Json, OfAStepWithArraysTellsWhatItMoves) {
    Record copies = run();
    copies.launched.clock = bench::Clock::wall;
    copies.step.arrays = {.host_bytes = [](bench::Shape, unsigned) { return std::size_t{8}; },
                          .pinned = true,
                          .pcie_up = 8,
                          .pcie_down = 0.5,
                          .dram = 24};
    expect_fields(copies, R"({"clock": "wall", "host_memory": "pinned",
                              "bytes": {"pcie_up": 8, "pcie_down": 0.5, "dram": 24}, "per_joule": null})");
    copies.step.arrays.pinned = false;
    expect_fields(copies, R"({"host_memory": "pageable"})");
}

TEST(Json, OfAWholeCallHasItsOwnPhasesAndClock) {
    Record call = run();
    call.launched = whole_call_of(call.step);
    call.whole_calls = true;
    expect_fields(call, R"({"call": true, "clock": "wall", "phases_ms": {"alloc": [1.5, 0.25, 0.75],
        "run": [2, 0.5, 1], "copy": [0.5, 0.25, 0.25], "sum": [0, 0, 0], "free": [0, 0, 0]}})");
}

TEST(Json, IsNullWhereThereIsNothingToTell) {
    Record library = run();
    library.kernel.reset();
    library.members[0].power_w.reset();
    library.launched.phases[1] = library.launched.phases[2] = {};
    expect_fields(library, R"({"registers": null, "shared_bytes": null, "occupancy": null, "blocks": 264,
                               "power_w": null, "per_joule": null, "phases_ms": {}})");
    expect_fields(cpu_run(), R"({"after": null, "blocks": null, "registers": null, "shared_bytes": null,
        "occupancy": null, "sm_clock_mhz": null, "throttle": null, "power_w": null, "per_joule": null, "clock": "wall",
        "version": "cpu_openmp", "threads": 16, "streams": 4096, "isa": "x86-64-v4"})");
    const json on_cpu = run_of(cpu_run()), on_gpu = run_of(run());
    for (const auto& [key, value] : on_gpu.items()) EXPECT_TRUE(on_cpu.contains(key)) << key;
    const json context = to_json(cpu_run().context);
    for (const char* key : {"device", "driver", "runtime"}) EXPECT_TRUE(context.at(key).is_null()) << key;
}

TEST(Json, TellsOfWhatTheEstimandKnows) {
    const Walks dependent(bench::Soundness::sound, bench::VarianceRatio{0.04});
    expect_fields(run(dependent), R"({"effective_per_ns": 12.5})");  // 0.5 over 0.04
    class OfMazes : public Walks {
        nlohmann::ordered_json problem() const override { return {{"name", "maze"}, {"n", 3}}; }
        bool work_is_known() const override { return true; }
    };
    const OfMazes regular;
    expect_fields(run(regular), R"({"problem": {"name": "maze", "n": 3}, "work_of_timings": null})");
    for (const auto& [soundness, text, sound] :
         {std::tuple(bench::Soundness::sound, "sound", true),
          std::tuple(bench::Soundness::sound_in_24_bits, "sound for 24-bit coordinates", true),
          std::tuple(bench::Soundness::sound_in_24_bits_but_parity,
                     "sound for 24-bit coordinates but for a known parity", true),
          std::tuple(bench::Soundness::sound_in_bit_planes, "sound in bit planes", true),
          std::tuple(bench::Soundness::not_tested, "not tested", false),
          std::tuple(bench::Soundness::quasi_random, "quasi-random", true)}) {
        const Walks declared(soundness);
        EXPECT_EQ(run_of(run(declared)).at("soundness"), text);
        EXPECT_EQ(run_of(run(declared)).at("sound"), sound) << text;
    }
}

TEST(Json, OfLaunchesThatDifferTheWorkIsTheirMean) {
    Record uneven = run();
    uneven.tally = tally_of({1, 2, 4, 3});
    uneven.measured.work = {1, 3, 3};
    expect_fields(uneven, R"({"work": 2.5, "work_of_timings": [1, 3, 3]})");
}

TEST(Json, Keeps64BitIntegersExactAndTimesToThePicosecond) {
    Record large = run();
    large.tally = tally_of({9223372036854775807u});
    large.launches = 9007199254740993u;  // no double
    large.resumed_from = 9007199254740995u;
    large.measured.ms = {0.1, 1.0 / 3, 12345.678901234567};
    expect_fields(large, R"({"seed": 18446744073709551615, "work": 9223372036854775807, "launches": 9007199254740993,
                             "resumed_from": 9007199254740995, "kernel_ms": [0.1, 0.333333333, 12345.678901235]})");
}

TEST(Json, TellsOfATeamOfDevices) {
    Record devices = run_of_devices();
    expect_fields(devices, R"({"team": {
        "kind": "devices", "scaling": "strong", "size": 2, "mpi": null, "hosts": ["a"], "wall_ms": [4.5, 1.25, 2],
        "members": [{"rank": null, "host": "a", "device": 2, "name": "NVIDIA H200", "launches": 3, "per_ns": 0.5,
                     "sm_clock_mhz": 1965, "power_w": 250,
                     "throttle": {"timings": 3, "power": 0, "thermal": 0, "sync_boost": 0, "other": 0, "min_c": 45, "max_c": 62}},
                    {"rank": null, "host": "a", "device": 0, "name": "NVIDIA H200", "launches": 0, "per_ns": null,
                     "sm_clock_mhz": null, "power_w": null, "throttle": null}]}})");
    devices.members.resize(1);
    EXPECT_EQ(run_of(devices).at("team").at("size"), 1) << "a team of one is a team";
}

TEST(Json, TellsOfATeamOfRanks) {
    const json team = run_of(run_of_ranks()).at("team");
    EXPECT_EQ(team.at("kind"), "mpi");
    EXPECT_EQ(team.at("scaling"), "weak");
    const auto library = bench::mpi_library();
    EXPECT_EQ(team.at("mpi"), library ? json(*library) : json(nullptr));
    EXPECT_EQ(team.at("hosts"), json({"a", "b"})) << "each once";
    ASSERT_EQ(team.at("members").size(), 3u);
    for (int rank = 0; rank < 3; rank++) {
        const json& one = team.at("members").at(static_cast<std::size_t>(rank));
        EXPECT_EQ(one.at("rank"), rank);
        EXPECT_EQ(one.at("host"), rank == 1 ? "b" : "a");
        EXPECT_EQ(one.at("device"), rank == 1 ? json(1) : json(nullptr));
        EXPECT_DOUBLE_EQ(one.at("per_ns"), 0.25);
    }
}

TEST(Json, HasNoRateWhereNothingWasTimed) {
    const Walks dependent(bench::Soundness::sound, bench::VarianceRatio{0.04});
    const Record nothing_left = run_with_nothing_left(dependent);
    expect_fields(nothing_left, R"({"kernel_ms": [], "phases_ms": {"seed": [], "walk": [], "reduce": []},
        "per_ns": null, "per_joule": null, "effective_per_ns": null, "resumed_from": 3, "work": 1000000})");
}

}  // namespace
