// What is recorded of a finished run, and where it is written.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/host.hpp"
#include "bench/run/plan.hpp"
#include "tests/host/bench/run/sample_plan.hpp"
#include "tests/host/bench/sample_options.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using sample_options::launches_of;
using sample_plan::plan_of;

/// A record of 16 launches, six of which were timed in this part; none if `ms` is empty.
bench::Record record_of(const bench::Plan& plan, const std::vector<double>& ms) {
    auto team = sample_plan::team_of({});
    bench::Measurement measured;
    measured.ms = ms;
    measured.phases_ms.assign(ms.size(), {0.5, 0.4});
    measured.work.assign(ms.size(), 1e6);
    measured.launches = 16;
    return bench::record_of(plan, team, measured, sample_plan::tossed(16), nullptr);
}

TEST(RecordOf, ARunOnTheCpuSaysWhereItRanAndOfWhatOccasion) {
    const bench::Record record = record_of(plan_of(launches_of(16)), std::vector<double>(6, 1));
    EXPECT_EQ(record.occasion, bench::Occasion::pooled);
    EXPECT_FALSE(record.context.device || record.kernel || record.scaling);
    ASSERT_EQ(record.members.size(), 1u);
    EXPECT_EQ(record.members[0].host, bench::host_name());
    EXPECT_EQ(record_of(plan_of({}), {}).occasion, bench::Occasion::timed);
}

using Warnings = std::vector<bench::Warning>;

/// Warnings but for that of a Debug build.
Warnings warnings_of(const bench::Plan& plan, const std::vector<double>& ms) {
    auto warnings = record_of(plan, ms).warnings;
    std::erase_if(warnings, [](const bench::Warning& warning) { return warning.kind == "build"; });
    return warnings;
}

TEST(RecordOf, WarnsOfFewTimingsOfTimeWithoutAPhaseAndOfACrowd) {
    bench::Plan plan = plan_of({});
    EXPECT_EQ(warnings_of(plan, std::vector<double>(6, 1)), Warnings());
    EXPECT_EQ(warnings_of(plan, std::vector<double>(5, 1)),
              (Warnings{{"interval", "a 95 % interval needs 6 timings, not 5: the range is given instead"}}));
    plan.launched.phases[1] = {"add", nullptr, bench::On::host};
    EXPECT_EQ(warnings_of(plan, std::vector<double>(6, 0.918)), Warnings()) << "2 % are not";
    EXPECT_EQ(warnings_of(plan, std::vector<double>(6, 1)),
              (Warnings{{"phases", "10.0 % of the time belongs to no phase"}}));
    EXPECT_EQ(warnings_of(plan, {}), Warnings());
    plan.crowd = {"sharing", "the rate means nothing"};
    EXPECT_EQ(warnings_of(plan, {}), Warnings{*plan.crowd});
}

/// What a program prints that publishes a run.
sample_plan::Ending published(const bench::Options& options) {
    return sample_plan::in_a_process([&] {
        bench::Record record = record_of(plan_of(options), {});
        record.warnings = {{"clock", "what to know"}};
        bench::publish(plan_of(options), record, nullptr);
    });
}

constexpr const char* warning = "pi_v0: warning: what to know\n";

// A run that an earlier part finished has an estimate but no rate.
TEST(Publish, WritesTheReportOrJsonToStdoutAndWarningsToStderr) {
    bench::Options options = launches_of(16);
    const auto report = published(options);
    EXPECT_EQ(report.code, 0);
    EXPECT_NE(report.out.find("from 16,000,000 samples"), std::string::npos) << report.out;
    EXPECT_EQ(report.out.find("/ns"), std::string::npos) << report.out;
    EXPECT_EQ(report.error, warning);
    options.json = "-";
    const auto json = published(options);
    EXPECT_EQ(nlohmann::json::parse(json.out).at("runs").at(0).at("launches"), 16);
    EXPECT_EQ(json.error, warning);
    options.json = "/dev/null";
    EXPECT_EQ(published(options).out, report.out);
    options.quiet = true;
    EXPECT_EQ(published(options).out, "");
    EXPECT_EQ(published(options).error, warning);
    options.json = "missing/result.json";
    EXPECT_EQ(published(options).code, 5);
    EXPECT_EQ(published(options).error.find("warning"), std::string::npos) << "nothing else is printed";
}

}  // namespace
