// The line that shows on a terminal how a measurement goes.
#pragma once

#include <cstdint>
#include <string>

#include "bench/measurement.hpp"

namespace bench {

/// Rewrites one line on stderr a few times a second; does nothing where stderr is no terminal or the user wants quiet.
class ProgressLine {
 public:
    ProgressLine(std::string name, std::uint64_t samples_per_launch, bool quiet);
    ~ProgressLine();
    void show(const Measurement& measurement);
    void clear();

 private:
    std::string name_;
    std::uint64_t samples_per_launch_;
    bool enabled_;
    bool shown_ = false;
    double last_ = 0;
};

}  // namespace bench
