// An error becomes an exit code and a line, and a signal is noted or ends the program.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#include "bench/errors.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"

namespace {

TEST(Guarded, EveryErrorHasItsExitCodeAndOneLine) {
    const std::string line = "pi_v0: what happened\n";
    const struct {
        int code;
        std::function<void()> body;
        std::string line;
    } table[] = {
        {0, [] {}, ""},
        {1, [] { throw bench::VerdictError("what happened"); }, line},
        {2, [] { throw bench::UsageError("what happened"); }, line},
        {3, [] { throw bench::NoGpuError("what happened"); }, line},
        {4, [] { throw bench::CudaError("what happened"); }, line},
        {5, [] { throw bench::WriteError("what happened"); }, line},
        {129, [] { throw bench::Interrupted(bench::exit_hung_up); }, "pi_v0: interrupted, no result\n"},
        {130, [] { throw bench::Interrupted(bench::exit_interrupted); }, "pi_v0: interrupted, no result\n"},
        {143, [] { throw bench::Interrupted(bench::exit_terminated, "what happened"); }, line},
    };
    for (const auto& [code, body, told] : table) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(bench::guarded("pi_v0", body), code);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), told);
    }
}

TEST(InterruptDeathTest, OneIsNotedTheSecondEndsTheProgramAndAnIgnoredOneStaysIgnored) {
    const auto exit_after = [](std::initializer_list<int> raised) {
        for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);  // which nohup and shells may ignore
        std::signal(SIGHUP, SIG_IGN);
        bench::catch_interrupts();
        for (const int signal : raised) std::raise(signal);
        std::exit(bench::interrupted() ? bench::interrupt_code() : 0);
    };
    EXPECT_EXIT(exit_after({SIGHUP}), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(exit_after({SIGINT, SIGHUP}), testing::ExitedWithCode(130), "") << "not even as the second one";
    EXPECT_EXIT(exit_after({SIGINT, SIGTERM}), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
