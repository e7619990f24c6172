// The order in which a Brownian bridge is walked depth first, and the place of its normals among the coordinates of a point.
// .cu files include it, so it is C++17.
#pragma once

namespace options {

/// The nodes of a bridge over `steps` steps, a power of two, by weight: node 0 is the end, node 1 the middle, nodes 2 and 3
/// the middles of the halves, and so on. Coordinates of a point are used in this order: the first ones are spread best.
///
/// Depth first, the end comes first, then every node before those of its left half and these before those of its right
/// half. This is the node that is visited as number `visit`.
constexpr unsigned node_of_visit(unsigned visit, unsigned steps) {
    if (visit == 0) return 0;
    unsigned node = 1, nodes = steps - 1, behind = visit - 1;  // nodes of this subtree; visits after its first
    while (behind > 0) {
        nodes /= 2;
        const bool right = behind > nodes;
        behind -= right ? nodes + 1 : 1;
        node = 2 * node + (right ? 1 : 0);
    }
    return node;
}

}  // namespace options
