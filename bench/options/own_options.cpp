#include "bench/options/own_options.hpp"

#include <fmt/ranges.h>

#include <climits>
#include <utility>

#include "bench/errors.hpp"
#include "bench/options/values.hpp"

namespace bench {
namespace {

class ChoiceOfSteps : public OwnOptions {
 public:
    explicit ChoiceOfSteps(Choice choice) : choice_(std::move(choice)) {}

    std::vector<OwnOption> list() const override {
        if (is_flag()) return {{choice_.option, "", choice_.help}};
        return {{choice_.option, "N", fmt::format("{}: {} (default {})", choice_.help, values_text(), choice_.usual)}};
    }

    std::string settle(const OwnValues& values, Step& step) const override {
        const auto given = values.find(choice_.option);
        if (given == values.end()) return "";
        if (is_flag()) return run(*choice_.others.begin()->second, step, "_" + choice_.option);
        const auto value = static_cast<unsigned>(parse_quantity("--" + choice_.option, given->second, 0, UINT_MAX));
        if (value == choice_.usual) return "";
        const auto other = choice_.others.find(value);
        if (other == choice_.others.end()) {
            throw UsageError(fmt::format("--{}: {} is not one of {}", choice_.option, value, values_text()));
        }
        return run(*other->second, step, fmt::format("_{}{}", choice_.option, value));
    }

    const Choice& choice() const { return choice_; }

 private:
    /// Puts another step in the place of the program's, under the program's name. Returns the suffix of its own name.
    static std::string run(const Step& other, Step& step, const std::string& suffix) {
        const char* name = step.name;
        step = other;
        step.name = name;
        return suffix;
    }

    bool is_flag() const { return choice_.usual == 0; }

    /// The values in ascending order.
    std::string values_text() const {
        auto all = choice_.others;
        all[choice_.usual] = nullptr;
        std::vector<unsigned> values;
        for (const auto& [value, step] : all) values.push_back(value);
        return fmt::format("{}", fmt::join(values, ", "));
    }

    Choice choice_;
};

}  // namespace

std::shared_ptr<const OwnOptions> own_option(Choice choice) {
    return std::make_shared<ChoiceOfSteps>(std::move(choice));
}

std::vector<const Step*> others_of(const Step& step) {
    std::vector<const Step*> others;
    if (const auto* own = dynamic_cast<const ChoiceOfSteps*>(step.own.options.get())) {
        for (const auto& [value, other] : own->choice().others) others.push_back(other);
    }
    return others;
}

}  // namespace bench
