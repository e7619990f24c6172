// The iterate of mcls_solve on the host: the same one as on a GPU, bit for bit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/mcls/solve/outer_loop.hpp"
#include "kernels/mcls/solve/problem.hpp"
#include "kernels/mcls/tables/tables.hpp"

namespace mcls {

/// The starts by |r|, as mcls_solve draws them.
StartTable starts_of(const std::vector<double>& r, const Sizes& sizes);

class IterateOnHost : public Iterate {
 public:
    /// `problem` must outlive it.
    IterateOnHost(const SolveProblem& problem, std::uint64_t seed) : problem_(problem), seed_(seed) {}

    std::uint32_t n() const override { return problem_.splitting.h.n; }
    Sizes begin() override;
    Sizes sweep() override;
    std::uint64_t most_histories() const override { return UINT64_MAX; }
    std::uint64_t fewest_histories() const override { return std::max(std::uint64_t{10'000}, std::uint64_t{n()} * 2); }
    Corrected correct(std::uint32_t launch, std::uint64_t histories, int bits) override;
    std::vector<double> x() const override { return problem_.x_of(x_); }

 private:
    Sizes renew_residual();

    const SolveProblem& problem_;
    std::uint64_t seed_;
    std::vector<double> x_, r_;
    Sizes sizes_;
};

}  // namespace mcls
