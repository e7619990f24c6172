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

using bench::Checkpoint;
using bench::CheckpointFile;
using bench::Options;
using bench::Resumed;
using bench::Saver;
using bench::Tally;
using bench::UsageError;

constexpr std::uint64_t samples_per_launch = 1000;
constexpr double never = 1e9;  // seconds

constexpr bench::Law coin = {{1, 2}};

/// A run of `launches` launches of 10 * 20 * 5 samples, before the first.
Checkpoint work(std::uint64_t launches) {
    return {"pi_v0",
            "begun by another",
            false,
            77,
            {{"blocks", 10}, {"threads", 20}, {"iters", 5}},
            samples_per_launch,
            launches,
            {}};
}

const Tally none = sample_tallies::tally_of(coin, samples_per_launch);

/// Launches of 501, 502, ... hits.
Tally tally_of(unsigned launches) {
    Tally tally = none;
    for (unsigned k = 1; k <= launches; k++) {
        const bench::Count hits = 500 + k;
        tally.add({&hits, 1});
    }
    return tally;
}

/// The same run after `done` launches.
Checkpoint after(std::uint64_t done, std::uint64_t launches) {
    Checkpoint result = work(launches);
    result.tally = tally_of(static_cast<unsigned>(done)).state();
    return result;
}

/// The line of the UsageError that `action` throws.
std::string refusal(const std::function<void()>& action) { return line_of<UsageError>(action); }

class Saving : public InAFolder {
 protected:
    /// Creates the file of a run that no process continues.
    void leave(const Checkpoint& checkpoint) const { CheckpointFile::create(path, checkpoint); }

    Checkpoint saved() const { return bench::parse_checkpoint(path, contents_of(path)); }

    /// A saver of a new run of nine launches.
    std::unique_ptr<Saver> saver(double every_seconds) {
        Checkpoint checkpoint = work(9);
        return std::make_unique<Saver>(path, CheckpointFile::create(path, checkpoint), checkpoint, every_seconds, warn);
    }

    Options resuming() const {
        Options options;
        options.resume = path;
        return options;
    }

    /// The saver of the run in the file, continued with this work and these options.
    std::unique_ptr<Saver> resumed_saver(Options options, const Checkpoint& next,
                                         const bench::BuildInfo& build = bench::build_info()) {
        auto resumed = bench::resume("pi_v0", options);
        return bench::saver_of(options, std::move(resumed), next, none, warn, build);
    }

    std::vector<std::string> warnings;
    std::function<void(const std::string&)> warn = [this](const std::string& line) { warnings.push_back(line); };
};

void expect_has(const std::string& line, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks: " << part;
    }
}

TEST_F(Saving, SavesWhatIsDone) {
    const auto saver = this->saver(never);
    saver->save(tally_of(4));
    const Checkpoint file = saved();
    EXPECT_EQ(file.launches_done(), 4u);
    EXPECT_EQ(file.launches, 9u);
    EXPECT_EQ(file.program, "pi_v0");
    EXPECT_EQ(file.seed, 77u);
    EXPECT_EQ(file.shape, work(9).shape);
    EXPECT_EQ(sample_tallies::hits_of(file.tally.sums), 501u + 502 + 503 + 504);
    EXPECT_TRUE(file.tally.sums.row[1] == 501 * 501 + 502 * 502 + 503 * 503 + 504 * 504);
}

TEST_F(Saving, SavesEveryTimeWhereItIsAlwaysDue) {
    const auto saver = this->saver(0);
    for (unsigned done = 1; done <= 5; done++) {
        saver->save_if_due(tally_of(done));
        EXPECT_EQ(saved().launches_done(), done);
    }
    EXPECT_TRUE(warnings.empty());
}

TEST_F(Saving, SavesNothingBeforeItIsDue) {
    const auto saver = this->saver(never);
    const std::string before = contents_of(path);
    saver->save_if_due(tally_of(5));
    EXPECT_EQ(contents_of(path), before);
    saver->save(tally_of(6));
    EXPECT_EQ(saved().launches_done(), 6u) << "but whenever it is told to";
    saver->save_if_due(tally_of(7));
    EXPECT_EQ(saved().launches_done(), 6u);
}

TEST_F(Saving, WarnsWhereItCannotSaveAndTriesAgain) {
    const auto saver = this->saver(0);
    saver->save_if_due(tally_of(1));
    const std::string whole = contents_of(path);
    {
        const NoRoom no_room;
        saver->save_if_due(tally_of(2));
        saver->save_if_due(tally_of(3));
    }
    EXPECT_EQ(contents_of(path), whole) << "what was there before";
    ASSERT_EQ(warnings.size(), 2u);
    for (const std::string& warning : warnings) {
        expect_has(warning, {"cannot write", path});
        EXPECT_EQ(warning.find('\n'), std::string::npos) << warning;
    }
    saver->save_if_due(tally_of(4));
    EXPECT_EQ(saved().launches_done(), 4u);
    EXPECT_EQ(warnings.size(), 2u);
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

TEST_F(Saving, TellsWhyItCouldNotUntilItCan) {
    const auto saver = this->saver(never);
    const std::string before = contents_of(path);
    EXPECT_FALSE(saver->failure());
    {
        const NoRoom no_room;
        saver->save(tally_of(2));
    }
    ASSERT_TRUE(saver->failure());
    expect_has(*saver->failure(), {"cannot write", path});
    EXPECT_EQ(contents_of(path), before);
    EXPECT_TRUE(warnings.empty()) << "for the caller to say";
    saver->save(tally_of(3));
    EXPECT_FALSE(saver->failure());
    EXPECT_EQ(saved().launches_done(), 3u);
}

TEST_F(Saving, NothingIsResumedUnlessTheUserSaysSo) {
    Options options;
    EXPECT_FALSE(bench::resume("pi_v0", options));
    EXPECT_FALSE(options.pooled());
    EXPECT_EQ(options.seed, 1234u);
}

TEST_F(Saving, AResumedRunHasTheSeedAndTheGoalInTheFile) {
    leave(after(4, 9));
    Options options = resuming();
    const auto resumed = bench::resume("pi_v0", options);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(options.seed, 77u);
    EXPECT_EQ(options.launches, 9u);
    EXPECT_EQ(resumed->checkpoint.launches_done(), 4u);
}

TEST_F(Saving, AGoalOfTheUserIsKept) {
    leave(after(4, 9));
    Options options = resuming();
    options.launches = 20;
    EXPECT_TRUE(bench::resume("pi_v0", options));
    EXPECT_EQ(options.launches, 20u);
    options = resuming();
    options.goal = 30'000;
    EXPECT_TRUE(bench::resume("pi_v0", options));
    EXPECT_EQ(options.goal, 30'000u);
    EXPECT_FALSE(options.launches);
}

TEST_F(Saving, ARunOfAnotherProgramIsRefused) {
    leave(after(4, 9));
    const std::string before = contents_of(path);
    Options options = resuming();
    expect_has(refusal([&] { bench::resume("pi_v1", options); }), {"--resume", path, "pi_v0", "pi_v1"});
    EXPECT_EQ(contents_of(path), before);
}

TEST_F(Saving, ARunOfAnotherSeedIsRefused) {
    leave(after(4, 9));
    const std::string before = contents_of(path);
    for (const std::uint64_t seed : {std::uint64_t{78}, std::uint64_t{1234}, UINT64_MAX}) {
        Options options = resuming();
        options.seed = seed;
        options.seed_given = true;
        expect_has(refusal([&] { bench::resume("pi_v0", options); }), {"--seed", path, "77", std::to_string(seed)});
    }
    EXPECT_EQ(contents_of(path), before);
    Options options = resuming();
    options.seed = 77;
    options.seed_given = true;
    EXPECT_TRUE(bench::resume("pi_v0", options)) << "the file's seed may be repeated";
}

TEST_F(Saving, NothingIsTakenFromADamagedFile) {
    leave(after(4, 9));
    Options options = resuming();
    std::string text = contents_of(path);
    text[text.size() / 2] ^= 1;
    std::ofstream(path, std::ios::binary) << text;
    expect_has(refusal([&] { bench::resume("pi_v0", options); }), {path, "damaged"});
    EXPECT_FALSE(options.pooled());
    EXPECT_EQ(options.seed, 1234u);
}

class TakingOver : public Saving {
 protected:
    /// Applies a checkpoint of this shape to the user's --iters.
    void take_over(std::optional<unsigned>& iters, std::vector<std::pair<std::string, std::uint64_t>> shape) {
        Checkpoint checkpoint = after(4, 9);
        checkpoint.shape = std::move(shape);
        const Resumed resumed = {CheckpointFile::create(path, checkpoint), checkpoint, false};
        std::filesystem::remove(path);
        bench::take_over(resumed, resuming(), "iters", iters);
    }
    std::string refused(std::optional<unsigned> iters, std::vector<std::pair<std::string, std::uint64_t>> shape) {
        return refusal([&] { take_over(iters, std::move(shape)); });
    }
};

TEST_F(TakingOver, TheShapeIsTheFiles) {
    std::optional<unsigned> iters;
    take_over(iters, {{"blocks", 10}, {"iters", 5}});
    EXPECT_EQ(iters, 5u);
    take_over(iters, {{"blocks", 10}, {"iters", 5}});
    EXPECT_EQ(iters, 5u) << "the same may be repeated";
    std::optional<unsigned> largest;
    take_over(largest, {{"iters", UINT32_MAX}});
    EXPECT_EQ(largest, UINT32_MAX);
}

TEST_F(TakingOver, AnotherShapeIsRefused) { expect_has(refused(6, {{"iters", 5}}), {"--iters", path, "5", "6"}); }

TEST_F(TakingOver, AShapeThatCannotBeIsRefused) {
    expect_has(refused({}, {{"blocks", 5}}), {path, "iters"});
    expect_has(refused({}, {{"iters", 0}}), {path, "iters"});
    expect_has(refused({}, {{"iters", std::uint64_t{UINT32_MAX} + 6}}), {path, "iters"});
    expect_has(refused(5, {{"iters", std::uint64_t{UINT32_MAX} + 6}}), {path, "iters"});
}

TEST_F(Saving, NoFileIsMadeUnlessTheUserSaysSo) {
    EXPECT_EQ(bench::saver_of({}, std::nullopt, work(9), none, warn), nullptr);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(Saving, ANewRunHasAFileFromTheStart) {
    Options options;
    options.checkpoint = path;
    const auto saver = bench::saver_of(options, std::nullopt, work(9), none, warn);
    ASSERT_TRUE(saver);
    EXPECT_EQ(saver->path(), path);
    EXPECT_EQ(saver->start().launches_done(), 0u);
    EXPECT_EQ(saved().launches_done(), 0u);
    EXPECT_EQ(saved().launches, 9u);
    EXPECT_EQ(saved().commit, bench::build_info().commit);
    EXPECT_TRUE(warnings.empty());
}

TEST_F(Saving, AResumedRunGoesOnFromWhatIsDone) {
    leave(after(4, 9));
    const auto saver = resumed_saver(resuming(), work(9));
    ASSERT_TRUE(saver);
    EXPECT_EQ(saver->path(), path);
    EXPECT_EQ(saver->start().launches_done(), 4u);
    EXPECT_EQ(saver->start().launches, 9u);
    EXPECT_EQ(sample_tallies::hits_of(saver->start().tally.sums), 501u + 502 + 503 + 504);
    saver->save(tally_of(6));
    EXPECT_EQ(saved().launches_done(), 6u);
}

TEST_F(Saving, AResumedRunMayHaveAnotherGoal) {
    for (const std::uint64_t goal : {4, 5, 100}) {
        leave(after(4, 9));
        Options options = resuming();
        options.launches = goal;
        const auto saver = resumed_saver(options, work(goal));
        EXPECT_EQ(saver->start().launches, goal);
        saver->save(tally_of(4));
        EXPECT_EQ(saved().launches, goal);
        std::filesystem::remove(path);
    }
}

TEST_F(Saving, AGoalOfLessThanIsDoneIsRefused) {
    leave(after(4, 9));
    const std::string before = contents_of(path);
    Options options = resuming();
    options.launches = 3;
    expect_has(refusal([&] { resumed_saver(options, work(3)); }), {"--launches", path, "4", "3"});
    options = resuming();
    options.goal = 3000;
    options.goal_option = "--samples";
    expect_has(refusal([&] { resumed_saver(options, work(3)); }), {"--samples", path});
    EXPECT_EQ(contents_of(path), before);
}

TEST_F(Saving, LaunchesOfAnotherShapeAreRefused) {
    leave(after(4, 9));
    const std::string before = contents_of(path);
    Checkpoint other = work(9);
    other.shape = {{"blocks", 20}, {"threads", 10}, {"iters", 5}};  // as many samples
    expect_has(refusal([&] { resumed_saver(resuming(), other); }), {"--resume", path, "shape"});
    other = work(9);
    other.work_per_launch = 2000;
    expect_has(refusal([&] { resumed_saver(resuming(), other); }), {"--resume", path});
    other = work(9);
    other.shape.emplace_back("streams", 1);
    expect_has(refusal([&] { resumed_saver(resuming(), other); }), {"--resume", path});
    EXPECT_EQ(contents_of(path), before);
}

TEST_F(Saving, WarnsWhereItCannotLock) {
    const PoorFileSystem poor({.flock = ENOLCK, .fcntl_lock = ENOLCK});
    Options options;
    options.checkpoint = path;
    EXPECT_TRUE(bench::saver_of(options, std::nullopt, work(9), none, warn));
    EXPECT_TRUE(resumed_saver(resuming(), work(9), {saved().commit, false, "", "", true}));
    ASSERT_GE(warnings.size(), 2u);
    for (std::size_t i = 0; i < 2; i++) {
        expect_has(warnings[i], {"cannot lock", path, std::strerror(ENOLCK)});
        EXPECT_EQ(warnings[i].find('\n'), std::string::npos) << warnings[i];
    }
}

class SavingByPrograms : public Saving {
 protected:
    static bench::BuildInfo program_of(const std::string& commit, bool dirty) { return {commit, dirty, "", "", true}; }

    /// The warnings when one program continues a run that another began.
    std::vector<std::string> warned(const bench::BuildInfo& first, const bench::BuildInfo& second) {
        Checkpoint begun = after(4, 9);
        begun.commit = first.commit;
        begun.dirty = first.dirty;
        leave(begun);
        resumed_saver(resuming(), work(9), second)->save(tally_of(5));
        resumed = saved();
        std::filesystem::remove(path);
        return std::exchange(warnings, {});
    }

    Checkpoint resumed;  // what the second saved
};

TEST_F(SavingByPrograms, TheSameIsNotWarnedOf) {
    EXPECT_TRUE(warned(program_of("one", false), program_of("one", false)).empty());
    EXPECT_EQ(resumed.commit, "one");
    EXPECT_FALSE(resumed.dirty);
}

TEST_F(SavingByPrograms, AnotherCommitIsWarnedOf) {
    const auto lines = warned(program_of("one", false), program_of("two", false));
    ASSERT_EQ(lines.size(), 1u);
    expect_has(lines.front(), {path, "commit", "one", "two"});
    EXPECT_EQ(lines.front().find('\n'), std::string::npos) << lines.front();
    EXPECT_EQ(resumed.commit, "two");
}

// One commit may have many modified programs.
TEST_F(SavingByPrograms, AModifiedCheckoutIsWarnedOf) {
    for (const auto& [first, second] : {std::pair{true, false}, {false, true}, {true, true}}) {
        const auto lines = warned(program_of("one", first), program_of("one", second));
        ASSERT_EQ(lines.size(), 1u);
        expect_has(lines.front(), {path, first ? "one (modified);" : "one;", second ? "is one (modified)" : "is one:"});
        EXPECT_TRUE(resumed.dirty) << "for whoever goes on with it";
    }
}

TEST_F(Saving, ACheckpointWithTheFingerprintsOfOtherBlocksIsRefused) {
    Checkpoint other = after(3, 9);
    other.tally.parts.merge(std::vector<std::uint64_t>{1, 2, 3});
    leave(other);
    EXPECT_NE(refusal([&] { resumed_saver(resuming(), work(9)); }).find("its launches have other sums"),
              std::string::npos);
}

}  // namespace
