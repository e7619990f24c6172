#include "bench/fingerprints.hpp"

#include <algorithm>
#include <array>

namespace bench {
namespace {

constexpr std::uint64_t increment = 0x9e3779b97f4a7c15u;

/// The finalizer of SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

}  // namespace

std::uint64_t fingerprint_of(std::span<const Count> words) {
    // A chain waits for its last link, so several are faster where a launch publishes millions of counts.
    std::array<std::uint64_t, 4> chains = {};
    const auto lengthen = [&](std::size_t chain, Count word) {
        chains[chain] = mixed(chains[chain] + increment + word);
    };
    std::size_t i = 0;
    for (; i + chains.size() <= words.size(); i += chains.size()) {
        for (std::size_t chain = 0; chain < chains.size(); chain++) lengthen(chain, words[i + chain]);
    }
    for (std::size_t chain = 0; i < words.size(); i++, chain++) lengthen(chain, words[i]);
    std::uint64_t print = 0;
    for (const std::uint64_t chain : chains) print = mixed(print + increment + chain);
    return print;
}

void Fingerprints::merge(std::span<const std::uint64_t> kept) {
    prints_.insert(prints_.end(), kept.begin(), kept.end());
    if (prints_.size() >= 2 * most) prints_ = this->kept();
}

std::vector<std::uint64_t> Fingerprints::kept() const {
    std::vector<std::uint64_t> sorted = prints_;
    std::sort(sorted.begin(), sorted.end());
    sorted.resize(std::min(sorted.size(), most));
    return sorted;
}

std::uint64_t Fingerprints::repeats() const {
    const std::vector<std::uint64_t> sorted = kept();
    std::uint64_t repeats = 0;
    for (std::size_t i = 1; i < sorted.size(); i++) repeats += sorted[i] == sorted[i - 1] ? 1 : 0;
    return repeats;
}

void PartPrints::add(std::span<const Count> published, std::uint64_t parts, std::uint64_t launch) {
    sums_.resize(std::min<std::uint64_t>(parts, most));
    for (std::size_t part = 0; part < sums_.size(); part++) {
        std::uint64_t print = launch;
        for (std::size_t i = part; i < published.size(); i += parts) print = mixed(print + increment + published[i]);
        sums_[part] += print;
    }
}

void PartPrints::merge(std::span<const std::uint64_t> sums) {
    sums_.resize(std::max(sums_.size(), sums.size()));
    for (std::size_t part = 0; part < sums.size(); part++) sums_[part] += sums[part];
}

std::vector<std::uint64_t> PartPrints::sums_since(const PartPrints& before) const {
    std::vector<std::uint64_t> since = sums_;
    for (std::size_t part = 0; part < before.sums_.size(); part++) since[part] -= before.sums_[part];
    return since;
}

}  // namespace bench
