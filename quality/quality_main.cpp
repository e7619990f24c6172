// suite_quality: runs the suite's own tests on every source and prints JSON. The batteries lack these tests.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/estimands/hits/law.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/record/record.hpp"
#include "bench/workers/gpu/device.hpp"
#include "quality/catalogue.hpp"
#include "quality/cpu_tests.hpp"
#include "quality/differences.hpp"
#include "quality/dispersion.hpp"
#include "quality/gpu_tests.hpp"
#include "quality/linear_complexity.hpp"
#include "quality/overlap.hpp"
#include "quality/serial.hpp"
#include "quality/window_parities.hpp"

namespace {

using Json = nlohmann::ordered_json;
using bench::Source;

constexpr const char* program = "suite_quality";
constexpr const char* description =
    "Tests the random streams of every version, and generators with known faults: hits per stream against\n"
    "the binomial distribution, neighbouring streams, x against y, linear complexity of each bit, differences of\n"
    "words, parities of lanes.";

constexpr double significant = 1e-6;          // a smaller p-value is a finding
constexpr double short_cycle_draws = 0x1p33;  // one or two generators with 32 bits of state

struct Sizes {
    std::uint64_t streams = 1 << 20;
    std::uint64_t specimen_streams = 1 << 20;
    unsigned iters = 500;  // samples per stream
    std::uint64_t lag_streams = 1 << 16;
    unsigned lags = 4;
    std::uint64_t pair_streams = 1 << 14;  // for the serial tests
    std::uint64_t pairs = 1 << 14;         // per stream
    unsigned bits = 1 << 14;               // words for the linear complexity
    std::size_t difference_words = 1 << 22;
    std::size_t window_draws = 1 << 26;  // for the parities of lanes
    unsigned window_bits = 24;
};

/// Windows of `bits` bits: single outer lanes, and pairs of neighbouring lanes.
std::vector<quality::Window> windows_of_bits(unsigned bits) {
    std::vector<quality::Window> windows;
    for (const unsigned bit : {0u, 1u, 30u, 31u}) {
        windows.push_back({bit, 1, bits});
    }
    for (const unsigned bit : {0u, 15u, 30u}) {
        windows.push_back({bit, 2, bits / 2});
    }
    return windows;
}

struct Options {
    std::vector<std::string> names;
    std::string json = "-";
    std::uint64_t seed = 1234;
    int device = 0;
    bool gpu = false;
    bool words_only = false;
    std::optional<unsigned> iters;
    std::optional<std::uint64_t> streams;
};

Sizes sizes_of(const Options& o) {
    Sizes sizes;
    if (o.gpu) {
        sizes.streams = 1 << 22;
        sizes.iters = 100'000;
        sizes.pair_streams = 1 << 20;
    } else {
        sizes.specimen_streams = 1 << 17;  // their faults are easy to find
    }
    sizes.iters = o.iters.value_or(sizes.iters);
    sizes.streams = o.streams.value_or(sizes.streams);
    sizes.specimen_streams = o.streams.value_or(sizes.specimen_streams);
    return sizes;
}

void add_options(CLI::App& app, Options& o) {
    app.add_option("names", o.names, "versions or generators (default: all of suite_stream --list)")->type_name("NAME");
    const auto gpu = app.add_flag("--gpu", o.gpu, "run on the GPU, at full size")->disable_flag_override();
    app.add_flag("--words-only", o.words_only, "run only the tests of words; the tests of hits and pairs take minutes")
        ->disable_flag_override()
        ->excludes(gpu);
    const auto quantity = [&](auto&&... arguments) { bench::add_quantity(app, arguments...); };
    quantity("--streams", 64, 1 << 24, "number of streams, a multiple of 32 (default 2^20, on the GPU 2^22)",
             [&](std::uint64_t n) { o.streams = n / 32 * 32; });
    quantity("--iters", 2, 10'000'000, "samples per stream (default 500, on the GPU 100000)",
             [&](std::uint64_t n) { o.iters = static_cast<unsigned>(n); });
    quantity("--seed", 0, UINT64_MAX, "seed of the run (default 1234)", [&](std::uint64_t n) { o.seed = n; });
    quantity("--device", 0, INT_MAX, "CUDA device (default 0)",
             [&](std::uint64_t n) { o.device = static_cast<int>(n); });
    app.add_option("--json", o.json, "write the result to FILE (default '-', stdout)")->type_name("FILE|-");
}

/// Parses the command line. Returns nothing after printing --help or --version.
std::optional<Options> parse(int argc, const char* const* argv) {
    Options o;
    CLI::App app(description, program);
    add_options(app, o);
    if (!bench::parse(app, argc, argv)) {
        return std::nullopt;
    }
    return o;
}

std::vector<quality::Entry> chosen(const std::vector<std::string>& names) {
    std::vector<quality::Entry> entries = quality::catalogue();
    if (names.empty()) {
        return entries;
    }
    std::vector<const Source*> wanted;
    for (const std::string& name : names) {
        wanted.push_back(&quality::source_named(name));
    }
    std::erase_if(entries, [&](const quality::Entry& entry) {
        return std::find(wanted.begin(), wanted.end(), entry.source) == wanted.end();
    });
    return entries;
}

// Facts about a source

Json identity(const quality::Entry& entry) {
    const Source& source = *entry.source;
    const double bias = bench::bias(source.expected), p = bench::hit_probability(source.expected);
    const double variance_of_one = 16 * p * (1 - p);
    return {{"source", source.name},
            {"generator", source.generator},
            {"versions", entry.versions},
            {"soundness", entry.is_specimen() ? Json(nullptr) : Json(bench::text_of(source.soundness))},
            {"words_of", quality::first_with_words_of(source).name},
            {"bit_planes", source.bit_planes},
            {"lagged", source.lagged},
            {"expected", {{"count", source.expected.count}, {"total", source.expected.total}}},
            {"bias", bias},
            {"bias_samples", variance_of_one / (bias * bias)},
            {"cycle_samples", std::exp2(source.log2_cycle_samples)}};
}

// Results of the tests

Json dispersion_json(const Source& source, std::span<const std::uint32_t> hits, unsigned iters) {
    const quality::Dispersion d = quality::dispersion(hits, iters, bench::hit_probability(source.expected));
    return {{"streams", d.streams},
            {"iters", d.iters},
            {"mean_z", d.mean_z},
            {"variance_ratio", d.variance_ratio},
            {"variance_sd", d.variance_sd},
            {"chi2", d.chi2},
            {"dof", d.dof},
            {"neighbour_correlation", d.neighbour_correlation},
            {"p_mean", d.p_mean},
            {"p_variance", d.p_variance},
            {"p_histogram", d.p_histogram},
            {"p_neighbours", d.p_neighbours}};
}

Json serial_json(const quality::Serial& s) {
    return {{"pairs", s.pairs}, {"chi2", s.chi2}, {"dof", s.dof}, {"p", s.p}};
}

Json pairs_json(const quality::PairCounts& counts) {
    return {{"xy", serial_json(quality::serial(counts.xy))},
            {"neighbours", serial_json(quality::serial(counts.neighbours))}};
}

Json differences_json(const Source& source, std::uint64_t seed, const Sizes& sizes) {
    Json by_lag = Json::array();
    for (const quality::Serial& s : quality::differences(source, seed, sizes.difference_words, sizes.lags)) {
        by_lag.push_back(serial_json(s));
    }
    return by_lag;
}

Json parities_json(const Source& source, std::uint64_t seed, const Sizes& sizes) {
    if (!source.bit_planes) {
        return nullptr;
    }
    const auto windows = windows_of_bits(sizes.window_bits);
    const auto found = quality::window_parities(source, seed, sizes.window_draws, windows);
    Json by_window = Json::array();
    for (std::size_t i = 0; i < windows.size(); i++) {
        const quality::WindowParities& w = found[i];
        by_window.push_back({{"first", windows[i].first},
                             {"bits", windows[i].bits},
                             {"draws", windows[i].draws},
                             {"positions", w.positions},
                             {"chi2", w.chi2},
                             {"dof", w.dof},
                             {"p", w.p},
                             {"largest", w.largest},
                             {"largest_mask", w.largest_mask},
                             {"p_largest", w.p_largest}});
    }
    return by_window;
}

Json lags_json(const Source& source, std::uint64_t seed, const Sizes& sizes) {
    if (source.bit_planes) {
        return nullptr;
    }
    const auto lags = quality::lag_correlations(source, {seed, sizes.lag_streams}, sizes.iters,
                                                std::min(sizes.lags, sizes.iters - 1));
    return {{"streams", sizes.lag_streams}, {"iters", sizes.iters}, {"correlation", lags.correlation}, {"sd", lags.sd}};
}

Json linear_json(const Source& source, std::uint64_t seed, unsigned bits) {
    const auto complexity = quality::bit_complexities(source, seed, bits);
    Json linear_bits = Json::array();
    for (std::size_t b = 0; b < complexity.size(); b++) {
        if (quality::p_of_linear_complexity(complexity[b], bits) < significant) {
            linear_bits.push_back(b);
        }
    }
    return {{"bits", bits}, {"complexity", complexity}, {"linear_bits", linear_bits}};
}

Json overlap_json(const quality::Entry& entry, const Sizes& sizes) {
    const double cycle_draws = std::exp2(entry.source->log2_cycle_samples + 1);
    if (entry.is_specimen() || !(cycle_draws <= short_cycle_draws)) {
        return nullptr;
    }
    const auto o = quality::overlap(sizes.streams, 2 * std::uint64_t{sizes.iters}, cycle_draws);
    return {{"streams", o.streams},
            {"draws", o.draws},
            {"cycle_draws", o.cycle_draws},
            {"times_round", o.times_round},
            {"overlapping", o.overlapping}};
}

Json tested(const quality::Entry& entry, const Options& o, const Sizes& sizes) {
    const Source& source = *entry.source;
    const quality::Streams streams = {o.seed, entry.is_specimen() ? sizes.specimen_streams : sizes.streams};
    const quality::Streams pair_streams = {o.seed, sizes.pair_streams};
    Json row = identity(entry);
    for (const char* test : {"lags", "linear", "differences", "parities"}) {
        row[test] = nullptr;
    }
    if (o.gpu) {
        row["dispersion"] =
            dispersion_json(source, quality::hits_per_stream_on_gpu(source, streams, sizes.iters), sizes.iters);
        row["serial"] = pairs_json(quality::count_pairs_on_gpu(source, pair_streams, sizes.pairs));
    } else if (!o.words_only) {
        row["dispersion"] =
            dispersion_json(source, quality::hits_per_stream(source, streams, sizes.iters), sizes.iters);
        row["serial"] = pairs_json(quality::count_pairs(source, pair_streams, sizes.pairs));
        row["lags"] = lags_json(source, o.seed, sizes);
    }
    if (!o.gpu) {
        row["linear"] = linear_json(source, o.seed, sizes.bits);
        row["differences"] = differences_json(source, o.seed, sizes);
        row["parities"] = parities_json(source, o.seed, sizes);
    }
    row["overlap"] = overlap_json(entry, sizes);
    return row;
}

// The document

void show_progress(const std::string& text) {
    if (isatty(STDERR_FILENO)) {
        std::fputs(fmt::format("\r\033[K{}", text).c_str(), stderr);
        std::fflush(stderr);
    }
}

Json all_rows(const Options& o, const Sizes& sizes) {
    Json rows = Json::array();
    const auto entries = chosen(o.names);
    for (const quality::Entry& entry : entries) {
        show_progress(fmt::format("{} of {}: {}", rows.size() + 1, entries.size(), entry.source->name));
        rows.push_back(tested(entry, o, sizes));
    }
    show_progress("");
    return rows;
}

Json document(const Options& o) {
    const Sizes sizes = sizes_of(o);
    Json rows = all_rows(o, sizes);
    return {{"schema", 1},
            {"suite", "pi"},
            {"context", bench::to_json(o.gpu ? bench::gpu_context(o.device) : bench::cpu_context())},
            {"sizes",
             {{"streams", sizes.streams},
              {"iters", sizes.iters},
              {"pairs", sizes.pair_streams * sizes.pairs},
              {"bits", sizes.bits},
              {"difference_words", sizes.difference_words},
              {"window_draws", sizes.window_draws},
              {"window_bits", sizes.window_bits}}},
            {"rows", std::move(rows)}};
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        const auto options = parse(argc, argv);
        if (!options) {
            return;
        }
        chosen(options->names);  // reports an unknown name before anything runs
        bench::check_target(options->json);
        if (options->gpu) {
            bench::select_device(options->device);
        }
        bench::write_target(options->json, document(*options).dump(1) + "\n");
    });
}
