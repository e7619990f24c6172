// An option that chooses among steps which the compiler knows. Kernel files include this file, so it is C++17.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/step.hpp"

namespace bench {

/// An option each of whose values runs another step: the same idea with other parameters. That step has the name of the
/// program's step and the option: "l1_steps64", or "n3_store" for a flag.
struct Choice {
    std::string option;  // "steps"
    std::string help;
    unsigned usual = 0;                        // the value of the step itself; 0: the option is a flag
    std::map<unsigned, const Step*> others{};  // by their values; of a flag one, with any value
};

std::shared_ptr<const OwnOptions> own_option(Choice choice);

/// The steps that a step's own option runs besides it; none without such an option.
std::vector<const Step*> others_of(const Step& step);

}  // namespace bench
