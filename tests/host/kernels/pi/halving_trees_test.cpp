// The trees of v25, v26 and v27_seven_bits are trees, and what they settle and test is the quarter circle.
#include "kernels/pi/shared/halving_trees.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/halving.cuh"

namespace {

struct Node {
    unsigned layer;
    unsigned word;
};

struct Tree {
    std::string name;
    std::vector<Node> nodes;
    unsigned last_layer;
};

template <typename Generated>
Tree tree_of(const std::string& name, const Generated& generated) {
    Tree tree = {name, {}, generated.last_layer};
    for (unsigned i = 0, layer = 0; i < generated.nodes; i++) {
        while (layer < generated.last_layer && i == generated.first_of_layer[layer + 1]) layer++;
        tree.nodes.push_back({layer, generated.node[i]});
    }
    EXPECT_EQ(generated.first_of_layer[generated.last_layer], generated.first_leaf);
    return tree;
}

/// The cell of a leaf, as words.
struct Cell {
    unsigned x_bits, y_bits;
    std::uint64_t x, y, width, height;
};

Cell cell_of(unsigned leaf) {
    const unsigned x_bits = leaf >> 24 & 15, y_bits = leaf >> 28, both = leaf & 0xffffff;
    return {x_bits,
            y_bits,
            std::uint64_t{both >> y_bits} << (32 - x_bits),
            std::uint64_t{both & ((1u << y_bits) - 1)} << (32 - y_bits),
            std::uint64_t{1} << (32 - x_bits),
            std::uint64_t{1} << (32 - y_bits)};
}

class HalvingTree : public testing::TestWithParam<Tree> {
 protected:
    /// Calls f(layer, child) for both children of each node that is no leaf.
    template <typename F>
    void for_children(F f) const {
        for (const Node& node : tree.nodes) {
            if (node.layer == tree.last_layer) continue;
            f(node.layer, node.word & 0xffff);
            f(node.layer, node.word >> 16);
        }
    }
    /// What is inside for certain, in units of 2^-64 of all.
    std::uint64_t settled() const {
        std::uint64_t sum = 0;
        for_children([&](unsigned layer, unsigned child) {
            if (child == pi::settled_inside) sum += std::uint64_t{1} << (63 - layer);
        });
        return sum;
    }
    std::vector<Cell> cells() const {
        std::vector<Cell> found;
        for (const Node& node : tree.nodes) {
            if (node.layer == tree.last_layer) found.push_back(cell_of(node.word));
        }
        return found;
    }
    const Tree& tree = GetParam();
};

TEST_P(HalvingTree, HasOneParentForEachNodeInTheLayerAbove) {
    std::vector<unsigned> parents(tree.nodes.size());
    for_children([&](unsigned layer, unsigned child) {
        if (child < pi::first_child) return;
        ASSERT_LT(child - pi::first_child, tree.nodes.size());
        parents[child - pi::first_child]++;
        EXPECT_EQ(tree.nodes[child - pi::first_child].layer, layer + 1);
    });
    EXPECT_EQ(parents[0], 0u);
    EXPECT_EQ(std::count(parents.begin() + 1, parents.end(), 1u), std::ssize(parents) - 1);
}

// Of all pairs, a leaf off the diagonal stands for its own and for their mirror images.
TEST_P(HalvingTree, HasLeavesOfOneSize) {
    for (const Cell& cell : cells()) {
        const bool on_diagonal = cell.x_bits == cell.y_bits && cell.x == cell.y;
        EXPECT_EQ(cell.x_bits + cell.y_bits, tree.last_layer + (on_diagonal ? 0 : 1));
        EXPECT_TRUE(on_diagonal || cell.x >= cell.y + cell.height);
        EXPECT_GT(std::min(cell.x_bits, cell.y_bits), 0u);
    }
}

TEST_P(HalvingTree, HasLeavesThatDoNotOverlap) {
    std::vector<Cell> sorted = cells();
    for (const Cell& a : sorted) {
        for (const Cell& b : sorted) {
            const bool overlap =
                a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
            EXPECT_EQ(overlap, a.x == b.x && a.y == b.y && a.x_bits == b.x_bits) << a.x << ", " << a.y;
        }
    }
}

/// The integral of sqrt(1 - x^2).
long double circle(long double x) { return (x * std::sqrt(1 - x * x) + std::asin(x)) / 2; }

/// The area of a cell below the arc, in units of the square.
long double area_inside(const Cell& cell) {
    const long double x = cell.x * 0x1p-32L, y = cell.y * 0x1p-32L, right = x + cell.width * 0x1p-32L;
    const long double top = y + cell.height * 0x1p-32L;
    // Below x = `full` the arc is above the cell, from x = `none` on it is below.
    const long double full = std::clamp(std::sqrt(1 - top * top), x, right);
    const long double none = std::clamp(std::sqrt(1 - y * y), x, right);
    return (full - x) * (top - y) + circle(none) - circle(full) - (none - full) * y;
}

TEST_P(HalvingTree, SharesAddUpToPi) {
    long double sum = settled() * 0x1p-64L;
    for (const Cell& cell : cells()) sum += std::ldexp(area_inside(cell), cell.x_bits + cell.y_bits - tree.last_layer);
    EXPECT_NEAR(static_cast<double>(sum - std::numbers::pi_v<long double> / 4), 0, 1e-15);
}

/// The first of the numbers from `first` on for which `is_so` fails, if there is one before `end`.
template <typename IsSo>
std::uint64_t first_not(std::uint64_t first, std::uint64_t end, IsSo is_so) {
    while (first < end) {
        const std::uint64_t middle = first + (end - first) / 2;
        is_so(static_cast<unsigned>(middle)) ? first = middle + 1 : end = middle;
    }
    return first;
}

/// Pairs of words in a cell that are hits: of each x the first few y, and of the x that become one float equally many.
std::uint64_t hits_in(const Cell& cell) {
    constexpr std::uint64_t words_of_float = 512;  // more than these
    std::uint64_t hits = 0;
    for (std::uint64_t x = cell.x, end = cell.x + cell.width; x < end;) {
        const auto of_float = static_cast<float>(static_cast<unsigned>(x));
        const std::uint64_t next = first_not(x + 1, std::min(end, x + words_of_float),
                                             [&](unsigned word) { return static_cast<float>(word) == of_float; });
        const std::uint64_t y = first_not(cell.y, cell.y + cell.height, [&](unsigned word) {
            return pi::folded_hit(static_cast<unsigned>(x), word) == 1;
        });
        hits += (y - cell.y) * (next - x);
        x = next;
    }
    return hits;
}

// quality/exact_counts.cpp counts these pairs without a tree. If a part were settled against the hit rule, this would be another number.
TEST_P(HalvingTree, SettlesAndTestsAsTheHitRuleDoes) {
    const std::vector<Cell> all = cells();
    std::uint64_t hits = settled();
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : hits)
    for (std::size_t i = 0; i < all.size(); i++) {
        hits += hits_in(all[i]) << (all[i].x_bits + all[i].y_bits - tree.last_layer);
    }
    EXPECT_EQ(hits, pi::folded_octant_pairs.count);
}

TEST(Leaf, TestsASampleInItsCell) {
    const unsigned leaf = pi::three_bit_tree.node[pi::three_bit_tree.first_leaf + 7];
    const Cell cell = cell_of(leaf);
    for (const unsigned first : {0u, 0x12345678u, ~0u}) {
        for (const unsigned second : {0u, 0x9abcdef0u, ~0u}) {
            const auto x = static_cast<unsigned>(cell.x + (first >> cell.x_bits));
            const auto y = static_cast<unsigned>(cell.y + (second >> cell.y_bits));
            EXPECT_EQ(pi::led_by(leaf >> cell.y_bits, cell.x_bits, first), x);
            EXPECT_EQ(pi::led_by(leaf, cell.y_bits, second), y);
            EXPECT_EQ(pi::hit_in_leaf(leaf, first, second), pi::folded_hit(x, y));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Trees, HalvingTree,
                         testing::Values(tree_of("two_bits", pi::two_bit_tree),
                                         tree_of("three_bits", pi::three_bit_tree),
                                         tree_of("seven_bits", pi::seven_bit_tree)),
                         [](const auto& info) { return info.param.name; });

}  // namespace
