#include "bench/options/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <cstdlib>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/options/values.hpp"

namespace bench {
namespace {

/// CUDA Programming Guide, "Technical Specifications": x dimension of a grid.
constexpr std::uint64_t max_grid_blocks = 2147483647;
constexpr std::uint64_t max_block_threads = 1024;
constexpr std::uint64_t max_batch_asked = 65536;  // device memory holds the counts of all

/// Options that exclude --profile, besides the goal.
constexpr const char* not_with_profile[] = {"--launches", "--min-time", "--max-time",   "--json",   "--csv",
                                            "--batch",    "--devices",  "--checkpoint", "--resume", "--call"};

/// Options that exclude others, and why.
const struct {
    const char* option;
    std::vector<const char*> others;
    const char* why;
} exclusions[] = {
    {"--checkpoint", {"--resume"}, ", which keeps saving to the same file"},
    {"--resume", {"--min-time", "--max-time"}, ": it runs until its goal"},
    {"--call", {"--checkpoint", "--resume", "--devices"}, ""},
    {"--judge",
     {"--launches", "--min-time", "--max-time", "--batch", "--devices", "--checkpoint", "--resume", "--call",
      "--scaling", "--profile", "--device", "--iters", "--blocks", "--seed"},
     ": it runs no launch"},
};

/// Adds an option; `parse(option, text)` converts its value for `*target`.
template <typename Target, typename Parse>
CLI::Option* add_value(CLI::App& app, const std::string& name, Target* target, Parse parse, const std::string& help,
                       const std::string& type = "N") {
    return app
        .add_option_function<std::string>(
            name, [=](const std::string& text) { *target = parse(name, text); }, help)
        ->type_name(type);
}

CLI::Option* add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& help) {
    return app.add_flag(name, target, help)->disable_flag_override();
}

/// Takes an option out of --help, where the program has another line for who gives it all the same.
void hide(CLI::Option* option) { option->group(""); }

auto between(std::uint64_t least, std::uint64_t most) {
    return
        [=](const std::string& option, const std::string& text) { return parse_quantity(option, text, least, most); };
}

/// The launches of --launches.
void read_launches(Options& options, const std::string& text) {
    constexpr std::uint64_t most = UINT64_MAX / 2;
    const auto colon = text.find(':');
    if (colon != std::string::npos) options.first = parse_quantity("--launches", text.substr(0, colon), 0, most - 1);
    const std::uint64_t first = options.first.value_or(0);
    options.launches = parse_quantity("--launches", text.substr(colon + 1), first + 1, most) - first;
}

/// Checks combinations that CLI11's excludes() cannot express. Throws UsageError.
void check_combination(const CLI::App& app, const Options& options) {
    const auto given = [&](const std::string& name) {
        const CLI::Option* option = app.get_option_no_throw(name);
        return option && option->count() > 0;
    };
    for (const auto& [option, others, why] : exclusions) {
        for (const char* other : others) {
            if (given(option) && given(other)) throw UsageError(fmt::format("{} excludes {}{}", option, other, why));
        }
    }
    for (const std::string& file : options.judge) parse_path("--judge", file);
    if (given("--judge") && options.goal) throw UsageError("--judge excludes " + options.goal_option);
    if (given("--scaling") && !options.pooled() && !options.batch) {
        throw UsageError("--scaling needs work to scale: --launches, " + options.goal_option + " or --batch");
    }
    if (given("--checkpoint") && !options.pooled()) {
        throw UsageError("--checkpoint needs a fixed amount of work: --launches or " + options.goal_option);
    }
    for (const auto& [option, result] : {std::pair("--json", options.json), {"--csv", options.csv}}) {
        for (const std::string& state : {options.checkpoint, options.resume}) {
            if (!result.empty() && !state.empty() && same_file(result, state)) {
                throw UsageError(fmt::format("{}: {} is the file of the checkpoint", option, result));
            }
        }
    }
    if (!options.json.empty() && !options.csv.empty() && same_file(options.json, options.csv)) {
        throw UsageError("--csv: " + options.csv + " is where --json writes");
    }
    if (options.min_time > options.max_time && given("--min-time")) {
        throw UsageError(fmt::format("--min-time {} exceeds --max-time {}", options.min_time, options.max_time));
    }
    if (options.first && (options.scaling == Scaling::weak || (!given("--checkpoint") && !given("--resume")))) {
        throw UsageError(
            "--launches FIRST:LAST needs --checkpoint, and no weak scaling: its file says which they were");
    }
    if (given("--checkpoint-every") && !given("--checkpoint") && !given("--resume")) {
        throw UsageError("--checkpoint-every needs --checkpoint or --resume");
    }
}

/// Turns --profile on under a tool that slows launches down, unless the user asks for something else.
void heed_tool(const CLI::App& app, Options& options) {
    const auto tool = slowing_tool();
    const bool asked = options.profile || options.goal || !options.judge.empty() || options.list_devices ||
                       app.count("--no-profile") > 0 ||
                       std::ranges::any_of(not_with_profile, [&](const char* other) { return app.count(other) > 0; });
    if (!tool || asked) return;
    options.profile = true;
    options.profiled_by = *tool;
}

std::string default_shape_text(const Step& step) {
    if (is_on_cpu(step)) return "all cores";
    if (step.accepted_blocks == Blocks::one) return "1";
    if (step.default_blocks != 0) return fmt::format("{} of {} threads", step.default_blocks, step.default_threads);
    return step.default_blocks_per_sm == as_many_as_fit
               ? fmt::format("as many of {} threads as are resident at once", step.default_threads)
               : fmt::format("{} per multiprocessor, of {} threads", step.default_blocks_per_sm, step.default_threads);
}

std::string description_of(const Step& step) {
    const std::string head = is_on_cpu(step) ? fmt::format("{}: {}.", step.title, step.technique)
                                             : fmt::format("{}: {}. {}.", step.name, step.title, step.technique);
    const std::string builds_on =
        is_on_cpu(step) ? "" : fmt::format("\nBuilds on: {}", step.after ? step.after : "nothing");
    return fmt::format("{}\n{}\n{}{}", head, step.lesson, generator_line(*step.estimand), builds_on);
}

void add_work_options(CLI::App& app, Options& options, const Step& step) {
    const Estimand& estimand = *step.estimand;
    const bool on_gpu = !is_on_cpu(step);
    const bool has_iters = estimand.iterations_are_free() && step.most_iters > 1;
    const std::string goal = options.goal_option;
    auto* const iters = add_value(app, "--iters", &options.iters, between(1, UINT_MAX),
                                  fmt::format("{} per {} and launch (default {})", estimand.iterations(),
                                              on_gpu ? "thread" : "stream", has_iters ? step.default_iters : 1));
    if (!has_iters) hide(iters);
    if (on_gpu) {
        add_value(app, "--blocks", &options.blocks, between(1, max_grid_blocks),
                  fmt::format("blocks of the grid (default: {})", default_shape_text(step)));
    }
    add_value(app, "--threads", &options.threads, between(1, on_gpu ? max_block_threads : step.cpu.streams),
              on_gpu ? "threads per block" : "CPU threads (default: " + default_shape_text(step) + ")");
    app.add_option_function<std::string>(
           "--launches", [&options](const std::string& text) { read_launches(options, text); },
           fmt::format("run exactly N launches instead of the stopping rule; pool them as with {}; "
                       "FIRST:LAST are those from FIRST to before LAST of a larger run, for --judge",
                       goal))
        ->type_name("N|FIRST:LAST");
    add_value(app, goal, &options.goal, between(1, UINT64_MAX / 2),
              fmt::format("run {} N {}, rounded up to whole launches, instead of the stopping rule; pool them "
                          "into one estimate, printed with {}",
                          estimand.work_is_known() ? "at least" : "about", estimand.unit().many, estimand.precision()))
        ->excludes("--launches");
    add_value(app, "--batch", &options.batch, between(1, max_batch_asked),
              "time N launches at once (default: as many as take a millisecond)");
    add_value(app, "--scaling", &options.scaling, parse_scaling,
              fmt::format("weak: --launches, {} and --batch are for each {}; strong (default): for all together", goal,
                          on_gpu ? "GPU" : "MPI rank"),
              "weak|strong");
    add_flag(app, "--call", options.whole_calls,
             "time whole calls by the host's clock: allocate, launch, copy the counts, add them, free");
    add_value(app, "--min-time", &options.min_time, parse_seconds,
              "measure at least S seconds of launches (default 0.5)", "S")
        ->excludes("--launches")
        ->excludes(goal);
    add_value(app, "--max-time", &options.max_time, parse_seconds,
              "stop measuring after S seconds, between launches (default 15)", "S")
        ->excludes("--launches")
        ->excludes(goal);
    add_value(app, "--seed", &options.seed, parse_seed, "seed of the run (default 1234); 'random' draws one",
              "N|random");
}

/// Adds the program's own options. Their values are kept as text, which settles the step.
void add_own_options(CLI::App& app, Options& options, const OwnOptions& own) {
    for (const auto& [name, value, help, is_listed] : own.list()) {
        const auto keep = [&values = options.own, name = name](const std::string& text) { values[name] = text; };
        auto* const option = value.empty()
                                 ? app.add_flag_callback(
                                          "--" + name, [keep] { keep(""); }, help)
                                       ->disable_flag_override()
                                 : app.add_option_function<std::string>("--" + name, keep, help)->type_name(value);
        if (!is_listed) hide(option);
    }
}

void add_file_options(CLI::App& app, Options& options) {
    add_value(app, "--checkpoint", &options.checkpoint, parse_path,
              fmt::format("save the progress of a run of --launches or {} to a new file, also when interrupted",
                          options.goal_option),
              "FILE");
    add_value(app, "--checkpoint-every", &options.checkpoint_every, parse_seconds,
              "save every S seconds, between timings (default 60)", "S");
    add_value(app, "--resume", &options.resume, parse_path,
              fmt::format("continue the run in FILE and keep saving there; --launches or {} set a new goal",
                          options.goal_option),
              "FILE");
    app.add_option("--judge", options.judge,
                   "launch nothing: add the runs in these files of --checkpoint, and judge their sum; --json writes it")
        ->type_name("FILE...");
    add_value(app, "--json", &options.json, parse_path,
              "write the result as JSON; '-' writes it, and nothing else, to stdout", "FILE|-");
    add_value(app, "--csv", &options.csv, parse_path,
              "write what the result has in single values as CSV, a line of names and one of values; '-' as for --json",
              "FILE|-");
}

void add_gpu_options(CLI::App& app, Options& options) {
    add_value(app, "--device", &options.device, between(0, INT_MAX), "CUDA device (default 0)");
    add_value(app, "--devices", &options.devices, parse_devices,
              "CUDA devices that share the launches, such as 0,2,3; 'all' for every device", "all|LIST")
        ->excludes("--device");
    add_flag(app, "--oversubscribe", options.oversubscribe, "under MPI: allow more ranks than GPUs on a host");
    auto* profile = add_flag(app, "--profile", options.profile,
                             "one launch in an NVTX range, no warm-up and no rate: for profilers; implied under "
                             "ncu and compute-sanitizer, unless an option is given that excludes it")
                        ->excludes(options.goal_option);
    for (const char* other : not_with_profile) profile->excludes(other);
    app.add_flag("--no-profile")
        ->description("under ncu and compute-sanitizer: measure as usual, although the rate means nothing")
        ->disable_flag_override()
        ->excludes(profile);
    add_flag(app, "--list-devices", options.list_devices, "list the CUDA devices");
}

}  // namespace

std::optional<Options> parse_command_line(int argc, const char* const* argv, const std::string& program,
                                          const std::string& version, const Step& step) {
    const bool on_gpu = !is_on_cpu(step);
    Options options;
    options.goal_option = fmt::format("--{}", step.estimand->unit().many);
    CLI::App app(description_of(step), program);
    add_work_options(app, options, step);
    if (step.own.options) add_own_options(app, options, *step.own.options);
    add_file_options(app, options);
    if (on_gpu) add_gpu_options(app, options);
    add_flag(app, "--quiet", options.quiet, "no report and no progress line; warnings and errors remain");

    if (!bench::parse(app, argc, argv, version)) return std::nullopt;
    options.seed_given = app.count("--seed") > 0;
    options.device_given = on_gpu && app.count("--device") > 0;
    check_combination(app, options);
    if (on_gpu) heed_tool(app, options);
    return options;
}

// As of CUDA 13.0, the tools set these variables.
std::optional<std::string> slowing_tool() {
    if (std::getenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR")) return "Nsight Compute";
    if (std::getenv("NV_SANITIZER_INJECTION_PORT_BASE")) return "compute-sanitizer";
    return std::nullopt;
}

}  // namespace bench
