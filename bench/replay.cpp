#include "bench/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/host.hpp"

namespace bench {
namespace {

/// An order of the parts: the first, the last, then the others by steps of a length that has no factor in common with their
/// number, so that each comes once. Some launches have millions of parts, too many to shuffle.
class Order {
 public:
    Order(std::size_t parts, std::uint64_t seed) : parts_(parts), others_(parts > 2 ? parts - 2 : 1) {
        std::mt19937_64 random(seed);
        start_ = random() % others_;
        do {
            step_ = random() % others_ + 1;
        } while (std::gcd(step_, others_) != 1);
    }

    std::size_t operator[](std::size_t i) const {
        if (i < 2) return i == 0 ? 0 : parts_ - 1;
        return 1 + (step_ * (i - 2) + start_) % others_;  // a grid has fewer than 2^31 blocks
    }

 private:
    std::size_t parts_, others_, start_, step_;
};

/// The streams of a part in pieces, so that all cores have work where there are few parts.
class Pieces {
 public:
    Pieces(const Replay& replay, std::uint64_t parts) : replay_(replay) {
        const std::uint64_t multiple = std::lcm(replay.together, streams_at_once);
        const std::uint64_t wanted = 4 * usable_cores() / parts + 1;
        const bool divisible = replay.sums && wanted > 1 && replay.streams % replay.together == 0;
        each_ = divisible ? ((replay.streams - 1) / wanted / multiple + 1) * multiple : replay.streams;
        number_ = (replay.streams - 1) / each_ + 1;
    }

    std::uint64_t number() const { return number_; }

    Replay::Sums sums(std::uint64_t launch, std::uint64_t part, std::uint64_t piece) const {
        if (!replay_.sums) return {};
        const std::uint64_t first = piece * each_;
        return replay_.sums(launch, part * replay_.streams + first, std::min(each_, replay_.streams - first));
    }

 private:
    const Replay& replay_;
    std::uint64_t each_, number_;
};

/// The sums of a part whose pieces are replayed one by one.
class Collected {
 public:
    /// Adds a piece. With the last one it returns true, and `sums` becomes that of the whole part.
    bool completed_by(Replay::Sums& sums, std::uint64_t pieces) {
        const std::lock_guard lock(mutex_);
        sums_.resize(sums.size());
        std::transform(sums.begin(), sums.end(), sums_.begin(), sums_.begin(), std::plus());
        if (++pieces_ < pieces) return false;
        sums = std::move(sums_);
        return true;
    }

 private:
    std::mutex mutex_;
    Replay::Sums sums_;
    std::uint64_t pieces_ = 0;
};

}  // namespace

std::size_t on_all_cores(std::size_t n, const std::function<bool(std::size_t)>& task) {
    std::atomic<std::size_t> next = 0, done = 0;
    std::exception_ptr failure;
    std::mutex failing;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < n; i = next++) {
                const bool go_on = task(i);
                done++;
                if (!go_on) next = n;
            }
        } catch (...) {
            const std::lock_guard lock(failing);
            failure = std::current_exception();
            next = n;
        }
    };
    std::vector<std::jthread> others;
    while (others.size() + 1 < std::min<std::size_t>(n, usable_cores())) others.emplace_back(work);
    work();
    others.clear();  // waits for them
    if (failure) std::rethrow_exception(failure);
    return done;
}

std::vector<Count> counts_of_part(const Replay& replay, std::span<const Count> published, std::uint64_t part) {
    const std::size_t each = published.size() / replay.parts;
    const std::size_t first = replay.in_a_row ? part * each : part, step = replay.in_a_row ? 1 : replay.parts;
    std::vector<Count> counts(each);
    for (std::size_t i = 0; i < each; i++) counts[i] = published[first + i * step];
    return counts;
}

std::string difference(const Replay& replay, std::uint64_t launch, std::uint64_t part,
                       std::span<const Count> published) {
    const Replay::Sums sums = replay.sums ? replay.sums(launch, part * replay.streams, replay.streams) : Replay::Sums{};
    return replay.difference(launch, part, sums, counts_of_part(replay, published, part));
}

Effort compare_with_replay(const Replay& replay, std::uint64_t n,
                           const std::function<PartCounts(std::uint64_t i)>& part, std::uint64_t least, double seconds,
                           const std::string& occasion) {
    const Pieces pieces(replay, n);
    std::vector<Collected> collected(pieces.number() > 1 ? n : 0);
    std::atomic<std::uint64_t> compared = 0;
    std::atomic<double> core_seconds = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    on_all_cores(n * pieces.number(), [&](std::size_t task) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t i = task / pieces.number();
        const PartCounts published = part(i);
        Replay::Sums sums = pieces.sums(published.launch, published.part, task % pieces.number());
        if (collected.empty() || collected[i].completed_by(sums, pieces.number())) {
            const std::string differs = replay.difference(published.launch, published.part, sums, published.counts);
            if (!differs.empty()) {
                throw VerdictError(fmt::format("{}: launch {}: {}", occasion, published.launch, differs));
            }
            compared++;
        }
        const auto now = std::chrono::steady_clock::now();
        core_seconds += std::chrono::duration<double>(now - start).count();
        return i < least || now < end;
    });
    return {compared, core_seconds};
}

Effort rehearse(const Replay& replay, std::span<const Count> published, std::uint64_t seed, std::uint64_t most,
                double seconds) {
    const Order order(replay.parts, seed);
    const auto part = [&](std::uint64_t i) -> PartCounts {
        return {rehearsed_launch, order[i], counts_of_part(replay, published, order[i])};
    };
    const std::uint64_t parts = std::min(replay.parts, most);
    return compare_with_replay(replay, parts, part, std::min<std::uint64_t>(parts, 2), seconds, "rehearsal");
}

}  // namespace bench
