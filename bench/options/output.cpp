#include "bench/options/output.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "bench/errors.hpp"
#include "bench/options/interrupt.hpp"

namespace bench {

void say(const std::string& program, const std::string& text) {
    std::string line = fmt::format("{}: {}", program, text);
    for (char& c : line) c = std::iscntrl(static_cast<unsigned char>(c)) ? '?' : c;
    std::fputs((line + "\n").c_str(), stderr);  // a failure cannot be reported
}

void write_stdout(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw write_failure("standard output", errno);
    }
}

int guarded(const std::string& program, const std::function<void()>& body) {
    end_on_interrupts(program);
    try {
        body();
        return exit_done;
    } catch (const Dismissed& dismissed) {
        return dismissed.code;
    } catch (const std::exception& exception) {
        const Error error = as_error(exception);
        say(program, error.what());
        return error.code();
    }
}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code ignored;
    const auto whole = [&](auto path) { return weakly_canonical(std::filesystem::absolute(path, ignored), ignored); };
    return whole(a) == whole(b);
}

}  // namespace bench
