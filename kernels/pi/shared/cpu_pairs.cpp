// The tests of v1 to v14 in vector registers, a stream in each lane. This file is compiled once for each instruction set, as
// CLONE.
#include "kernels/pi/shared/cpu_pairs.hpp"

#include <numeric>
#include <utility>

#include "kernels/pi/shared/cpu_bit_planes.hpp"
#include "kernels/pi/shared/cpu_rings.hpp"

namespace pi::pairs::CLONE {
namespace {

using namespace bit_sliced::CLONE;
using bit_sliced::CLONE::Words;

/// A family of LCGs.
struct Lcg {
    static unsigned next(unsigned state) { return rng::lcg(&state); }
};
struct GlibcLcg {
    static unsigned next(unsigned state) { return rng::lcg_glibc(&state); }
};

/// v8, v9, v11, v13. Four draws do not wait for each other: each follows from the one four before.
class LcgWords {
 public:
    static constexpr unsigned words = 1, round = 4;
    __forceinline__ void set(unsigned, Words state) {
        for (Words& draw : next_) draw = state = state * one.multiplier + one.increment;
    }
    __forceinline__ Vector draw(unsigned n) {
        Words& next = next_[n % round];
        const Words draw = next;
        next = next * four.multiplier + four.increment;
        return {draw};
    }

 private:
    struct Step {
        unsigned multiplier, increment;
        Step twice() const { return {multiplier * multiplier, multiplier * increment + increment}; }
    };
    const Step one = {Lcg::next(1) - Lcg::next(0), Lcg::next(0)}, four = one.twice().twice();
    Words next_[round];
};

/// v10.
template <typename FamilyOfX, typename FamilyOfY>
class FourLcgWords {
 public:
    static constexpr unsigned words = 4, round = 4;
    __forceinline__ void set(unsigned i, Words state) { states_[i] = state; }
    __forceinline__ Vector draw(unsigned n) {
        Words& state = states_[n % round];
        return {state = n % 2 == 0 ? next<FamilyOfX>(state) : next<FamilyOfY>(state)};
    }

 private:
    template <typename Family>
    static __forceinline__ Words next(Words state) {
        return state * (Family::next(1) - Family::next(0)) + Family::next(0);
    }
    Words states_[words];
};

/// v7.
class XorshiftWords {
 public:
    static constexpr unsigned words = 1, round = 1;
    __forceinline__ void set(unsigned, Words state) { state_ = state; }
    __forceinline__ Vector draw(unsigned) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        return {state_ ^= state_ << 5};
    }

 private:
    Words state_;
};

/// v1 to v5, v12: cuRAND's XORWOW. The last word is the counter.
class XorwowWords {
 public:
    static constexpr unsigned words = 6, round = 5;
    __forceinline__ void set(unsigned i, Words word) { (i < round ? v_[i] : d_) = word; }
    __forceinline__ Vector draw(unsigned n) {
        Words& oldest = v_[n % round];
        const Words newest = v_[(n + round - 1) % round], mixed = oldest ^ oldest >> 2;
        oldest = newest ^ newest << 4 ^ mixed ^ mixed << 1;
        d_ += 362437u;
        return {oldest + d_};
    }

 private:
    Words v_[round], d_;
};

/// v6: the key, and the stream. A stream does not draw 2^32 blocks.
template <unsigned rounds>
class PhiloxWords {
 public:
    static constexpr unsigned words = 4, round = 4;
    __forceinline__ void set(unsigned i, Words word) { (i < 2 ? key_[i] : stream_[i - 2]) = word; }
    __forceinline__ Vector draw(unsigned n) {
        if (n % round == 0) encipher();
        return {counter_[n % round]};
    }

 private:
    __forceinline__ void encipher() {
        counter_[0] = all_of(block_++);
        counter_[1] = Words{};
        counter_[2] = stream_[0];
        counter_[3] = stream_[1];
        Words key[] = {key_[0], key_[1]};
        for (unsigned i = 0; i < rounds; i++) {
            const Wide a = wide_products(counter_[0], rng::philox_multiplier_a);
            const Wide b = wide_products(counter_[2], rng::philox_multiplier_b);
            counter_[0] = b.upper_halves() ^ counter_[1] ^ key[0];
            counter_[1] = b.lower_halves();
            counter_[2] = a.upper_halves() ^ counter_[3] ^ key[1];
            counter_[3] = a.lower_halves();
            key[0] += 0x9e3779b9u;
            key[1] += 0xbb67ae85u;
        }
    }
    Words key_[2], stream_[2], counter_[4];
    unsigned block_ = 0;
};

/// A candidate for v14.
class XorMrgWords {
 public:
    static constexpr unsigned words = rng::XorMrgDraws::round, round = words;
    __forceinline__ void set(unsigned i, Words word) { ring_[i] = word; }
    __forceinline__ Vector draw(unsigned n) {
        Words& oldest = ring_[n % round];
        const auto before = [&](unsigned lag) INLINED { return ring_[(n + round - lag) % round]; };
        return {oldest = oldest * rng::mrg_multiplier + (before(6) ^ before(13) ^ before(24))};
    }

 private:
    Words ring_[round];
};

/// How words become coordinates, as in kernels/pi/shared/coordinate.cuh.
struct UnitInterval {
    static __forceinline__ Floats of(Words bits) { return floats(bits) * 0x1p-32f; }
};
struct CurandUniform {
    static __forceinline__ Floats of(Words bits) { return floats(bits) * 0x1p-32f + 0x1p-33f; }
};
struct Upper23Bits {
    static __forceinline__ Floats of(Words bits) { return floats(bits >> 9) * 0x1p-23f; }
};
struct Upper23BitsCentred {
    static __forceinline__ Floats of(Words bits) { return Upper23Bits::of(bits) + 0x1p-24f; }
};

/// The hit rule of v1 to v12.
template <typename Coordinate>
struct Scaled {
    static __forceinline__ Words hits(Vector x, Vector y) {
        const Floats fx = Coordinate::of(x.words), fy = Coordinate::of(y.words);
        return (Words)(multiply_add(fx, fx, fy * fy) <= 1.0f) & 1;
    }
};

/// That of v13.
struct Folded {
    static __forceinline__ Words hits(Vector x, Vector y) { return folded_hits(x, y).words; }
};

/// Hits of the pairs of a trip, after which every word is in its register again.
template <typename Rule, typename Generators, unsigned... pair>
__forceinline__ Words hits_of_trip(Generators& words, std::integer_sequence<unsigned, pair...>) {
    Words hits = {};
    (
        [&]() INLINED {
            const Vector x = words.draw(2 * pair), y = words.draw(2 * pair + 1);
            hits += Rule::hits(x, y);
        }(),
        ...);
    return hits;
}

template <typename Generators, typename Rule>
OfEach hits_of_pairs(State& state, unsigned samples) {
    constexpr unsigned pairs_of_trip = std::lcm(Generators::round, 2u) / 2;
    constexpr auto trip = std::make_integer_sequence<unsigned, pairs_of_trip>{};
    OfEach hits;
    for (unsigned first = 0; first < generators; first += vector_words) {
        auto words = load_ring<Generators>(state, first);
        Words found = {};
        for (unsigned i = 0; i < samples / pairs_of_trip; i++) found += hits_of_trip<Rule>(words, trip);
        for (unsigned i = 0; i < samples % pairs_of_trip; i++) {
            const Vector x = words.draw(2 * i), y = words.draw(2 * i + 1);
            found += Rule::hits(x, y);
        }
        store(&hits.of[first], found);
    }
    return hits;
}

}  // namespace

extern const Loops loops;
const Loops loops = {
    .xorwow = hits_of_pairs<XorwowWords, Scaled<CurandUniform>>,
    .philox = hits_of_pairs<PhiloxWords<10>, Scaled<CurandUniform>>,
    .philox_mantissa = hits_of_pairs<PhiloxWords<10>, Scaled<Upper23Bits>>,
    .xorshift32 = hits_of_pairs<XorshiftWords, Scaled<UnitInterval>>,
    .xorshift32_mantissa = hits_of_pairs<XorshiftWords, Scaled<Upper23Bits>>,
    .lcg = hits_of_pairs<LcgWords, Scaled<UnitInterval>>,
    .lcg_mantissa = hits_of_pairs<LcgWords, Scaled<Upper23Bits>>,
    .lcg_mantissa_centred = hits_of_pairs<LcgWords, Scaled<Upper23BitsCentred>>,
    .lcg_folded = hits_of_pairs<LcgWords, Folded>,
    .lcg_two_families = hits_of_pairs<FourLcgWords<Lcg, GlibcLcg>, Scaled<UnitInterval>>,
    .lcg_one_family = hits_of_pairs<FourLcgWords<Lcg, Lcg>, Scaled<UnitInterval>>,
    .mrg = hits_of_pairs<Ring<rng::MrgDraws>, Folded>,
    .folded_mrg = hits_of_pairs<Ring<rng::FoldedMrgDraws>, Folded>,
    .xor_mrg = hits_of_pairs<XorMrgWords, Folded>,
    .philox7 = hits_of_pairs<PhiloxWords<7>, Folded>,
};

}  // namespace pi::pairs::CLONE
