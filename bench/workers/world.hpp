// The processes of a run: one, or those that an MPI launcher started. The suite uses MPI only through this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/errors.hpp"

namespace bench {

/// Name and version of the MPI library of this build: "Open MPI v4.1.4". Empty without MPI.
std::optional<std::string> mpi_library();

/// A launcher's announcement in the environment: the number of processes, and the rank of this one.
struct Announcement {
    int size;
    int rank;
};

/// Reads the variables of Open MPI, of PMI (MPICH, Intel MPI), or of a Slurm job step of several tasks. Empty without a
/// launcher.
std::optional<Announcement> announced_world();

/// All functions are collective: every process calls them, in the same order.
class World {
 public:
    /// Starts MPI if, and only if, a launcher announced a world. Throws UsageError if the world cannot be formed
    /// because this program was built without MPI or for another launcher; ranks other than 0 throw Dismissed.
    World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    bool announced() const { return announced_; }
    int rank() const { return rank_; }
    int size() const { return size_; }
    bool first() const { return rank_ == 0; }

    /// Rank among the processes of this host.
    int local_rank() const { return local_rank_; }

    /// The host name of each process.
    const std::vector<std::string>& hosts() const { return hosts_; }

    void barrier();

    /// Sends the values of rank 0 to all.
    template <typename T>
    void broadcast(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        broadcast_bytes(&value, sizeof value);
    }
    template <typename T>
    void broadcast(std::span<T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        broadcast_bytes(values.data(), values.size_bytes());
    }

    /// Returns the values of all ranks, in every process.
    template <typename T>
    std::vector<T> gather(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> values(static_cast<std::size_t>(size_));
        gather_bytes(&value, sizeof value, values.data());
        return values;
    }

    /// Of several values per rank, equally many each.
    template <typename T>
    std::vector<T> gather(std::span<const T> mine) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> values(mine.size() * static_cast<std::size_t>(size_));
        gather_bytes(mine.data(), mine.size_bytes(), values.data());
        return values;
    }

    /// Calls `body` in every process. If it throws anything but Dismissed in a rank other than 0, that rank prints the
    /// error, with `program` in front, and aborts all processes, because the other ranks do not know of it.
    void as_one(const std::string& program, const std::function<void()>& body);

    /// Calls `body` in every process. If it throws anywhere, rank 0 throws the error of the lowest failing rank, with
    /// its name unless it is rank 0, and the others throw Dismissed.
    void together(const std::function<void()>& body);

 private:
    [[noreturn]] void abort(int code);
    void broadcast_bytes(void* data, std::size_t size);
    void gather_bytes(const void* mine, std::size_t size, void* all);

    bool announced_ = false;
    int rank_ = 0;
    int size_ = 1;
    int local_rank_ = 0;
    std::vector<std::string> hosts_;
};

/// The result of some work in one process, in a form that can be sent.
struct Report {
    int code = 0;         // an ExitCode
    char message[508]{};  // truncated
};

/// Calls `body` and reports its result.
Report attempt(const std::function<void()>& body);

/// Throws the first error among the reports of all ranks: "rank 2 (host): ...", for rank 0 without that prefix. A
/// signal throws Interrupted.
void throw_first_error(std::span<const Report> reports, const std::vector<std::string>& hosts);

}  // namespace bench
