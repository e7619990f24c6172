#include "bench/options/guarded.hpp"

#include "bench/errors.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"

namespace bench {

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
