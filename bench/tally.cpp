#include "bench/tally.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "bench/errors.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

constexpr unsigned last_mark = 151;  // 10^(151/8) < 2^63 < 10^(152/8)

/// Least work that reaches 10^(k/8). In whole numbers: near 10^18 a double is a hundred off.
std::uint64_t work_of_mark(unsigned k) { return static_cast<std::uint64_t>(std::ceil(std::pow(10.0, k / 8.0))); }

Row first_of(const Row& row, std::size_t columns) {
    return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(columns)};
}

template <typename Choose>
void combine(Row& row, const Row& other, Choose choose) {
    for (std::size_t i = 0; i < other.size(); i++) row[i] = choose(row[i], other[i]);
}

}  // namespace

void Tally::add(std::span<const Count> published) {
    const Sums launch = {1, estimand_->row_of(published, spec_)};
    if (launch.row.size() != estimand_->width()) {
        throw std::logic_error("Tally: a row of another width");
    }
    const std::uint64_t print = fingerprint_of(published);
    state_.fingerprints.add(print);
    if (followed_parts() > 0) state_.parts.add(published, parts_.number, print);
    const Row traced = first_of(launch.row, estimand_->traced());
    add(launch, traced, traced);
}

std::size_t Tally::followed_parts() const {
    return parts_.chance_of_same < 1 ? std::min<std::size_t>(parts_.number, PartPrints::most) : 0;
}

void Tally::add(const Tally& part) {
    if (part.estimand_ != estimand_ || part.spec_ != spec_) {
        throw std::invalid_argument("Tally: launches of another run");
    }
    state_.fingerprints.merge(part.state_.fingerprints.kept());
    state_.parts.merge(part.state_.parts.sums());
    add(part.state_.sums, part.state_.least, part.state_.most);
}

void Tally::add(const Sums& sums, const Row& least, const Row& most) {
    if (state_.sums.launches == 0) {
        state_.least = least;
        state_.most = most;
    }
    state_.sums.launches += sums.launches;
    combine(state_.sums.row, sums.row, [](Uint128 a, Uint128 b) { return a + b; });
    combine(state_.least, least, [](Uint128 a, Uint128 b) { return std::min(a, b); });
    combine(state_.most, most, [](Uint128 a, Uint128 b) { return std::max(a, b); });
    if (work_done() > max_work) {
        throw VerdictError("the launches did more work than 2^63 units");
    }
    mark();
}

void Tally::restore(State state) {
    state_ = std::move(state);
    restored_ = {state_.sums.launches, state_.parts};
    state_.sums.row.resize(estimand_->width());
    next_mark_ = 0;
    pass_marks();
}

Sums Tally::traced() const { return {launches(), first_of(state_.sums.row, estimand_->traced())}; }

void Tally::mark() {
    if (next_mark_ <= last_mark && work_done() >= work_of_mark(next_mark_)) {
        state_.marked.push_back(traced());
    }
    pass_marks();
}

void Tally::pass_marks() {
    while (next_mark_ <= last_mark && work_done() >= work_of_mark(next_mark_)) {
        next_mark_++;
    }
}

std::vector<Sums> Tally::trace() const {
    std::vector<Sums> trace = state_.marked;
    if (launches() != (trace.empty() ? 0 : trace.back().launches)) {
        trace.push_back(traced());
    }
    return trace;
}

namespace {

using Words = std::vector<std::uint64_t>;

void append(Words& words, const Words& list) {
    words.push_back(list.size());
    words.insert(words.end(), list.begin(), list.end());
}

void append(Words& words, const Row& row) {
    words.push_back(row.size());
    for (const Uint128 sum : row) {
        words.push_back(static_cast<std::uint64_t>(sum));
        words.push_back(static_cast<std::uint64_t>(sum >> 64));
    }
}

void append(Words& words, const Sums& sums) {
    words.push_back(sums.launches);
    append(words, sums.row);
}

/// Takes from words, one after the other, what was appended to them.
class Reader {
 public:
    explicit Reader(std::span<const std::uint64_t> words) : left_(words) {}

    bool at_end() const { return left_.empty(); }
    std::uint64_t word() { return take(1).front(); }
    std::span<const std::uint64_t> list() { return take(word()); }
    Sums sums() { return {word(), row()}; }
    Row row() {
        const auto halves = take(2 * word());
        Row row;
        for (std::size_t i = 0; i < halves.size(); i += 2) {
            row.push_back(Uint128{halves[i + 1]} << 64 | halves[i]);
            demand(row.back() >> 127 == 0, otherwise);  // so that differences of sums fit into 128 bits
        }
        return row;
    }

 private:
    std::span<const std::uint64_t> take(std::uint64_t number) {
        demand(number <= left_.size(), otherwise);
        const auto taken = left_.first(number);
        left_ = left_.subspan(number);
        return taken;
    }

    static constexpr const char* otherwise = "not the words of a tally";
    std::span<const std::uint64_t> left_;
};

}  // namespace

std::vector<std::uint64_t> words_of(const Tally::State& state) {
    Words words;
    append(words, state.sums);
    append(words, state.least);
    append(words, state.most);
    append(words, state.fingerprints.kept());
    append(words, state.parts.sums());
    for (const Sums& mark : state.marked) append(words, mark);
    return words;
}

Tally::State state_of(std::span<const std::uint64_t> words) {
    Reader reader(words);
    Tally::State state;
    state.sums = reader.sums();
    state.least = reader.row();
    state.most = reader.row();
    state.fingerprints.merge(reader.list());
    state.parts.merge(reader.list());
    while (!reader.at_end()) state.marked.push_back(reader.sums());
    return state;
}

}  // namespace bench
