#include <algorithm>
#include <array>

#include "kernels/pi/shared/bit_sliced_replay.hpp"
#include "kernels/pi/shared/cut_cells.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/tensor_words.cuh"
#include "kernels/random/draws.cuh"

namespace pi {
namespace {

/// The generators of a stream, side by side. A plane is a word of each.
template <typename Draw, unsigned width>
class Planes {
 public:
    static constexpr unsigned words = width, lanes = 32 * width, turns = Draw::turns;
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

/// The lanes of a warp, side by side, whose words are mixed together. A plane is a word of each.
class TensorPlanes {
 public:
    static constexpr unsigned words = 32, lanes = 32 * words, turns = mixed_at_once;
    using Plane = std::array<unsigned, words>;

    /// `id`: the warp's first thread.
    explicit TensorPlanes(bench::StreamId id) {
        for (unsigned lane = 0; lane < words; lane++, id.thread++) {
            const rng::HashedState state = {id};
            lanes_.emplace_back(state);
            before_[0][lane] = state(tensor_mrg_words - 2);
            before_[1][lane] = state(tensor_mrg_words - 1);
        }
    }

    Plane operator()() {
        if (next_ == 0) {
            draw_four();
        }
        const Plane plane = mixed_[next_];
        next_ = (next_ + 1) % mixed_at_once;
        return plane;
    }

 private:
    void draw_four() {
        std::array<Plane, mixed_at_once> plain;
        for (Plane& plane : plain) {
            std::transform(lanes_.begin(), lanes_.end(), plane.begin(), [](TensorMrg& draw) { return draw(); });
        }
        for (unsigned i = 0; i < mixed_at_once; i++) {
            for (unsigned lane = 0; lane < words; lane++) {
                const DottedWord dotted = dotted_word(lane, i);
                mixed_[i][lane] =
                    rng::dot_of_bytes(before_[dotted.word][dotted.lane], tensor_factors(i), plain[i][lane]);
            }
        }
        before_ = {plain[mixed_at_once - 2], plain[mixed_at_once - 1]};
    }

    std::vector<TensorMrg> lanes_;
    std::array<Plane, 2> before_;
    std::array<Plane, mixed_at_once> mixed_;
    unsigned next_ = 0;
};

/// What the bits of a sample decide: the places by the bits of each level, the first bit highest, and the last cells.
struct Decisions {
    std::vector<std::vector<Place>> places;  // first_level first
    unsigned last_level;
    std::vector<Cell> last_cells;

    explicit Decisions(const Grid& grid) : last_level(grid.last_level), last_cells(grid.last_cells()) {
        places.push_back(first_places(grid));
        for (unsigned level = first_level; level < grid.last_level; level++) {
            places.push_back(places_of_quarters(grid, level));
        }
    }

    static std::vector<Place> first_places(const Grid& grid) {
        std::vector<Place> found;
        for (unsigned bits = 0; bits < 1u << grid.first_bits; bits++) {
            found.push_back(grid.place_of(grid.first(bits), first_level));
        }
        return found;
    }

    /// The last two bits choose the quarter of a slot.
    static std::vector<Place> places_of_quarters(const Grid& grid, unsigned level) {
        std::vector<Place> found;
        for (const Cell& slot : grid.slots(level)) {
            for (unsigned quarter = 0; quarter < 4; quarter++) {
                found.push_back(grid.place_of(grid.quarter(slot, quarter), level + 1));
            }
        }
        return found;
    }
};

/// Draws planes and returns the place of each lane.
template <typename Draw>
std::array<Place, Draw::lanes> draw_places(Draw& draw, const std::vector<Place>& places) {
    std::array<unsigned, Draw::lanes> drawn{};
    for (std::size_t choices = 1; choices < places.size(); choices *= 2) {
        const auto plane = draw();
        for (unsigned lane = 0; lane < Draw::lanes; lane++) {
            drawn[lane] = drawn[lane] << 1 | (plane[lane / 32] >> lane % 32 & 1);
        }
    }
    std::array<Place, Draw::lanes> found;
    std::transform(drawn.begin(), drawn.end(), found.begin(), [&](unsigned bits) { return places[bits]; });
    return found;
}

/// How many of `samples` samples a level leaves undecided. Adds those inside to `*hits`. Groups come by the turns of `draw`.
template <typename Draw>
unsigned cut_of(Draw& draw, unsigned samples, const std::vector<Place>& places, std::uint64_t* hits) {
    unsigned cut = 0, left = samples;
    for (unsigned group = 0; left > 0 || group % Draw::turns > 0; group++) {
        const auto found = draw_places(draw, places);
        const unsigned counted = std::min(Draw::lanes, left);
        *hits += std::count(found.begin(), found.begin() + counted, Place::inside);
        cut += std::count(found.begin(), found.begin() + counted, Place::cut);
        left -= counted;
    }
    return cut;
}

unsigned hit_in(const Decisions& of, unsigned first, unsigned second) {
    const unsigned level = of.last_level, rest = 32 - level;
    const Cell cell = of.last_cells[first % (1u << level) * 2 + second % 2];
    return folded_hit((cell.x << rest) + (first >> level), (cell.y << rest) + (second >> level));
}

/// Hits among `samples` samples of the last level, one for each word of two planes.
template <typename Draw>
unsigned hits_of_last_level(Draw& draw, unsigned samples, const Decisions& decisions) {
    unsigned hits = 0;
    for (unsigned done = 0; done < samples; done += Draw::words) {
        const auto first = draw();
        const auto second = draw();
        for (unsigned i = 0; i < std::min(Draw::words, samples - done); i++) {
            hits += hit_in(decisions, first[i], second[i]);
        }
    }
    return hits;
}

/// Hits among `samples` samples that reach a level, `after_first` levels after the first.
template <typename Draw>
std::uint64_t hits_of_levels(Draw& draw, unsigned samples, const Decisions& decisions, std::size_t after_first = 0) {
    std::uint64_t hits = 0;
    unsigned left = samples;
    for (std::size_t i = after_first; i < decisions.places.size(); i++) {
        left = cut_of(draw, left, decisions.places[i], &hits);
    }
    return hits + hits_of_last_level(draw, left, decisions);
}

/// Hits among `samples` samples of planes.
template <const Grid& grid, typename Draw>
std::uint64_t hits_among(Draw draw, unsigned samples) {
    static const Decisions decisions(grid);
    return hits_of_levels(draw, samples, decisions);
}

/// The places of the first level by v0 to v4, v0 highest, that have the bits `set` of `among`, in order.
std::vector<Place> places_with(const Decisions& decisions, unsigned among, unsigned set) {
    std::vector<Place> found;
    for (unsigned bits = 0; bits < decisions.places[0].size(); bits++) {
        if ((bits & among) == set) found.push_back(decisions.places[0][bits]);
    }
    return found;
}

/// Where all of them are; cut if they differ.
Place common(const std::vector<Place>& places) {
    return std::count(places.begin(), places.end(), places[0]) == static_cast<std::ptrdiff_t>(places.size())
               ? places[0]
               : Place::cut;
}

}  // namespace

template <typename Draw, const Grid& grid, unsigned width>
std::uint64_t replay_bit_sliced(const bench::StreamId& id, unsigned iters) {
    return hits_among<grid>(Planes<Draw, width>(id), iters);
}

std::uint64_t replay_first_bits(const bench::StreamId& id, unsigned iters) {
    constexpr unsigned v0 = 16, v1 = 8, v3 = 2;
    static const Decisions decisions(deep_octant);
    static const std::vector<Place> by_v1 = {common(places_with(decisions, v1, 0)),
                                             common(places_with(decisions, v1, v1))};
    static const std::vector<Place> far_by_v0 = {common(places_with(decisions, v0 | v1 | v3, v1 | v3)),
                                                 common(places_with(decisions, v0 | v1 | v3, v0 | v1 | v3))};
    static const std::vector<Place> near_places = places_with(decisions, v1 | v3, v1);
    Planes<rng::AlternatingMrgDraws, 1> draw(id);
    std::uint64_t hits = 0, near = 0;
    const unsigned undecided = cut_of(draw, iters, by_v1, &hits);
    unsigned far = cut_of(draw, undecided, {Place::inside, Place::cut}, &near);  // the samples whose v3 is 1
    far = cut_of(draw, far, far_by_v0, &hits);
    const unsigned cut = far + cut_of(draw, static_cast<unsigned>(near), near_places, &hits);
    return hits + hits_of_levels(draw, cut, decisions, 1);
}

std::uint64_t replay_tensor_words(const bench::StreamId& id, unsigned iters) {
    constexpr unsigned warp = TensorPlanes::words;
    return id.thread % warp == 0 ? hits_among<deep_octant>(TensorPlanes(id), warp * iters) : 0;
}

template std::uint64_t replay_bit_sliced<rng::FoldedMrgDraws, square, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<rng::DotMrgDraws, square, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<rng::FoldedMrgDraws, octant, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<rng::DotMrgDraws, octant, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<rng::DotMrgDraws, deep_octant, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<rng::AlternatingMrgDraws, deep_octant, 1>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<rng::AlternatingMrgDraws, deep_octant, 16>(const bench::StreamId&, unsigned);
template std::uint64_t replay_bit_sliced<rng::ShiftedMrgDraws, deep_octant, 1>(const bench::StreamId&, unsigned);

}  // namespace pi
