// The world of a program that was built without MPI: this process.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "bench/workers/world.hpp"

namespace bench {

std::optional<std::string> mpi_library() { return std::nullopt; }

World::World() : hosts_{host_name()} {
    const auto announced = announced_world();
    if (!announced || announced->size == 1) {
        return;
    }
    if (announced->rank != 0) {
        throw Dismissed{exit_usage};
    }
    throw UsageError(
        fmt::format("one of {} processes, but built without MPI: each would run alone; install MPI (libopenmpi-dev) "
                    "and build again",
                    announced->size));
}

World::~World() = default;

void World::abort(int code) { std::exit(code); }
void World::barrier() {}
void World::broadcast_bytes(void*, std::size_t) {}
void World::gather_bytes(const void* mine, std::size_t size, void* all) { std::memcpy(all, mine, size); }

}  // namespace bench
