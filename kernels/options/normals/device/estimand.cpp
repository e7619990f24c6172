#include "kernels/options/normals/device/normals.hpp"

namespace normals {

static_assert(normals_per_group == 496, "the text below says so");

std::shared_ptr<const bench::Estimand> estimand(const char* generator, bench::Soundness soundness, Moments moments) {
    constexpr double n = normals_per_group;
    const bench::Statistic square = {.name = "mean square",
                                     .bits = squares_bits,
                                     .mean = {moments.second},
                                     .variance = bench::Known{(moments.fourth - moments.second * moments.second) / n},
                                     .kurtosis = 3 + 12 / n};
    const bench::Statistic mean = {.name = "mean",
                                   .bits = sum_bits,
                                   .mean = {0},
                                   .variance = bench::Known{moments.second / n},
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
                         .per = n});
}

}  // namespace normals
