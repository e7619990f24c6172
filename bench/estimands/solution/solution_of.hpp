// What a step publishes whose counts are tallies of random walks that estimate a vector x. .cu files include it, so it is
// C++17.
//
// A launch walks histories, which consist of transitions. It publishes, for the whole launch:
//
//   count             holds
//   0                 transitions
//   1                 histories
//   2 + j             tally j: the sum over the histories of what they add to entry j
//
// A tally is a whole number of units 2^-bits in two's complement, or a double. The estimate of entry j is its tally over
// the number of histories and over SolutionOf::share, times its factor. `unwritten` marks a count that was never written, but
// for tallies of fixed point, where it is -1 unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/estimands/chance/expected.hpp"
#include "bench/step.hpp"

namespace bench {

/// The places of these counts.
inline constexpr std::size_t transitions_count = 0, histories_count = 1, first_tally = 2;

/// Transitions of a history. Without a variance the mean only serves to plan a run. With the variance 0 every history has
/// this whole number of transitions.
struct HistoryLength {
    double mean;
    std::optional<double> variance = std::nullopt;
};

/// Maximum number of functionals.
inline constexpr std::size_t most_functionals = 64;

/// Sums of all judged entries, each entry with its sign.
struct Functionals {
    std::vector<std::uint64_t> negative;  // of each entry: bit k is set if functional k subtracts the entry
    std::vector<Expected> exact;          // of each functional, for the mean of the histories
    std::vector<double> covariance;       // of the functionals of the estimate from one history; row by row
};

/// The sum of some entries, without those that are not judged: of so many that it is nearly normal in a launch.
struct Group {
    std::size_t
        end;  // the place in SolutionOf::in_groups after its last entry; its first one is the end of the group before
    Expected exact;
    double variance;  // of the estimate from one history
};

/// The residual of the estimate.
struct Residual {
    std::function<double(const std::vector<double>& x)> squared_norm;
    /// Of its expectation and standard deviation, in an estimate from one history. Both fall as 1 / histories.
    double mean, sd;
    double relative_to;  // norm of the right-hand side
    double within = 0;   // how far the expectation may be off besides, whatever the number of histories
};

/// What histories leave out of x because they end.
struct Ends {
    std::vector<double> of_functionals = {};  // the exact value for x less that for their mean; empty: 0
    double most = 0;                          // of x, in its norm: the norm of all that they leave out, at most
    /// What ends them and what would help: text. A run whose error by chance is smaller than `most` fails. Empty: the user
    /// chose where they end, and is warned.
    std::string advice = "";
};

/// Tallies of fixed point add up to the same bits in any order; doubles do not.
enum class TallyType { fixed_point, doubles };

/// The facts of a step that publishes such tallies.
struct SolutionOf {
    std::size_t entries;
    TallyType type = TallyType::fixed_point;
    /// 2^-bits is the unit of a tally of fixed point, and the unit to which the harness rounds a double. Tallies of a launch
    /// must remain below 2^62 units.
    int bits;
    const char *quantity = "solution", *unit_one = "transition", *unit_many = "transitions";  // in texts: x, its work
    const char *history_one = "history", *history_many = "histories";  // what consists of that work
    std::uint64_t histories = 0;                                       // of a launch; 0: streams * iters
    std::uint64_t histories_of_block = UINT64_MAX;                     // the most that a block of a launch can count
    std::uint64_t most_launches = UINT64_MAX;                          // of a run, each with random words of its own
    /// Of a step that the host can replay; null: it cannot. How what launch `index` published on this problem differs from its
    /// replay: "the tally of entry 5 is 8, not 7". Empty if it does not. Any size of a launch, its threads on all cores.
    std::string (*replay)(const LaunchSpec& spec, const Problem& problem, std::uint64_t index,
                          const std::vector<Count>& published) = nullptr;
    /// The problem of a launch on the same grid with about so many transitions, no more than `problem` has. All loops of the
    /// kernel run in it where that many allow it. Replays of one such problem make its tables once.
    std::shared_ptr<const Problem> (*smaller)(const LaunchSpec& spec, const Problem& problem,
                                              double transitions) = nullptr;
    std::vector<double> factors = {};  // of each entry: its tally is multiplied by it, which is at most 1; empty: 1
    double share = 1;  // of the histories that estimate an entry: 1 / entries if each estimates only one
    HistoryLength length;

    std::string generator;  // of the random words: text for the report
    Soundness soundness;
    std::shared_ptr<const nlohmann::ordered_json> system = nullptr;  // "problem" in a result: name, size, method
    std::string system_lines = "";                                   // what is solved and how, for the report

    /// Why there is no estimate, if the variance of a history is infinite: text. Then the fields below are not used.
    std::string no_estimate = "";
    double variance = 0;  // of the estimate from one history, summed over all entries
    double norm = 0;      // of x
    /// Whether an entry is judged: an entry with nearly infinite variance cannot be. Empty: all are.
    std::vector<bool> judged = {};
    double judged_norm = 0;  // of the judged entries of x; 0: `norm`
    Ends ends = {};
    std::optional<Functionals> functionals = std::nullopt;
    std::vector<Group> groups = {};
    std::vector<std::uint32_t> in_groups = {};  // entries of the groups, one after the other; empty: 0, 1, ...
    std::optional<Residual> residual = std::nullopt;
    std::string file_of_x = "";  // that gets all entries of the estimate; empty: none
    int exponent = 0;            // the file has 2^this times the estimate
};

/// The estimand of a step that publishes such tallies.
std::shared_ptr<const Estimand> solution(SolutionOf what);

}  // namespace bench
