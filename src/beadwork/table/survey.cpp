#include <beadwork/table/arrow.hpp>
#include <beadwork/table/build.hpp>
#include <beadwork/table/number.hpp>
#include <beadwork/table/quantiles.hpp>
#include <beadwork/table/quotes.hpp>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace table {
namespace {

constexpr std::size_t kMostNumbers = std::size_t{1} << 22;  // counted one by one, in all columns
constexpr std::size_t kFewest = std::size_t{1} << 13;       // in one column
constexpr std::size_t kRoom = std::size_t{1} << 24;         // for numbers next to quantiles

class Surveyor {
 public:
  Surveyor(Source& source, Opened& opened) : source_(source), opened_(opened) {}

  // As the first to look at the rows.
  void start() {
    builders_ = builders_for(opened_.plans, opened_.missing, source_);
    num_rows_ = 0;
    sum_ = 0;
    exact_ = true;
    const std::size_t most = std::clamp(kMostNumbers / builders_.size(), kFewest, kMostNumbers / 64);
    for (std::size_t i = 0; i < builders_.size(); ++i) {
      builders_[i].count_only(most, &row_weight_);
      if (builders_[i].plan().role == Role::weight) weight_ = i;
    }
  }

  // False: weights whose sums depend on their order.
  Result<bool> count(Findings& findings) {
    start();
    auto walked = walk(reading_columns(builders_));
    TRY(const auto again, quotes_meant_text(source_, opened_, builders_, walked ? nullptr : &walked.error()));
    if (again) {
      start();
      walked = walk(reading_columns(builders_));
    }
    if (!walked) return walked.error();
    without_->report(findings.notes);
    if (num_rows_ == 0) return source_.refuse_no_rows();
    opened_.open.rows->report(findings.notes);
    for (const ColumnBuilder& builder : builders_) TRY_DONE(builder.finish());
    ends_well_ = source_.text().back() == '\n';
    const auto undone = undone_columns(builders_);
    for (const std::size_t i : undone) builders_[i].start_again();
    if (!undone.empty()) TRY_DONE(walk(undone));
    return exact_;
  }

  Result<BuiltColumns> columns(const ReadOptions& options, Findings& findings) {
    auto built = build(source_, builders_, options, findings);
    if (built && !ends_well_) findings.notes.emplace_back("no line break at the end of the file");
    return built;
  }

  // The numbers of columns that have too many of them.
  Status find_quantiles(std::vector<SurveyColumn>& columns, const std::vector<ColumnBuilder*>& builders,
                        std::size_t quantiles) {
    std::vector<std::pair<std::size_t, QuantileLumps>> wide;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (builders[i]->too_many_numbers())
        wide.emplace_back(i, QuantileLumps(builders[i]->numbers_tally().lumps(), quantiles));
    for (auto& [i, lumps] : wide) builders[i]->numbers_tally().send_to(&lumps);
    for (;;) {
      std::vector<std::size_t> waiting;
      for (auto& [i, lumps] : wide)
        if (lumps.look_closer(kRoom / wide.size()))
          waiting.push_back(static_cast<std::size_t>(builders[i] - builders_.data()));
      if (waiting.empty()) break;
      std::sort(waiting.begin(), waiting.end());
      TRY_DONE(walk(waiting));
      for (auto& [i, lumps] : wide) lumps.looked();
    }
    for (const auto& [i, lumps] : wide) take(columns[i], lumps);
    return Done{};
  }

  std::size_t num_rows() const { return num_rows_; }
  std::optional<bool> quotes_mean_text() const { return meaning_of_quotes(opened_, builders_); }

 private:
  static void take(SurveyColumn& to, const QuantileLumps& from) {
    for (const auto& [number, weight] : from.values()) {
      to.column.numbers.push_back(number);
      to.weights.push_back(weight);
    }
  }

  // One walk over all rows, from the first.
  Status walk(const std::vector<std::size_t>& waiting) {
    RowWalk rows(source_, opened_.open);
    if (num_rows_ != 0) TRY_DONE(rows.rewind());
    Row row;
    without_.emplace(source_, opened_);
    for (std::size_t n = 0;;) {
      TRY(const auto got, rows.next(row));
      if (!got) {
        TRY_DONE(without_->end());
        if (num_rows_ != 0 && n != num_rows_) return source_.refuse("changed while it was read");
        num_rows_ = n;
        return Done{};
      }
      if (without_->has(row, builders_)) continue;
      ++n;
      if (weight_) weigh(row.fields[*weight_]);
      TRY_DONE(rows.give(row, builders_, waiting));
    }
  }

  // What is no weight is refused when its turn comes.
  void weigh(const Field& field) {
    constexpr double kMost = 0x1p53;
    row_weight_ = 0;
    bool padded = false;
    if (!read_number(text_of(field, opened_.missing, scratch_, padded), row_weight_)) row_weight_ = 0;
    sum_ += row_weight_;
    exact_ = exact_ && row_weight_ == std::floor(row_weight_) && sum_ < kMost;
  }

  Source& source_;
  Opened& opened_;
  std::vector<ColumnBuilder> builders_;
  std::optional<std::size_t> weight_;
  std::optional<LeftOut> without_;
  double row_weight_ = 1;
  double sum_ = 0;
  bool exact_ = true;
  bool ends_well_ = true;
  std::size_t num_rows_ = 0;
  std::string scratch_;
};

Result<std::optional<Survey>> survey_checked(Source& source, const ReadOptions& options,
                                             const std::function<std::size_t(std::size_t, std::size_t)>& quantiles) {
  Survey out;
  Findings found;
  TRY_DONE(source.check(found.notes));
  TRY(auto opened, open_rows(source, options, found.notes));
  out.file.format = opened.open.format;
  found.warnings = opened.open.warnings;
  Surveyor surveyor(source, opened);
  TRY(const auto exact, surveyor.count(found));
  if (!exact) return std::optional<Survey>{};
  TRY(auto built, surveyor.columns(options, found));
  for (std::size_t i = 0; i < built.columns.size(); ++i)
    out.columns.push_back({std::move(built.columns[i]), built.builders[i]->weights_taken()});
  out.num_rows = surveyor.num_rows();
  out.target = *built.target;
  out.weight = built.weight;
  const std::size_t inputs = out.columns.size() - 1 - (out.weight ? 1 : 0);
  TRY_DONE(surveyor.find_quantiles(out.columns, built.builders, quantiles(out.num_rows, inputs)));
  out.file.notes = std::move(found.notes);
  out.file.warnings = std::move(found.warnings);
  out.file.left_out = std::move(found.left_out);
  out.file.quotes_mean_text = surveyor.quotes_mean_text();
  return std::optional(std::move(out));
}

}  // namespace
}  // namespace table

Result<std::optional<Survey>> survey_table(const std::string& path, const ReadOptions& options,
                                           const std::function<std::size_t(std::size_t, std::size_t)>& quantiles,
                                           const Control& control) {
  require(options.needs_target, "survey_table: a table to learn from");
  TRY(const auto bytes, table::open_bytes(path, options.encoding, control));
  table::Source source(*bytes.stream, path, control);
  bytes.describe(source);
  auto out = table::survey_checked(source, options, quantiles);
  if (!out) return table::final_error(source, out.error());
  return out;
}

}  // namespace beadwork
