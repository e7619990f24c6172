// The options that choose the die.
#include <fmt/format.h>

#include <fstream>

#include "bench/errors.hpp"
#include "bench/fingerprints.hpp"
#include "bench/options/own_options.hpp"
#include "bench/options/values.hpp"
#include "tests/ladder/dice.hpp"

namespace dice {
namespace {

constexpr std::uint32_t most_weight = 1'000'000;

/// The die of a file: a whole number for each side, its weight. Throws UsageError that names the file.
Die loaded_die(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw bench::UsageError("cannot open " + path);
    Die die;
    std::uint32_t all = 0;
    for (std::string word; file >> word;) {
        all += static_cast<std::uint32_t>(bench::parse_quantity(path, word, 0, most_weight));
        die.last.push_back(all);
    }
    if (die.sides() < 2 || die.sides() > most_sides || all == 0) {
        throw bench::UsageError(fmt::format("{}: {} sides of weight {}", path, die.sides(), all));
    }
    const std::vector<bench::Count> words(die.last.begin(), die.last.end());
    die.name = fmt::format("_die{:016x}", bench::fingerprint_of(words));
    return die;
}

Die fair_die(unsigned sides) {
    Die die;
    for (unsigned side = 1; side <= sides; side++) die.last.push_back(side);
    if (sides != sides_of_usual_die) die.name = fmt::format("_sides{}", sides);
    return die;
}

class OptionsOfDie : public bench::OwnOptions {
 public:
    std::vector<bench::OwnOption> list() const override {
        return {{"sides", "N", "sides of the die (default 6)"},
                {"die", "FILE", "a loaded die: the weights of its sides"},
                {"again", "", "throw again after the most eyes"}};
    }

    std::string settle(const bench::OwnValues& values, bench::Step& step) const override {
        const auto die = std::make_shared<const Die>(die_of_values(values));
        step.estimand = mean_of_eyes(die);
        step.own.problem = die;
        return die->name;
    }

 private:
    static Die die_of_values(const bench::OwnValues& values) {
        const auto sides = values.find("sides"), file = values.find("die");
        if (sides != values.end() && file != values.end()) throw bench::UsageError("--die excludes --sides");
        Die die =
            file != values.end()
                ? loaded_die(file->second)
                : fair_die(sides == values.end()
                               ? sides_of_usual_die
                               : static_cast<unsigned>(bench::parse_quantity("--sides", sides->second, 2, most_sides)));
        die.again = values.count("again") > 0;
        if (die.again) die.name += "_again";
        if (die.again && die.weight(die.sides() - 1) == die.last.back()) {
            throw bench::UsageError("--again: this die shows the most eyes for ever");
        }
        return die;
    }
};

}  // namespace

std::shared_ptr<const bench::OwnOptions> options_of_die() { return std::make_shared<OptionsOfDie>(); }

}  // namespace dice
