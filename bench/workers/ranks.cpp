// One worker per MPI process.
#include <algorithm>
#include <type_traits>

#include "bench/errors.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/workers/team.hpp"

namespace bench {
namespace {

/// Rank 0's next command to all processes.
struct Order {
    enum { run, start_anew, clocks, powers, audits, dismiss } what;
    double launch_ms = 0;  // for powers
};

/// The words of each process, however many it has.
std::vector<std::vector<std::uint64_t>> gather_words(World& world, std::vector<std::uint64_t> mine) {
    const auto sizes = world.gather(mine.size());
    const std::size_t most = *std::max_element(sizes.begin(), sizes.end());
    mine.resize(most);
    const auto all = world.gather(std::span<const std::uint64_t>(mine));
    std::vector<std::vector<std::uint64_t>> of_each;
    for (const std::size_t size : sizes) {
        const auto own = std::span(all).subspan(of_each.size() * most, size);
        of_each.emplace_back(own.begin(), own.end());
    }
    return of_each;
}

/// The sum of the tallies in these words, which have the launches of `none`.
Tally added_up(const std::vector<std::vector<std::uint64_t>>& tallies, const Tally& none) {
    Tally sum = none.empty(), part = none.empty();
    for (const auto& words : tallies) {
        part.restore(state_of(words));
        sum.add(part);
    }
    return sum;
}

/// A process's report on its share.
struct Done {
    Report report;
    BatchTime time;
    int signal_code;  // exit code for a signal that it received; 0 for none
};

/// A figure of a process.
template <typename Value>
struct Figure {
    Report report;
    Value value;
};

/// Calls `read` in each process and gathers the figures. Rank 0 throws the first error.
template <typename Read, typename Value = std::invoke_result_t<Read>>
std::vector<Value> figures(World& world, Read read) {
    Figure<Value> mine = {};
    mine.report = attempt([&] { mine.value = read(); });
    std::vector<Report> reports;
    std::vector<Value> values;
    for (const auto& figure : world.gather(mine)) {
        reports.push_back(figure.report);
        values.push_back(figure.value);
    }
    if (world.first()) {
        throw_first_error(reports, world.hosts());
    }
    return values;
}

/// Runs one batch, in every process: runs the share and gathers all tallies. Rank 0 adds their sum to `tally`.
std::vector<Done> run_share(World& world, Worker& mine, std::span<const Share> shares, Tally& tally, double& wall_ms) {
    const Share& share = shares[static_cast<std::size_t>(world.rank())];
    Tally part = tally.empty();
    Done done = {attempt([&] { mine.get_ready(share.launches); }), {}, 0};
    world.barrier();
    const double start = monotonic_seconds();
    if (done.report.code == exit_done && share.launches > 0) {
        done.report =
            attempt([&] { done.time = mine.run(share, [&](std::span<const Count> counts) { part.add(counts); }); });
    }
    const auto tallies = gather_words(world, words_of(part.state()));
    wall_ms = (monotonic_seconds() - start) * 1e3;
    done.signal_code = interrupted() ? interrupt_code() : 0;
    const auto all = world.gather(done);
    if (world.first()) {
        std::vector<Report> reports;
        for (const Done& one : all) {
            reports.push_back(one.report);
            if (one.signal_code != 0) note_interrupt(static_cast<ExitCode>(one.signal_code));
        }
        throw_first_error(reports, world.hosts());
        tally.add(added_up(tallies, tally));
    }
    return all;
}

// What every process does for an order of rank 0.

std::vector<std::optional<double>> gather_powers(World& world, Worker& mine, double launch_ms) {
    return figures(world, [&] { return mine.power_w(launch_ms); });
}

std::vector<Clocks> gather_clocks(World& world, const Worker& mine) {
    return figures(world, [&] { return mine.clocks(); });
}

std::vector<Audit> gather_audits(World& world, Worker& mine) {
    return figures(world, [&] { return mine.audit(); });
}

void start_all_anew(World& world, Worker& mine) {
    figures(world, [&] {
        mine.start_anew();
        return true;
    });
}

/// The identity of a worker in a form that can be sent.
struct Sent {
    char name[128]{};  // truncated
    std::optional<int> device;
    std::optional<double> max_clock_mhz;
};

std::vector<Member> gather_identities(World& world, const Member& mine) {
    Sent sent;
    mine.name.copy(sent.name, sizeof sent.name - 1);
    sent.device = mine.device;
    sent.max_clock_mhz = mine.max_clock_mhz;
    std::vector<Member> members;
    for (const Sent& one : world.gather(sent)) {
        Member member;
        member.name = one.name;
        member.device = one.device;
        member.max_clock_mhz = one.max_clock_mhz;
        member.rank = static_cast<int>(members.size());
        member.host = world.hosts()[members.size()];
        members.push_back(member);
    }
    return members;
}

class RankWorkers : public Workers {
 public:
    RankWorkers(World& world, std::unique_ptr<Worker> mine)
        : world_(world), mine_(std::move(mine)), identities_(gather_identities(world, mine_->identity())) {}
    ~RankWorkers() override { order({Order::dismiss}); }

    unsigned size() const override { return static_cast<unsigned>(world_.size()); }
    std::vector<Member> identities() override { return identities_; }
    SharedTime run(std::span<const Share> shares, Tally& tally) override {
        order({Order::run});
        std::vector<Share> all(shares.begin(), shares.end());
        world_.broadcast(std::span(all));
        SharedTime time = {};
        for (const Done& done : run_share(world_, *mine_, all, tally, time.wall_ms)) {
            time.member.push_back(done.time);
        }
        return time;
    }
    void start_anew() override {
        order({Order::start_anew});
        start_all_anew(world_, *mine_);
    }
    std::vector<Clocks> clocks() override {
        order({Order::clocks});
        return gather_clocks(world_, *mine_);
    }
    std::vector<std::optional<double>> powers_w(double launch_ms) override {
        order({Order::powers, launch_ms});
        return gather_powers(world_, *mine_, launch_ms);
    }
    std::vector<Audit> audits() override {
        order({Order::audits});
        return gather_audits(world_, *mine_);
    }

 private:
    void order(Order order) { world_.broadcast(order); }

    World& world_;
    std::unique_ptr<Worker> mine_;
    std::vector<Member> identities_;
};

}  // namespace

std::unique_ptr<Workers> on_ranks(World& world, std::unique_ptr<Worker> mine) {
    return std::make_unique<RankWorkers>(world, std::move(mine));
}

void serve(World& world, Worker& mine, const Tally& tally) {
    catch_interrupts();
    gather_identities(world, mine.identity());
    std::vector<Share> shares(static_cast<std::size_t>(world.size()));
    Tally none = tally.empty();
    double wall_ms = 0;
    for (;;) {
        Order order = {};
        world.broadcast(order);
        switch (order.what) {
            case Order::run:
                world.broadcast(std::span(shares));
                run_share(world, mine, shares, none, wall_ms);
                break;
            case Order::start_anew:
                start_all_anew(world, mine);
                break;
            case Order::clocks:
                gather_clocks(world, mine);
                break;
            case Order::powers:
                gather_powers(world, mine, order.launch_ms);
                break;
            case Order::audits:
                gather_audits(world, mine);
                break;
            case Order::dismiss:
                return;
        }
    }
}

}  // namespace bench
