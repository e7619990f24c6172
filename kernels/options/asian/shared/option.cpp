#include "kernels/options/asian/shared/option.hpp"

#include <stdexcept>
#include <vector>

#include "bench/options/own_options.hpp"

namespace asian {
namespace {

double normal_distribution(double x) { return std::erfc(-x * M_SQRT1_2) / 2; }

/// Two log-normal variables: their means, and the variance of the logarithm of their ratio.
struct Exchange {
    double mean_x, mean_y, variance;
};

/// E max(x - y, 0).
double mean_gain(const Exchange& e) {
    const double sd = std::sqrt(e.variance);
    const double d = std::log(e.mean_x / e.mean_y) / sd + sd / 2;
    return e.mean_x * normal_distribution(d) - e.mean_y * normal_distribution(d - sd);
}

double mean_price(double start, double mu, double variance, unsigned t) {
    return start * std::exp((mu + variance / 2) * t);
}

/// E max(geometric mean - last price, 0) of one asset.
double mean_geo(double start, double mu, double variance, unsigned steps) {
    const double n = steps;
    const double variance_of_mean = variance * (n + 1) * (2 * n + 1) / (6 * n);
    const double covariance = variance * (n + 1) / 2;
    const double mean = start * std::exp(mu * (n + 1) / 2 + variance_of_mean / 2);
    return mean_gain({mean, mean_price(start, mu, variance, steps), variance_of_mean + variance * n - 2 * covariance});
}

double variance_of_b(const Model& m) { return m.s_ab * m.s_ab + m.s_bb * m.s_bb; }

bench::Statistic checked(const char* name, double mean, const FloatError& error = error_of_sums) {
    return {.name = name, .bits = bits, .mean = {mean, 0, error.other}};
}

/// How far one path in float may be off. The test AsianPayoffs on a GPU measures the largest difference of 2^20 paths.
constexpr double error_of_path = 2e-3;

/// The path with these normals times `sign`.
Path<double> path_of(const Model& m, const double* normals, double sign) {
    return path(m, [&] { return sign * *normals++; });
}

/// Paths from the normals that the host makes again. Tests with few paths have allowed twice the known errors of means.
bench::ReplayedNumbers replay_of(const Draws& draws) {
    const auto numbers = [m = model(draws.steps), publishes = draws.publishes, normals = draws.normals](
                             const bench::StreamId& stream, unsigned paths, const auto& use) {
        normals(2 * m.steps, stream, paths, [&](const double* z) {
            const Path<double> one = path_of(m, z, 1);
            if (publishes == Publishes::excess_of_pairs) {
                const Path<double> other = path_of(m, z, -1);
                use(std::data({(one.payoff + other.payoff) / 2, (one.excess + other.excess) / 2}));
            } else if (publishes == Publishes::controls) {
                use(std::data({one.payoff, one.geo_a, one.geo_b}));
            } else {
                use(std::data({one.payoff, one.excess}));
            }
        });
    };
    const FloatError& known = draws.float_error;
    std::vector<bench::ReplayError> errors = {{error_of_path, 2 * known.payoff}, {error_of_path, 2 * known.other}};
    if (draws.publishes == Publishes::controls) errors.push_back(errors[1]);
    return {numbers, errors};
}

}  // namespace

double mean_maximum(const Model& m, unsigned t) {
    const double a = mean_price(m.start, m.mu_a, m.s_aa * m.s_aa, t);
    const double b = mean_price(m.start, m.mu_b, variance_of_b(m), t);
    const double difference = m.s_aa - m.s_ab;
    return b + mean_gain({a, b, (difference * difference + m.s_bb * m.s_bb) * t});
}

double mean_excess(const Model& m) {
    double sum = 0;
    for (unsigned t = 1; t <= m.steps; t++) sum += mean_maximum(m, t);
    return sum / m.steps - mean_maximum(m, m.steps);
}

double mean_geo_a(const Model& m) { return mean_geo(m.start, m.mu_a, m.s_aa * m.s_aa, m.steps); }

double mean_geo_b(const Model& m) { return mean_geo(m.start, m.mu_b, variance_of_b(m), m.steps); }

const Reference& reference(unsigned steps) {
    // 128 shifted sets of 2^24 Sobol points in double precision (options_references; quality/references/references.json).
    // An independent program gave 4.090144 +- 0.000059, 4.181006 +- 0.000099 and 4.202289 +- 0.000045.
    static const Reference all[] = {
        {16, {4.0901057, 5.2e-6}, {43.43022, 6e-5}, 5.57856, {0.4206038, 2.7e-6}},
        {64, {4.1810540, 5.1e-6}, {45.61362, 6e-5}, 5.53937, {0.4181917, 2.7e-6}},
        {256, {4.2022374, 5.1e-6}, {46.15188, 6e-5}, 5.53260, {0.4175169, 2.8e-6}},
    };
    for (const Reference& one : all) {
        if (one.steps == steps) return one;
    }
    throw std::out_of_range("no reference for this number of steps");
}

bench::MeansOf price_of(const Draws& draws) {
    const Model m = model(draws.steps);
    const Reference& known = reference(draws.steps);
    bench::MeansOf what = {.quantity = "price",
                           .number = "paths",
                           .unit_one = "path-step",
                           .unit_many = "path-steps",
                           .steps = draws.steps,
                           .generator = draws.generator,
                           .soundness = draws.soundness,
                           .independent = draws.independent,
                           .statistics = {{.name = "payoff",
                                           .bits = bits,
                                           .mean = known.price,
                                           .variance = known.variance,
                                           .kurtosis = known.kurtosis}},
                           .positive = known.positive,
                           .bias = {0, 0, draws.float_error.payoff},
                           .reference = "shifted Sobol points in double precision",
                           .most_numbers = draws.most_numbers};
    if (draws.publishes == Publishes::controls) {
        what.statistics.push_back(checked("geometric put a", mean_geo_a(m), draws.float_error));
        what.statistics.push_back(checked("geometric put b", mean_geo_b(m), draws.float_error));
        what.controls = 2;
    } else {
        what.statistics.push_back(checked("excess", mean_excess(m), draws.float_error));
    }
    if (draws.publishes == Publishes::excess_of_pairs) {
        what.number = "pairs of paths";
        what.steps = 2 * draws.steps;
        what.statistics[0].variance.reset();  // not known, as the rest
        what.statistics[0].kurtosis = 0;
        what.positive.reset();
    }
    if (draws.normals) what.replay = replay_of(draws);
    return what;
}

bench::MeansOf constant_price(unsigned steps, double z_a, double z_b) {
    bool a_is_next = false;
    const Path<double> only = path(model(steps), [&] { return (a_is_next = !a_is_next) ? z_a : z_b; });
    bench::MeansOf what = price_of({.steps = steps, .generator = "none", .soundness = bench::Soundness::demonstration});
    what.statistics = {checked("payoff", only.payoff), checked("excess", only.excess)};
    what.positive = bench::Expected{only.payoff > 0 ? 1.0 : 0.0};
    what.reference = "the formula in double precision";
    what.constant = true;
    return what;
}

std::shared_ptr<const bench::OwnOptions> steps_choice(const bench::Step* of_16_steps, const bench::Step* of_64_steps) {
    return bench::own_option(
        {.option = "steps", .help = "steps of a path", .usual = 256, .others = {{16, of_16_steps}, {64, of_64_steps}}});
}

}  // namespace asian
