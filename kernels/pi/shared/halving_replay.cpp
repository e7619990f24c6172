#include "kernels/pi/shared/halving_replay.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "kernels/random/draws.cuh"

namespace pi::halving {

DECLARE_CLONES(Walks, walks)

const std::vector<Clone>& clones() {
    static const std::vector<Clone> of_this_machine = CLONES(walks, x86_64_v4_with_counts);
    return of_this_machine;
}

namespace {

/// The first thread of a team.
bench::StreamId first_lane(const bench::StreamId& team) {
    return {team.seed, team.launch, Warp::lanes * team.threads, Warp::lanes * team.thread};
}

template <typename Draws>
Warp seeded(const bench::StreamId& first) {
    Warp warp;
    for (unsigned part = 0; part < Warp::lanes / generators; part++) {
        seed<Draws>(warp.of[part], {first.seed, first.launch, first.threads, first.thread + part * generators});
    }
    return warp;
}

}  // namespace

template <typename Draws>
std::uint64_t hits_of_warps(HitsOfWarp hits_of, const bench::StreamId& first, unsigned streams, unsigned iters) {
    std::uint64_t hits = 0;
    bench::StreamId id = first;
    for (const std::uint64_t end = first.thread + streams; id.thread < end; id.thread++) {
        if (id.thread % Warp::lanes > 0) continue;
        Warp warp = seeded<Draws>(id);
        hits += hits_of(warp, Warp::lanes * iters);
    }
    return hits;
}

template <typename Draws>
std::uint64_t hits_of_team(HitsOfWarp hits_of, const bench::StreamId& team, unsigned samples) {
    Warp warp = seeded<Draws>(first_lane(team));
    return hits_of(warp, samples);
}

template std::uint64_t hits_of_team<rng::ShiftedMrgDraws>(HitsOfWarp, const bench::StreamId&, unsigned);
template std::uint64_t hits_of_warps<rng::AlternatingMrgDraws>(HitsOfWarp, const bench::StreamId&, unsigned, unsigned);
template std::uint64_t hits_of_warps<rng::ShiftedMrgDraws>(HitsOfWarp, const bench::StreamId&, unsigned, unsigned);
template std::uint64_t hits_of_warps<rng::ThreeDotsMrgDraws>(HitsOfWarp, const bench::StreamId&, unsigned, unsigned);

namespace {

using Numbers = std::vector<std::uint64_t>;  // one for each lane

constexpr unsigned bits_of_word = 32;

/// A warp that draws in whole rounds of words.
template <typename Draws>
class Lanes {
 public:
    explicit Lanes(bench::StreamId id) {
        for (unsigned lane = 0; lane < Warp::lanes; lane++, id.thread++) draws_.emplace_back(id);
    }

    /// The ones among the first bits that each lane draws for so many samples.
    Numbers ones(const Numbers& samples) {
        Numbers found(samples.size());
        const std::uint64_t words = whole_rounds(samples, bits_of_word);
        for (std::size_t lane = 0; lane < samples.size(); lane++) {
            std::uint64_t left = samples[lane];
            for (std::uint64_t i = 0; i < words; i++) {
                const std::uint64_t word = draws_[lane](), counted = std::min<std::uint64_t>(left, bits_of_word);
                found[lane] += std::popcount(word & ((std::uint64_t{1} << counted) - 1));
                left -= counted;
            }
        }
        return found;
    }

    /// Hits among so many samples of each lane, in its leaf.
    std::uint64_t hits(const Numbers& samples, const std::vector<unsigned>& leaves) {
        std::uint64_t found = 0;
        const std::uint64_t pairs = whole_rounds(samples, 1, 2) / 2;
        for (std::size_t lane = 0; lane < samples.size(); lane++) {
            for (std::uint64_t i = 0; i < pairs; i++) {
                const unsigned first = draws_[lane](), second = draws_[lane]();
                if (i < samples[lane]) found += hit_in_leaf(leaves[lane], first, second);
            }
        }
        return found;
    }

 private:
    /// The words that every lane draws, where `words` words of it hold `held` samples.
    static std::uint64_t whole_rounds(const Numbers& samples, unsigned held, unsigned words = 1) {
        const std::uint64_t most = *std::max_element(samples.begin(), samples.end());
        const std::uint64_t needed = (most + held - 1) / held * words;
        return (needed + Draws::round - 1) / Draws::round * Draws::round;
    }

    std::vector<Draws> draws_;
};

template <typename Draws, typename Tree>
std::uint64_t replay(const Tree& tree, const bench::StreamId& first, std::uint64_t samples) {
    Lanes<Draws> lanes(first);
    Numbers count(Tree::nodes);
    count[0] = samples;
    std::uint64_t hits = 0;
    const auto halve = [&](unsigned node, std::uint64_t ones) {
        const unsigned children[] = {tree.node[node] & 0xffff, tree.node[node] >> 16};
        const std::uint64_t samples[] = {count[node] - ones, ones};
        for (const unsigned bit : {0, 1}) {
            if (children[bit] == settled_inside) hits += samples[bit];
            if (children[bit] >= first_child) count[children[bit] - first_child] = samples[bit];
        }
    };
    for (unsigned layer = 0; layer < Tree::last_layer; layer++) {
        const unsigned begin = tree.first_of_layer[layer], end = tree.first_of_layer[layer + 1];
        if (layer < shared_layers) {
            for (unsigned node = begin; node < end; node++) {
                Numbers shares(Warp::lanes);
                for (unsigned lane = 0; lane < Warp::lanes; lane++) {
                    shares[lane] = (count[node] + Warp::lanes - 1 - lane) / Warp::lanes;
                }
                std::uint64_t ones = 0;
                for (const std::uint64_t of_lane : lanes.ones(shares)) ones += of_lane;
                halve(node, ones);
            }
        } else {
            for (unsigned first = begin; first < end; first += Warp::lanes) {
                Numbers shares(Warp::lanes);
                for (unsigned i = 0; i < std::min(Warp::lanes, end - first); i++) shares[i] = count[first + i];
                const Numbers ones = lanes.ones(shares);
                for (unsigned i = 0; i < std::min(Warp::lanes, end - first); i++) halve(first + i, ones[i]);
            }
        }
    }
    for (unsigned first = Tree::first_leaf; first < Tree::nodes; first += Warp::lanes) {
        Numbers shares(Warp::lanes);
        std::vector<unsigned> leaves(Warp::lanes);
        for (unsigned i = 0; i < std::min(Warp::lanes, Tree::nodes - first); i++) {
            shares[i] = count[first + i];
            leaves[i] = tree.node[first + i];
        }
        hits += lanes.hits(shares, leaves);
    }
    return hits;
}

}  // namespace

template <typename Draws, const auto& tree>
std::uint64_t replay_warp(const bench::StreamId& id, unsigned iters) {
    return id.thread % Warp::lanes == 0 ? replay<Draws>(tree, id, std::uint64_t{Warp::lanes} * iters) : 0;
}

template std::uint64_t replay_warp<rng::AlternatingMrgDraws, two_bit_tree>(const bench::StreamId&, unsigned);
template std::uint64_t replay_warp<rng::AlternatingMrgDraws, three_bit_tree>(const bench::StreamId&, unsigned);
template std::uint64_t replay_warp<rng::ShiftedMrgDraws, three_bit_tree>(const bench::StreamId&, unsigned);
template std::uint64_t replay_warp<rng::ThreeDotsMrgDraws, three_bit_tree>(const bench::StreamId&, unsigned);
template std::uint64_t replay_warp<rng::ShiftedMrgDraws, seven_bit_tree>(const bench::StreamId&, unsigned);

std::uint64_t replay_team(const bench::StreamId& team, unsigned samples) {
    return replay<rng::ShiftedMrgDraws>(three_bit_tree, first_lane(team), samples);
}

}  // namespace pi::halving
