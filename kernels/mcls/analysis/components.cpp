#include "kernels/mcls/analysis/components.hpp"

#include <algorithm>

namespace mcls {
namespace {

constexpr std::uint32_t unseen = UINT32_MAX;

class Search {
 public:
    explicit Search(const Sparse& matrix) : matrix_(matrix), number_(matrix.n, unseen), low_(matrix.n) {
        found_.first.push_back(0);
        found_.component.assign(matrix.n, unseen);
        found_.place.resize(matrix.n);
    }

    Components run() {
        for (std::uint32_t root = 0; root < matrix_.n; ++root) {
            if (number_[root] == unseen) {
                from(root);
            }
        }
        return std::move(found_);
    }

 private:
    struct Visit {
        std::uint32_t state;
        std::uint64_t entry;  // the next to follow
    };

    // Depth first, without recursion: paths have up to n states.
    void from(std::uint32_t root) {
        enter(root);
        while (!path_.empty()) {
            Visit& visit = path_.back();
            const std::uint32_t state = visit.state;
            if (visit.entry < matrix_.first[state + 1]) {
                const std::uint32_t next = matrix_.column[visit.entry++];
                if (number_[next] == unseen) {
                    enter(next);
                } else if (found_.component[next] == unseen) {
                    low_[state] = std::min(low_[state], number_[next]);
                }
            } else {
                path_.pop_back();
                if (!path_.empty()) {
                    low_[path_.back().state] = std::min(low_[path_.back().state], low_[state]);
                }
                if (low_[state] == number_[state]) {
                    close(state);
                }
            }
        }
    }

    void enter(std::uint32_t state) {
        number_[state] = low_[state] = count_++;
        open_.push_back(state);
        path_.push_back({state, matrix_.first[state]});
    }

    // All open states from this one on are a component.
    void close(std::uint32_t state) {
        const auto begin = std::find(open_.rbegin(), open_.rend(), state).base() - 1;
        std::sort(begin, open_.end());
        for (auto member = begin; member != open_.end(); ++member) {
            found_.component[*member] = found_.size();
            found_.place[*member] = static_cast<std::uint32_t>(member - begin);
        }
        found_.state.insert(found_.state.end(), begin, open_.end());
        open_.erase(begin, open_.end());
        found_.first.push_back(static_cast<std::uint32_t>(found_.state.size()));
    }

    const Sparse& matrix_;
    std::vector<std::uint32_t> number_, low_, open_;
    std::vector<Visit> path_;
    std::uint32_t count_ = 0;
    Components found_;
};

}  // namespace

Components components(const Sparse& matrix) { return Search(matrix).run(); }

}  // namespace mcls
