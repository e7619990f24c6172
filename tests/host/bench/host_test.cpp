// What CPU quotas leave of the cores, as the files of control groups tell them: Linux kernel documentation, "Control Group v2",
// CPU interface files, and "CFS Bandwidth Control" of version 1.
#include "bench/host.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/host/bench/test_files.hpp"

namespace {

using bench::within_quota;

class Quota : public InAFolder {
 protected:
    /// The cores that a process may use of 8, on a machine with these files.
    unsigned left_of_8(const std::map<std::string, std::string>& files) {
        std::filesystem::remove_all(folder);
        for (const auto& [name, text] : files) {
            std::filesystem::create_directories((folder / name).parent_path());
            std::ofstream(folder / name) << text;
        }
        return within_quota(8, folder);
    }
};

const std::string group = "proc/self/cgroup", mount = "sys/fs/cgroup/";

TEST_F(Quota, OfVersion2IsThatOfTheGroupOrOfOneAboveIt) {
    const std::string own = "0::/job/step\n";
    EXPECT_EQ(left_of_8({{group, own}, {mount + "job/step/cpu.max", "300000 100000\n"}}), 3u);
    EXPECT_EQ(left_of_8({{group, own},
                         {mount + "job/step/cpu.max", "300000 100000\n"},
                         {mount + "job/cpu.max", "100000 50000\n"},
                         {mount + "other/cpu.max", "100000 100000\n"}}),
              2u);
    EXPECT_EQ(left_of_8({{group, "0::/\n"}, {mount + "cpu.max", "400000 100000\n"}}), 4u) << "in a container";
}

TEST_F(Quota, OfVersion1IsThatOfTheControllerOfCpus) {
    const std::string own = "9:cpuset:/set\n4:cpu,cpuacct:/job\n0::/\n";
    const auto with = [&](const std::string& quota) {
        return left_of_8({{group, own},
                          {mount + "cpu,cpuacct/job/cpu.cfs_quota_us", quota},
                          {mount + "cpu,cpuacct/job/cpu.cfs_period_us", "100000\n"},
                          {mount + "cpuset/set/cpu.cfs_quota_us", "100000\n"},
                          {mount + "cpuset/set/cpu.cfs_period_us", "100000\n"}});
    };
    EXPECT_EQ(with("500000\n"), 5u);
    EXPECT_EQ(with("-1\n"), 8u);
}

TEST_F(Quota, IsAtLeastACoreAndAPartOfOneCounts) {
    const auto with = [&](const std::string& max) { return left_of_8({{group, "0::/\n"}, {mount + "cpu.max", max}}); };
    EXPECT_EQ(with("150000 100000\n"), 2u);
    EXPECT_EQ(with("10000 100000\n"), 1u);
    EXPECT_EQ(with("1600000 100000\n"), 8u) << "more than there are";
}

TEST_F(Quota, IsNoneWhereNoneIsTold) {
    EXPECT_EQ(left_of_8({}), 8u);
    EXPECT_EQ(left_of_8({{group, "0::/job\n"}, {mount + "job/cpu.max", "max 100000\n"}}), 8u);
    EXPECT_EQ(left_of_8({{group, "nonsense\n"}, {mount + "cpu.max", "what\n"}}), 8u);
}

}  // namespace
