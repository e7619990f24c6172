// What to know of a finished run before its figures are used.
#pragma once

#include <string>

namespace bench {

struct Warning {
    std::string kind;  // what it is about, for scripts: results/schema.json lists them
    std::string text;  // for people

    bool operator==(const Warning&) const = default;
};

}  // namespace bench
