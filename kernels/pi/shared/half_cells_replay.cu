#include "kernels/pi/shared/half_cells_replay.hpp"
#include "kernels/pi/shared/round_to_half.hpp"
#include "kernels/random/draws.cuh"

namespace pi {
namespace {

/// Adds cell * slope as v16 does. v16 works in units of 2^-9 cells, so the last bit of a half is at least 1/64 of a
/// squared cell. `slope` is twice the offset. The exact sum takes far fewer than a double's 53 bits.
double add_linear_term(double sum, unsigned cell, unsigned place) {
    const double slope = (2 * place + 1) / 1024.0;
    return std::ldexp(round_to_half(std::ldexp(sum + cell * slope, -18)), 18);
}

}  // namespace

bool half_cell_hit(unsigned k, unsigned l, CellOffset offset) {
    const double whole = static_cast<double>(k * k + l * l) - 32 * 32;  // a half holds it
    const double distance = add_linear_term(add_linear_term(whole, k, offset.x), l, offset.y);
    return distance < squared_offset(offset) / -64.0;
}

std::uint64_t replay_half_cells(const bench::StreamId& id, unsigned iters) {
    rng::FoldedMrgDraws draw(id);
    CellOffset offsets[2] = {};
    unsigned word = 0;
    std::uint64_t hits = 0;
    for (unsigned i = 0; i < iters; i++) {
        if (i % half_group_samples == 0) {
            offsets[0] = offset_of(draw());
            offsets[1] = mirrored(offsets[0]);
        }
        word = i % 2 == 0 ? draw() : word >> 16;
        hits += half_cell_hit(word % 32, word / 32 % 32, offsets[i % 2]) ? 1 : 0;
    }
    return hits;
}

}  // namespace pi
