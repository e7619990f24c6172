// The options of a user.
#pragma once

#include <cstdint>

#include "bench/options/options.hpp"

namespace sample_options {

using bench::Options;

inline Options launches_of(std::uint64_t launches) {
    Options options;
    options.launches = launches;
    return options;
}

inline Options scaled_weakly(const Options& options) {
    Options result = options;
    result.scaling = bench::Scaling::weak;
    return result;
}

}  // namespace sample_options
