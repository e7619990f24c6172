// The command line that all programs share, and the tools that they run under.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/options/own_options.hpp"

namespace bench {

/// strong: workers share the given work. weak: each worker does the given work.
enum class Scaling { strong, weak };

/// Devices of --devices, in the order given; empty for all.
using DeviceChoice = std::vector<int>;

/// The user's options; an empty one means the program's default.
struct Options {
    std::optional<unsigned> iters;
    std::optional<unsigned> blocks;
    std::optional<unsigned> threads;
    std::optional<std::uint64_t> launches;
    std::optional<std::uint64_t> first;  // of these launches, from --launches FIRST:LAST
    std::optional<std::uint64_t> goal;   // units of work
    std::string goal_option;             // name of its option, after the unit: "--throws"
    std::optional<unsigned> batch;
    OwnValues own;  // of the program's own options
    Scaling scaling = Scaling::strong;
    double min_time = 0.5;  // seconds of launches
    double max_time = 15;   // seconds
    std::uint64_t seed = 1234;
    bool seed_given = false;
    int device = 0;
    bool device_given = false;
    std::optional<DeviceChoice> devices;
    bool oversubscribe = false;
    std::string checkpoint;          // a path, empty for none
    double checkpoint_every = 60;    // seconds
    std::string resume;              // a path, empty for none
    std::vector<std::string> judge;  // paths of stored runs
    std::string json;                // a path, "-" for stdout, empty for none
    std::string csv;                 // as json
    bool whole_calls = false;
    bool profile = false;
    std::string profiled_by;  // the tool that implied `profile`; empty if the user gave it
    bool list_devices = false;
    bool quiet = false;

    /// Whether the run has a fixed amount of work, pooled into one estimate, instead of the stopping rule.
    bool pooled() const { return launches || goal; }
    /// Whether stdout is for the result alone.
    bool result_on_stdout() const { return json == "-" || csv == "-"; }
};

/// Reads the command line of a step's program. Returns nothing after printing --help or --version, which is the program's
/// name and `version`. Throws UsageError with one clear line if the command line is wrong.
std::optional<Options> parse_command_line(int argc, const char* const* argv, const std::string& program,
                                          const std::string& version, const Step& step);

/// The tool that slows down the launches of this process, if there is one: "Nsight Compute", which repeats each launch
/// to measure one thing after another, or "compute-sanitizer". Detected by the environment variables that they set.
/// Nsight Systems does not slow launches down, so it does not count.
std::optional<std::string> slowing_tool();

}  // namespace bench
