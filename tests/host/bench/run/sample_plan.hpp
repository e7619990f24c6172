// A run on the CPU whose launches are made up, and how it ends.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/options/output.hpp"
#include "bench/run/plan.hpp"
#include "bench/workers/team.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace sample_plan {

/// Launches of a million throws of a coin, with 500,000 +- 500 hits.
inline bench::Tally no_launches(bench::Independent independent = bench::Independent::samples) {
    return sample_tallies::tally_of({{1, 2}, independent}, 1'000'000);
}

/// Such launches with half a million hits, plus `more`, plus or minus `sd` and a little in turn.
inline bench::Tally tossed(std::uint64_t launches, std::int64_t more = 0, std::uint64_t sd = 500,
                           bench::Independent independent = bench::Independent::samples) {
    bench::Tally tally = no_launches(independent);
    for (std::uint64_t k = 0; k < launches; k++) {
        const auto off = static_cast<std::int64_t>(sd + k / 2);
        const auto hits = static_cast<bench::Count>(500'000 + more + (k % 2 == 0 ? off : -off));
        tally.add({&hits, 1});
    }
    return tally;
}

inline bench::Plan plan_of(const bench::Options& options) {
    bench::Step step = {};
    step.name = "v0";
    step.title = "Coin";
    step.technique = "none";
    step.lesson = "";
    step.phases[0] = {"toss", nullptr, bench::On::host};
    step.cpu.streams = 1;
    step.cpu.isa = [] { return "any"; };
    return {"pi_v0", "pi", "v0", options, step, step, no_launches().spec()};
}

/// A worker whose launches take 300 ms by its own clock, and no time.
class Tossing : public bench::Worker {
 public:
    /// `hits_of` tells the hits of launch k, and whether the warm-up is over; no hits for a launch that is not counted.
    using HitsOf = std::function<std::vector<bench::Count>(std::uint64_t k, bool warm)>;

    explicit Tossing(HitsOf hits_of) : hits_of_(std::move(hits_of)) {}

    bench::Member identity() const override { return {}; }
    void get_ready(unsigned) override {}
    bench::BatchTime run(const bench::Share& share, const bench::CountSink& sink) override {
        for (std::uint64_t k = share.first; k < share.first + share.launches; k++) {
            if (const auto hits = hits_of_(k, warm_); !hits.empty()) sink(hits);
        }
        return {300.0 * share.launches};
    }
    void start_anew() override { warm_ = true; }

 private:
    HitsOf hits_of_;
    bool warm_ = false;
};

inline bench::Team team_of(Tossing::HitsOf hits_of) {
    std::vector<std::unique_ptr<bench::Worker>> workers;
    workers.push_back(std::make_unique<Tossing>(std::move(hits_of)));
    return bench::Team(bench::on_threads(std::move(workers)));
}

/// How a program ends: its exit code, and what it prints.
struct Ending {
    int code;
    std::string out, error;
};

/// Reads all of a stream and closes it.
inline std::string drained(int descriptor) {
    std::string text;
    std::array<char, 4096> part;
    for (ssize_t n; (n = read(descriptor, part.data(), part.size())) > 0;) {
        text.append(part.data(), static_cast<std::size_t>(n));
    }
    close(descriptor);
    return text;
}

/// Runs `body` as a program in another process, which may get signals. Its output goes through pipes, which have no limit on
/// files.
inline Ending in_a_process(const std::function<void()>& body) {
    std::array<int, 2> out, error;
    EXPECT_EQ(pipe(out.data()), 0);
    EXPECT_EQ(pipe(error.data()), 0);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        // nohup and background jobs of a shell start with some signals ignored.
        for (const int signal : {SIGHUP, SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
        dup2(out[1], STDOUT_FILENO);
        dup2(error[1], STDERR_FILENO);
        const int code = bench::guarded("pi_v0", body);
        std::fflush(nullptr);
        _exit(code);
    }
    close(out[1]);
    close(error[1]);
    Ending ending = {0, drained(out[0]), drained(error[0])};
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    ending.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return ending;
}

}  // namespace sample_plan
