#include "bench/options/app.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/output.hpp"
#include "bench/options/values.hpp"

namespace bench {
namespace {

/// The arguments, with "--option -5" as "--option=-5": CLI11 would read "-5" alone as an option.
std::vector<std::string> with_negative_values_bound(int argc, const char* const* argv) {
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i];
        const bool negative = argument.size() > 1 && argument[0] == '-' && std::isdigit(argument[1]);
        const bool expected = !arguments.empty() && arguments.back().rfind("--", 0) == 0 &&
                              arguments.back().find('=') == std::string::npos;
        if (negative && expected) {
            arguments.back() += "=" + argument;
        } else {
            arguments.push_back(argument);
        }
    }
    return arguments;
}

std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

void add_quantity(CLI::App& app, const std::string& name, std::uint64_t least, std::uint64_t most,
                  const std::string& help, std::function<void(std::uint64_t)> store) {
    const auto read = [=](const std::string& text) { store(parse_quantity(name, text, least, most)); };
    app.add_option_function<std::string>(name, read, help)->type_name("N");
}

bool parse(CLI::App& app, int argc, const char* const* argv, const std::string& version) {
    app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), version));
    auto arguments = with_negative_values_bound(argc, argv);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    try {
        app.parse(arguments);
        return true;
    } catch (const CLI::CallForHelp&) {
        write_stdout(app.help());
    } catch (const CLI::CallForVersion& text) {
        write_stdout(std::string(text.what()) + "\n");
    } catch (const CLI::ExtrasError&) {
        throw UsageError(fmt::format("not expected: {}; see --help", fmt::join(app.remaining(), " ")));
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string line = one_line(error.what());
        // CLI11 names a flag that got a value without its dashes.
        throw UsageError(line[0] == '-' ? line : "--" + line);
    } catch (const CLI::ParseError& error) {
        throw UsageError(one_line(error.what()));
    }
    return false;
}

}  // namespace bench
