// What is independent in a run. .cu files include it, so it is C++17.
#pragma once

namespace bench {

/// The independent units of a run, over which its variance is measured: samples (or paths, or numbers); published counts,
/// if the samples of a block depend on each other; launches, if all samples of a launch do.
enum class Independent { samples, counts, launches };

}  // namespace bench
