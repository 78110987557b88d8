#pragma once
#include <beadwork/dataset/weights.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwork {

// Bits of one feature over all rows: row r is bit r % 64 of word r / 64; bits past the last row are zero.
using BitColumn = std::vector<std::uint64_t>;
inline bool bit(std::span<const std::uint64_t> column, std::size_t row) {
  return column[row / 64] >> (row % 64) & 1;
}
inline void set_bit(BitColumn& column, std::size_t row) {
  column[row / 64] |= std::uint64_t{1} << (row % 64);
}
inline std::size_t words_for(std::size_t rows) {
  return (rows + 63) / 64;
}
// The bits of `from` where `mask` has its ones, of which there are `rows`, close together.
BitColumn compress(const BitColumn& from, const BitColumn& mask, std::size_t rows);

struct RankedData;  // ranked.hpp

class Dataset {
 public:
  struct Parts {
    std::vector<BitColumn> columns;          // one a feature
    std::vector<std::string> feature_names;  // as many
    std::vector<Class> labels;               // one a row
    std::vector<std::string> class_names;    // at least one
    std::vector<std::int64_t> weights;       // one a row, or empty: all 1
    std::int64_t weight_scale = 1;
    std::int64_t weight_rounding = 0;  // how far all weights together are from the given ones, times weight_scale
    std::string thresholds = {};       // the rule that cut numeric columns into these features; empty: there were none
    // Where the features are the cuts of sorted columns: these. Columns, names and inputs are then those of all cuts,
    // or empty: they are made when somebody asks.
    std::shared_ptr<const RankedData> ranks = {};
    // Where equal rows were merged into weights as they were read: how many rows were given. 0: as many as here.
    std::size_t given_rows = 0;
    // The raw column that each feature tests, by number, and how these columns are called; empty: each feature is a
    // column of its own.
    std::vector<std::size_t> inputs = {};
    std::vector<std::string> input_names = {};
    bool lacks_features = false;  // see without_features
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  Dataset() = default;
  // Throws ContractViolation where the parts do not fit together.
  explicit Dataset(Parts parts);

  std::size_t num_rows() const { return parts_.labels.size(); }
  // Of what was given: more than num_rows() where something has merged equal rows before.
  std::size_t num_given_rows() const { return parts_.given_rows == 0 ? num_rows() : parts_.given_rows; }
  std::size_t num_features() const { return sorted_ ? num_cuts() : parts_.columns.size(); }
  std::size_t num_classes() const { return parts_.class_names.size(); }
  std::int64_t total_weight() const { return total_weight_; }

  // Of sorted columns, the bits of a feature are made when they are first asked for, and kept.
  const BitColumn& column(Feature f) const { return sorted_ ? made(f) : parts_.columns[f()]; }
  bool value(Feature f, Row r) const { return sorted_ ? passes(f, r) : bit(parts_.columns[f()], r()); }
  Class label(Row r) const { return parts_.labels[r()]; }
  std::int64_t weight(Row r) const { return parts_.weights.empty() ? 1 : parts_.weights[r()]; }
  bool unit_weights() const { return parts_.weights.empty(); }
  // Weights and errors in user's units are these integers divided by weight_scale().
  std::int64_t weight_scale() const { return parts_.weight_scale; }
  std::int64_t weight_rounding() const { return parts_.weight_rounding; }

  const std::string& thresholds() const { return parts_.thresholds; }
  // A limit came before its features were made: nothing may be concluded from their absence.
  bool lacks_features() const { return parts_.lacks_features; }

  const std::shared_ptr<const RankedData>& ranks() const { return parts_.ranks; }
  // Are its features cuts of sorted columns, of which there may be millions, with no bits but those asked for?
  bool is_sorted() const { return sorted_ != nullptr; }

  std::string feature_name(Feature f) const;
  std::vector<std::string> feature_names() const;
  // The raw column that a feature tests: its number is the same in all that is made of a dataset, its name need not be
  // the only one.
  std::size_t num_inputs() const { return has_inputs() ? parts_.input_names.size() : num_features(); }
  std::size_t input_of(Feature f) const;
  const std::string& input_name(std::size_t input) const {
    return has_inputs() ? parts_.input_names[input] : parts_.feature_names[input];
  }
  const std::string& class_name(Class k) const { return parts_.class_names[k()]; }
  const std::vector<std::string>& class_names() const { return parts_.class_names; }

  // The rows named, in that order, with all features and classes.
  Dataset subset(std::span<const Row> rows) const;
  // The same; an Error of code limit where control says stop or leaves no room, here and in select. No limit of time or
  // memory is too short for a few million bits.
  Result<Dataset> subset(std::span<const Row> rows, const Control& control) const;
  // Classes and weights alone, as of rows whose features are not known.
  Dataset without_features() const;
  // The features named, in that order, with all rows.
  Dataset select(std::span<const Feature> features) const;
  Result<Dataset> select(std::span<const Feature> features, const Control& control) const;

  friend bool operator==(const Dataset& a, const Dataset& b) { return a.parts_ == b.parts_; }

 private:
  struct Sorted;
  bool has_inputs() const { return sorted_ || !parts_.inputs.empty(); }
  std::size_t num_cuts() const;
  const BitColumn& made(Feature f) const;
  bool passes(Feature f, Row r) const;

  Parts parts_;
  std::int64_t total_weight_ = 0;
  std::shared_ptr<Sorted> sorted_;  // where there are ranks and no columns; copies share it
};

// The canonical text, one line a row: class index, weight, then the bits without blanks: "0 1 01101\n".
std::string canonical_text(const Dataset& dataset);
// SHA-256 of the canonical text; an Error of code limit where control says stop.
std::string sha256(const Dataset& dataset);
Result<std::string> sha256(const Dataset& dataset, const Control& control);
// What a model keeps of its data: names of classes and features, and the rows, in any order and however they are merged
// or parted (RowsHash). Where there are ranks, it is of these and their values.
std::string rows_sha256(const Dataset& dataset);

// The matrix as a file (docs/formats.md): '#' lines with the names, then a row a line, the class first, blanks between.
std::string matrix_text(const Dataset& dataset);

// Features that are 0 in every row.
std::vector<Feature> all_zero_features(const Dataset& dataset);

}  // namespace beadwork
