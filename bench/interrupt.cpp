#include "bench/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace bench {
namespace {

std::atomic<int> noted = 0;  // the number of the signal
static_assert(std::atomic<int>::is_always_lock_free, "for a signal handler");

void note(int signal) {
    noted = signal;
    std::signal(SIGINT, SIG_DFL);  // both: the second signal may be the other one
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGXFSZ, SIG_IGN);
}

void note_interrupt(ExitCode code) { noted = code == exit_terminated ? SIGTERM : SIGINT; }

bool interrupted() { return noted != 0; }

ExitCode interrupt_code() { return noted == SIGTERM ? exit_terminated : exit_interrupted; }

void throw_if_interrupted() {
    if (noted) {
        throw Interrupted(interrupt_code());
    }
}

}  // namespace bench
