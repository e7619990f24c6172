#include "kernels/options/normals/shared/normals.hpp"

namespace normals {

static_assert(normals_per_group == 496, "the text below says so");

namespace {

/// XU and a float's sums are off by 1e-6 of the mean square of a group, which floats sum up to 500, and by a tenth of that of
/// its mean. What all normals share is known from the moments of the transforms, within a few 1e-7.
bench::ReplayedNumbers replay_of(rng::NormalsOf normals) {
    if (!normals) {
        return {};
    }
    const auto numbers = [=](const bench::StreamId& stream, unsigned groups, const auto& use) {
        normals(normals_per_group, stream, groups, [&](const double* z) {
            double squares = 0, sum = 0;
            for (unsigned i = 0; i < normals_per_group; i++) {
                squares += z[i] * z[i];
                sum += z[i];
            }
            const double statistics[] = {squares / normals_per_group, sum / normals_per_group};
            use(statistics);
        });
    };
    return {numbers, {{.of_one = 3e-6, .of_mean = 3e-6}, {.of_one = 4e-7, .of_mean = 2e-7}}};
}

}  // namespace

std::shared_ptr<const bench::Estimand> estimand(const char* generator, bench::Soundness soundness, Moments moments,
                                                rng::NormalsOf normals) {
    constexpr double n = normals_per_group;
    const bench::Statistic square = {
        .name = "mean square",
        .bits = squares_bits,
        .mean = {moments.second},
        .variance = bench::Expected{(moments.fourth - moments.second * moments.second) / n},
        .kurtosis = 3 + 12 / n};
    const bench::Statistic mean = {.name = "mean",
                                   .bits = sum_bits,
                                   .mean = {0},
                                   .variance = bench::Expected{moments.second / n},
                                   .kurtosis = 3 + (moments.fourth / (moments.second * moments.second) - 3) / n};
    return bench::means({.quantity = "mean square",
                         .number = "groups of 496 normals",
                         .unit_one = "normal",
                         .unit_many = "normals",
                         .steps = normals_per_group,
                         .generator = generator,
                         .soundness = soundness,
                         .statistics = {square, mean},
                         .reference = "moments of the transform over all words",
                         .per = n,
                         .replay = replay_of(normals)});
}

}  // namespace normals
