// The world of a program that was built with MPI. MPI functions end all processes if they fail (MPI_ERRORS_ARE_FATAL,
// the default), so none returns an error.
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <regex>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "bench/workers/world.hpp"

namespace bench {

std::optional<std::string> mpi_library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text = {};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);  // allowed before MPI_Init
    const std::string library = text.data();
    static const std::regex label("\\s*Version:\\s*");  // "MPICH Version:      4.0.2"
    return std::regex_replace(library.substr(0, library.find_first_of(",\n")), label, " ");
}

World::World() : hosts_{host_name()} {
    const auto announcement = announced_world();
    if (!announcement) {
        return;
    }
    announced_ = true;
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (size_ != announcement->size) {
        MPI_Finalize();
        if (announcement->rank != 0) {
            throw Dismissed{exit_usage};
        }
        throw UsageError(fmt::format(
            "one of {} processes, but {} forms a world of {}: each would run alone; start it with the launcher of "
            "that MPI",
            announcement->size, *mpi_library(), size_));
    }
    MPI_Comm local = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &local_rank_);
    MPI_Comm_free(&local);

    std::array<char, 256> name = {};
    host_name().copy(name.data(), name.size() - 1);
    hosts_.clear();
    for (const auto& host : gather(name)) {
        hosts_.emplace_back(host.data());
    }
}

World::~World() {
    if (announced_) MPI_Finalize();
}

void World::abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
}

void World::barrier() {
    if (size_ > 1) MPI_Barrier(MPI_COMM_WORLD);
}

void World::broadcast_bytes(void* data, std::size_t size) {
    if (size_ > 1) MPI_Bcast(data, static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void World::gather_bytes(const void* mine, std::size_t size, void* all) {
    if (!announced_) {
        std::memcpy(all, mine, size);
        return;
    }
    const int bytes = static_cast<int>(size);
    MPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

}  // namespace bench
