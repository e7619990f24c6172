// Which launches published the same counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/contract.hpp"

namespace bench {

/// A number for the counts of each launch, the same for the same counts. Of up to `most` launches all are kept, of more the
/// smallest ones: what is kept depends neither on who added the launches nor on their order, and all launches with the same
/// counts are kept, or none, but at the cut (Cohen and Kaplan, "Summarizing data using bottom-k sketches", PODC 2007).
class Fingerprints {
 public:
    static constexpr std::size_t most = 16'384;

    void add(std::span<const Count> published);
    void merge(std::span<const std::uint64_t> kept);

    /// Those kept, in ascending order.
    std::vector<std::uint64_t> kept() const;

    /// Of those kept, how many are the same as another one that comes before.
    std::uint64_t repeats() const;

 private:
    std::vector<std::uint64_t> prints_;  // in any order; those kept, and fewer than as many more
};

}  // namespace bench
