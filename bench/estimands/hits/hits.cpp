#include "bench/estimands/hits/hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/hits/law.hpp"
#include "bench/text.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

enum Column { hits_column, unit_squares, launch_squares };

std::uint64_t units_of(const HitsOf& what, const LaunchSpec& spec) {
    return units_per_launch(what.independent, spec.work, spec.published);
}

Drawn drawn(const HitsOf& what) { return {"samples", "samples", 1, what.most_samples}; }

Uint128 square(std::uint64_t n) { return Uint128{n} * n; }

Json spread_json(const Spread& spread, const Law& law) {
    const bool is_known = law.independent != Independent::launches;
    return {{"ratio", spread.ratio},
            {"sd", spread.sd},
            {"units", spread.units},
            {"over", spread.over},
            {"known", is_known ? Json(law.variance_ratio) : Json(nullptr)}};
}

/// Throws unless the squares of units and of launches fit together: a unit is a launch, or a part of one.
void check_squares(const Row& row, std::uint64_t units) {
    const bool fits = units == 1 ? row[unit_squares] == row[launch_squares] : row[unit_squares] <= row[launch_squares];
    demand(fits, "its sums of squares contradict each other");
}

/// Throws if a stretch of the run has more hits than samples.
void check_trace(const Tally& tally, std::uint64_t units) {
    Sums before = {0, Row(tally.estimand().width())};
    for (const Sums& point : tally.trace()) {
        check_squares(point.row, units);
        const Uint128 samples = Uint128{point.launches - before.launches} * tally.spec().work;
        demand(point.row[hits_column] - before.row[hits_column] <= samples, "its trace has more hits than samples");
        before = point;
    }
}

/// Hits of successive streams of a launch. A short launch is replayed by plain code, which shares less with the kernel than
/// vector code does.
std::uint64_t replayed(const Source& source, const StreamId& first, std::uint64_t streams, unsigned iters) {
    constexpr unsigned most_by_plain_code = 512;
    if (source.replay_launch) {
        return source.replay_launch(first.seed, first.launch, streams * iters);
    }
    if (source.replay_streams && iters > most_by_plain_code) {
        return source.replay_streams(first, static_cast<unsigned>(streams), iters);
    }
    std::uint64_t hits = 0;
    StreamId id = first;
    for (const std::uint64_t end = first.thread + streams; id.thread < end; id.thread++) {
        hits += source.replay(id, iters);
    }
    return hits;
}

std::string difference_text(std::uint64_t count, std::uint64_t counts, Count published, std::uint64_t hits) {
    const std::string which = counts == 1 ? "the launch" : fmt::format("block {} of {}", count, counts);
    return fmt::format("{} has {} hits, and {} in the replay on the host", which,
                       published == unwritten ? "not written its" : grouped(published), grouped(hits));
}

}  // namespace

std::shared_ptr<const Estimand> hits(const HitsOf& what) { return std::make_shared<Hits>(what); }

const HitsOf& hits_of(const Estimand& estimand) { return dynamic_cast<const Hits&>(estimand).what(); }

const Source& source_of(const Step& step) { return hits_of(*step.estimand).source; }

Law Hits::law(unsigned iters) const {
    return {what_.source.expected, what_.independent, what_.variance_ratio ? what_.variance_ratio(iters) : 1,
            variance_tolerance_of(what_.source.soundness)};
}

std::uint64_t Hits::work_of_launch(const LaunchSpec& spec) const { return bench::work_of_launch(drawn(what_), spec); }

std::optional<Replay> Hits::replay(const LaunchSpec& spec, const Problem*, double samples) const {
    const Source& source = what_.source;
    if (!source.replay && !source.replay_launch) {
        return std::nullopt;
    }
    Replay replay = {.spec = spec};
    replay.spec.iters = static_cast<unsigned>(std::clamp<double>(samples, 1, spec.iters));
    if (samples < 1 && spec.published == 1) {  // less than a sample a stream: fewer blocks
        replay.spec.shape.blocks = static_cast<unsigned>(std::max(1.0, spec.shape.blocks * samples));
        replay.spec.streams = spec.streams / spec.shape.blocks * replay.spec.shape.blocks;
    }
    replay.spec.work = replay.spec.streams * replay.spec.iters;
    // Where blocks publish several counts each, a part is a block.
    const bool by_blocks = spec.shape.blocks > 1 && spec.published % spec.shape.blocks == 0;
    replay.parts = by_blocks ? spec.shape.blocks : spec.published;
    replay.streams = replay.spec.streams / replay.parts;
    replay.together = source.replay_launch ? replay.streams : source.together;
    replay.in_a_row = true;
    const std::uint64_t each = spec.published / replay.parts, of_count = replay.spec.streams / spec.published;
    replay.sums = [=, few = replay.spec](std::uint64_t launch, std::uint64_t first, std::uint64_t streams) {
        Replay::Sums hits(each);  // exact below 2^53
        for (std::uint64_t t = first, end = first + streams; t < end;) {
            const std::uint64_t count = t / of_count, next = std::min(end, (count + 1) * of_count);
            hits[count % each] +=
                static_cast<double>(replayed(source, {few.seed, launch, few.streams, t}, next - t, few.iters));
            t = next;
        }
        return hits;
    };
    replay.difference = [=, counts = spec.published](std::uint64_t, std::uint64_t part, const Replay::Sums& sums,
                                                     std::span<const Count> published) {
        for (std::uint64_t i = 0; i < each; i++) {
            const auto hits = static_cast<std::uint64_t>(sums[i]);
            if (published[i] != hits) return difference_text(part * each + i, counts, published[i], hits);
        }
        return std::string();
    };
    return replay;
}

Parts Hits::parts(const LaunchSpec& spec) const {
    return what_.independent == Independent::launches
               ? Parts{}
               : Parts{spec.published, chance_of_same_count(law(spec.iters), spec.work / spec.published)};
}

Row Hits::row_of(std::span<const Count> published, const LaunchSpec& spec) const {
    const std::uint64_t hits = sum_published(published, spec.work, law(spec.iters));
    if (units_of(what_, spec) == 1) {
        return {hits, square(hits), square(hits)};
    }
    Uint128 of_blocks = 0;
    for (const Count count : published) of_blocks += square(count);
    return {hits, of_blocks, square(hits)};
}

std::uint64_t Hits::work_of(const Sums& sums, const LaunchSpec& spec) const { return sums.launches * spec.work; }

void Hits::judge(const Tally& tally) const { bench::judge(CountedHits(tally)); }

void Hits::check(const Tally& tally) const {
    const CountedHits counted(tally);
    const auto& [sums, least, most, prints, parts, marked] = tally.state();
    demand(sums.row[hits_column] <= counted.outcome().samples, "it has more hits than samples");
    demand(counted.unit_hits().are_possible() && counted.launch_hits().are_possible(),
           "its sums of squares contradict its hits");
    for (const Row& extreme : {least, most}) {
        if (extreme.empty()) continue;
        demand(extreme[hits_column] <= tally.spec().work, "a launch has more hits than samples");
        demand(extreme[launch_squares] == extreme[hits_column] * extreme[hits_column],
               "the extremes of its launches contradict each other");
        check_squares(extreme, counted.units_per_launch());
    }
    check_squares(sums.row, counted.units_per_launch());
    check_trace(tally, counted.units_per_launch());
}

Json Hits::outcome(const Tally& tally) const {
    const CountedHits counted(tally);
    const Expectation& expected = counted.law().expected;
    const Outcome outcome = counted.outcome();
    const auto spread = counted.spread();
    const auto chance = uncertainty(counted.law(), spread);
    return {{"expected", {{"count", expected.count}, {"total", expected.total}}},
            {"hits", outcome.hits},
            {"samples", outcome.samples},
            {"pi", estimate(outcome)},
            {"pi_sd", chance ? Json(estimate_sd(outcome, expected, chance->value)) : Json(nullptr)},
            {"bias", bias(expected)},
            {"sigma", chance ? Json(sigma(outcome, expected, chance->value)) : Json(nullptr)},
            {"independent", text_of(counted.law().independent, "samples")},
            {"variance_ratio", spread ? spread_json(*spread, counted.law()) : Json(nullptr)}};
}

Json Hits::point(const Sums& sums, const LaunchSpec& spec) const {
    return Json::array({work_of(sums, spec), static_cast<std::uint64_t>(sums.row[hits_column])});
}

std::vector<Warning> Hits::warnings(const Tally& tally, Occasion occasion) const {
    std::vector<Warning> warnings = uneven_points(drawn(what_), tally.spec().work);
    const Source& source = what_.source;
    const auto samples = static_cast<double>(tally.work_done());
    const double cycle = std::exp2(source.log2_cycle_samples);
    const bool share_a_cycle = source.soundness == Soundness::demonstration && !source.lagged;
    if (occasion == Occasion::pooled && share_a_cycle && samples > cycle) {
        warnings.push_back(
            Warning{"cycle", fmt::format("the whole cycle of the generator is {:.3g} samples, and this run "
                                         "took {:.3g}: its streams overlap",
                                         cycle, samples)});
    }
    return warnings;
}

CountedHits::CountedHits(const Tally& tally) : tally_(tally) {
    const auto& hits = dynamic_cast<const Hits&>(tally.estimand());
    law_ = hits.law(tally.spec().iters);
    units_per_launch_ = units_of(hits.what(), tally.spec());
}

Outcome CountedHits::outcome() const {
    return {static_cast<std::uint64_t>(tally_.state().sums.row[hits_column]), tally_.work_done()};
}

CountSums CountedHits::unit_hits() const {
    return {tally_.launches() * units_per_launch_, outcome().hits, tally_.state().sums.row[unit_squares]};
}

CountSums CountedHits::launch_hits() const {
    CountSums sums = {tally_.launches(), outcome().hits, tally_.state().sums.row[launch_squares]};
    if (tally_.launches() > 0) {
        sums.least = static_cast<std::uint64_t>(tally_.state().least[hits_column]);
        sums.most = static_cast<std::uint64_t>(tally_.state().most[hits_column]);
    }
    return sums;
}

std::optional<Spread> CountedHits::spread() const {
    return spread_of(unit_hits(), units_per_launch_ > 1 ? "blocks" : "launches",
                     samples_per_launch() / units_per_launch_, law_.expected);
}

std::optional<Spread> CountedHits::launch_spread() const {
    return spread_of(launch_hits(), "launches", samples_per_launch(), law_.expected);
}

}  // namespace bench
