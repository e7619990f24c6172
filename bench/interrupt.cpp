#include "bench/interrupt.hpp"

#include <csignal>

#include "bench/errors.hpp"

namespace bench {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int) {
    noted = 1;
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
}

bool interrupted() { return noted; }

void throw_if_interrupted() {
    if (noted) {
        throw Interrupted();
    }
}

}  // namespace bench
