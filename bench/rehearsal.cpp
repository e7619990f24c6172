#include "bench/rehearsal.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "bench/errors.hpp"

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
    while (others.size() + 1 < std::min<std::size_t>(n, std::thread::hardware_concurrency())) others.emplace_back(work);
    work();
    others.clear();  // waits for them
    if (failure) std::rethrow_exception(failure);
    return done;
}

std::size_t compare_with_replay(const Rehearsal& rehearsal, std::span<const Count> published, std::uint64_t seed,
                                double seconds) {
    const Order order(rehearsal.parts, seed);
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    return on_all_cores(rehearsal.parts, [&](std::size_t i) {
        const std::string difference = rehearsal.difference(order[i], published);
        if (!difference.empty()) {
            throw VerdictError("rehearsal: " + difference);
        }
        return i == 0 || Clock::now() < end;
    });
}

}  // namespace bench
