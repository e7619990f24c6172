// When a run is saved, what a resumed run takes from its checkpoint, and what it refuses.
#include "bench/record/saver.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/build_info.hpp"
#include "tests/host/bench/record/poor_file_system.hpp"
#include "tests/host/bench/sample_tallies.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::BuildInfo;
using bench::Checkpoint;
using bench::CheckpointFile;
using bench::Options;
using bench::Saver;
using bench::Tally;
using bench::UsageError;

constexpr double never = 1e9;  // seconds

/// A run of `launches` launches of 10 * 20 * 5 samples, before the first.
Checkpoint work(std::uint64_t launches) {
    return {"pi_v0", "begun", false, 77, {{"blocks", 10}, {"threads", 20}, {"iters", 5}}, 1000, launches, {}};
}

const Tally none = sample_tallies::tally_of({{1, 2}}, 1000);

/// Launches of 501, 502, ... hits.
Tally tally_of(unsigned launches) {
    Tally tally = none;
    for (unsigned k = 1; k <= launches; k++) {
        const bench::Count hits = 500 + k;
        tally.add({&hits, 1});
    }
    return tally;
}

/// The run of nine launches after `done` of them.
Checkpoint after(unsigned done) {
    Checkpoint result = work(9);
    result.tally = tally_of(done).state();
    return result;
}

Options changed(Options options, const std::function<void(Options&)>& change) {
    change(options);
    return options;
}

void expect_has(const std::string& line, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks: " << part;
    }
}

class Saving : public InAFolder {
 protected:
    /// Makes the file of a run that no process continues.
    void leave(const Checkpoint& checkpoint) const {
        std::filesystem::remove(path);
        CheckpointFile::create(path, checkpoint);
    }

    Checkpoint saved() const { return bench::parse_checkpoint(path, contents_of(path)); }

    /// A saver of a new run of nine launches.
    std::unique_ptr<Saver> saver(double every_seconds) {
        return std::make_unique<Saver>(path, CheckpointFile::create(path, work(9)), work(9), every_seconds, warn);
    }

    Options resuming() const {
        return changed({}, [this](Options& options) { options.resume = path; });
    }

    /// The saver of the run in the file, continued with this work and these options.
    std::unique_ptr<Saver> resumed_saver(Options options, const Checkpoint& next,
                                         const BuildInfo& build = bench::build_info()) {
        auto resumed = bench::resume("pi_v0", options);
        return bench::saver_of(options, std::move(resumed), next, none, warn, build);
    }

    /// Asserts that `action` is refused in a line with these parts, and leaves the file as it is.
    void expect_refused(const std::function<void()>& action, const std::vector<std::string>& parts) const {
        const std::string before = contents_of(path);
        expect_has(line_of<UsageError>(action), parts);
        EXPECT_EQ(contents_of(path), before);
    }

    std::vector<std::string> warnings;
    std::function<void(const std::string&)> warn = [this](const std::string& line) { warnings.push_back(line); };
};

TEST_F(Saving, SavesWhatIsDone) {
    const auto saver = this->saver(never);
    saver->save(tally_of(4));
    EXPECT_EQ(to_text(saved()), to_text(after(4)));
    EXPECT_EQ(sample_tallies::hits_of(saved().tally.sums), 501u + 502 + 503 + 504);
}

TEST_F(Saving, SavesWhenItIsDueAndWhenItIsTold) {
    {
        const auto always = saver(0);
        for (unsigned done = 1; done <= 3; done++) {
            always->save_if_due(tally_of(done));
            EXPECT_EQ(saved().launches_done(), done);
        }
    }
    std::filesystem::remove(path);
    const auto seldom = saver(never);
    const std::pair<unsigned, std::uint64_t> done_and_saved[] = {{5, 0}, {6, 6}, {7, 6}};
    for (const auto& [done, in_file] : done_and_saved) {
        done == 6 ? seldom->save(tally_of(done)) : seldom->save_if_due(tally_of(done));
        EXPECT_EQ(saved().launches_done(), in_file);
    }
    EXPECT_TRUE(warnings.empty());
}

TEST_F(Saving, WarnsWhereItCannotSaveAndTriesAgain) {
    const auto saver = this->saver(0);
    saver->save_if_due(tally_of(1));
    const std::string whole = contents_of(path);
    {
        const NoRoom no_room;
        saver->save_if_due(tally_of(2));
        ASSERT_EQ(warnings.size(), 1u);
        saver->save(tally_of(3));
        EXPECT_EQ(warnings.size(), 1u) << "for the caller to say";
        expect_has(saver->failure().value(), {"cannot write", path});
    }
    EXPECT_EQ(contents_of(path), whole) << "what was there before";
    expect_has(warnings[0], {"cannot write", path});
    EXPECT_EQ(warnings[0].find('\n'), std::string::npos) << warnings[0];
    saver->save_if_due(tally_of(4));
    EXPECT_EQ(saved().launches_done(), 4u);
    EXPECT_FALSE(saver->failure());
    EXPECT_EQ(warnings.size(), 1u);
}

// On a machine of any speed, the k-th attempt comes at least k intervals after the start.
TEST_F(Saving, TriesNotAfterEveryLaunchWhereItCannotSave) {
    constexpr double interval = 0.1;
    const double start = bench::monotonic_seconds();
    const auto saver = this->saver(interval);
    double elapsed = 0;
    {
        const NoRoom no_room;
        while (elapsed < 3 * interval) {
            saver->save_if_due(tally_of(2));
            elapsed = bench::monotonic_seconds() - start;
        }
    }
    EXPECT_GE(warnings.size(), 1u);
    EXPECT_LE(static_cast<double>(warnings.size()), elapsed / interval);
}

TEST_F(Saving, AResumedRunHasTheSeedInTheFileAndItsGoalUnlessTheUserSetsOne) {
    Options plain;
    EXPECT_FALSE(bench::resume("pi_v0", plain)) << "nothing is resumed unless the user says so";
    leave(after(4));
    const std::function<void(Options&)> goals[] = {[](Options&) {}, [](Options& o) { o.launches = 20; },
                                                   [](Options& o) { o.goal = 30'000; },
                                                   [](Options& o) { o.seed = 77, o.seed_given = true; }};
    for (const auto& goal : goals) {
        Options options = changed(resuming(), goal);
        const Options given = options;
        const auto resumed = bench::resume("pi_v0", options);
        ASSERT_TRUE(resumed);
        EXPECT_EQ(resumed->checkpoint.launches_done(), 4u);
        EXPECT_EQ(resumed->new_goal, given.pooled());
        EXPECT_EQ(options.seed, 77u);
        EXPECT_EQ(options.launches, given.pooled() ? given.launches : 9u);
        EXPECT_EQ(options.goal, given.goal);
    }
}

TEST_F(Saving, ARunOfAnotherProgramOrSeedIsRefused) {
    leave(after(4));
    Options options = resuming();
    expect_refused([&] { bench::resume("pi_v1", options); }, {"--resume", path, "pi_v0", "pi_v1"});
    EXPECT_EQ(options.seed, 1234u) << "nothing is taken from it";
    EXPECT_FALSE(options.pooled());
    for (const std::uint64_t seed : {std::uint64_t{78}, std::uint64_t{1234}, UINT64_MAX}) {
        options = resuming();
        options.seed = seed;
        options.seed_given = true;
        expect_refused([&] { bench::resume("pi_v0", options); }, {"--seed", path, "77", std::to_string(seed)});
    }
}

class TakingOver : public Saving {
 protected:
    /// What a checkpoint of this shape makes of the user's --iters.
    std::optional<unsigned> taken(std::optional<unsigned> iters, const bench::LaunchShape& shape) {
        Checkpoint checkpoint = after(4);
        checkpoint.shape = shape;
        leave(checkpoint);
        bench::take_over({CheckpointFile::open(path), checkpoint, false}, resuming(), "iters", iters);
        return iters;
    }
};

TEST_F(TakingOver, TheShapeIsTheFilesAndAnotherIsRefused) {
    EXPECT_EQ(taken({}, {{"blocks", 10}, {"iters", 5}}), 5u);
    EXPECT_EQ(taken(5, {{"iters", 5}}), 5u) << "the same may be repeated";
    EXPECT_EQ(taken({}, {{"iters", UINT32_MAX}}), UINT32_MAX);
    const auto refused = [&](std::optional<unsigned> iters, const bench::LaunchShape& shape) {
        return line_of<UsageError>([&] { taken(iters, shape); });
    };
    expect_has(refused(6, {{"iters", 5}}), {"--iters", path, "5", "6"});
    expect_has(refused({}, {{"blocks", 5}}), {path, "iters"});
    expect_has(refused({}, {{"iters", 0}}), {path, "iters"});
    for (const std::optional<unsigned> iters : {std::optional<unsigned>(), std::optional(5u)}) {
        expect_has(refused(iters, {{"iters", std::uint64_t{UINT32_MAX} + 6}}), {path, "iters"});
    }
}

TEST_F(Saving, ANewRunHasAFileFromTheStartIfTheUserSaysSo) {
    EXPECT_EQ(bench::saver_of({}, std::nullopt, work(9), none, warn), nullptr);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    const Options options = changed({}, [&](Options& o) { o.checkpoint = path; });
    const auto saver = bench::saver_of(options, std::nullopt, work(9), none, warn);
    ASSERT_TRUE(saver);
    EXPECT_EQ(saver->path(), path);
    EXPECT_EQ(saver->start().launches_done(), 0u);
    EXPECT_EQ(saved().launches_done(), 0u);
    EXPECT_EQ(saved().launches, 9u);
    EXPECT_EQ(saved().commit, bench::build_info().commit);
    EXPECT_TRUE(warnings.empty());
}

TEST_F(Saving, AResumedRunGoesOnFromWhatIsDoneToTheFilesGoalOrANewOne) {
    for (const std::uint64_t goal : {9, 4, 100}) {
        leave(after(4));
        const auto saver =
            resumed_saver(goal == 9 ? resuming() : changed(resuming(), [&](Options& o) { o.launches = goal; }),
                          work(goal == 9 ? 18 : goal));  // twice as much with weak scaling
        EXPECT_EQ(saver->path(), path);
        EXPECT_EQ(saver->start().launches, goal);
        EXPECT_EQ(saver->start().launches_done(), 4u);
        EXPECT_TRUE(saver->start().tally.sums == tally_of(4).state().sums);
        saver->save(tally_of(4));
        EXPECT_EQ(saved().launches, goal);
    }
}

TEST_F(Saving, AGoalOfLessThanIsDoneAndLaunchesOfAnotherShapeAreRefused) {
    leave(after(4));
    const Options fewer = changed(resuming(), [](Options& o) { o.launches = 3; });
    expect_refused([&] { resumed_saver(fewer, work(3)); }, {"--launches", path, "4", "3"});
    const Options less = changed(resuming(), [](Options& o) { o.goal = 3000, o.goal_option = "--samples"; });
    expect_refused([&] { resumed_saver(less, work(3)); }, {"--samples", path});
    const std::function<void(Checkpoint&)> other_shapes[] = {
        [](Checkpoint& c) {
            c.shape = {{"blocks", 20}, {"threads", 10}, {"iters", 5}};
        },  // as many samples
        [](Checkpoint& c) { c.work_per_launch = 2000; }, [](Checkpoint& c) { c.shape.emplace_back("streams", 1); }};
    for (const auto& change : other_shapes) {
        Checkpoint other = work(9);
        change(other);
        expect_refused([&] { resumed_saver(resuming(), other); }, {"--resume", path, "shape"});
    }
}

// Its own text does not contradict itself.
TEST_F(Saving, ACheckpointWithOtherSumsThanItsLaunchesHaveIsRefused) {
    const std::pair<std::function<void(Tally::State&)>, const char*> table[] = {
        {[](Tally::State& t) {
             t.parts.merge(std::vector<std::uint64_t>{1, 2, 3});
         },
         "its launches have other sums"},
        {[](Tally::State& t) { t.sums.row.push_back(0); }, "its launches have other sums"},
        {[](Tally::State& t) { t.least.pop_back(), t.most.pop_back(), t.marked.clear(); },
         "its launches have other sums"},
        {[](Tally::State& t) { t.sums.row[1]++, t.marked.clear(); }, "sums of squares"}};
    for (const auto& [change, complaint] : table) {
        Checkpoint other = after(3);
        change(other.tally);
        leave(other);
        expect_refused([&] { resumed_saver(resuming(), work(9)); }, {path, complaint});
    }
}

TEST_F(Saving, WarnsWhereItCannotLock) {
    const PoorFileSystem poor({.flock = ENOLCK, .fcntl_lock = ENOLCK});
    const Options options = changed({}, [&](Options& o) { o.checkpoint = path; });
    EXPECT_TRUE(bench::saver_of(options, std::nullopt, work(9), none, warn));
    EXPECT_TRUE(resumed_saver(resuming(), work(9), {saved().commit, false, "", "", true}));
    ASSERT_GE(warnings.size(), 2u);
    for (std::size_t i = 0; i < 2; i++) {
        expect_has(warnings[i], {"cannot lock", path, std::strerror(ENOLCK)});
        EXPECT_EQ(warnings[i].find('\n'), std::string::npos) << warnings[i];
    }
}

// One commit may have many modified programs.
TEST_F(Saving, AnotherCommitAndAModifiedCheckoutAreWarnedOf) {
    const struct {
        BuildInfo first, second;
        std::string warning;
    } table[] = {
        {{"one", false, "", "", true}, {"one", false, "", "", true}, ""},
        {{"one", false, "", "", true}, {"two", false, "", "", true}, "commit one; this is two:"},
        {{"one", true, "", "", true}, {"one", false, "", "", true}, "commit one (modified); this is one:"},
        {{"one", false, "", "", true}, {"one", true, "", "", true}, "commit one; this is one (modified):"},
    };
    for (const auto& [first, second, warning] : table) {
        warnings.clear();
        Checkpoint begun = after(4);
        begun.commit = first.commit;
        begun.dirty = first.dirty;
        leave(begun);
        resumed_saver(resuming(), work(9), second)->save(tally_of(5));
        EXPECT_EQ(warnings.size(), warning.empty() ? 0u : 1u);
        for (const std::string& line : warnings) {
            expect_has(line, {path, warning});
            EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        }
        EXPECT_EQ(saved().commit, second.commit);
        EXPECT_EQ(saved().dirty, first.dirty || second.dirty) << "for whoever goes on with it";
    }
}

}  // namespace
