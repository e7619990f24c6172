#include "bench/options/own_options.hpp"

#include <stdexcept>

namespace bench {

std::string OwnOptions::settle(const OwnValues&, Step&) const {
    throw std::logic_error("own options that no step on a GPU has");
}

std::string OwnOptions::settle(const OwnValues&, CpuStep&) const {
    throw std::logic_error("own options that no step on the CPU has");
}

}  // namespace bench
