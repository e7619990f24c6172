#include "bench/workers/team.hpp"

#include <algorithm>
#include <numeric>

#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

constexpr double same_speed = 0.95;  // relative to the highest; timings of the same GPU differ by less
constexpr double busy_enough = 0.98;
constexpr double a_nanosecond = 1e-6;  // in ms; keeps the speed finite if a clock shows 0

bool equally_fast(std::span<const double> speeds) {
    const auto [least, most] = std::minmax_element(speeds.begin(), speeds.end());
    return *least >= same_speed * *most;
}

std::size_t first_to_finish_one_more(std::span<const unsigned> shares, std::span<const double> speeds) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < shares.size(); i++) {
        if ((shares[i] + 1) / speeds[i] < (shares[best] + 1) / speeds[best]) best = i;
    }
    return best;
}

/// Fraction of the time, until the last one finishes, for which workers of these speeds are busy.
double busy(unsigned launches, std::span<const double> speeds) {
    const auto shares = shares_by_speed(launches, speeds);
    double longest = 0;
    for (std::size_t i = 0; i < shares.size(); i++) {
        longest = std::max(longest, shares[i] / speeds[i]);
    }
    return launches / (longest * std::accumulate(speeds.begin(), speeds.end(), 0.0));
}

std::vector<Share> consecutive(std::uint64_t first, std::span<const unsigned> launches) {
    std::vector<Share> shares;
    for (const unsigned n : launches) {
        shares.push_back({first, n});
        first += n;
    }
    return shares;
}

}  // namespace

std::vector<unsigned> shares_by_speed(unsigned launches, std::span<const double> speeds) {
    const std::vector<double> equal(speeds.size(), 1);
    const std::span<const double> weights = equally_fast(speeds) ? equal : speeds;
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<unsigned> shares;
    for (const double weight : weights) {
        shares.push_back(static_cast<unsigned>(launches * (weight / all)));
    }
    for (unsigned rest = launches - std::accumulate(shares.begin(), shares.end(), 0u); rest > 0; rest--) {
        shares[first_to_finish_one_more(shares, weights)]++;
    }
    return shares;
}

unsigned launches_side_by_side(std::span<const double> speeds, unsigned most) {
    const auto size = static_cast<unsigned>(speeds.size());
    if (equally_fast(speeds)) {
        return size;
    }
    unsigned best = size;
    for (unsigned launches = size; launches <= most && busy(best, speeds) < busy_enough; launches++) {
        if (busy(launches, speeds) > busy(best, speeds)) best = launches;
    }
    return best;
}

Team::Team(std::unique_ptr<Workers> workers)
    : workers_(std::move(workers)),
      speeds_(size(), 1),
      member_ms_(size()),
      member_launches_(size(), 0),
      powers_w_(size()) {}

BatchTime Team::time(std::uint64_t first, unsigned launches, Tally& tally) {
    const auto shares = shares_by_speed(launches, speeds_);
    SharedTime time = workers_->run(consecutive(first, shares), tally);
    const BatchTime slowest =
        *std::max_element(time.member.begin(), time.member.end(),
                          [](const BatchTime& a, const BatchTime& b) { return a.total_ms < b.total_ms; });
    time.wall_ms =
        std::max(time.wall_ms, slowest.total_ms);  // the wall clock may have started late, waiting for a core
    note(shares, time, launches);
    return slowest;
}

void Team::note(std::span<const unsigned> shares, const SharedTime& time, unsigned launches) {
    for (std::size_t i = 0; i < shares.size(); i++) {
        if (shares[i] > 0) member_ms_[i].push_back(time.member[i].total_ms / shares[i]);
        member_launches_[i] += shares[i];
    }
    wall_ms_.push_back(time.wall_ms / launches);
}

void Team::settle() {
    for (std::size_t i = 0; i < speeds_.size(); i++) {
        speeds_[i] = 1 / std::max(a_nanosecond, *std::min_element(member_ms_[i].begin(), member_ms_[i].end()));
        member_ms_[i].clear();
        member_launches_[i] = 0;
    }
    wall_ms_.clear();
    workers_->start_anew();
}

void Team::measure_power(double launch_ms) { powers_w_ = workers_->powers_w(launch_ms); }

std::vector<Member> Team::members() {
    std::vector<Member> members = workers_->identities();
    const auto clocks = workers_->clocks();
    for (std::size_t i = 0; i < members.size(); i++) {
        const auto& ms = member_ms_[i];
        members[i].launches = member_launches_[i];
        members[i].launches_per_ms = ms.empty() ? std::nullopt : std::optional(1 / summarize(ms).median);
        members[i].sm_clock_mhz = clocks[i].mhz;
        members[i].power_w = powers_w_[i];
        members[i].throttle = clocks[i].throttle;
    }
    return members;
}

}  // namespace bench
