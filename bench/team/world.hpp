// The processes of a run: one, or as many as an MPI launcher started. What stands here of MPI is all that the suite uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/cli/errors.hpp"

namespace bench {

/// The MPI library that this program was built with, in a line: "Open MPI v4.1.4". Nothing without one.
std::optional<std::string> mpi_library();

/// What a launcher says of the world in the environment: how many processes it started, and which of them this is.
struct Announcement {
    int size;
    int rank;
};

/// By the variables of Open MPI, of PMI (MPICH, Intel MPI) and of a Slurm job step of several tasks; nothing of a plain
/// start.
std::optional<Announcement> announced_world();

/// All functions are collective: every process calls them, in the same order.
class World {
 public:
    /// Starts MPI where a launcher announced a world, and only there. Throws UsageError where it cannot be formed: this
    /// program was built without MPI, or for another launcher than the one that started it (Dismissed in other ranks than 0).
    World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    bool announced() const { return announced_; }
    int rank() const { return rank_; }
    int size() const { return size_; }
    bool first() const { return rank_ == 0; }

    /// Number among the processes on this host.
    int local_rank() const { return local_rank_; }

    /// The host of each process.
    const std::vector<std::string>& hosts() const { return hosts_; }

    void barrier();

    /// The values of rank 0, everywhere.
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

    /// The values of each rank, everywhere.
    template <typename T>
    std::vector<T> gather(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> values(static_cast<std::size_t>(size_));
        gather_bytes(&value, sizeof value, values.data());
        return values;
    }

    /// The same of equally many values of each rank, one rank after the other.
    template <typename T>
    std::vector<T> gather(std::span<const T> mine) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> values(mine.size() * static_cast<std::size_t>(size_));
        gather_bytes(mine.data(), mine.size_bytes(), values.data());
        return values;
    }

    /// Calls `body` in every process. Where it throws anything but Dismissed in another than rank 0, which nobody else knows
    /// of, that process says so, behind `program`, and ends all.
    void as_one(const std::string& program, const std::function<void()>& body);

    /// Calls `body` in every process. Where it throws anywhere, rank 0 throws the error of the lowest rank, named where that is
    /// not rank 0, and the others Dismissed.
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

/// What became of a piece of work in one process, in a form that can be sent.
struct Report {
    int code = 0;         // an ExitCode
    char message[508]{};  // cut where it is longer
};

/// The report of `body`.
Report attempt(const std::function<void()>& body);

/// Throws the first error of the reports of all ranks (Interrupted where that is it): "rank 2 (host): ..." unless rank 0 is meant.
void throw_first_error(std::span<const Report> reports, const std::vector<std::string>& hosts);

}  // namespace bench
