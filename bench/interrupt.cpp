#include "bench/interrupt.hpp"

#include <csignal>

#include "bench/errors.hpp"

namespace bench {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int) { interrupted = 1; }

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void throw_if_interrupted() {
    if (interrupted) {
        throw Interrupted();
    }
}

}  // namespace bench
