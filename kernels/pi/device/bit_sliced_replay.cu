#include <algorithm>
#include <array>

#include "kernels/pi/device/bit_sliced_replay.hpp"
#include "kernels/pi/device/cut_cells.hpp"
#include "kernels/pi/device/hit.cuh"
#include "kernels/random/draws.cuh"

namespace pi {
namespace {

constexpr unsigned lanes = 32;

/// Draws `bits` planes and returns the cell of each of 32 lanes. `cell_of` maps a lane's bits, the first one highest, to
/// a cell.
template <typename Draw, typename CellOf>
std::array<Cell, lanes> draw_cells(Draw& draw, unsigned bits, CellOf cell_of) {
    std::array<unsigned, lanes> drawn{};
    for (unsigned bit = 0; bit < bits; bit++) {
        const unsigned plane = draw();
        for (unsigned lane = 0; lane < lanes; lane++) {
            drawn[lane] = drawn[lane] << 1 | (plane >> lane & 1);
        }
    }
    std::array<Cell, lanes> cells;
    std::transform(drawn.begin(), drawn.end(), cells.begin(), cell_of);
    return cells;
}

/// slots(level), computed once.
const std::vector<Cell>& slots_of(unsigned level) {
    static const auto all = [] {
        std::vector<std::vector<Cell>> levels;
        for (unsigned l = first_level; l <= last_level; l++) {
            levels.push_back(slots(l));
        }
        return levels;
    }();
    return all[level - first_level];
}

Cell first_cell(unsigned bits) { return {bits >> first_level, bits % (1u << first_level)}; }

/// A quarter of a slot's cell. The last two bits choose the quarter.
struct Quarters {
    const std::vector<Cell>& cells;
    Cell operator()(unsigned bits) const {
        const Cell cell = cells[bits >> 2];
        return {2 * cell.x + (bits >> 1 & 1), 2 * cell.y + (bits & 1)};
    }
};

/// How many of `samples` samples remain undecided after `level`, whose cells take `bits` bits. Adds those inside to
/// `*hits`.
template <typename Draw, typename CellOf>
unsigned cut_of(Draw& draw, unsigned samples, unsigned level, unsigned bits, CellOf cell_of, std::uint64_t* hits) {
    unsigned cut = 0;
    for (unsigned first = 0; first < samples; first += lanes) {
        const auto cells = draw_cells(draw, bits, cell_of);
        for (unsigned lane = 0; lane < std::min(lanes, samples - first); lane++) {
            const Place place = place_of(cells[lane], level);
            *hits += place == Place::inside ? 1 : 0;
            cut += place == Place::cut ? 1 : 0;
        }
    }
    return cut;
}

template <typename Draw>
unsigned hit_of_last_level(Draw& draw, const std::vector<Cell>& cells) {
    constexpr unsigned rest = 32 - last_level;
    const unsigned first = draw();
    const unsigned second = draw();
    const Cell cell = cells[first % (1u << last_level) * 2 + second % 2];
    return folded_hit((cell.x << rest) + (first >> last_level), (cell.y << rest) + (second >> last_level));
}

}  // namespace

template <typename Draw>
std::uint64_t replay_bit_sliced(const bench::StreamId& id, unsigned iters) {
    Draw draw(id);
    std::uint64_t hits = 0;
    unsigned left = cut_of(draw, iters, first_level, 2 * first_level, first_cell, &hits);
    for (unsigned level = first_level; level < last_level; level++) {
        const unsigned slot_bits = level + 1;
        left = cut_of(draw, left, level + 1, slot_bits + 2, Quarters{slots_of(level)}, &hits);
    }
    for (unsigned i = 0; i < left; i++) {
        hits += hit_of_last_level(draw, slots_of(last_level));
    }
    return hits;
}

template std::uint64_t replay_bit_sliced<FoldedMrgDraws>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<DotMrgDraws>(const bench::StreamId&, unsigned);

}  // namespace pi
