#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "bench/record/json.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;
using Fields = std::vector<std::pair<std::string, Json>>;

std::string quoted(const Json& value) {
    if (value.is_null()) return "";
    if (!value.is_string()) return value.dump();
    std::string text = value.get<std::string>();
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2)) text.insert(at, 1, '"');
    return '"' + text + '"';
}

/// Adds the single values of an object, in their order.
void add(Fields& fields, const Json& object, const std::string& path) {
    for (const auto& [name, value] : object.items()) {
        if (value.is_object()) {
            add(fields, value, path + name + ".");
        } else if (value.is_primitive()) {
            fields.emplace_back(path + name, value);
        }
    }
}

}  // namespace

std::string to_csv(const Json& document) {
    const Json& context = document.at("context");
    const Json& device = context.at("device");
    Fields fields = {{"suite", document.at("suite")},
                     {"unit", document.at("unit")},
                     {"commit", context.at("commit")},
                     {"date", context.at("date")},
                     {"device", device.is_null() ? device : device.at("name")}};
    add(fields, document.at("runs").at(0), "");
    std::string names, values;
    for (const auto& [name, value] : fields) {
        const char* separator = names.empty() ? "" : ",";
        names += separator + name;
        values += separator + quoted(value);
    }
    return names + "\n" + values + "\n";
}

}  // namespace bench
