#include "kernels/mcls/replay/population.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/mcls/replay/counted_bits.hpp"

namespace mcls::population {
namespace {

constexpr unsigned warp = 32;

class Words {
 public:
    explicit Words(const bench::StreamId& id)
        : single_(rng::state_of(id, Rounds::round), rng::state_of(id, Rounds::round + 1)), rounds_(id) {}

    std::uint32_t single() { return single_(); }

    /// How many of these walkers draw a one: from single words, if they are fewer than 13 words hold.
    std::uint32_t ones_among(std::uint32_t walkers) {
        if (walkers > 12 * 32) return rounds_.ones_among(walkers);
        std::uint32_t ones = 0;
        for (std::uint32_t left = walkers; left > 0; left = after(left)) ones += ones_in(part_of(single(), left));
        return ones;
    }

 private:
    rng::Mwc64x single_;
    Rounds rounds_;
};

/// The numbers of each kind. A node is done after the other, and has the number of its walkers or, as soon as all that are left have a
/// bit each in a word, their bits.
class Parted {
 public:
    Parted(std::uint32_t walkers, const Forks& forks, Words& words) : forks_(forks), words_(words), left_(walkers) {
        put(forks.nodes > 0 ? Forks::node : 0, walkers);
        for (unsigned node = 0; left_ > 0; node++) {
            if (!as_bits_ && left_ <= 32) give_bits(node);
            const std::uint32_t all = open(node), ones = as_bits_ ? all & words.single() : words.ones_among(all);
            put(forks.child[node].of_zero, all - ones);  // of bits, too
            put(forks.child[node].of_one, ones);
        }
    }

    template <class Use>
    void for_slots(const Use& use) const {
        for (unsigned kind = 0; kind < forks_.kinds; kind++) {
            if (of_kind_[kind] > 0) share_out(of_kind_[kind], forks_.first[kind], forks_.log2_slots[kind], use);
        }
    }

 private:
    std::uint32_t& open(unsigned node) { return open_[node % open_.size()]; }

    void put(unsigned child, std::uint32_t walkers) {
        if (child == Forks::node) {
            open(end_++) = walkers;
        } else {
            const std::uint32_t number = as_bits_ ? ones_in(walkers) : walkers;
            of_kind_[child] += number;
            left_ -= number;
        }
    }

    void give_bits(unsigned node) {
        as_bits_ = true;
        for (; node < end_; node++) open(node) = part_of(~0u, open(node));
    }

    /// The first bits of all, then the second ones of those that drew a zero and of those that drew a one.
    template <class Use>
    void share_out(std::uint32_t walkers, unsigned slot, unsigned log2_slots, const Use& use) const {
        if (walkers == 0) return;
        if (log2_slots == 0) return use(slot, walkers);
        const std::uint32_t ones = words_.ones_among(walkers);
        share_out(walkers - ones, slot, log2_slots - 1, use);
        share_out(ones, slot + (1u << (log2_slots - 1)), log2_slots - 1, use);
    }

    const Forks& forks_;
    Words& words_;
    std::uint32_t left_;
    std::array<std::uint32_t, 64> open_;  // more than are open at once
    std::array<std::uint32_t, Forks::most_slots> of_kind_ = {};
    unsigned end_ = 0;
    bool as_bits_ = false;
};

/// Walkers of either sign: as the kernel has them, one in the lower half of a word and one in the upper.
using Signed = std::uint64_t;

Signed of_sign(std::uint32_t walkers, bool negative) { return Signed{walkers} << (negative ? 32 : 0); }
std::uint32_t walkers_of(Signed both, bool negative) { return static_cast<std::uint32_t>(both >> (negative ? 32 : 0)); }
std::uint64_t number_of(Signed both) { return std::uint64_t{walkers_of(both, false)} + walkers_of(both, true); }

class Populations {
 public:
    Populations(const Population& method, const bench::LaunchSpec& spec, std::uint64_t launch)
        : method_(method),
          shape_(spec.shape),
          number_(Population::populations(method.n, total_threads(spec.shape))),
          thread_of_(std::size_t{method.n} * number_),
          walkers_{std::vector<Signed>(thread_of_.size()), std::vector<Signed>(thread_of_.size())},
          visits_(thread_of_.size()) {
        const std::uint64_t threads = total_threads(spec.shape);
        for (std::uint64_t thread = 0; thread < threads; thread++)
            words_.emplace_back(bench::StreamId{spec.seed, launch, threads, thread});
        const PhiloxKeys keys = keys_of(spec.seed);
        for (std::uint32_t place = 0; place < thread_of_.size(); place++) {
            thread_of_[place] = thread_of(place);
            const std::uint32_t of_state = place % method.n;
            const std::uint32_t starting =
                method.starting(of_state, keys, static_cast<std::uint32_t>(launch), place / method.n, number_);
            if (starting > 0) before(0)[place] = of_sign(starting, method.starts_negative(of_state));
        }
    }

    Outcome walk() {
        Outcome total = {.tallies = std::vector<std::int64_t>(method_.n)};
        std::uint64_t transitions = 0, histories = 0;
#pragma omp parallel for if (number_ > 1) num_threads(replay_threads()) schedule(dynamic) reduction(+ : transitions, histories)
        for (std::uint32_t i = 0; i < number_; i++) {
            const Moved moved = walk(i * method_.n, (i + 1) * method_.n);
            transitions += moved.walkers;
            histories += moved.ended;
        }
        for (std::uint32_t place = 0; place < visits_.size(); place++) {
            total.tallies[method_.state[place % method_.n]] += visits_[place] * method_.amount;
        }
        total.histories = histories;
        total.transitions = transitions - histories;  // a history has one visit more
        return total;
    }

 private:
    struct Moved {
        std::uint64_t walkers = 0, ended = 0;
    };

    /// All transitions of a population, of these places.
    Moved walk(std::uint32_t first, std::uint32_t end) {
        Moved total, now = {.walkers = ~0ull};
        std::uint32_t step = 0;
        for (;; step++) {
            now = move(first, end, step, now.walkers);
            total.walkers += now.walkers;
            total.ended += now.ended;
            if (now.walkers == 0 || step == method_.steps) break;
        }
        for (std::uint32_t place = first; place < end; place++) total.ended += number_of(before(step + 1)[place]);
        return total;
    }

    /// One transition of a population. A thread has a place in each row, and moves them in the order of rows. One population alone
    /// is moved by a team, as long as that takes longer than to wait for each other.
    Moved move(std::uint32_t first, std::uint32_t end, std::uint32_t step, std::uint64_t before_it) {
        constexpr std::uint64_t worth_a_team = 4096;  // walkers
        const bool by_a_team = number_ == 1 && before_it > worth_a_team;
        std::uint64_t moving = 0, ended = 0;
        const std::uint64_t threads = words_.size();
        for (std::uint64_t row = first; row < end; row += threads) {
            const auto row_end = static_cast<std::int64_t>(std::min<std::uint64_t>(row + threads, end));
#pragma omp parallel for if (by_a_team) num_threads(replay_threads()) schedule(static, 64) reduction(+ : moving, ended)
            for (auto i = static_cast<std::int64_t>(row); i < row_end; i++) {
                const auto place = static_cast<std::uint32_t>(i);
                if (before(step)[place] == 0) continue;
                moving += number_of(before(step)[place]);
                ended += move(place, step, words_[thread_of_[place]]);
            }
        }
        return {moving, ended};
    }

    std::vector<Signed>& before(std::uint32_t step) { return walkers_[step % 2]; }

    /// Warps have rows of 32 places each, from the first warp to the last and back. They are numbered across the blocks.
    std::uint32_t thread_of(std::uint32_t place) const {
        const std::size_t warps = words_.size() / warp, part = place / warp % warps;
        const std::size_t own = place / words_.size() % 2 == 0 ? part : warps - 1 - part;
        return static_cast<std::uint32_t>(own % shape_.blocks * shape_.threads + own / shape_.blocks * warp +
                                          place % warp);
    }

    std::uint64_t move(std::uint32_t place, std::uint32_t step, Words& words) {
        const Signed walkers = std::exchange(before(step)[place], 0);
        visits_[place] += std::int64_t{walkers_of(walkers, false)} - walkers_of(walkers, true);
        const bool most_are_negative = walkers_of(walkers, true) > walkers_of(walkers, false);
        std::vector<Signed>& after = before(step + 1);
        return part(place, walkers, most_are_negative, after, words) +
               part(place, walkers, !most_are_negative, after, words);
    }

    std::uint64_t part(std::uint32_t place, Signed walkers, bool negative, std::vector<Signed>& after, Words& words) {
        const std::uint32_t number = walkers_of(walkers, negative), of_state = place % method_.n;
        if (number == 0) return 0;
        std::uint64_t ended = 0;
        Parted(number, method_.forks[method_.forks_of[of_state]], words)
            .for_slots([&](unsigned slot, std::uint32_t part) {
                const std::uint32_t next = method_.next[std::size_t{of_state} * method_.slots + slot];
                if (next == Population::gone) {
                    ended += part;
                } else {
                    const bool turned = (next & Population::turned) != 0;
                    Signed& to = after[place - of_state + (next & ~Population::turned)];
                    const Signed arriving = of_sign(part, negative != turned);
#pragma omp atomic
                    to += arriving;
                }
            });
        return ended;
    }

    const Population& method_;
    bench::Shape shape_;
    std::uint32_t number_;
    std::vector<Words> words_;                    // of the threads
    std::vector<std::uint32_t> thread_of_;        // of each place
    std::array<std::vector<Signed>, 2> walkers_;  // before even transitions, and before odd ones
    std::vector<std::int64_t> visits_;
};

}  // namespace

Outcome walked(const Population& method, const bench::LaunchSpec& spec, std::uint64_t launch) {
    // The threads of a team meet after each transition: teams that share cores would wait for each other.
    static std::mutex one_team;
    const std::lock_guard lock(one_team);
    return Populations(method, spec, launch).walk();
}

}  // namespace mcls::population
