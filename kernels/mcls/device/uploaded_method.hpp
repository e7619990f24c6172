// The equipment that uploads make: a method with the memory of its tables.
#pragma once

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

#include "kernels/mcls/device/uploads.hpp"

namespace mcls {

template <class Method, class... Tables>
class MethodOnDevice : public Uploaded<Method> {
 public:
    MethodOnDevice(const Method& method, std::size_t cells, Tables... tables)
        : Uploaded<Method>(method, cells), tables_(std::move(tables)...) {}

 private:
    std::tuple<Tables...> tables_;
};

/// `tables` hold the memory that the method points to.
template <class Method, class... Tables>
std::unique_ptr<bench::Equipment> kept_with_cells(const Method& method, std::size_t cells, Tables... tables) {
    return std::make_unique<MethodOnDevice<Method, Tables...>>(method, cells, std::move(tables)...);
}

template <class Method, class... Tables>
std::unique_ptr<bench::Equipment> kept(const Method& method, Tables... tables) {
    return kept_with_cells(method, 0, std::move(tables)...);
}

}  // namespace mcls
