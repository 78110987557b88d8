#include <beadwork/dataset.hpp>
#include <beadwork/dataset/match.hpp>
#include <beadwork/dataset/meaning.hpp>

#include <map>

// A table's columns as the features of a binarizer.

namespace beadwork {
namespace {

Error out_of_time() {
  return {ErrorCode::limit, "stopped while turning its columns into features", {}};
}

Error too_large() {
  return {ErrorCode::limit, "its columns have too many features for the memory limit", {}};
}

template <class Passes>
BitColumn fill(std::size_t rows, Passes&& passes) {
  BitColumn column(words_for(rows));
  for (std::size_t r = 0; r < rows; ++r)
    if (passes(r)) set_bit(column, r);
  return column;
}

BitColumn evaluate(const Test& test, const Column& column) {
  const std::size_t rows = column.num_rows();
  switch (test.kind) {
    case TestKind::missing:
      return fill(rows, [&](std::size_t r) { return column.missing(r); });
    case TestKind::at_most:
      return fill(rows, [&](std::size_t r) { return column.numbers[r] <= test.threshold; });  // NaN fails
    case TestKind::equals:
      break;
  }
  return BitColumn(words_for(rows));  // filled with those of the other categories: Categories
}

// The features of the categories of one column, in one walk over its rows.
class Categories {
 public:
  explicit Categories(const Column& column)
      : column_(column), places_(column.levels), first_(column.levels.size(), kNone) {}
  void add(std::size_t feature, const std::string& level) {
    const auto code = places_.find(level);
    if (!code) return;
    features_.emplace_back(feature, first_[*code]);
    first_[*code] = features_.size() - 1;
  }
  void fill(std::vector<BitColumn>& columns) const {
    for (std::size_t r = 0; r < column_.num_rows() && !features_.empty(); ++r)
      if (!column_.missing(r))
        for (std::size_t i = first_[column_.codes[r]]; i != kNone; i = features_[i].second)
          set_bit(columns[features_[i].first], r);
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  const Column& column_;
  Places places_;
  std::vector<std::size_t> first_;                             // by code: a place in features_
  std::vector<std::pair<std::size_t, std::size_t>> features_;  // each with the place of the next of that code
};

// `column` as it came; numbers are never unseen.
std::size_t count_unseen(const InputColumn& input, const Column& column) {
  if (column.type == ColumnType::numeric) return 0;
  const Meanings meanings(input);
  std::vector<bool> unseen;
  for (const std::string& level : column.levels)
    unseen.push_back(!meanings.missing(level) && !meanings.level_of(level));
  std::size_t count = 0;
  for (std::size_t r = 0; r < column.num_rows(); ++r) count += !column.missing(r) && unseen[column.codes[r]] ? 1U : 0U;
  return count;
}

}  // namespace

Result<std::vector<BitColumn>> Binarizer::bits(const Table& table, UnseenCounts* unseen, const Control& control) const {
  require(!ranks_, "Binarizer::bits: the tests of a list");
  TRY(const auto matched, match_columns(parts_.inputs, table));
  const std::vector<const Column*>& columns = matched.columns;
  if (unseen != nullptr)
    for (std::size_t i = 0; i < parts_.inputs.size(); ++i)
      if (const InputColumn& input = parts_.inputs[i]; input.text())
        if (const auto count =
                count_unseen(input, input.ordinal() ? table.column(*table.find(input.name)) : *columns[i]);
            count != 0)
          unseen->emplace_back(parts_.inputs[i].name, count);
  std::vector<BitColumn> out;
  out.reserve(parts_.tests.size());
  std::map<std::size_t, Categories> categories;
  constexpr std::size_t kFree = std::size_t{1} << 24;   // bits: no limit is too short for these
  constexpr std::size_t kBlock = std::size_t{1} << 22;  // between two looks at the memory
  std::size_t done = 0, asked = 0;
  for (std::size_t t = 0; t < parts_.tests.size(); ++t) {
    const Test& test = parts_.tests[t];
    done += table.num_rows();
    if (control.interrupted() || (done > kFree && control.deadline.passed())) return out_of_time();
    if (done > kFree && done - asked > kBlock) {
      if (control.no_room_for((parts_.tests.size() - t) * (words_for(table.num_rows()) * 8 + 32))) return too_large();
      asked = done;
    }
    out.push_back(evaluate(test, *columns[test.column]));
    if (test.kind == TestKind::equals)
      categories.try_emplace(test.column, *columns[test.column]).first->second.add(t, test.level);
  }
  for (const auto& [column, tests] : categories) {
    if (control.interrupted() || (done > kFree && control.deadline.passed())) return out_of_time();
    tests.fill(out);
  }
  return out;
}

}  // namespace beadwork
