// Made-up values that depend on earlier ones.
#pragma once

#include <cmath>
#include <random>

/// A stationary process of standard normal values, each correlated with the one before: AR(1).
class Autoregression {
 public:
    Autoregression(double correlation, unsigned seed)
        : correlation_(correlation), random_(seed), last_(normal_(random_)) {}

    double operator()() {
        return last_ = correlation_ * last_ + std::sqrt(1 - correlation_ * correlation_) * normal_(random_);
    }

 private:
    double correlation_;
    std::mt19937_64 random_;
    std::normal_distribution<double> normal_;
    double last_;
};
