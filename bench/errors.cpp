#include "bench/errors.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>

namespace bench {

Error as_error(const std::exception& exception) {
    if (const auto* error = dynamic_cast<const Error*>(&exception)) {
        return *error;
    }
    if (dynamic_cast<const std::bad_alloc*>(&exception)) {
        return Error(exit_usage, "out of memory: the counts of this grid do not fit");
    }
    return Error(exit_machine, exception.what());
}

WriteError write_failure(const std::string& path, int error) {
    return WriteError(fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

}  // namespace bench
