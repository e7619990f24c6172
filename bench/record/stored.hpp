// The stored form of a run: its record with its tally, from which the run can go on, and to which others can be added.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/options/own_options.hpp"
#include "bench/record/record.hpp"
#include "bench/tally.hpp"

namespace bench {

/// A run as its file has it, without what was timed.
struct Stored {
    std::string path;     // of the file, for messages
    std::string program;  // with what its own options add
    OwnValues own;
    std::string commit;
    bool dirty = false;  // whether any program that worked on it was built from a modified checkout
    bool on_cpu = false;
    LaunchSpec spec;  // without `published`; on the CPU the shape does not matter
    std::vector<Range> ranges;
    std::uint64_t goal = 0;
    Tally::State tally = {};

    std::uint64_t launches_done() const { return tally.sums.launches; }
};

/// The document of a record with the tally of its launches, followed by a checksum of both.
std::string to_stored(const Record& run);

/// The run of which `text` is the stored form. Throws UsageError, one line that names `path`, if it is none.
Stored read_stored(const std::string& path, const std::string& text);

/// The tally of a stored run whose launches are those of `none`, an empty tally of `program`. Throws UsageError if they are
/// launches of another program, seed or shape, or if no launches can lead to it.
Tally tally_of(const Stored& stored, const std::string& program, const Tally& none);

/// Says that another program than that of `build` made the launches; empty if it was this one.
std::string other_commit_text(const Stored& stored, const BuildInfo& build);

}  // namespace bench
