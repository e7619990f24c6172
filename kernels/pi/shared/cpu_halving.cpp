// The walks of v25 to v27 in vector registers, a lane of the warp in each lane. This file is compiled once for each instruction
// set, as CLONE.
#include "kernels/pi/shared/cpu_halving.hpp"

#include <utility>

#include "kernels/pi/shared/cpu_bit_planes.hpp"
#include "kernels/pi/shared/cpu_rings.hpp"
#include "kernels/pi/shared/halving.cuh"

namespace pi::halving::CLONE {
namespace {

using namespace bit_sliced::CLONE;
using bit_sliced::CLONE::Words;

constexpr unsigned lanes = Warp::lanes, bits_of_word = 32;

/// A number for each lane of the warp.
struct alignas(64) OfLanes {
    unsigned of[lanes];
};

unsigned most_of(const OfLanes& numbers) {
    unsigned most = 0;
    for (const unsigned number : numbers.of) most = number > most ? number : most;
    return most;
}

/// The least of the numbers for a register.
unsigned least_of(const unsigned* numbers) {
    unsigned least = numbers[0];
    for (unsigned i = 1; i < vector_words; i++) least = numbers[i] < least ? numbers[i] : least;
    return least;
}

/// What is left of numbers after `n`.
__forceinline__ Words left_after(Words numbers, unsigned n) { return (numbers - n) & (Words)(numbers > n); }

/// A register's lanes of the warp, the first one `lane`.
template <typename Draws>
__forceinline__ Ring<Draws> load_lanes(const Warp& warp, unsigned lane) {
    return load_ring<Ring<Draws>>(warp.of[lane / generators], lane % generators);
}
template <typename Draws>
__forceinline__ void store_lanes(const Ring<Draws>& ring, Warp& warp, unsigned lane) {
    store_ring(ring, 0, warp.of[lane / generators], lane % generators, ~Words{});
}

/// How many bits are set in each word of vectors that come in pairs: CountInPairs.
class PairedCounts {
 public:
    __forceinline__ void add(Vector first, Vector second) {
        twos_.add(lop3<0xe8>(ones_, first, second));
        ones_ = lop3<0x96>(ones_, first, second);
    }
    __forceinline__ void settle() { twos_.settle(); }
    __forceinline__ Words total() const {
        BitCounts ones;
        ones.add(ones_);
        ones.settle();
        return twos_.total() * 2 + ones.total();
    }

 private:
    BitCounts twos_;
    Vector ones_ = {};
};

template <typename Draws, unsigned... pair>
__forceinline__ void count_round(Ring<Draws>& ring, PairedCounts& counts, std::integer_sequence<unsigned, pair...>) {
    (
        [&]() INLINED {
            const Vector first = ring.draw(2 * pair), second = ring.draw(2 * pair + 1);
            counts.add(first, second);
        }(),
        ...);
    counts.settle();
}

/// The same of the bits that count.
template <typename Draws, unsigned... word>
__forceinline__ void count_last(Ring<Draws>& ring, Words left, BitCounts& counts,
                                std::integer_sequence<unsigned, word...>) {
    (
        [&]() INLINED {
            const Vector drawn = ring.draw(word);
            counts.add(drawn & first_bits(left_after(left, word * bits_of_word)));
        }(),
        ...);
    counts.settle();
}

/// The ones among the next `samples` bits of each lane. All lanes draw equally many rounds.
template <typename Draws>
__attribute__((noinline)) OfLanes ones_among(Warp& warp, const OfLanes& samples) {
    constexpr auto pairs = std::make_integer_sequence<unsigned, Draws::round / 2>{};
    constexpr auto words = std::make_integer_sequence<unsigned, Draws::round>{};
    constexpr unsigned bits_of_round = bits_of_word * Draws::round;
    const unsigned most = most_of(samples);
    OfLanes ones;
    for (unsigned lane = 0; lane < lanes; lane += vector_words) {
        Ring<Draws> ring = load_lanes<Draws>(warp, lane);
        PairedCounts counts;
        unsigned done = 0;
        for (unsigned left = least_of(&samples.of[lane]); left >= bits_of_round; left -= bits_of_round) {
            count_round(ring, counts, pairs);
            done += bits_of_round;
        }
        BitCounts last;
        Words left = load(&samples.of[lane]) - done;
        for (; done < most; done += bits_of_round) {
            count_last(ring, left, last, words);
            left = left_after(left, bits_of_round);
        }
        store_lanes(ring, warp, lane);
        store(&ones.of[lane], counts.total() + last.total());
    }
    return ones;
}

/// The leading bits of a coordinate, then the upper ones of each word.
__forceinline__ Words led_by(Words leading, Words bits, Words words) { return leading << (32 - bits) | words >> bits; }

template <typename Draws, unsigned... sample>
__forceinline__ Words hits_of_round(Ring<Draws>& ring, Words leaf, Words left,
                                    std::integer_sequence<unsigned, sample...>) {
    const Words x_bits = leaf >> 24 & 15, y_bits = leaf >> 28, x = leaf >> y_bits;
    Words hits = {};
    (
        [&]() INLINED {
            const Vector first = ring.draw(2 * sample), second = ring.draw(2 * sample + 1);
            const Vector hit = folded_hits({led_by(x, x_bits, first.words)}, {led_by(leaf, y_bits, second.words)});
            hits += hit.words & (Words)(left > sample);
        }(),
        ...);
    return hits;
}

/// Hits among the next `samples` samples of each lane, which are in the cells of `leaves`.
template <typename Draws>
__attribute__((noinline)) unsigned test(Warp& warp, const OfLanes& samples, const OfLanes& leaves) {
    constexpr unsigned of_round = Draws::round / 2;
    constexpr auto of_each = std::make_integer_sequence<unsigned, of_round>{};
    const unsigned most = most_of(samples);
    unsigned hits = 0;
    for (unsigned lane = 0; lane < lanes; lane += vector_words) {
        Ring<Draws> ring = load_lanes<Draws>(warp, lane);
        Words left = load(&samples.of[lane]), found = {};
        for (unsigned done = 0; done < most; done += of_round) {
            found += hits_of_round(ring, load(&leaves.of[lane]), left, of_each);
            left = left_after(left, of_round);
        }
        store_lanes(ring, warp, lane);
        for (unsigned i = 0; i < vector_words; i++) hits += found[i];
    }
    return hits;
}

/// The counts of a tree's nodes.
template <typename Tree>
class Counts {
 public:
    explicit Counts(const Tree& tree, unsigned samples) : tree_(tree) { of_[0] = samples; }

    unsigned of(unsigned node) const { return of_[node]; }

    /// Returns how many samples of a node are inside for certain.
    unsigned halve(unsigned node, unsigned ones) {
        return take(tree_.node[node] & 0xffff, of_[node] - ones) + take(tree_.node[node] >> 16, ones);
    }

 private:
    unsigned take(unsigned child, unsigned samples) {
        if (child >= first_child) of_[child - first_child] = samples;
        return child == settled_inside ? samples : 0;
    }

    const Tree& tree_;
    unsigned of_[Tree::nodes];
};

template <typename Draws, typename Tree>
unsigned hits_of_tree(const Tree& tree, Warp& warp, unsigned samples) {
    Counts<Tree> counts(tree, samples);
    unsigned hits = 0;
    for (unsigned node = 0; node < tree.first_of_layer[shared_layers]; node++) {
        OfLanes shares;
        for (unsigned lane = 0; lane < lanes; lane++) {
            shares.of[lane] = counts.of(node) / lanes + (lane < counts.of(node) % lanes ? 1 : 0);
        }
        unsigned ones = 0;
        for (const unsigned of_lane : ones_among<Draws>(warp, shares).of) ones += of_lane;
        hits += counts.halve(node, ones);
    }
    for (unsigned layer = shared_layers; layer < Tree::last_layer; layer++) {
        const unsigned end = tree.first_of_layer[layer + 1];
        for (unsigned first = tree.first_of_layer[layer]; first < end; first += lanes) {
            OfLanes of_nodes;
            for (unsigned lane = 0; lane < lanes; lane++) {
                of_nodes.of[lane] = counts.of(first + lane < end ? first + lane : end - 1);
            }
            const OfLanes ones = ones_among<Draws>(warp, of_nodes);
            for (unsigned node = first; node < end && node < first + lanes; node++) {
                hits += counts.halve(node, ones.of[node - first]);
            }
        }
    }
    for (unsigned first = Tree::first_leaf; first < Tree::nodes; first += lanes) {
        OfLanes of_leaves, leaves;
        for (unsigned lane = 0; lane < lanes; lane++) {
            const bool has_one = first + lane < Tree::nodes;
            of_leaves.of[lane] = has_one ? counts.of(first + lane) : 0;
            leaves.of[lane] = tree.node[has_one ? first + lane : Tree::nodes - 1];
        }
        hits += test<Draws>(warp, of_leaves, leaves);
    }
    return hits;
}

unsigned hits_by_seven_bits(Warp& warp, unsigned samples) {
    return hits_of_tree<rng::ShiftedMrgDraws>(seven_bit_tree, warp, samples);
}
unsigned hits_by_two_bits(Warp& warp, unsigned samples) {
    return hits_of_tree<rng::AlternatingMrgDraws>(two_bit_tree, warp, samples);
}
template <typename Draws>
unsigned hits_by_three_bits(Warp& warp, unsigned samples) {
    return hits_of_tree<Draws>(three_bit_tree, warp, samples);
}

}  // namespace

extern const Walks walks;
const Walks walks = {.two_bits = hits_by_two_bits,
                     .three_bits = hits_by_three_bits<rng::AlternatingMrgDraws>,
                     .shifted = hits_by_three_bits<rng::ShiftedMrgDraws>,
                     .seven_bits = hits_by_seven_bits,
                     .three_dots = hits_by_three_bits<rng::ThreeDotsMrgDraws>};

}  // namespace pi::halving::CLONE
