// The state of a run of fixed work, as text from which the run can continue.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/tally.hpp"

namespace bench {

/// The parameters that determine the counts of a launch, besides the seed: "blocks" and its value.
using LaunchShape = std::vector<std::pair<std::string, std::uint64_t>>;

/// The state of a run of fixed work.
struct Checkpoint {
    std::string program;  // its name
    std::string commit;   // of the program's source
    bool dirty = false;   // whether any program that worked on it was built from a modified checkout
    std::uint64_t seed = 0;
    LaunchShape shape;
    std::uint64_t work_per_launch = 0;
    std::uint64_t launches = 0;  // of the whole run
    Tally::State tally;          // of the launches done

    std::uint64_t launches_done() const { return tally.sums.launches; }
};

/// The checkpoint as JSON, followed by a line with its checksum.
std::string to_text(const Checkpoint& checkpoint);

/// The checkpoint whose to_text is `text`, to the last byte. Throws UsageError, one line that names `path`, if there is
/// none, if its schema is another, or if it contradicts itself.
Checkpoint parse_checkpoint(const std::string& path, const std::string& text);

}  // namespace bench
