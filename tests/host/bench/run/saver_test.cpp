// When a run is saved, what a resumed run takes from its file, and what it refuses.
#include "bench/run/saver.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/run/plan.hpp"
#include "tests/host/bench/record/poor_file_system.hpp"
#include "tests/host/bench/run/sample_plan.hpp"
#include "tests/host/bench/sample_options.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Options;
using bench::Record;
using bench::Saver;
using bench::Stored;
using bench::UsageError;
using sample_options::launches_of;
using sample_plan::no_launches;
using sample_plan::plan_of;
using sample_plan::tossed;

constexpr double never = 1e9;  // seconds

/// The run of nine launches after `done` of them.
Record after(std::uint64_t done) { return bench::record_so_far(plan_of(launches_of(9)), tossed(done), nullptr, 9); }

void expect_has(const std::string& line, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks: " << part;
    }
}

class Saving : public InAFolder {
 protected:
    /// Makes the file of a run that no process continues.
    void leave(const Record& record) const {
        std::filesystem::remove(path);
        bench::KeptFile::create(path, to_stored(record));
    }

    Stored saved() const { return bench::read_stored(path, contents_of(path)); }

    /// A saver of a new run of nine launches.
    Saver saver(double every_seconds) const {
        const std::string text = to_stored(after(0));
        return {bench::KeptFile::create(path, text), bench::read_stored(path, text), every_seconds};
    }

    Options resuming(const std::function<void(Options&)>& change = [](Options&) {}) const {
        Options options;
        options.resume = path;
        change(options);
        return options;
    }

    /// The saver of the run in the file, continued with these options.
    std::unique_ptr<Saver> resumed_saver(const Options& options, unsigned workers = 1) const {
        bench::Plan plan = plan_of(options);
        plan.workers = workers;
        plan.resumed = bench::resume(plan.program, plan.options);
        return bench::saver_of(plan, no_launches());
    }

    /// Asserts that `action` is refused in a line with these parts, and leaves the file as it is.
    void expect_refused(const std::function<void()>& action, const std::vector<std::string>& parts) const {
        const std::string before = contents_of(path);
        expect_has(line_of<UsageError>(action), parts);
        EXPECT_EQ(contents_of(path), before);
    }
};

TEST_F(Saving, SavesWhatIsDone) {
    saver(never).save(after(4));
    EXPECT_EQ(contents_of(path), to_stored(after(4)));
    EXPECT_EQ(saved().launches_done(), 4u);
}

TEST_F(Saving, IsDueWhenTheNextCallMayComeTooLate) {
    EXPECT_TRUE(saver(0).due());
    std::filesystem::remove(path);
    EXPECT_FALSE(saver(never).due());
}

// On a machine of any speed, the k-th attempt comes at least k intervals after the start.
TEST_F(Saving, TriesNotAfterEveryLaunchWhereItCannotSave) {
    constexpr double interval = 0.1;
    const double start = bench::monotonic_seconds();
    Saver saver = this->saver(interval);
    const Record record = after(2);
    const NoRoom no_room;
    double elapsed = 0;
    int attempts = 0;
    while (elapsed < 3 * interval) {
        if (saver.due()) {
            attempts++;
            saver.save(record);
        }
        elapsed = bench::monotonic_seconds() - start;
    }
    EXPECT_GE(attempts, 1);
    EXPECT_LE(attempts, elapsed / interval);
}

TEST_F(Saving, AResumedRunHasTheSeedAndShapeInTheFileAndItsGoalUnlessTheUserSetsOne) {
    Options plain;
    EXPECT_FALSE(bench::resume("pi_v0", plain)) << "nothing is resumed unless the user says so";
    leave(after(4));
    const std::function<void(Options&)> goals[] = {[](Options&) {}, [](Options& o) { o.launches = 20; },
                                                   [](Options& o) { o.goal = 30'000; },
                                                   [](Options& o) { o.seed = 1234, o.seed_given = true; },
                                                   [](Options& o) { o.iters = no_launches().spec().iters; }};
    for (const auto& goal : goals) {
        const Options given = resuming(goal);
        Options options = given;
        options.seed = 1234;
        const auto resumed = bench::resume("pi_v0", options);
        ASSERT_TRUE(resumed);
        EXPECT_EQ(resumed->run.launches_done(), 4u);
        EXPECT_EQ(resumed->new_goal, given.pooled());
        EXPECT_EQ(options.seed, 1234u);
        EXPECT_EQ(options.iters, no_launches().spec().iters);
        EXPECT_EQ(options.launches, given.pooled() ? given.launches : 9u);
        EXPECT_EQ(options.goal, given.goal);
    }
}

TEST_F(Saving, ARunOfAnotherProgramSeedOrShapeIsRefused) {
    leave(after(4));
    Options options = resuming();
    expect_refused([&] { bench::resume("pi_v1", options); }, {path, "pi_v0", "pi_v1"});
    EXPECT_FALSE(options.pooled()) << "nothing is taken from it";
    options = resuming([](Options& o) { o.seed = 78, o.seed_given = true; });
    expect_refused([&] { bench::resume("pi_v0", options); }, {"--seed", path, "1234", "78"});
    options = resuming([](Options& o) { o.iters = 6; });
    expect_refused([&] { bench::resume("pi_v0", options); }, {"--iters", path, "100", "6"});
}

TEST_F(Saving, OnAGpuTheGridIsThatInTheFile) {
    Stored stored;
    stored.path = path;
    stored.program = "pi_v0";
    stored.spec.shape = {10, 20};
    stored.spec.iters = 5;
    Options options;
    bench::take_over(stored, "pi_v0", options);
    EXPECT_EQ(options.blocks, 10u);
    EXPECT_EQ(options.threads, 20u);
    for (auto Options::*option : {&Options::blocks, &Options::threads}) {
        Options other;
        other.*option = 11;
        EXPECT_THROW(bench::take_over(stored, "pi_v0", other), UsageError);
    }
}

TEST_F(Saving, ANewRunHasAFileFromTheStartIfTheUserSaysSo) {
    bench::Plan plan = plan_of(launches_of(9));
    EXPECT_EQ(bench::saver_of(plan, no_launches()), nullptr);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    plan.options.checkpoint = path;
    const auto saver = bench::saver_of(plan, no_launches());
    ASSERT_TRUE(saver);
    EXPECT_EQ(saver->path(), path);
    EXPECT_EQ(saver->start().launches_done(), 0u);
    EXPECT_EQ(saved().launches_done(), 0u);
    EXPECT_EQ(saved().goal, 9u);
    EXPECT_EQ(saved().commit, bench::build_info().commit);
}

TEST_F(Saving, AResumedRunGoesOnFromWhatIsDoneToTheFilesGoalOrANewOne) {
    for (const std::uint64_t goal : {9, 4, 100}) {
        leave(after(4));
        Options options = resuming([&](Options& o) {
            if (goal != 9) o.launches = goal;
        });
        if (goal == 9) options.scaling = bench::Scaling::weak;  // the file's goal is already that of all workers
        const auto saver = resumed_saver(options, goal == 9 ? 2 : 1);
        EXPECT_EQ(saver->path(), path);
        EXPECT_EQ(saver->start().goal, goal);
        EXPECT_TRUE(saver->start().tally.sums == tossed(4).state().sums);
    }
}

TEST_F(Saving, WarnsWhereItCannotLockAndOfAnotherCommit) {
    leave(after(4));
    const auto ended = sample_plan::in_a_process([&] {
        const PoorFileSystem poor({.flock = ENOLCK});
        EXPECT_TRUE(resumed_saver(resuming()));
    });
    EXPECT_EQ(ended.code, 0);
    expect_has(ended.error, {"pi_v0: warning: cannot lock " + path, std::strerror(ENOLCK)});
    Record other = after(4);
    other.context.build.commit = "another";
    leave(other);
    const auto warned = sample_plan::in_a_process([&] { EXPECT_TRUE(resumed_saver(resuming())); });
    expect_has(warned.error, {"pi_v0: warning: " + path + " was begun with the program of commit another"});
}

}  // namespace
