// Random graphs that follow from a seed by formula: what is at the other end of each half-edge. The GPU fills tables with it to
// walk on, and the host replays walks without one. An edge is two half-edges; those of a vertex follow each other.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "kernels/random/stream_seed.cuh"

namespace graph {

/// A pseudo-random permutation of the numbers below 2^(2 half): six rounds of Feistel's network (Luby and Rackoff, "How to
/// construct pseudorandom permutations from pseudorandom functions", SIAM J. Comput. 17(2), 1988).
class Permutation {
 public:
    __host__ __device__ Permutation(std::uint64_t seed, std::uint64_t number, unsigned half)
        : key_(rng::mix64(rng::mix64(seed) + number)), half_(half) {}

    __host__ __device__ std::uint32_t operator()(std::uint32_t x) const {
        std::uint32_t left = x >> half_, right = x & mask();
        for (unsigned round = 0; round < rounds; round++) {
            const std::uint32_t next = left ^ hash(round, right);
            left = right;
            right = next;
        }
        return left << half_ | right;
    }

    __host__ __device__ std::uint32_t inverse(std::uint32_t x) const {
        std::uint32_t left = x >> half_, right = x & mask();
        for (unsigned round = rounds; round-- > 0;) {
            const std::uint32_t before = right ^ hash(round, left);
            right = left;
            left = before;
        }
        return left << half_ | right;
    }

 private:
    static constexpr unsigned rounds = 6;

    __host__ __device__ std::uint32_t mask() const { return (1u << half_) - 1; }
    __host__ __device__ std::uint32_t hash(unsigned round, std::uint32_t half) const {
        return static_cast<std::uint32_t>(rng::mix64(key_ + (std::uint64_t{round} << 32) + half) >> 32) & mask();
    }

    std::uint64_t key_;
    unsigned half_;
};

/// log2 of the mean degree of all graphs here.
inline constexpr unsigned log2_degree = 4;

/// The slots from which a walk at a vertex draws the next one: the number of the first one, and how many there are.
struct alignas(8) Slots {
    std::uint32_t first, number;
};

/// Which of them a random word chooses.
__host__ __device__ __forceinline__ std::uint32_t chosen(Slots slots, std::uint32_t word) {
    return slots.first + static_cast<std::uint32_t>(std::uint64_t{word} * slots.number >> 32);
}

/// A graph has 2^log2_vertices vertices, an even power. Its quarters have as many half-edges each, those of whole vertices.
inline constexpr unsigned quarters = 4;

/// Every vertex has degree 16. Half-edge i of a vertex, i < 8, leads to where permutation i takes it, and half-edge i + 8 back
/// from there: the permutation model (Friedman, "A proof of Alon's second eigenvalue conjecture", Memoirs of the AMS 910,
/// 2008).
template <unsigned log2_vertices>
class RegularGraph {
 public:
    using Entry = std::uint32_t;  // of a slot, a half-edge: the vertex at the other end
    static constexpr unsigned log2_slots = log2_vertices + log2_degree, steps = 1;  // of a slot

    __host__ __device__ explicit RegularGraph(std::uint64_t seed) : seed_(seed) {}

    __host__ __device__ Entry entry(std::uint32_t half_edge) const {
        const std::uint32_t vertex = half_edge >> log2_degree, i = half_edge % degree;
        const Permutation permutation(seed_, i % (degree / 2), log2_vertices / 2);
        return i < degree / 2 ? permutation(vertex) : permutation.inverse(vertex);
    }

    __host__ __device__ static Slots slots_of(Entry vertex) { return {vertex * degree, degree}; }

    /// Calls `use` with the quarter of each vertex that a slot visits.
    template <typename Use>
    __host__ __device__ static void visit(Entry vertex, const Use& use) {
        use(vertex >> (log2_vertices - 2));
    }

 private:
    static constexpr std::uint32_t degree = 1u << log2_degree;
    std::uint64_t seed_;
};

/// The same graph. A slot is a path of two steps.
template <unsigned log2_vertices>
class PathsOfRegularGraph {
 public:
    using Entry =
        std::uint32_t;  // the vertex at the end of the path, and in the upper bits the quarter of the one between
    static constexpr unsigned log2_slots = log2_vertices + 2 * log2_degree, steps = 2;
    static_assert(log2_slots <= 32, "slots have numbers of 32 bits");

    __host__ __device__ explicit PathsOfRegularGraph(std::uint64_t seed) : graph_(seed) {}

    __host__ __device__ Entry entry(std::uint32_t path) const {
        const std::uint32_t between = graph_.entry(path >> log2_degree);
        const std::uint32_t end = graph_.entry(between << log2_degree | path % (1u << log2_degree));
        return between >> (log2_vertices - 2) << log2_vertices | end;
    }

    __host__ __device__ static Slots slots_of(Entry entry) {
        return {end_of(entry) << (2 * log2_degree), 1u << (2 * log2_degree)};
    }

    template <typename Use>
    __host__ __device__ static void visit(Entry entry, const Use& use) {
        use(entry >> log2_vertices);
        use(end_of(entry) >> (log2_vertices - 2));
    }

 private:
    __host__ __device__ static std::uint32_t end_of(Entry entry) { return entry % (1u << log2_vertices); }

    RegularGraph<log2_vertices> graph_;
};

/// A share (8/d)^2 of the vertices has a degree of d or more, d >= 8: the first half-edge of vertex v of n is number
/// floor(16 sqrt(n v)), and there are 16 n. The configuration model pairs half-edges at random (Bollobas, "A probabilistic proof
/// of an asymptotic formula for the number of labelled regular graphs", European J. Combin. 1(4), 1980).
template <unsigned log2_vertices>
class PowerLawGraph {
 public:
    using Entry = Slots;  // of the vertex at the other end: no second load tells its degree
    static constexpr unsigned log2_slots = log2_vertices + log2_degree, steps = 1;

    __host__ __device__ explicit PowerLawGraph(std::uint64_t seed) : order_(seed, 0, log2_slots / 2) {}

    __host__ __device__ Entry entry(std::uint32_t half_edge) const {
        const std::uint32_t vertex = vertex_of(order_(order_.inverse(half_edge) ^ 1));
        const std::uint32_t first = first_of(vertex);
        return {first, first_of(std::uint64_t{vertex} + 1) - first};
    }

    __host__ __device__ static Slots slots_of(Entry slots) { return slots; }

    template <typename Use>
    __host__ __device__ static void visit(Entry slots, const Use& use) {
        use(slots.first >> (log2_slots - 2));
    }

 private:
    static constexpr unsigned log2_ratio = log2_vertices + 2 * log2_degree;  // of a half-edge, squared, to its vertex

    __host__ __device__ static std::uint32_t first_of(std::uint64_t vertex) {
        return static_cast<std::uint32_t>(std::sqrt(static_cast<double>(vertex << log2_ratio)));
    }

    __host__ __device__ static std::uint32_t vertex_of(std::uint32_t half_edge) {
        auto vertex = static_cast<std::uint32_t>(std::uint64_t{half_edge} * half_edge >> log2_ratio);
        while (first_of(std::uint64_t{vertex} + 1) <= half_edge) vertex++;  // firsts are rounded
        return vertex;
    }

    Permutation order_;  // half-edges at the places 2 i and 2 i + 1 of it are a pair
};

}  // namespace graph
