// Prices and moments of the options in double precision on the GPU, apart from the code of the steps: for their references.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/estimands/means/means_of.hpp"

namespace references {

/// What is known exactly of an option's paths.
struct Control {
    const char* name;
    double mean;
};

/// An option with paths of `steps` steps.
struct Option {
    std::string name;  // "asian"
    unsigned steps;
    bench::Expected stored;         // the price that the steps are judged by
    std::vector<Control> controls;  // one or two
};

/// Every option that the ladders price.
std::vector<Option> options();

/// Points of Sobol's sequence with a random shift for each launch, used through a Brownian bridge; or random numbers.
enum class Points { sobol, random };

struct Plan {
    Points points = Points::sobol;
    std::uint64_t of_launch = 1 << 24;  // a power of two, from least_points to 2^32
    unsigned launches = 128;
    std::uint64_t seed = 1234;
};

inline constexpr std::uint64_t least_points = 1 << 16;

/// Means over the paths of one launch.
struct LaunchMeans {
    double power[5];  // of the payoff: 1, p, p^2, p^3, p^4
    double positive;  // of 1 if the payoff is positive
    double control[2], control_square[2], controls_product, with_payoff[2];
};

/// Launch number `launch`. Throws NoGpuError without cuRAND's library, CudaError.
LaunchMeans run(const Option& option, const Plan& plan, std::uint64_t launch);

/// A mean over launches, and its standard deviation from their spread.
struct Estimate {
    double value, sd;
};

struct Estimates {
    Estimate price, variance, kurtosis, positive;
    std::vector<Estimate> controls;
};

/// Of two launches or more. Random points: the price is corrected by regression on the controls.
Estimates estimates_of(const Option& option, const Plan& plan, const std::vector<LaunchMeans>& launches);

}  // namespace references
