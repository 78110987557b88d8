#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <map>
#include <unordered_map>

namespace beadwork {

// What a binarizer is made from, gathered from a table that comes in parts. The binarizer is the one that
// Binarizer::fit makes of all rows as one table; features are never those of a part.
//
//   TableSurvey survey(reading);
//   do
//     for (each part) survey.add(part, its name);               // read with any number of categories
//   while (survey.begin_again());                               // then with survey.as_found() as well
//   auto binarizer = survey.fit({rule});
//   auto scale = survey.weight_scale();
//   binarizer->apply(part, *scale)
//
// Kept of a column are its distinct values with their weights by class: as much memory as it has values, not rows.
// Types are those of the whole: a column of 0 and 1 in one part and of other numbers in another is numeric. What texts
// mean (dates, numbers with a comma, ...) is read part by part: where parts disagree, or all texts together may mean
// something else, the parts are read once more with these texts as they stand, and the whole is asked what they mean.
// Columns with a declared type that disagree are refused, and the option to give is named.
class TableSurvey {
 public:
  // How the parts are read, but for max_categories: that is for the whole.
  explicit TableSurvey(ReadOptions reading) : reading_(std::move(reading)) {}

  // A part has a target, and the same columns as the others.
  Status add(const Table& part, const std::string& name);
  // All parts are added. True: something was seen that the parts must be added once more for; then nothing is there.
  bool begin_again();
  // Columns whose texts are to be read as they stand (ReadOptions::as_found).
  const std::vector<std::string>& as_found() const { return as_found_; }
  Result<Binarizer> fit(const BinarizeOptions& options, const Control& control = {});
  // Columns of text in which nearly all values differ, and what else there is to say of the whole; known after fit.
  const std::vector<std::string>& left_out() const { return left_out_; }
  const Findings& findings() const { return findings_; }
  Result<WeightScale> weight_scale() const;

  std::size_t num_rows() const { return rows_; }
  std::size_t num_inputs() const { return inputs_.size(); }

 private:
  struct Input {
    std::string name;
    std::optional<ColumnType> type;  // nothing: no value yet, or 0 and 1 alone
    Reading reading = {};
    std::string part;  // which gave type and reading
    bool missing = false;
    bool as_found = false;                                           // all parts give its texts as they stand
    std::vector<double> values;                                      // increasing
    std::vector<std::vector<std::int64_t>> weights;                  // by class, then by value
    std::map<std::string, std::size_t> levels;                       // with their numbers of rows
    std::map<std::string, std::vector<std::int64_t>> level_weights;  // of 0 and 1, or as found: by class
  };

  Status add_input(Input& input, const Column& column, const std::vector<Class>& labels, const Column* weight,
                   const std::string& part);
  Status settle(Input& input, const Column& column, const std::string& part);
  Status count_levels(Input& input, const Column& column, const std::vector<Class>& labels, const Column* weight) const;
  static void add_values(Input& input, const std::vector<double>& values,
                         std::vector<std::vector<std::int64_t>> weights);
  std::vector<Class> labels_of(const Column& target);
  bool ask_again(const Input& input);
  bool has_strays(const Column& column) const;
  std::int64_t weight_of(const Column* weights, std::size_t row) const;
  Status add_as_found(Input input, const std::vector<std::string>& classes, const BinarizeOptions& options,
                      const Control& control, Binarizer::Parts& parts);
  bool add_levels(const Input& input, Binarizer::Parts& parts) const;  // false: the column is left out
  void add_numbers(Input input, const std::vector<std::string>& classes, const BinarizeOptions& options,
                   const Control& control, Binarizer::Parts& parts) const;

  ReadOptions reading_;
  std::vector<std::string> left_out_;
  Findings findings_;
  bool again_ = false;
  std::vector<std::string> as_found_, to_ask_again_;  // columns
  std::optional<WeightScale> scale_;                  // of weights that are not whole; known after the first time
  double weight_sum_ = 0;                             // infinite after one that is not whole
  std::size_t rows_ = 0;
  std::string target_, weight_;
  std::vector<std::string> classes_;  // in order of appearance
  std::vector<std::size_t> class_rows_;
  std::vector<Input> inputs_;
  std::map<double, std::uint64_t> row_weights_;
};

}  // namespace beadwork
