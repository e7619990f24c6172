// What a program is called.
#pragma once

#include <string>

namespace bench {

/// What a program is called, and the ladder of its step.
struct Program {
    std::string name;         // "dice_gpu"
    std::string ladder;       // "dice"
    std::string suffix = {};  // that its own options give to the names of the run: see OwnOptions::settle
};

/// The name of a run, to which its checkpoint belongs: "options_a5_steps64".
inline std::string name_of_run(const Program& program) { return program.name + program.suffix; }

}  // namespace bench
