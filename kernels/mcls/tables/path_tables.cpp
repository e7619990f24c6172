#include "kernels/mcls/tables/path_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "bench/errors.hpp"
#include "kernels/mcls/system/sparse.hpp"

namespace mcls {
namespace {

constexpr unsigned directions = 4;

// Where the directions of a state lead: its entries of B, each as often as it has quarters, then to the end, state n.
void add_directions(const Walks& walks, std::uint32_t state, std::vector<std::uint32_t>& to) {
    unsigned left = directions;
    for (std::uint64_t place = walks.first[state]; place < walks.first[state + 1]; place++) {
        const double quarters = directions * walks.value[place];
        if (!(quarters >= 1) || quarters != std::floor(quarters)) {
            throw bench::UsageError(
                fmt::format("counts need entries of H that are positive multiples of 1/4: "
                            "column {} has {}; see v13",
                            state + 1, walks.value[place]));
        }
        if (quarters > left) {
            throw bench::UsageError(
                fmt::format("absorption needs every column sum of |H| <= 1: column {} has more; see v12", state + 1));
        }
        left -= static_cast<unsigned>(quarters);
        to.insert(to.end(), static_cast<std::size_t>(quarters), walks.column[place]);
    }
    to.insert(to.end(), left, walks.n);
}

// Of all states, one after the other.
std::vector<std::uint32_t> directions_of(const Walks& walks) {
    const auto has = [&](auto sign) { return std::any_of(walks.b.begin(), walks.b.end(), sign); };
    if (has([](double b) { return b > 0; }) && has([](double b) { return b < 0; })) {
        throw bench::UsageError("counts need a right-hand side of one sign; see v14");
    }
    std::vector<std::uint32_t> to;
    for (std::uint32_t state = 0; state < walks.n; state++) {
        add_directions(walks, state, to);
    }
    return to;
}

std::vector<double> row_of(const Walks& walks, std::uint32_t state) {
    const auto at = [&](std::uint32_t row) {
        return walks.value.begin() + static_cast<std::ptrdiff_t>(walks.first[row]);
    };
    return {at(state), at(state + 1)};
}

std::uint32_t longest_row(const std::vector<std::uint64_t>& first) {
    std::uint64_t longest = 0;
    for (std::size_t row = 0; row + 1 < first.size(); row++) {
        longest = std::max(longest, first[row + 1] - first[row]);
    }
    return static_cast<std::uint32_t>(longest);
}

void require_short_rows(std::uint32_t longest, std::uint32_t length) {
    if (longest > slots_of_transition(length)) {
        throw bench::UsageError(
            fmt::format("{} {} needs columns of H with at most {} entries off the diagonal, and one has {}; see {}",
                        length, length == 1 ? "transition a slot" : "transitions a slot", slots_of_transition(length),
                        longest, length == 1 ? "v12" : "v17"));
    }
}

// Whether a slot has bits for how far its path leads, and for the place of its factor.
void require_fit(std::int64_t delta, std::uint32_t place) {
    if (std::abs(delta) > Slot::most_delta) {
        throw bench::UsageError(
            fmt::format("equal slots need paths that end at most {} states away, and one ends {} away; see v12",
                        Slot::most_delta, std::abs(delta)));
    }
    if (place >= Slot::most_factors) {
        throw bench::UsageError(
            fmt::format("equal slots need paths with at most {} different factors, and there are more; see v12",
                        Slot::most_factors));
    }
}

// Numbers for things, in the order in which they are first seen.
template <class Thing>
class Numbers {
 public:
    std::uint32_t of(const Thing& thing) {
        return number_.try_emplace(thing, static_cast<std::uint32_t>(number_.size())).first->second;
    }

 private:
    std::map<Thing, std::uint32_t> number_;
};

// States whose paths of `length` transitions are alike have the same number.
std::vector<std::uint32_t> alike(const Walks& walks, std::uint32_t length) {
    std::vector<std::uint32_t> before(walks.n);
    for (std::uint32_t i = 0; i < length; i++) {
        Numbers<std::vector<std::pair<std::int64_t, std::pair<double, std::uint32_t>>>> numbers;
        std::vector<std::uint32_t> number(walks.n);
        for (std::uint32_t state = 0; state < walks.n; state++) {
            std::vector<std::pair<std::int64_t, std::pair<double, std::uint32_t>>> row;
            for (std::uint64_t place = walks.first[state]; place < walks.first[state + 1]; place++) {
                const std::uint32_t next = walks.column[place];
                row.push_back({std::int64_t{next} - state, {walks.value[place], before[next]}});
            }
            number[state] = numbers.of(row);
        }
        before = std::move(number);
    }
    return before;
}

// A transition as a slot chooses it.
struct Step {
    std::uint32_t entry, next;
    double factor;
};

Step step_of(const Walks& walks, std::uint32_t state, std::uint32_t slot, std::uint32_t slots) {
    const std::vector<double> row = row_of(walks, state);
    if (row.empty()) {
        return {0, state, 0};
    }
    const std::vector<std::uint32_t> shares = slot_shares(row, slots);
    std::uint32_t entry = 0;
    for (std::uint32_t end = shares[0]; end <= slot; end += shares[entry]) {
        entry++;
    }
    return {entry, walks.column[walks.first[state] + entry], row[entry] * slots / shares[entry]};
}

// How often walkers visit each state, in whole numbers: the same ones on every machine.
std::vector<std::uint64_t> visits_of_states(const Walks& walks, const std::vector<std::uint32_t>& direction) {
    constexpr unsigned transitions = 1'000;  // of 2^48 walkers; what they visit later would change little
    std::vector<std::uint64_t> walkers(walks.n + 1), visits(walks.n);
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < walks.starts.start.size(); first = walks.starts.last[i++] + 1) {
        walkers[walks.starts.start[i].state] = (walks.starts.last[i] - first) >> 16;
    }
    for (unsigned i = 0; i < transitions; i++) {
        std::vector<std::uint64_t> moved(walks.n + 1);
        for (std::uint32_t slot = 0; slot < directions * walks.n; slot++) {
            moved[direction[slot]] += walkers[slot / directions] / directions;
        }
        for (std::uint32_t state = 0; state < walks.n; state++) visits[state] += walkers[state];
        walkers = std::move(moved);
    }
    return visits;
}

// Most visited first. A scheduler has every fourth warp of 32 places: so warps of like states go to schedulers from the first to
// the last, and the next four from the last to the first.
std::vector<std::uint32_t> places_by_visits(const Walks& walks, const std::vector<std::uint32_t>& direction) {
    constexpr std::uint32_t warp = 32, four = 4 * warp;
    const std::vector<std::uint64_t> visits = visits_of_states(walks, direction);
    std::vector<std::uint32_t> places(walks.n);
    std::iota(places.begin(), places.end(), 0u);
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return visits[a] > visits[b]; });
    for (std::uint32_t i = four; i + four <= walks.n; i += 2 * four) {
        const auto row = places.begin() + i;
        std::swap_ranges(row, row + warp, row + 3 * warp);
        std::swap_ranges(row + warp, row + 2 * warp, row + 2 * warp);
    }
    return places;
}

// So many that the mean of each of `counters` of a state, which share its visits, is at most half of what its bits hold.
std::uint64_t histories_of_counters(int bits, double counters, double visits) {
    const double histories = std::ldexp(counters / visits, bits - 1);
    return histories < static_cast<double>(most_of_share) ? static_cast<std::uint64_t>(histories) : most_of_share;
}

}  // namespace

std::vector<std::uint32_t> slot_shares(const std::vector<double>& row, std::uint32_t slots) {
    if (row.empty()) {
        return {};
    }
    const double sum =
        std::accumulate(row.begin(), row.end(), 0.0, [](double sum, double value) { return sum + std::abs(value); });
    std::vector<std::uint32_t> shares;
    std::vector<double> rest;
    for (const double value : row) {
        const double wanted = std::abs(value) / sum * slots;
        shares.push_back(std::max(1u, static_cast<std::uint32_t>(wanted)));
        rest.push_back(wanted - shares.back());
    }
    for (std::uint32_t used = std::accumulate(shares.begin(), shares.end(), 0u); used != slots;) {
        if (used < slots) {
            const auto place = std::max_element(rest.begin(), rest.end()) - rest.begin();
            shares[static_cast<std::size_t>(place)]++;
            rest[static_cast<std::size_t>(place)] -= 1;
            used++;
        } else {
            (*std::max_element(shares.begin(), shares.end()))--;
            used--;
        }
    }
    return shares;
}

std::uint32_t length_on_slots(const std::vector<std::uint64_t>& first, bool paths) {
    return !paths ? 1 : longest_row(first) <= slots_of_transition(3) ? 3 : 2;
}

std::uint32_t length_of_paths(const Walks& walks) { return length_on_slots(walks.first, true); }

std::vector<double> slot_probabilities(const Sparse& b, std::uint32_t length) {
    require_short_rows(longest_row(b.first), length);
    const std::uint32_t slots = slots_of_transition(length);
    std::vector<double> probability;
    for (std::uint32_t row = 0; row < b.n; row++) {
        const auto values = b.values_of(row);
        for (const std::uint32_t share : slot_shares({values.begin(), values.end()}, slots)) {
            probability.push_back(static_cast<double>(share) / slots);
        }
    }
    return probability;
}

template <std::uint32_t length>
double mean_length(const Walks& walks) {
    constexpr std::uint32_t few = 1'000;
    Walks sample = walks;
    sample.histories = few;  // with few strata
    const SlotTable table = slot_table(sample, length);
    const SlotWalks<length> method = slot_walks<length>(sample, table);
    std::uint64_t transitions = 0;
    for (std::uint64_t history = 0; history < few; history++) {
        transitions += method(keys_of(1), {0, history}, [](std::uint32_t, std::int64_t) {});
    }
    return static_cast<double>(transitions) / few;
}

double mean_length_on_slots(const Walks& walks, bool paths) {
    switch (length_on_slots(walks.first, paths)) {
        case 1:
            return mean_length<1>(walks);
        case 2:
            return mean_length<2>(walks);
        default:
            return mean_length<3>(walks);
    }
}

SlotTable slot_table(const Walks& walks, std::uint32_t length) {
    const std::uint32_t slots = slots_of_transition(length), longest = std::max(1u, longest_row(walks.first));
    require_short_rows(longest, length);
    SlotTable table{.n = walks.n, .cells = 1, .class_of = {}, .slots = {}, .factors = {}, .between = {}};
    for (std::uint32_t i = 1; i < length; i++) {
        table.cells *= longest;
    }
    if (std::uint64_t{walks.n} * table.cells > UINT32_MAX) {
        throw bench::UsageError(fmt::format("{} states are more than the tallies of paths hold", walks.n));
    }
    Numbers<double> factors;
    std::uint32_t classes = 0;
    for (std::uint32_t state = 0; const std::uint32_t number : alike(walks, length)) {
        if (number == classes && ++classes <= 256) {
            std::vector<Between> between(table.cells);
            for (std::uint32_t path = 0; path < Slot::slots; path++) {
                std::uint32_t at = state, cell = 0;
                double factor = 1;
                Between visits{};
                for (std::uint32_t i = 0, rest = path, base = 1; i < length; i++, rest /= slots, base *= longest) {
                    const Step step = step_of(walks, at, rest % slots, slots);
                    at = step.next;
                    factor *= step.factor;
                    if (i + 1 < length) {
                        cell += base * step.entry;
                        visits.delta[i] = static_cast<std::int32_t>(std::int64_t{at} - state);
                        visits.factor[i] = factor;
                    }
                }
                const std::int64_t delta = std::int64_t{at} - state;
                const std::uint32_t place = factors.of(factor);
                require_fit(delta, place);
                if (place == table.factors.size()) {
                    table.factors.push_back(factor);
                }
                between[cell] = visits;
                table.slots.push_back(Slot::of(static_cast<std::int32_t>(delta), place, cell));
            }
            table.between.insert(table.between.end(), between.begin(), between.end());
        }
        table.class_of.push_back(static_cast<std::uint8_t>(number));
        state++;
    }
    if (classes > 256) {
        throw bench::UsageError(fmt::format(
            "equal slots need at most 256 different columns of H, relative to their numbers, not {}; see v12",
            classes));
    }
    return table;
}

std::uint32_t quads_of(const Limits& limits, std::uint32_t length) {
    const std::uint32_t transitions = transitions_of_quad(length);
    if (limits.steps + 1 < transitions) {
        throw bench::UsageError(fmt::format("--steps: equal slots walk at least {}", transitions - 1));
    }
    return (limits.steps + 1) / transitions;
}

QuarterPathTable quarter_path_table(const Walks& walks) {
    if (walks.n > QuarterPaths::most_states) {
        throw bench::UsageError(
            fmt::format("counted paths need at most {} states, not {}; see v14", QuarterPaths::most_states, walks.n));
    }
    QuarterPathTable table;
    table.direction = directions_of(walks);
    table.direction.insert(table.direction.end(), directions, walks.n);
    for (std::uint32_t state = 0; state <= walks.n; state++) {
        for (std::uint32_t path = 0; path < QuarterPaths::paths; path++) {
            std::uint32_t at = state;
            for (std::uint32_t rest = path, i = 0; i < 3; i++, rest /= directions) {
                at = table.direction[directions * at + rest % directions];
            }
            table.next.push_back(static_cast<std::uint16_t>(QuarterPaths::paths * at));
        }
    }
    table.next.push_back(0);
    return table;
}

CountedTable counted_table(const Walks& walks) {
    const std::vector<std::uint32_t> direction = directions_of(walks);
    CountedTable table = {.state = places_by_visits(walks, direction), .start = {}, .next = {}};
    std::vector<std::uint32_t> start_of(walks.n, CountedWalkers::no_start), place_of(walks.n + 1, walks.n);
    for (std::uint32_t i = 0; i < walks.starts.start.size(); i++) start_of[walks.starts.start[i].state] = i;
    for (std::uint32_t place = 0; place < walks.n; place++) place_of[table.state[place]] = place;
    for (const std::uint32_t state : table.state) {
        table.start.push_back(start_of[state]);
        Slots& next = table.next.emplace_back();
        for (unsigned i = 0; i < directions; i++) next.place[i] = place_of[direction[directions * state + i]];
    }
    return table;
}

std::uint64_t histories_of_cells(double visits, std::uint32_t) {
    return histories_of_counters(32, QuarterPaths::cells, visits);
}

std::uint64_t histories_of_paths(double visits, std::uint32_t) {
    return histories_of_counters(32 - QuarterPaths::state_bits, QuarterPaths::paths, visits);
}

}  // namespace mcls
