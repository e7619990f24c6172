// How far a run of fixed work has come, as text that can be continued from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/tally.hpp"

namespace bench {

/// What decides the numbers that a launch publishes, besides the seed: "blocks" and so many.
using LaunchShape = std::vector<std::pair<std::string, std::uint64_t>>;

/// A run of fixed work, as far as it has come.
struct Checkpoint {
    std::string program;  // that runs it
    std::string commit;   // that the program was built from
    bool dirty =
        false;  // whether any program that worked on it was built from a checkout that differed from its commit
    std::uint64_t seed = 0;
    LaunchShape shape;
    std::uint64_t work_per_launch = 0;
    std::uint64_t launches = 0;  // of the whole run
    Tally::State tally;          // of those that are done

    std::uint64_t launches_done() const { return tally.sums.launches; }
};

/// The checkpoint as JSON, and a last line with a checksum of it.
std::string to_text(const Checkpoint& checkpoint);

/// The checkpoint of which `text` is to_text, to the last byte. Throws UsageError, one line that names `path`, where it
/// is that of none, of another schema, or of one that contradicts itself.
Checkpoint parse_checkpoint(const std::string& path, const std::string& text);

}  // namespace bench
