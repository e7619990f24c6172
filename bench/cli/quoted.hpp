// Text of the user's in messages of one line.
#pragma once

#include <string>
#include <string_view>

namespace bench {

/// The text in quotes. Quotes and control characters in it are escaped as in JSON, so that it stays on its line.
std::string quoted(std::string_view text);

}  // namespace bench
