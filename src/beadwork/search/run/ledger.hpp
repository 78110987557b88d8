#pragma once
// Which units of a search are done. A unit is what lies below one prefix of search positions: one position, two or
// three. Deeper levels are there only where a prefix is opened, or where a range of a state ends inside it.

#include <beadwork/search/state.hpp>

#include <map>
#include <span>

namespace beadwork::detail {

class Ledger {
 public:
  using Prefix = std::span<const std::uint32_t>;

  Ledger() = default;
  // `bounds`: of the sets below each first position. `levels`: of positions that a unit's prefix may have.
  Ledger(std::vector<std::int64_t> bounds, std::size_t levels);

  // Every unit that lies in one of these ranges is done. Ends with more positions than there are levels are rounded, so
  // that no more counts as done than is. Takes time for the positions and the ranges, not for their product.
  void resume(const std::vector<SearchRange>& ranges);

  bool done(Prefix prefix) const;
  bool done(std::uint32_t t) const { return top_.done[t] != 0; }
  // Is a part of what lies below this unit done?
  bool divided(Prefix prefix) const;
  std::int64_t bound(Prefix prefix) const;
  void finish(Prefix prefix);
  void finish_from(std::uint32_t t);

  // From here on the positions after this prefix count. `bounds`: of the sets below each; INT64_MAX where there are
  // none. False, and the prefix is done, if all of them were done before.
  bool open(Prefix prefix, std::vector<std::int64_t> bounds);

  std::vector<SearchRange> ranges() const;
  // No set outside the done ranges has a smaller error; INT64_MAX if all is done.
  std::int64_t lower_bound() const { return lower_bound(top_); }
  // Of all sets of so many features, how many lie in what is done, or below a first position whose bound is not below
  // the limit: 0 to 1.
  double share(std::size_t choose, std::int64_t limit = INT64_MAX) const;

 private:
  struct Level {
    std::vector<char> done;            // by position
    std::vector<std::int64_t> bounds;  // empty: not opened yet
    std::uint32_t undone = 0;
    std::map<std::uint32_t, Level> below = {};
  };
  using Path = std::vector<std::uint32_t>;

  Level make_level(std::uint32_t first) const;
  const Level* find(Prefix prefix) const;  // what lies below the prefix; null if it is not divided
  static void finish(Level& level, std::uint32_t t);
  void mark(Level& level, std::size_t depth, std::uint32_t first, Prefix from, Prefix to, bool to_end) const;
  void mark_below(Level& level, std::size_t depth, std::uint32_t t, Prefix from, Prefix to, bool to_end) const;
  void add_ranges(const Level& level, Path& path, std::vector<SearchRange>& out) const;
  static std::int64_t lower_bound(const Level& level);
  double share(const Level& level, std::uint32_t first, std::size_t choose, double all, std::int64_t limit) const;

  std::uint32_t size_ = 0;
  std::size_t levels_ = 1;
  Level top_;
};

}  // namespace beadwork::detail
