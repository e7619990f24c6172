#include "bench/options/app.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/errors.hpp"
#include "bench/options/build_info.hpp"
#include "bench/options/output.hpp"
#include "bench/options/values.hpp"

namespace bench {

void add_quantity(CLI::App& app, const std::string& name, std::uint64_t least, std::uint64_t most,
                  const std::string& help, std::function<void(std::uint64_t)> store) {
    const auto read = [=](const std::string& text) { store(parse_quantity(name, text, least, most)); };
    app.add_option_function<std::string>(name, read, help)->type_name("N");
}

bool parse(CLI::App& app, int argc, const char* const* argv) {
    app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), version_text()));
    try {
        app.parse(argc, argv);
        return true;
    } catch (const CLI::CallForHelp&) {
        write_stdout(app.help());
    } catch (const CLI::CallForVersion& version) {
        write_stdout(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        std::string line = error.what();
        std::replace(line.begin(), line.end(), '\n', ' ');
        throw UsageError(line);
    }
    return false;
}

}  // namespace bench
