// The command line that all programs share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/options/own_options.hpp"

namespace bench {

/// The facts of a program that its command line needs.
struct ProgramFacts {
    std::string name;                       // "pi_v7"
    std::string version;                    // what --version prints after the name
    std::string units;                      // of work, plural; the option --<units> sets a goal
    std::string iterations;                 // what --iters counts
    bool work_is_known;                     // whether a launch does exactly the work that is expected
    std::string precision;                  // what a pooled estimate is printed with: "its standard deviation"
    std::string description;                // for --help
    bool on_gpu;                            // whether it has --blocks, --device, --list-devices and --profile
    std::optional<unsigned> default_iters;  // none: it is always 1, and --help does not list --iters
    std::string default_shape;              // text for --help
    unsigned streams = 0;                   // on the CPU: maximum number of threads
    std::shared_ptr<const OwnOptions> own_options = {};  // null if it has none
};

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
    std::optional<std::uint64_t> goal;  // units of work
    std::string goal_option;            // name of its option, after the unit: "--throws"
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
    std::string checkpoint;        // a path, empty for none
    double checkpoint_every = 60;  // seconds
    std::string resume;            // a path, empty for none
    std::string json;              // a path, "-" for stdout, empty for none
    bool whole_calls = false;
    bool profile = false;
    std::string profiled_by;  // the tool that implied `profile`; empty if the user gave it
    bool list_devices = false;
    bool quiet = false;

    /// Whether the run has a fixed amount of work, pooled into one estimate, instead of the stopping rule.
    bool pooled() const { return launches || goal; }
};

/// Reads a command line. Returns nothing after printing --help or --version. Throws UsageError with one clear line if
/// the command line is wrong.
std::optional<Options> parse_command_line(int argc, const char* const* argv, const ProgramFacts& facts);

}  // namespace bench
