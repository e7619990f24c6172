// How many digits of an estimate mean something.
#pragma once

#include <optional>

namespace bench {

/// Decimals up to the first digit of a standard deviation, at most those of a double; 0 if it is 0.
int decimals_to(double sd);

/// The largest d, up to 15, for which `bound` is at most 0.5 * 10^-d: an estimate with an error of at most `bound`,
/// rounded to d decimals, is right to +-1 in its last digit. Empty if `bound` exceeds 0.5.
std::optional<int> believed_decimals(double bound);

}  // namespace bench
