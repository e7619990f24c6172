// The strongly connected components of a sparse matrix: states that lead to each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/mcls/system/sparse.hpp"

namespace mcls {

/// The states by component. A component comes after all others that its rows have entries in, and its states ascend.
struct Components {
    std::vector<std::uint32_t> state;      // of all components
    std::vector<std::uint32_t> first;      // of each component, and n
    std::vector<std::uint32_t> component;  // of each state
    std::vector<std::uint32_t> place;      // of each state in its component

    std::uint32_t size() const { return static_cast<std::uint32_t>(first.size()) - 1; }
    std::span<const std::uint32_t> states_of(std::uint32_t c) const {
        return std::span(state).subspan(first[c], first[c + 1] - first[c]);
    }
};

/// R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972.
Components components(const Sparse& matrix);

}  // namespace mcls
