// Exit codes, the exceptions that guarded() turns into them, and warnings. .cu files include it, so it is C++17.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

/// Documented exit codes of every program.
enum ExitCode {
    exit_done = 0,
    exit_verdict = 1,        // the estimate failed its verdict
    exit_usage = 2,          // bad usage
    exit_no_gpu = 3,         // no usable GPU: none, no driver, no code for it, or too little shared memory
    exit_machine = 4,        // a CUDA error, or another failure of the machine
    exit_write = 5,          // the result could not be written
    exit_signal = 128,       // plus the number of the signal that interrupted the run:
    exit_hung_up = 129,      // SIGHUP
    exit_interrupted = 130,  // SIGINT
    exit_terminated = 143    // SIGTERM
};

/// An error with its exit code; what() is one line for stderr.
class Error : public std::runtime_error {
 public:
    Error(ExitCode code, const std::string& line) : std::runtime_error(line), code_(code) {}
    ExitCode code() const { return code_; }

 private:
    ExitCode code_;
};

template <ExitCode exit_code>
struct ErrorWith : Error {
    explicit ErrorWith(const std::string& line) : Error(exit_code, line) {}
};
using VerdictError = ErrorWith<exit_verdict>;
using UsageError = ErrorWith<exit_usage>;
using NoGpuError = ErrorWith<exit_no_gpu>;
using CudaError = ErrorWith<exit_machine>;
using WriteError = ErrorWith<exit_write>;

/// A signal interrupted the run; `code` names it.
struct Interrupted : Error {
    explicit Interrupted(ExitCode code = exit_interrupted, const std::string& line = "interrupted, no result")
        : Error(code, line) {}
};

/// Ends a process other than rank 0. Only rank 0 prints and decides the exit code of the run.
struct Dismissed {
    int code = 0;  // nonzero if no run took place, so that this process does not look successful
};

/// Converts an exception to an Error; an Error stays as it is.
Error as_error(const std::exception& exception);

/// The error "cannot write PATH: ..." with the message of the errno value `error`.
WriteError write_failure(const std::string& path, int error);

/// Throws std::invalid_argument, with the reason `otherwise`, unless this holds.
inline void demand(bool holds, std::string_view otherwise) {
    if (!holds) throw std::invalid_argument(std::string(otherwise));
}

/// What to know of a finished run before its figures are used.
struct Warning {
    std::string kind;  // what it is about, for scripts: results/schema.json lists them
    std::string text;  // for people
};

inline bool operator==(const Warning& a, const Warning& b) { return a.kind == b.kind && a.text == b.text; }

}  // namespace bench
