// The plan of a run, settled before the first launch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/options/options.hpp"
#include "bench/replay.hpp"
#include "bench/run/saver.hpp"
#include "bench/step.hpp"
#include "bench/warning.hpp"

namespace bench {

struct Plan {
    std::string program;  // the name of the run, on stderr and in records: "options_a5_steps64"
    std::string ladder;
    std::string version;  // of the step: "a5_steps64"
    Options options;
    Step step;      // as the program's own options make it
    Step launched;  // that, or whole calls of it
    LaunchSpec spec;

    std::vector<int> devices = {};      // of this process; none on the CPU
    bool is_team = false;               // the user named the devices, or a launcher started the program
    unsigned workers = 1;               // share the launches: GPUs; on the CPU, MPI ranks
    std::optional<Warning> crowd = {};  // why the rate means nothing, if workers share a GPU or cores

    std::optional<Rehearsed> rehearsed = {};  // empty if the host cannot replay the step
    std::optional<Resumed> resumed = {};      // until its saver takes it
    std::vector<Stored> judged = {};          // runs of --judge
};

}  // namespace bench
