// What the peers in C++ and CUDA share, as scripts/peers/report.py is for those in Python: warm up, time launches, print the
// result as one JSON object, and end with the documented exit codes.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include "bench/errors.hpp"

namespace peers {

/// Facts of a peer, as they are printed.
struct Facts {
    std::string peer;
    std::string package;
    std::string generator;
    std::uint64_t samples_per_launch;
};

/// What one launch came to.
struct Timed {
    double ms;
    std::uint64_t hits;
};

using Clock = std::chrono::steady_clock;

inline double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Runs `launch`, which returns its hits, and times it with the host's clock.
template <typename Launch>
Timed on_the_wall_clock(Launch launch) {
    const auto start = Clock::now();
    const std::uint64_t hits = launch();
    return {ms_since(start), hits};
}

/// Launches for a while so that clocks rise. Returns the number of launches.
template <typename TimeLaunch>
std::uint64_t warm_up(TimeLaunch time_launch) {
    constexpr unsigned fewest = 3;
    constexpr std::chrono::seconds time{1};
    std::uint64_t launches = 0;
    for (const auto end = Clock::now() + time; launches < fewest || Clock::now() < end; launches++) {
        time_launch(launches);
    }
    return launches;
}

inline constexpr unsigned timed_launches = 25;

/// Times launches and prints what all peers print. `time_launch` runs the launch of a number; `add` takes what it returns.
template <typename TimeLaunch, typename Add>
void time_launches(const Facts& facts, TimeLaunch time_launch, Add add) {
    const std::uint64_t first = warm_up(time_launch);
    std::printf(
        "{\"peer\": \"%s\", \"package\": \"%s\", \"generator\": \"%s\", \"samples_per_launch\": %llu, \"ms\": [",
        facts.peer.c_str(), facts.package.c_str(), facts.generator.c_str(),
        static_cast<unsigned long long>(facts.samples_per_launch));
    for (unsigned i = 0; i < timed_launches; i++) {
        const auto launch = time_launch(first + i);
        add(launch);
        std::printf("%s%.9g", i == 0 ? "" : ", ", launch.ms);
    }
    std::printf("], ");
}

/// Times launches and prints the result. `time_launch` returns a Timed.
template <typename TimeLaunch>
void measure(const Facts& facts, TimeLaunch time_launch) {
    std::uint64_t hits = 0;
    time_launches(facts, time_launch, [&](const Timed& launch) { hits += launch.hits; });
    std::printf("\"hits\": %llu, \"samples\": %llu}\n", static_cast<unsigned long long>(hits),
                static_cast<unsigned long long>(timed_launches * facts.samples_per_launch));
}

/// What one launch came to whose numbers have a mean: the sums of numbers and of their squares.
struct TimedSums {
    double ms;
    double sum, squares;
};

/// The same for a mean of numbers. `time_launch` returns a TimedSums.
template <typename TimeLaunch>
void measure_mean(const Facts& facts, std::uint64_t numbers_per_launch, TimeLaunch time_launch) {
    double sum = 0, squares = 0;
    time_launches(facts, time_launch, [&](const TimedSums& launch) {
        sum += launch.sum;
        squares += launch.squares;
    });
    const std::uint64_t numbers = timed_launches * numbers_per_launch;
    const auto n = static_cast<double>(numbers);
    std::printf("\"estimate\": %.12g, \"sd\": %.6g, \"numbers\": %llu}\n", sum / n,
                std::sqrt((squares / n - sum / n * sum / n) / n), static_cast<unsigned long long>(numbers));
}

inline int complain(const char* program, int code, const char* reason) {
    std::fprintf(stderr, "%s: %s\n", program, reason);
    return code;
}

/// Runs a peer. Returns its exit code; an error is one line on stderr.
template <typename Peer>
int run(const char* program, Peer peer) {
    try {
        peer();
        return bench::exit_done;
    } catch (const bench::Error& error) {
        return complain(program, error.code(), error.what());
    } catch (const std::exception& error) {
        return complain(program, bench::exit_machine, error.what());
    }
}

}  // namespace peers
