// What the command lines of the programs here have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

namespace quality {

/// Adds an option whose value is a whole number such as 5000, 1e9 or 100k, from `least` to `most`.
void add_quantity(CLI::App& app, const std::string& name, std::uint64_t least, std::uint64_t most,
                  const std::string& help, std::function<void(std::uint64_t)> store);

/// Reads the command line, with --version for `app`'s name. Returns false where --help or --version was asked for and
/// printed. Throws UsageError with one clear line where it is wrong.
bool parse(CLI::App& app, int argc, const char* const* argv);

}  // namespace quality
