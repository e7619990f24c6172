// The files of tests/data.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

/// The part of a file under `key`, which is an array of cases; an empty one would test nothing.
inline nlohmann::json test_cases(const std::string& name, const std::string& key) {
    const std::string path = std::string(TEST_DATA) + "/" + name;
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read " + path);
    }
    nlohmann::json cases = nlohmann::json::parse(file).at(key);
    if (!cases.is_array() || cases.empty()) {
        throw std::runtime_error("no " + key + " in " + path);
    }
    return cases;
}
