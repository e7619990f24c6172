// The options of a program beside those that all programs share, and the step that they make of its own. Kernel files may
// include this file, so it is C++17.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/step.hpp"

namespace bench {

/// An option as the command line and --help show it.
struct OwnOption {
    std::string name;   // "system"
    std::string value;  // "NAME|FILE"; empty for a flag
    std::string help;
    bool is_listed = true;  // by --help; otherwise settle() says why the program refuses it
};

/// The values that the user gave, by the names of the options; "" for a flag.
using OwnValues = std::map<std::string, std::string>;

class OwnOptions {
 public:
    virtual ~OwnOptions() = default;

    virtual std::vector<OwnOption> list() const = 0;

    /// Makes of the program's step the one that these values mean; options that are not among them have their defaults.
    /// It may set anything but the name: estimand, problem, iterations, counts, memory.
    /// Returns what the name of the run adds to that of the step, in letters, digits and underscores: "_sp1" of "v10_sp1".
    /// Results, checkpoints and MPI ranks tell runs apart by that name, so what a file holds belongs to it (see
    /// fingerprint_of() in bench/fingerprints.hpp). Throws UsageError, naming the option or the file. Every process of a run
    /// calls it once.
    virtual std::string settle(const OwnValues& values, Step& step) const = 0;
};

/// Makes of a step the one that these values mean, as OwnOptions::settle. Without own options it stays as it is.
inline std::string settle_own(const OwnValues& values, Step& step) {
    const auto options = step.own.options;  // which the step may replace
    return options ? options->settle(values, step) : "";
}

/// An option that chooses among steps which the compiler knows. Each of its values runs another step: the same idea with other
/// parameters. That step has the name of the program's step and the option: "l1_steps64", or "n3_store" for a flag.
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
