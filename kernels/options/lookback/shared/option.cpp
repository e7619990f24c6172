#include "kernels/options/lookback/shared/option.hpp"

#include <vector>

namespace lookback {
namespace {

/// How far one path in float may be off: of the payoff by this share of the price, of x_T by this. On the host, most paths are
/// off by a fiftieth of that; a few of l3 whose normals are almost 0 by more, because a root magnifies errors there.
constexpr double error_of_payoff = 2e-4, error_of_return = 1e-5;

/// Paths from the normals that the host makes again. Tests with few paths have allowed twice the known errors of means.
bench::ReplayedNumbers replay_of(const Published& what) {
    const auto numbers = [steps = what.steps, twin = what.twin, normals = what.normals](
                             const bench::StreamId& stream, unsigned paths, const auto& use) {
        normals(steps, stream, paths, [&](const double* z) {
            const Path one = path(steps, [&] { return *z++; });
            if (twin) {
                use(std::data({one.payoff, one.twin, one.log_return}));
            } else {
                use(std::data({one.payoff, one.log_return}));
            }
        });
    };
    const double price = reference_of(what.steps).price.value;
    std::vector<bench::ReplayError> errors = {{error_of_payoff * price, 2 * what.float_error * price}};
    if (what.twin) errors.push_back({error_of_payoff * price, 2 * usual_float_error * price});
    errors.push_back({error_of_return, 2 * float_error_of_return(what.steps)});
    return {numbers, errors};
}

}  // namespace

bench::MeansOf facts_of(const Published& what) {
    const Reference& known = reference_of(what.steps);
    const Moments moments = moments_of_return(what.steps);
    bench::MeansOf facts = {
        .quantity = "price",
        .number = "paths",
        .unit_one = "path-step",
        .unit_many = "path-steps",
        .steps = what.steps,
        .generator = what.generator,
        .soundness = what.soundness,
        .independent = what.independent,
        .statistics = {{"payoff", known.bits, known.price, known.variance, known.kurtosis}},
        .controls = what.twin ? 1u : 0u,
        .positive = bench::Expected{1 - known.zero.value, known.zero.sd},
        .bias = {0, 0, what.float_error * known.price.value},
        .reference = known.how,
        .most_numbers = what.most_paths,
    };
    if (what.twin)
        facts.statistics.push_back(
            {"twin's payoff", known.bits, {twin_price(what.steps), 0, usual_float_error * known.price.value}});
    facts.statistics.push_back({"log return",
                                return_bits,
                                {0, 0, float_error_of_return(what.steps)},
                                bench::Expected{moments.variance},
                                moments.fourth / (moments.variance * moments.variance)});
    if (what.normals) facts.replay = replay_of(what);
    return facts;
}

bench::MeansOf constant_facts(unsigned steps) {
    const Path only = path(steps, [] { return constant_normal; });
    bench::MeansOf facts =
        facts_of({.steps = steps, .generator = "none: a constant", .soundness = bench::Soundness::demonstration});
    facts.statistics = {{"payoff", reference_of(steps).bits, {only.payoff}},
                        {"log return", return_bits, {only.log_return}}};
    facts.positive = bench::Expected{1};
    facts.reference = "the same path in double";
    facts.bias = {};
    facts.constant = true;
    return facts;
}

}  // namespace lookback
