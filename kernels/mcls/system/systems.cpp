#include "kernels/mcls/system/systems.hpp"

#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "bench/errors.hpp"
#include "bench/text.hpp"

namespace mcls {
namespace {

/// A direction of a grid: the distance of neighbours in the vector of unknowns, the number of points, and the entries for the
/// neighbour before a point and the one after it. Points at the edge have only one of them.
struct Axis {
    std::uint32_t stride, points;
    double before, after;
};

void add_neighbours(std::vector<Entry>& entries, std::uint32_t i, std::initializer_list<Axis> axes) {
    for (const Axis& axis : axes) {
        const std::uint32_t place = i / axis.stride % axis.points;
        if (place > 0) {
            entries.push_back({i, i - axis.stride, axis.before});
        }
        if (place + 1 < axis.points) {
            entries.push_back({i, i + axis.stride, axis.after});
        }
    }
}

// Poisson's equation on a square, 5 points, zero at the edge.
System lap2d() {
    constexpr std::uint32_t side = 30, n = side * side;
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < n; ++i) {
        entries.push_back({i, i, 4});
        add_neighbours(entries, i, {{1, side, -1, -1}, {side, side, -1, -1}});
    }
    return {.name = "lap2d", .a = sparse(n, entries), .b = std::vector<double>(n, 1)};
}

// A shifted Laplacian in one dimension. Its right-hand side is rough, because a smooth one leaves forward walks almost no
// variance.
System shift1d() {
    constexpr std::uint32_t n = 1'000'000;
    std::vector<Entry> entries;
    std::vector<double> b;
    for (std::uint32_t i = 0; i < n; ++i) {
        entries.push_back({i, i, i == 0 || i + 1 == n ? 3.5 : 2.5});
        add_neighbours(entries, i, {{1, n, -1, -1}});
        b.push_back(0.25 + 0.75 * (i * 2654435761u) / 4294967296);
    }
    return {.name = "shift1d", .a = sparse(n, entries), .b = std::move(b)};
}

// A model of simplified P1 equations: neutrons in 47 groups of energy on 17 x 32 cells. They diffuse within a group and scatter
// from it to all groups of lower energy. The last group differs from the others. Adjoint histories have infinite fourth moments in the
// last groups: their means are far from normal.
System sp1() {
    constexpr std::uint32_t groups = 47, judged_groups = 43;
    constexpr std::uint32_t last = groups - 1, width = 17, height = 32, n = groups * width * height;
    std::vector<Entry> entries;
    std::vector<double> b;
    std::vector<std::uint8_t> judged;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t g = i % groups;
        const double removal = g < last ? 1 : 0.42969;
        const double stays = g < last ? 0.66021 + (0.96 - 0.66021) * g / 45 : 0.98741;
        const double leak = stays * removal / 4;
        entries.push_back({i, i, removal});
        add_neighbours(entries, i, {{groups, width, -leak, -leak}, {groups * width, height, -leak, -leak}});
        const std::uint32_t below = last - g;
        for (std::uint32_t k = 1; k <= below; ++k) {
            entries.push_back({i + k, i, -(1 - stays) / (k < below ? k * (k + 1) : k)});
        }
        b.push_back(g < 10 ? 10 - g : 0);
        judged.push_back(g < judged_groups);
    }
    return {.name = "sp1", .a = sparse(n, entries), .b = std::move(b), .judged = std::move(judged)};
}

// Advection along x and diffusion in three dimensions: H has entries of both signs.
System ad3d() {
    constexpr std::uint32_t side = 64, n = side * side * side;
    std::vector<Entry> entries;
    std::vector<double> b;
    for (std::uint32_t i = 0; i < n; ++i) {
        entries.push_back({i, i, 7.2});
        add_neighbours(entries, i, {{1, side, -2.5, 0.5}, {side, side, -1, -1}, {side * side, side, -1, -1}});
        b.push_back(i % side < side / 2 ? 1 : -1);
    }
    return {.name = "ad3d", .a = sparse(n, entries), .b = std::move(b)};
}

// Small enough to be checked by hand.
System tiny4() {
    const std::vector<Entry> entries{{0, 0, 4}, {0, 1, -1}, {0, 3, 0.5}, {1, 0, -1}, {1, 1, 5},    {1, 2, -2},
                                     {2, 1, 1}, {2, 2, 4},  {2, 3, -1},  {3, 0, -1}, {3, 2, -0.5}, {3, 3, 3}};
    return {.name = "tiny4", .a = sparse(4, entries), .b = {1, 0, -2, 3}};
}

struct BuiltIn {
    const char* name;
    System (*build)();
};
constexpr std::array<BuiltIn, 5> systems{
    {{"lap2d", lap2d}, {"shift1d", shift1d}, {"sp1", sp1}, {"ad3d", ad3d}, {"tiny4", tiny4}}};

}  // namespace

const std::vector<const char*>& system_names() {
    static const std::vector<const char*> names = [] {
        std::vector<const char*> all;
        for (const BuiltIn& system : systems) {
            all.push_back(system.name);
        }
        return all;
    }();
    return names;
}

System built_in(std::string_view name) {
    for (const BuiltIn& system : systems) {
        if (name == system.name) {
            return system.build();
        }
    }
    throw bench::UsageError(fmt::format("no system {}: choose one of {}, or FILE.mtx", bench::quoted(name),
                                        fmt::join(system_names(), ", ")));
}

}  // namespace mcls
