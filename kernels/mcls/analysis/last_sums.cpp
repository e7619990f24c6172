#include "kernels/mcls/analysis/last_sums.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/errors.hpp"
#include "bench/workers/workspace.hpp"
#include "kernels/mcls/analysis/functionals.hpp"

namespace mcls {
namespace {

void require_memory(double n, std::size_t snapshots, std::size_t stretch) {
    constexpr double gib = 1 << 30;
    constexpr int readers = functionals / lanes;  // of large systems
    const int at_once = std::min(omp_get_max_threads(), readers);
    const double needed = n * (static_cast<double>(snapshots) * Series::bytes_per_state +
                               static_cast<double>(stretch) * sizeof(double) * at_once);
    const auto available = static_cast<double>(bench::available_memory());
    if (needed > available) {
        throw bench::UsageError(
            fmt::format("exact variances need {:.1f} GiB of memory, {:.1f} are available: use fewer --steps",
                        needed / gib, available / gib));
    }
}

}  // namespace

LastSums::LastSums(Sparse m, std::span<const double> source, double negligible, std::uint64_t steps,
                   std::uint64_t reach)
    : m_(std::make_unique<const Sparse>(std::move(m))),
      size_(reach + 1),
      stretch_(static_cast<std::size_t>(std::ceil(std::sqrt(size_)))) {
    const std::size_t snapshots = (size_ + stretch_ - 1) / stretch_;
    require_memory(m_->n, snapshots, stretch_);
    snapshots_.reserve(snapshots);
    Series series(*m_, source, negligible);
    for (std::uint64_t step = 0; step < steps - reach; ++step) {
        series.advance();
    }
    for (std::size_t step = 0; step < size_; ++step) {
        if (step % stretch_ == 0) {
            snapshots_.push_back(series);
        }
        series.advance();
    }
}

void LastSums::backward(const std::function<void(const std::vector<double>&)>& use) const {
    std::vector<std::vector<double>> sums;
    for (std::size_t k = snapshots_.size(); k-- > 0;) {
        Series series = snapshots_[k];
        sums.resize(std::min(stretch_, size_ - k * stretch_));
        for (std::vector<double>& sum : sums) {
            sum = series.sum();
            series.advance();
        }
        std::for_each(sums.rbegin(), sums.rend(), use);
    }
}

}  // namespace mcls
