#pragma once
// Which units of a search are done. A unit is what lies below one prefix of search positions: one position, or two.

#include <beadwork/search/state.hpp>

#include <map>

namespace beadwork::detail {

class Ledger {
 public:
  Ledger() = default;
  // `bounds`: of the sets below each first position.
  Ledger(std::vector<std::int64_t> bounds, bool two_levels)
      : size_(static_cast<std::uint32_t>(bounds.size())),
        two_levels_(two_levels),
        done_(bounds.size(), 0),
        bounds_(std::move(bounds)) {}

  // Every unit whose prefix lies in one of these ranges is done.
  void resume(const std::vector<SearchRange>& ranges);

  bool done(std::uint32_t t) const { return done_[t] != 0; }
  std::int64_t bound(std::uint32_t t) const { return bounds_[t]; }
  void finish(std::uint32_t t) { done_[t] = 1; }
  void finish_from(std::uint32_t t) { std::fill(done_.begin() + t, done_.end(), char{1}); }

  // From here on the second positions of t count. `bounds`: of the sets below each; INT64_MAX where there are none.
  // False, and t is done, if all of them were done before.
  bool open(std::uint32_t t, std::vector<std::int64_t> bounds);
  bool done(std::uint32_t t, std::uint32_t u) const {
    const auto level = open_.find(t);
    return level == open_.end() || level->second.done[u] != 0;
  }
  void finish(std::uint32_t t, std::uint32_t u);

  std::vector<SearchRange> ranges() const;
  // No set outside the done ranges has a smaller error; INT64_MAX if all is done.
  std::int64_t lower_bound() const;
  // Of all sets of so many features, how many lie in what is done, or below a first position whose bound is not below
  // the limit: 0 to 1.
  double share(std::size_t choose, std::int64_t limit = INT64_MAX) const;

 private:
  struct Level {
    std::vector<char> done;
    std::vector<std::int64_t> bounds;
    std::uint32_t undone = 0;
  };
  std::uint32_t size_ = 0;
  bool two_levels_ = false;
  std::vector<char> done_;
  std::vector<std::int64_t> bounds_;
  std::map<std::uint32_t, Level> open_;                 // first positions under way
  std::map<std::uint32_t, std::vector<char>> resumed_;  // second positions done before
};

}  // namespace beadwork::detail
