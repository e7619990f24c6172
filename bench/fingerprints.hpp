// Hashes, which find launches that published the same counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/step.hpp"

namespace bench {

/// A hash of a sequence of words: of the counts of a launch, or of what a file holds.
std::uint64_t fingerprint_of(std::span<const Count> words);

/// Hashes of the counts of each launch. Keeps all of up to `most` launches, and the smallest `most` hashes of more.
/// Which hashes are kept depends neither on who added the launches nor on their order. Launches with the same counts
/// are all kept or all dropped, except at the cut (Cohen and Kaplan, "Summarizing data using bottom-k sketches", PODC
/// 2007).
class Fingerprints {
 public:
    static constexpr std::size_t most = 16'384;

    void add(std::uint64_t launch) { merge({&launch, 1}); }
    void merge(std::span<const std::uint64_t> kept);

    /// The kept hashes, in ascending order.
    std::vector<std::uint64_t> kept() const;

    /// Number of kept hashes that equal an earlier one.
    std::uint64_t repeats() const;

 private:
    std::vector<std::uint64_t> prints_;  // unsorted, fewer than 2 * most
};

/// Sums, modulo 2^64, over the launches, of a hash of the launch and of what each part of it published. Parts that are alike
/// in every launch have the same sum; those that are alike in other launches than each other have not.
class PartPrints {
 public:
    static constexpr std::size_t most = 16'384;  // parts, the first ones

    /// Adds a launch with this fingerprint, whose part p published the counts p, p + parts, p + 2 parts and so on.
    void add(std::span<const Count> published, std::uint64_t parts, std::uint64_t launch);
    void merge(std::span<const std::uint64_t> sums);

    const std::vector<std::uint64_t>& sums() const { return sums_; }
    /// The sums over the launches that were added after `before`.
    std::vector<std::uint64_t> sums_since(const PartPrints& before) const;

 private:
    std::vector<std::uint64_t> sums_;
};

}  // namespace bench
