#include "quality/launch_words.hpp"

#include "quality/lanes.hpp"

namespace quality {

ThreadWords::ThreadWords(const bench::Source& source, const bench::StreamId& id, const WordOrder& order)
    : words_(source.words(id)), lanes_(order.lanes), pairs_(order.pairs) {}

void ThreadWords::turn(std::uint32_t* out) {
    if (lanes_) {
        turn_of_lanes(out);
        return;
    }
    for (std::size_t i = 0; i < words_per_turn(); i++) {
        out[i] = words_->next();
    }
}

void ThreadWords::turn_of_lanes(std::uint32_t* out) {
    const std::size_t unit = pairs_ ? 2 : 1;
    for (std::size_t i = 0; i < unit; i++) {
        BitMatrix planes;
        for (auto& plane : planes) {
            plane = words_->next();
        }
        const BitMatrix lanes = lanes_of(planes);
        for (std::size_t lane = 0; lane < lanes.size(); lane++) {
            out[lane * unit + i] = lanes[lane];
        }
    }
}

LaunchWords::LaunchWords(const bench::Source& source, const WordOrder& order) : source_(source), order_(order) {
    if (order.words_per_thread > 0) {
        return;
    }
    if (!order.lanes && !order.pairs) {
        const bench::StreamId id = {order.seed, order.launch, order.threads, 0};
        launch_ = source.words(id)->of_launch(id);
    }
    if (!launch_) {
        threads_.reserve(order.threads);
        for (std::uint64_t thread = 0; thread < order.threads; thread++) {
            threads_.push_back(open(order.launch, thread));
        }
    }
}

ThreadWords LaunchWords::open(std::uint64_t launch, std::uint64_t thread) const {
    return {source_, {order_.seed, launch, order_.threads, thread}, order_};
}

ThreadWords& LaunchWords::next_in_turn() {
    ThreadWords& next = threads_[thread_];
    thread_ = (thread_ + 1) % order_.threads;
    return next;
}

ThreadWords& LaunchWords::next_by_thread() {
    if (left_ == 0) {
        threads_.clear();
        threads_.push_back(open(order_.launch + thread_ / order_.threads, thread_ % order_.threads));
        thread_++;
        left_ = order_.words_per_thread;
    }
    left_ -= order_.pairs ? 2 : 1;
    return threads_.front();
}

void LaunchWords::turn(std::vector<std::uint32_t>& out) {
    const std::size_t size = out.size();
    if (launch_) {
        out.resize(size + order_.threads);
        launch_->next(&out[size]);
        return;
    }
    ThreadWords& thread = order_.words_per_thread == 0 ? next_in_turn() : next_by_thread();
    out.resize(size + thread.words_per_turn());
    thread.turn(&out[size]);
}

}  // namespace quality
