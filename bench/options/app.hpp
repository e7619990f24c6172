// Command-line parsing for all programs.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "bench/options/build_info.hpp"

namespace bench {

/// Adds an option that takes a whole number from `least` to `most`, such as 5000, 1e9 or 100k.
void add_quantity(CLI::App& app, const std::string& name, std::uint64_t least, std::uint64_t most,
                  const std::string& help, std::function<void(std::uint64_t)> store);

/// Parses the command line, --version included. Returns false after printing --help or --version. Throws UsageError with
/// one line if an argument is wrong.
bool parse(CLI::App& app, int argc, const char* const* argv, const std::string& version = version_text());

}  // namespace bench
