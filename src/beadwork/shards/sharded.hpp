#pragma once
// The passes over the shards.
#include <beadwork/shards.hpp>
#include <beadwork/shards/expansion.hpp>
#include <beadwork/shards/tally.hpp>

namespace beadwork::detail {

constexpr std::size_t kBytesOfSet = 300;  // in a list, besides its counts

Error interrupted_early();

class ShardedSearch {
 public:
  ShardedSearch(const Shards& shards, const SearchOptions& options, const ShardOptions& limits, const Control& control);
  Result<ShardOutcome> run();

 private:
  struct Part {
    std::size_t rows = 0;  // as given
    bool empty = true;
    std::uint64_t fingerprint = 0;
    std::size_t families = 0;  // of features, not counting constants
    std::int64_t least = 0;    // what every set costs it
    std::int64_t covered = 0;  // all sets that cost it less than least + this were listed
  };
  // The rows of a part, and what is made of them where there is room for it.
  struct Opened {
    Dataset rows;
    SearchProblem problem;
    LocalFamilies families;
  };

  Status find_optima();
  Status count_best_sets();
  Status list_sets();
  Status count_what_is_left();

  Result<Dataset> open(std::size_t part);
  Status check(std::size_t part, const Dataset& rows);
  Status add_costs(const Dataset& rows);
  Result<Opened> open_condensed(std::size_t part);
  Status search_part(std::size_t part, const Opened& opened);
  void count_on(std::size_t part, const Opened& opened, const Control& control);
  Status list_part(std::size_t part, const Opened& opened, std::int64_t quota);
  Status count_where_wanted();
  Status recount(std::map<FeatureSet, CellCounts>& sets);
  Status count_few();
  std::size_t room() const;
  std::size_t room_for_sets() const;
  std::size_t room_for_subsets() const;
  std::vector<std::size_t> by_families() const;
  Control part_control(double seconds) const;
  Control reading_on() const;  // what goes on after the deadline
  std::int64_t sum_of_least() const;
  std::int64_t sum_of_covered() const;
  std::size_t num_nonempty() const;
  void conclude(ShardOutcome& out) const;
  bool spent() const { return out_of_memory_ || control_.stopping(); }

  const Shards& shards_;
  SearchOptions options_;
  ShardOptions limits_;
  const Control& control_;
  FeatureSet required_, forbidden_;
  std::vector<Part> parts_;
  std::size_t features_ = 0, classes_ = 0;
  std::size_t choosable_ = 0;                // features that a set may have, apart from its depth
  std::vector<std::int64_t> class_weights_;  // of the parts so far
  bool first_ = true;                        // no part was opened yet
  WholeFamilies whole_;
  bool families_known_ = true;  // of all parts
  FeatureSet free_;
  Tallies tallies_;
  std::optional<Winner> winner_;
  std::optional<std::int64_t> best_;
  RowsHash rows_hash_;
  bool all_counted_ = false;  // every set that is left, on all rows
  bool out_of_memory_ = false;
  bool too_many_ = false;
  ShardStats stats_;
};

}  // namespace beadwork::detail
