// What happens to people who wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace mcls {

/// Calls `tell` once, from another thread, if this object lives for more than so many seconds.
class Notice {
 public:
    Notice(double seconds, std::function<void()> tell)
        : thread_([seconds = seconds < 1e9 ? seconds : 1e9, tell = std::move(tell)](const std::stop_token& over) {
              std::mutex mutex;
              std::unique_lock lock(mutex);
              std::condition_variable_any never;
              never.wait_for(lock, over, std::chrono::duration<double>(seconds), [] { return false; });
              if (!over.stop_requested()) tell();
          }) {}

 private:
    std::jthread thread_;
};

}  // namespace mcls
