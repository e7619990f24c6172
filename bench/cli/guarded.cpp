#include "bench/cli/guarded.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "bench/cli/errors.hpp"
#include "bench/cli/interrupt.hpp"

namespace bench {

void say(const std::string& program, const std::string& text) {
    std::fputs(fmt::format("{}: {}\n", program, text).c_str(), stderr);  // a failure cannot be reported
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

}  // namespace bench
