#pragma once
#include <beadwork/dataset/matrix.hpp>
#include <beadwork/table.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// How numeric columns get their thresholds.
struct ThresholdRule {
  enum class Kind {
    all,        // midpoints between all neighbouring values
    quantiles,  // `count` of them, at equal shares of the rows
    mdlp,       // supervised: Fayyad and Irani's minimum description length (IJCAI 1993)
  };
  Kind kind = Kind::quantiles;
  std::size_t count = 8;
  friend bool operator==(const ThresholdRule&, const ThresholdRule&) = default;
};
// "all", "mdlp", "quantiles" or "quantiles:N" with N from 1 to 1000000.
Result<ThresholdRule> parse_threshold_rule(std::string_view text);
std::string to_string(const ThresholdRule& rule);
// The rule where nobody names one ("auto"): 32 quantiles at depths up to 3, from 500 rows on, where columns^3 x rows is
// at most 4e7; else 8. A column with fewer values is cut at every midpoint. Measured in docs/results.md.
ThresholdRule automatic_thresholds(std::size_t rows, std::size_t columns, std::size_t depth);
ThresholdRule automatic_thresholds(const Table& table, std::size_t depth);

struct BinarizeOptions {
  ThresholdRule thresholds;
  // Of the rows, for the choice of thresholds; nothing: what round_weights makes of the table's weights.
  const ScaledWeights* weights = nullptr;
};

enum class TestKind { at_most, equals, missing };

// A raw column that tests refer to. `levels` are those seen in training (nominal only; words with an order are
// numeric, and their reading has them).
struct InputColumn {
  std::string name;
  ColumnType type = ColumnType::numeric;
  std::vector<std::string> levels;
  Reading reading = {};
  bool ordinal() const { return reading.kind == Reading::Kind::ordinal; }
  bool text() const { return type == ColumnType::nominal || ordinal(); }  // not numbers, to whoever fills it in
  friend bool operator==(const InputColumn&, const InputColumn&) = default;
};

// One binary feature: a test on one column. `threshold` belongs to at_most, `level` to equals.
struct Test {
  std::size_t column = 0;  // into Binarizer::inputs()
  TestKind kind = TestKind::at_most;
  double threshold = 0;
  std::string level;
  friend bool operator==(const Test&, const Test&) = default;
};

// A test in words: "age <= 30", "age is missing", "town = Rome".
std::string name_of(const Test& test, const std::vector<InputColumn>& inputs);

// Rows whose category was not seen in training, by column name.
using UnseenCounts = std::vector<std::pair<std::string, std::size_t>>;

class Binarizer {
 public:
  struct Parts {
    std::vector<InputColumn> inputs;
    std::vector<Test> tests;
    std::string target;
    std::vector<std::string> class_names;
    std::string thresholds = {};           // the rule that fit used
    std::vector<double> target_cuts = {};  // a target of numbers: between the classes
  };
  Binarizer() = default;
  // An Error where a test names no input, an unknown level, a threshold on a nominal column and the like.
  static Result<Binarizer> make(Parts parts);
  // Learns inputs, tests and classes from a table with a target. Labels are sorted: as numbers if all are, else as
  // text. An Error of code limit where control says stop, here and in bits and apply.
  static Result<Binarizer> fit(const Table& table, const BinarizeOptions& options, const Control& control = {});

  // The same from a survey of a table that does not fit in memory. Not with MDLP.
  static Result<Binarizer> fit(const Survey& survey, const BinarizeOptions& options);

  // All tests of sorted columns, which are made as they are asked for. Contract: tests, bits and apply are not.
  static Binarizer of(std::shared_ptr<const RankedData> data);
  const std::shared_ptr<const RankedData>& ranks() const { return ranks_; }  // these; else nothing

  const std::vector<InputColumn>& inputs() const { return parts_.inputs; }
  Test test(Feature f) const;
  Binarizer listed() const;  // the same tests as a list
  const std::vector<Test>& tests() const;
  std::size_t num_features() const;
  const std::string& target() const { return parts_.target; }
  const std::vector<std::string>& class_names() const { return parts_.class_names; }
  const std::vector<double>& target_cuts() const { return parts_.target_cuts; }
  std::string feature_name(Feature f) const { return name_of(test(f), parts_.inputs); }
  std::string feature_name(const Test& test) const { return name_of(test, parts_.inputs); }

  // What a dataset of these tests calls its features and their columns.
  void name_features(Dataset::Parts& parts) const;

  // The tests named, in that order, with only the inputs that they need.
  Binarizer select(std::span<const Feature> features) const;

  // Bit columns of the tests over a table whose columns are matched by name; an Error names what is missing or of the
  // wrong type. `unseen`, where given, receives the counts.
  Result<std::vector<BitColumn>> bits(const Table& table, UnseenCounts* unseen = nullptr,
                                      const Control& control = {}) const;
  // The same with labels and weights; the table must have its target.
  Result<Dataset> apply(const Table& table, const Control& control = {}) const;
  // A part of a table: weights are multiplied by the scale of all of them.
  Result<Dataset> apply(const Table& table, const WeightScale& scale, const Control& control = {}) const;
  // Class indices of the table's column named like the target; an Error for a label unknown or missing.
  Result<std::vector<Class>> labels(const Table& table) const;

  friend bool operator==(const Binarizer& a, const Binarizer& b) {
    return a.parts_.inputs == b.parts_.inputs && a.parts_.tests == b.parts_.tests &&
           a.parts_.target == b.parts_.target && a.parts_.class_names == b.parts_.class_names && a.ranks_ == b.ranks_;
  }

 private:
  Result<Dataset> apply(const Table& table, const WeightScale* scale, const Control& control) const;
  Parts parts_;
  std::shared_ptr<const RankedData> ranks_;  // whose cuts are the tests, in place of those of the parts
};

// What a limit leaves that comes before the features are made: a binarizer without tests, and the classes and weights
// of the rows (Dataset::without_features).
struct ClassesAlone {
  Binarizer binarizer;
  Dataset dataset;
};
Result<ClassesAlone> classes_alone(const Table& table, const ThresholdRule& rule);

}  // namespace beadwork
