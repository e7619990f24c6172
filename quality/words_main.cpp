// suite_words: reads 10^15 random words on the GPU in minutes, and prints whole-number sums that show a bias.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/errors.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/record/record.hpp"
#include "bench/text.hpp"
#include "bench/workers/gpu/device.hpp"
#include "quality/words/battery.hpp"

namespace {

using Json = nlohmann::ordered_json;
using bench::UsageError;
using quality::words::Order;
using quality::words::Test;

constexpr const char* program = "suite_words";
constexpr const char* description =
    "Reads the random words of a generator on the GPU, as many as the steps draw, and prints a JSON document with\n"
    "whole-number sums. Sums of disjoint ranges of launches add up. scripts/quality --words judges them.\n"
    "Example: suite_words --generator alternating_mrg --test recurrence --words 1e13";

// Each sum stays below 2^63, and a parity's count below 2^53.
constexpr std::uint64_t most_words = 1'000'000'000'000'000;

struct Options {
    std::string generator, test, order = "stream", json = "-";
    std::uint64_t words = 1'000'000'000'000, seed = 20261126, launch = 0;
    int device = 0;
    bool list = false;
};

void add_options(CLI::App& app, Options& o) {
    app.add_option("--generator", o.generator, "whose words; see --list")->type_name("NAME");
    app.add_option("--test", o.test, "what is summed; see --list")->type_name("NAME");
    app.add_option(
           "--order", o.order,
           "stream: a thread reads one stream (default); threads, launches, seeds: it reads the first 16 words\n"
           "of each of successive threads, launches or seeds as one sequence")
        ->type_name("stream|threads|launches|seeds");
    const auto quantity = [&](auto&&... arguments) { bench::add_quantity(app, arguments...); };
    quantity("--words", 1, most_words, "read at least N words, in whole launches (default 1e12)",
             [&](auto n) { o.words = n; });
    quantity("--seed", 0, UINT64_MAX, "seed of the words (default 20261126)", [&](auto n) { o.seed = n; });
    quantity("--launch", 0, UINT32_MAX, "number of the first launch (default 0)", [&](auto n) { o.launch = n; });
    quantity("--device", 0, INT_MAX, "CUDA device (default 0)", [&](auto n) { o.device = static_cast<int>(n); });
    app.add_option("--json", o.json, "write the result to FILE (default '-', stdout)")->type_name("FILE|-");
    app.add_flag("--list", o.list, "list the generators with their tests")->disable_flag_override();
}

/// Parses the command line. Returns nothing after printing --help or --version.
std::optional<Options> parse(int argc, const char* const* argv) {
    Options o;
    CLI::App app(description, program);
    add_options(app, o);
    if (!bench::parse(app, argc, argv)) {
        return std::nullopt;
    }
    return o;
}

constexpr const char* order_names[] = {"stream", "threads", "launches", "seeds"};

Order order_named(const std::string& name) {
    const auto found = std::find(std::begin(order_names), std::end(order_names), name);
    if (found == std::end(order_names)) {
        throw UsageError(fmt::format("--order {}: use stream, threads, launches or seeds", bench::quoted(name)));
    }
    return static_cast<Order>(found - std::begin(order_names));
}

bool suits(const Test& test, Order order) { return test.of_first_words == (order != Order::stream); }

const Test& test_named(const Options& o, Order order) {
    const auto& all = quality::words::tests();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Test& test) {
        return test.generator == o.generator && test.name == o.test && suits(test, order);
    });
    if (found == all.end()) {
        throw UsageError(fmt::format("no test {} of the generator {} in the order {}; see --list",
                                     bench::quoted(o.test), bench::quoted(o.generator), o.order));
    }
    return *found;
}

class Progress {
 public:
    explicit Progress(std::uint64_t launches) : launches_(launches) {}
    ~Progress() { show(""); }

    void after(std::uint64_t done) const {
        const double gone = seconds();
        show(fmt::format("launch {} of {}, {:.0f} s left", done, launches_,
                         gone * static_cast<double>(launches_ - done) / static_cast<double>(done)));
    }
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
    static void show(const std::string& text) {
        if (isatty(STDERR_FILENO)) {
            std::fputs(fmt::format("\r\033[K{}", text).c_str(), stderr);
            std::fflush(stderr);
        }
    }

    std::uint64_t launches_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Json groups_json(const quality::words::Findings& found) {
    Json groups = Json::array();
    for (const auto& group : found.groups) {
        groups.push_back({{"name", group.name},
                          {"what", group.what},
                          {"first", group.first},
                          {"terms", group.terms},
                          {"variance", group.variance},
                          {"unit", group.unit},
                          {"sums", group.sums}});
    }
    return groups;
}

Json largest_json(const quality::words::Findings& found) {
    Json all = Json::array();
    for (const auto& largest : found.largest) {
        all.push_back({{"name", largest.name},
                       {"terms", largest.terms},
                       {"tested", largest.tested},
                       {"chi2", largest.chi2},
                       {"sums", largest.sums},
                       {"of_draws", largest.of_draws}});
    }
    return all;
}

/// Names what is summed: rows with the same one, and the same size of a launch, are of the same words and sums. A hash (FNV-1a) of
/// what two threads sum on the host.
std::string fingerprint(Test test, Order order) {
    test.size = {{1, 2}, 1};
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const bench::Count sum : quality::words::sums_on_host(test, {1, order, 1, 1})) {
        hash = (hash ^ sum) * 0x100000001b3u;
    }
    return fmt::format("{:016x}", hash);
}

std::string list_text() {
    constexpr const char* line = "{:<18}{:<18}{:<10}{:>16}  {}\n";
    std::string text = fmt::format(line, "generator", "test", "order", "words a launch", "fingerprint");
    for (const Test& test : quality::words::tests()) {
        for (const char* name : order_names) {
            const Order order = order_named(name);
            if (suits(test, order)) {
                text += fmt::format(line, test.generator, test.name, name, test.words_of_launch(),
                                    fingerprint(test, order));
            }
        }
    }
    return text;
}

Json size_json(const quality::words::Size& size) {
    return {{"blocks", size.shape.blocks}, {"threads", size.shape.threads}, {"trips", size.trips}};
}

Json document(const Options& o, const Test& test, Order order) {
    const std::uint64_t launches = (o.words + test.words_of_launch() - 1) / test.words_of_launch();
    const Progress progress(launches);
    const auto sums = quality::words::sums_on_gpu(test, {o.seed, order, o.launch, launches},
                                                  [&](auto done) { progress.after(done); });
    const double seconds = progress.seconds();
    const std::uint64_t words = launches * test.words_of_launch();
    const auto found = test.findings(sums, words);
    Json row = {{"generator", o.generator},
                {"test", o.test},
                {"order", o.order},
                {"seed", o.seed},
                {"size", size_json(test.size)},
                {"fingerprint", fingerprint(test, order)},
                {"launches", Json::array({Json::array({o.launch, o.launch + launches})})},
                {"words", words},
                {"seconds", seconds},
                {"groups", groups_json(found)},
                {"largest", largest_json(found)}};
    return {{"schema", 1},
            {"suite", "words"},
            {"context", bench::to_json(bench::gpu_context(o.device))},
            {"rows", Json::array({std::move(row)})}};
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        const auto options = parse(argc, argv);
        if (!options) {
            return;
        }
        if (options->list) {
            bench::write_stdout(list_text());
            return;
        }
        const Order order = order_named(options->order);
        const Test& test = test_named(*options, order);
        bench::check_target(options->json);
        bench::select_device(options->device);
        bench::write_target(options->json, document(*options, test, order).dump(1) + "\n");
    });
}
