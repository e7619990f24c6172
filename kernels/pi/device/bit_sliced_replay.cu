#include <algorithm>
#include <array>

#include "kernels/pi/device/bit_sliced_replay.hpp"
#include "kernels/pi/device/cut_cells.hpp"
#include "kernels/pi/device/hit.cuh"
#include "kernels/random/draws.cuh"

namespace pi {
namespace {

/// The generators of a stream, side by side. A plane is a word of each.
template <typename Draw, unsigned width>
class Planes {
 public:
    static constexpr unsigned words = width, lanes = 32 * width;
    using Plane = std::array<unsigned, width>;

    explicit Planes(const bench::StreamId& id) {
        for (unsigned i = 0; i < width; i++) {
            draws_.emplace_back(bench::StreamId{id.seed, id.launch, width * id.threads, width * id.thread + i});
        }
    }

    Plane operator()() {
        Plane plane{};
        std::transform(draws_.begin(), draws_.end(), plane.begin(), [](Draw& draw) { return draw(); });
        return plane;
    }

 private:
    std::vector<Draw> draws_;
};

/// Draws `bits` planes and returns the cell of each lane. `cell_of` maps a lane's bits, the first one highest, to a cell.
template <typename Draw, typename CellOf>
std::array<Cell, Draw::lanes> draw_cells(Draw& draw, unsigned bits, CellOf cell_of) {
    std::array<unsigned, Draw::lanes> drawn{};
    for (unsigned bit = 0; bit < bits; bit++) {
        const auto plane = draw();
        for (unsigned lane = 0; lane < Draw::lanes; lane++) {
            drawn[lane] = drawn[lane] << 1 | (plane[lane / 32] >> lane % 32 & 1);
        }
    }
    std::array<Cell, Draw::lanes> cells;
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
    for (unsigned first = 0; first < samples; first += Draw::lanes) {
        const auto cells = draw_cells(draw, bits, cell_of);
        for (unsigned lane = 0; lane < std::min(Draw::lanes, samples - first); lane++) {
            const Place place = place_of(cells[lane], level);
            *hits += place == Place::inside ? 1 : 0;
            cut += place == Place::cut ? 1 : 0;
        }
    }
    return cut;
}

unsigned hit_of_last_level(unsigned first, unsigned second) {
    constexpr unsigned rest = 32 - last_level;
    const Cell cell = slots_of(last_level)[first % (1u << last_level) * 2 + second % 2];
    return folded_hit((cell.x << rest) + (first >> last_level), (cell.y << rest) + (second >> last_level));
}

/// Hits among `samples` samples of the last level, one for each word of two planes.
template <typename Draw>
unsigned hits_of_last_level(Draw& draw, unsigned samples) {
    unsigned hits = 0;
    for (unsigned done = 0; done < samples; done += Draw::words) {
        const auto first = draw();
        const auto second = draw();
        for (unsigned i = 0; i < std::min(Draw::words, samples - done); i++) {
            hits += hit_of_last_level(first[i], second[i]);
        }
    }
    return hits;
}

}  // namespace

template <typename Draw, unsigned width>
std::uint64_t replay_bit_sliced(const bench::StreamId& id, unsigned iters) {
    Planes<Draw, width> draw(id);
    std::uint64_t hits = 0;
    unsigned left = cut_of(draw, iters, first_level, 2 * first_level, first_cell, &hits);
    for (unsigned level = first_level; level < last_level; level++) {
        const unsigned slot_bits = level + 1;
        left = cut_of(draw, left, level + 1, slot_bits + 2, Quarters{slots_of(level)}, &hits);
    }
    return hits + hits_of_last_level(draw, left);
}

template std::uint64_t replay_bit_sliced<FoldedMrgDraws, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<DotMrgDraws, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<DotMrgDraws, 16>(const bench::StreamId&, unsigned);

}  // namespace pi
