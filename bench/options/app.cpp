#include "bench/options/app.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/output.hpp"
#include "bench/options/values.hpp"

namespace bench {
namespace {

/// How many letters to add, remove or change to make one text of the other (Levenshtein 1966).
std::size_t distance(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (const char letter : one) {
        std::size_t before = row[0]++;
        for (std::size_t i = 0; i < other.size(); i++) {
            const std::size_t changed = before + (letter != other[i]);
            before = row[i + 1];
            row[i + 1] = std::min({changed, before + 1, row[i] + 1});
        }
    }
    return row.back();
}

/// What to say of arguments that belong to no option: the option that the first seems to mean, if there is one.
std::string not_expected(const CLI::App& app) {
    const std::vector<std::string> extras = app.remaining();
    const std::string given = extras[0].substr(0, extras[0].find('='));
    const auto letters = [&](const CLI::Option* option) { return distance(given, option->get_name()); };
    const CLI::Option* nearest = std::ranges::min(app.get_options(), {}, letters);
    return fmt::format("not expected: {}; {}", fmt::join(extras, " "),
                       letters(nearest) <= 2 ? "did you mean " + nearest->get_name() + "?" : "see --help");
}

std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// Breaks lines of more than 80 columns between words. What goes on is indented.
std::string wrapped(std::string text, std::size_t indent) {
    for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
        end = std::min(text.find('\n', start), text.size());
        const std::size_t after = end - start > 80 ? text.rfind(' ', start + 80) + 1 : 0;
        if (after > start + indent + 1) text.replace(end = after - 1, 1, "\n" + std::string(indent, ' '));
    }
    return text;
}

/// Help in 80 columns. CLI11 breaks lines from version 2.5 on only, and at another width.
struct Narrow : CLI::Formatter {
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        const std::string name = "  " + make_option_name(option, is_positional) + make_option_opts(option);
        const std::string apart = name.size() < 26 ? "" : "\n" + std::string(26, ' ');
        return wrapped(fmt::format("{:<26}{}{}\n", name, apart, one_line(make_option_desc(option))), 26);
    }
    std::string make_usage(const CLI::App* app, std::string name) const override {
        const std::string usage = CLI::Formatter::make_usage(app, name);  // from 2.5 on without its first word
        return "Usage: " + usage.substr(usage.find(name));
    }
    std::string make_description(const CLI::App* app) const override {
        return wrapped(CLI::Formatter::make_description(app), 0);
    }
};

}  // namespace

void add_quantity(CLI::App& app, const std::string& name, std::uint64_t least, std::uint64_t most,
                  const std::string& help, std::function<void(std::uint64_t)> store) {
    const auto read = [=](const std::string& text) { store(parse_quantity(name, text, least, most)); };
    app.add_option_function<std::string>(name, read, help)->type_name("N");
}

bool parse(CLI::App& app, int argc, const char* const* argv, const std::string& version) {
    app.formatter(std::make_shared<Narrow>());
    app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), version));
    try {
        app.parse(argc, argv);
        return true;
    } catch (const CLI::CallForHelp&) {
        write_stdout(app.help());
    } catch (const CLI::CallForVersion& text) {
        write_stdout(std::string(text.what()) + "\n");
    } catch (const CLI::ExtrasError&) {
        throw UsageError(not_expected(app));
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
