// The sums of a long series, backward, in little memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kernels/mcls/analysis/series.hpp"

namespace mcls {

/// The sums of a Series after each of its last steps. Snapshots are kept of the series, about as many as there are steps between
/// two of them, and the sums between are computed again: checkpointing on one level (Griewank and Walther 2000,
/// doi 10.1145/347837.347846).
class LastSums {
 public:
    /// After `steps` steps, and after up to `reach` steps less. Throws bench::UsageError if the memory does not suffice.
    LastSums(Sparse m, std::span<const double> source, double negligible, std::uint64_t steps, std::uint64_t reach);

    /// How many sums there are: reach + 1.
    std::size_t size() const { return size_; }

    /// Calls `use` with each sum, the last one first. May be called from several threads at once.
    void backward(const std::function<void(const std::vector<double>&)>& use) const;

 private:
    std::unique_ptr<const Sparse> m_;  // the snapshots refer to it
    std::size_t size_, stretch_;       // steps from a snapshot to the next
    std::vector<Series> snapshots_;
};

}  // namespace mcls
