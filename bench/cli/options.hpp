// The command line that all programs share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// Where programs differ.
struct ProgramFacts {
    std::string name;         // of the program
    std::string units;        // of work, in the plural: --<units> sets a goal
    std::string description;  // for --help
    bool on_gpu;              // whether it has --blocks, --device, --list-devices and --profile
    unsigned default_iters;
    std::string default_shape;  // in words, for --help
    unsigned streams = 0;       // on the CPU: the most threads that can share a launch
};

/// Whether more GPUs do the same work sooner, or more work in the same time.
enum class Scaling { strong, weak };

/// Devices of --devices, in the order given; empty for all.
using DeviceChoice = std::vector<int>;

/// What the user asked for; empty where the program's default holds.
struct Options {
    std::optional<unsigned> iters;
    std::optional<unsigned> blocks;
    std::optional<unsigned> threads;
    std::optional<std::uint64_t> launches;
    std::optional<std::uint64_t> goal;  // units of work
    std::string goal_option;            // its option, which is named after the unit: "--path-steps"
    std::optional<unsigned> batch;
    Scaling scaling = Scaling::strong;
    double max_time = 15;  // seconds
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
    bool profile = false;
    std::string profiled_by;  // the tool that `profile` is due to; empty where the user asked for it
    bool list_devices = false;
    bool quiet = false;

    /// A fixed amount of work for the estimate's sake, in place of the stopping rule.
    bool pooled() const { return launches || goal; }
};

/// Reads a command line. Returns nothing where --help or --version was asked for and printed. Throws UsageError with
/// one clear line where it is wrong.
std::optional<Options> parse_command_line(int argc, const char* const* argv, const ProgramFacts& facts);

/// A whole number: digits, an integral scientific form (1e9), or digits with a suffix k, M, G or T (powers of 1000).
/// Throws UsageError, naming `option`, for anything else and for values outside [least, most].
std::uint64_t parse_quantity(const std::string& option, const std::string& text, std::uint64_t least,
                             std::uint64_t most);

}  // namespace bench
