#include "bench/options/interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>

namespace bench {
namespace {

std::atomic<int> noted = 0;  // the number of the signal
static_assert(std::atomic<int>::is_always_lock_free, "for a signal handler");

constexpr int signals[] = {SIGHUP, SIGINT, SIGTERM};

/// Installs `handler` for each signal that is not ignored: nohup and background jobs of a shell start with some
/// ignored. Safe in a signal handler.
void set_handler(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (const int signal : signals) {
        struct sigaction before = {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
    }
}

struct {
    char text[256];
    std::size_t size;
} last_line;  // memory that every handler may read

void end(int signal) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, last_line.text, last_line.size);
    ::_exit(exit_signal + signal);
}

void note(int signal) {
    noted = signal;
    release_interrupts();  // all signals: the second one may differ from the first
}

}  // namespace

void end_on_interrupts(const std::string& program) {
    const auto end_of_line =
        fmt::format_to_n(last_line.text, sizeof last_line.text, "{}: {}\n", program, Interrupted().what());
    last_line.size = std::min(end_of_line.size, sizeof last_line.text);
    set_handler(end);
    std::signal(SIGXFSZ, SIG_IGN);
}

void catch_interrupts() { set_handler(note); }

void release_interrupts() { set_handler(SIG_DFL); }

void note_interrupt(ExitCode code) { noted = code - exit_signal; }

bool interrupted() { return noted != 0; }

ExitCode interrupt_code() { return static_cast<ExitCode>(exit_signal + (noted ? noted.load() : SIGINT)); }

void throw_if_interrupted() {
    if (noted) throw Interrupted(interrupt_code());
}

}  // namespace bench
