#include "kernels/graph/shared/population_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "bench/replay.hpp"
#include "kernels/random/draws.cuh"

namespace graph {
namespace {

constexpr unsigned lanes = 32, degree = 1u << log2_degree;
constexpr std::uint32_t vertices_at_once = 8;  // of a warp
constexpr unsigned walks_of_words = 128;       // that the words of 16 lanes serve, four bits each

/// The words of a warp in a step, one of each lane at a time.
class WarpWords {
 public:
    WarpWords(const bench::StreamId& first_lane, unsigned step) {
        for (bench::StreamId id = first_lane; draws_.size() < lanes; id.thread++) {
            draws_.emplace_back(rng::state_of(id, 2 * step), rng::state_of(id, 2 * step + 1));
        }
    }

    std::array<std::uint32_t, lanes> next() {
        std::array<std::uint32_t, lanes> words;
        std::generate(words.begin(), words.end(), [&, lane = 0u]() mutable { return draws_[lane++](); });
        return words;
    }

 private:
    std::vector<rng::Mwc64x> draws_;
};

/// The bits of a byte, each the last of four.
constexpr std::array<std::uint32_t, 256> spread = [] {
    std::array<std::uint32_t, 256> fours = {};
    for (unsigned byte = 0; byte < fours.size(); byte++) {
        for (unsigned bit = 0; bit < 8; bit++) fours[byte] |= (byte >> bit & 1) << 4 * bit;
    }
    return fours;
}();

/// The half-edges of walk i and the seven after it, four bits each, from the words of half a warp.
std::uint32_t eight_half_edges(const std::uint32_t* words, std::uint32_t i) {
    const std::uint32_t* of_walks = words + i / 32 * log2_degree;
    std::uint32_t edges = 0;
    for (unsigned bit = 0; bit < log2_degree; bit++) edges |= spread[of_walks[bit] >> i % 32 & 0xff] << bit;
    return edges;
}

/// How many walks of two vertices take each half-edge, those of the second after those of the first.
std::array<std::uint32_t, 2 * degree> chosen_by(const std::uint32_t* walks, WarpWords& draw) {
    std::array<std::uint32_t, 2 * degree> chosen = {};
    for (std::uint32_t served = 0; served < std::max(walks[0], walks[1]); served += walks_of_words) {
        const auto words = draw.next();
        for (unsigned half = 0; half < 2; half++) {
            const std::uint32_t left = walks[half] > served ? walks[half] - served : 0;
            std::uint32_t edges = 0;
            for (std::uint32_t i = 0; i < std::min(left, walks_of_words); i++, edges >>= log2_degree) {
                if (i % 8 == 0) edges = eight_half_edges(&words[half * lanes / 2], i);
                chosen[half * degree + edges % degree]++;
            }
        }
    }
    return chosen;
}

/// Calls use(graph) with the graph of a population.
template <typename Use>
void on_graph(const Population& population, std::uint64_t seed, const Use& use) {
    if (population.log2_vertices == log2_of_run) return use(RegularGraph<log2_of_run>(seed));
    use(RegularGraph<log2_of_replay>(seed));
}

/// The vertices at the other ends of all half-edges.
std::vector<std::uint32_t> ends_of(const Population& population, std::uint64_t seed) {
    std::vector<std::uint32_t> ends(population.vertices() * degree);
    on_graph(population, seed, [&](const auto& graph) {
        constexpr std::uint32_t at_once = 4096;
        bench::on_all_cores(ends.size() / at_once, [&](std::size_t i) {
            const auto first = static_cast<std::uint32_t>(i * at_once);
            for (std::uint32_t slot = first; slot < first + at_once; slot++) ends[slot] = graph.entry(slot);
            return true;
        });
    });
    return ends;
}

/// `end(slot)`: the vertex at the other end of a half-edge.
template <typename End>
std::vector<std::uint32_t> pushed_along(const bench::LaunchSpec& spec, std::uint64_t launch, unsigned step,
                                        const std::vector<std::uint32_t>& before, const End& end) {
    std::vector<std::uint32_t> after(before.size());
    const std::uint64_t warps = spec.streams / lanes;
    bench::on_all_cores(warps, [&](std::size_t warp) {
        WarpWords words({spec.seed, launch, spec.streams, warp * lanes}, step);
        std::vector<std::pair<std::uint32_t*, std::uint32_t>> moved;  // fetched into caches before they are added
        for (std::uint64_t eight = warp; eight < before.size() / vertices_at_once; eight += warps) {
            for (std::uint64_t v = eight * vertices_at_once; v < (eight + 1) * vertices_at_once; v += 2) {
                const auto chosen = chosen_by(&before[v], words);
                for (std::uint32_t i = 0; i < chosen.size(); i++) {
                    if (chosen[i] == 0) continue;
                    moved.emplace_back(&after[end(static_cast<std::uint32_t>(v) * degree + i)], chosen[i]);
                    __builtin_prefetch(moved.back().first, 1);
                }
            }
        }
        for (const auto& [to, n] : moved) std::atomic_ref(*to).fetch_add(n, std::memory_order_relaxed);
        return true;
    });
    return after;
}

/// A step of a walk at each vertex takes at most as long to replay as so many steps of walks on a graph that caches hold.
double step_of_all(const Population& population) {
    return static_cast<double>(std::min(population.vertices() * degree, population.walks));
}
constexpr double least_on_all_vertices = 1.0 / 8;  // of a step, below which a replay is on few vertices

}  // namespace

std::vector<std::uint32_t> pushed(const bench::LaunchSpec& spec, const Population& population, std::uint64_t launch,
                                  unsigned step, const std::vector<std::uint32_t>& before) {
    std::vector<std::uint32_t> after;
    on_graph(population, spec.seed, [&](const auto& graph) {
        after = pushed_along(spec, launch, step, before, [&](std::uint32_t slot) { return graph.entry(slot); });
    });
    return after;
}

std::vector<bench::Count> replayed(const bench::LaunchSpec& spec, const Population& population, std::uint64_t launch) {
    std::vector<bench::Count> counts(counts_of_population(spec.shape));
    std::vector<std::uint32_t> walks(population.vertices(),
                                     static_cast<std::uint32_t>(population.walks / population.vertices()));
    // Where half-edges are taken again and again, a table is worth its time.
    const bool has_table = population.walks * population.steps > population.vertices() * degree;
    const auto ends = has_table ? ends_of(population, spec.seed) : std::vector<std::uint32_t>();
    for (unsigned step = 0; step < population.steps; step++) {
        walks = ends.empty() ? pushed(spec, population, launch, step, walks)
                             : pushed_along(spec, launch, step, walks, [&](std::uint32_t slot) { return ends[slot]; });
        for (std::uint32_t v = 0; v < walks.size(); v++) {
            counts[visits_count(v >> (population.log2_vertices - 2), step)] += walks[v];
        }
    }
    counts[bench::transitions_count] = population.walks * population.steps;
    counts[bench::histories_count] = population.walks;
    return counts;
}

std::string difference_from_replay(const bench::LaunchSpec& spec, const bench::Problem& problem, std::uint64_t launch,
                                   const std::vector<bench::Count>& published) {
    const std::vector<bench::Count> known = replayed(spec, dynamic_cast<const Population&>(problem), launch);
    const auto place = static_cast<std::size_t>(
        std::mismatch(published.begin(), published.end(), known.begin(), known.end()).first - published.begin());
    if (place == published.size()) return "";
    const std::size_t visits = place - bench::first_tally;
    return fmt::format("{} are {}, and {} in the replay on the host",
                       place < bench::first_tally ? "all visits, or all walks,"
                                                  : fmt::format("the walks in quarter {} after step {}",
                                                                visits / steps + 1, visits % steps + 1),
                       published[place], known[place]);
}

double Population::least_rehearsed_work(bench::Shape shape) const {
    const double twice_brief = 2 * bench::brief_units * static_cast<double>(bench::total_threads(shape));
    return 1.01 * std::max(twice_brief, least_on_all_vertices * step_of_all(*this));
}

std::shared_ptr<const bench::Problem> smaller_population(const bench::LaunchSpec& spec, const bench::Problem& problem,
                                                         double steps_of_walks) {
    const auto& of_run = dynamic_cast<const Population&>(problem);
    const auto with = [&](unsigned log2_vertices, std::uint64_t walks, double wanted) {
        return std::make_shared<const Population>(log2_vertices, walks,
                                                  static_cast<unsigned>(std::clamp<double>(wanted, 2, of_run.steps)));
    };
    const std::uint64_t few = of_run.walks >> (of_run.log2_vertices - log2_of_replay);
    const double of_short_launch = bench::brief_units * static_cast<double>(spec.streams);
    if (steps_of_walks <= of_short_launch || steps_of_walks < least_on_all_vertices * step_of_all(of_run)) {
        return with(log2_of_replay, few, steps_of_walks / static_cast<double>(few));
    }
    return with(of_run.log2_vertices, of_run.vertices(), steps_of_walks / step_of_all(of_run));
}

}  // namespace graph
