// The options that choose what the launches of a step walk on. Kernel files include this file, so it is C++17.
#pragma once

#include <memory>

#include "bench/step.hpp"
#include "kernels/mcls/problem/design.hpp"

namespace mcls {

/// The options of a step of this design. They set its estimand, problem and number of counts, and its equipment where the step
/// names none.
std::shared_ptr<const bench::OwnOptions> options_of(const Design& design);

/// The estimand of a step before its options set it.
std::shared_ptr<const bench::Estimand> estimand_of(const Design& design);

}  // namespace mcls
