#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <map>
#include <unordered_map>

namespace beadwork {

// What a binarizer is made from, gathered from a table that comes in parts. The binarizer is the one that
// Binarizer::fit makes of all rows as one table; features are never those of a part.
//
//   TableSurvey survey(reading);
//   for (each part) survey.add(part, its name);                 // read with any number of categories
//   auto binarizer = survey.fit({rule});
//   auto scale = survey.weight_scale();
//   binarizer->apply(part, *scale)
//
// Kept of a column are its distinct values with their weights by class: as much memory as it has values, not rows.
// Types are those of the whole: a column of 0 and 1 in one part and of other numbers in another is numeric. What texts
// mean (dates, numbers with a comma, ...) is read part by part: where parts disagree, or the whole would be read
// otherwise than its parts, that is refused, and the option to give is named.
class TableSurvey {
 public:
  // How the parts are read, but for max_categories: that is for the whole.
  explicit TableSurvey(ReadOptions reading) : reading_(std::move(reading)) {}

  // A part has a target, and the same columns as the others.
  Status add(const Table& part, const std::string& name);
  Result<Binarizer> fit(const BinarizeOptions& options, const Control& control = {});
  // Columns of text in which nearly all values differ; known after fit.
  const std::vector<std::string>& left_out() const { return left_out_; }
  Result<WeightScale> weight_scale() const;

  std::size_t num_rows() const { return rows_; }
  std::size_t num_inputs() const { return inputs_.size(); }

 private:
  struct Input {
    std::string name;
    std::optional<ColumnType> type;  // nothing: no value yet, or 0 and 1 alone
    Reading reading = {};
    bool read = false;  // the reading is that of a part
    std::string part;   // which gave type and reading
    bool missing = false;
    std::vector<double> values;                                // increasing
    std::vector<std::vector<double>> weights;                  // by class, then by value
    std::map<std::string, std::size_t> levels;                 // with their numbers of rows
    std::map<std::string, std::vector<double>> level_weights;  // of 0 and 1, by class
  };

  Status add_input(Input& input, const Column& column, const std::vector<Class>& labels, const Column* weight,
                   const std::string& part);
  static Status settle(Input& input, const Column& column, const std::string& part);
  static void add_values(Input& input, const std::vector<double>& values, std::vector<std::vector<double>> weights);
  std::vector<Class> labels_of(const Column& target);
  Result<bool> add_levels(const Input& input, Binarizer::Parts& parts) const;  // false: the column is left out
  void add_numbers(Input input, const std::vector<std::string>& classes, const BinarizeOptions& options,
                   const Control& control, Binarizer::Parts& parts) const;

  ReadOptions reading_;
  std::vector<std::string> left_out_;
  std::size_t rows_ = 0;
  std::string target_, weight_;
  std::vector<std::string> classes_;  // in order of appearance
  std::vector<Input> inputs_;
  std::map<double, std::uint64_t> row_weights_;
};

}  // namespace beadwork
