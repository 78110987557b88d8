#pragma once
#include <beadwork/table/levels.hpp>
#include <beadwork/table/rows.hpp>
#include <beadwork/table/tally.hpp>

#include <array>

namespace beadwork::table {

// The texts that stand for no value. Most fields are told apart by their first byte.
class MissingTokens {
 public:
  explicit MissingTokens(std::vector<std::string> tokens);
  bool contains(std::string_view text) const {
    return text.empty() ? empty_ : starts_[static_cast<unsigned char>(text.front())] && listed(text);
  }

 private:
  bool listed(std::string_view text) const;
  std::vector<std::string> tokens_;
  std::array<bool, 256> starts_{};
  bool empty_ = false;
};

enum class Rule { detect, numeric, nominal, skip };
enum class Role { input, target, weight };

struct ColumnPlan {
  std::string name;
  Rule rule = Rule::detect;
  Role role = Role::input;
  bool forced = false;              // by an option, not by the file
  bool closed = false;              // only `levels` may occur
  std::vector<std::string> levels;  // declared
  bool declares_missing = false;    // a quoted '?' is missing, too
  bool as_text = false;             // numbers are told apart from categories when all values are known
  bool empty = false;               // skipped, and no value may stand in it
  bool lenient = false;             // numbers of a model: "-" or "n/a" is missing though training had none
  bool keep = false;                // not left out, however many values it has
  bool may_be_zero = false;         // weights of a part
  bool ordered = false;             // `levels`, which are closed, become their places
  // Somebody said what it is: the file by a list of levels or a number, or an option.
  bool typed() const { return forced || closed || rule == Rule::numeric; }
};

// Grows one column, value by value. A column whose type is to be detected starts as codes of 0 and 1, becomes
// numbers at the first other number, and nominal at the first text. Only in the rare case that numbers came
// before the text
// ("2", "3", "5more") are their spellings lost, and the column asks to be read again.
class ColumnBuilder {
 public:
  ColumnBuilder(ColumnPlan plan, const MissingTokens& missing, const Source& source);

  bool add(const Field& field);               // false: refused
  std::string complaint(const Field& field);  // why it was refused
  Status finish() const;                      // what only the end can tell

  const ColumnPlan& plan() const { return plan_; }
  bool wants_another_pass() const { return state_ == State::undone; }
  // A number with a point before its last three digits, if all numbers are such, or whole and below 1000: 1.234 may be
  // 1234. Empty: no doubt.
  std::string_view doubtful() const { return doubt_ == Doubt::both ? std::string_view(doubtful_) : ""; }
  std::string_view surprise() const { return surprise_; }  // the text that made it so
  std::size_t surprise_line() const { return surprise_line_; }
  void start_again() { state_ = State::nominal; }
  Column take();
  Column take_part();  // the values so far; more may follow, and all is checked as one column

  // Counts values instead of keeping them all, for a survey; `weight` is that of the row that comes next. Then take()
  // gives every value once, and these what belongs to it.
  void count_only(std::size_t most_numbers, const double* weight);
  bool counting() const { return tally_ != nullptr; }
  NumberTally& numbers_tally() { return tally_->numbers; }
  bool too_many_numbers() const { return state_ == State::numbers && tally_->numbers.too_many(); }
  Cells cells_taken() const { return tally_->cells(); }
  const std::vector<double>& weights_taken() const { return tally_->weights_taken; }

 private:
  enum class State { bits, numbers, nominal, undone, skipped };

  void push_number(double number);
  void push_code(std::uint32_t code);
  bool add_bit(std::string_view text);
  bool add_number(std::string_view text, std::string_view raw);
  bool add_level(std::string_view text);
  bool add_missing();
  void doubt(std::string_view text, std::string_view raw);
  bool is_missing(const Field& field, std::string_view text) const;
  void turn_into_numbers();
  void turn_into_undone(std::string_view raw);

  ColumnPlan plan_;
  const MissingTokens& missing_;
  const Source& source_;
  State state_;
  std::string scratch_;
  std::vector<double> numbers_;
  Codes codes_;
  LevelIndex index_;
  std::string surprise_;
  std::size_t surprise_line_ = 0;
  std::string not_finite_;  // the first nan or inf in what may still be numbers
  std::string not_finite_at_;
  double weight_sum_ = 0;
  enum class Doubt { nothing_yet, points, small, both, none };
  Doubt doubt_ = Doubt::nothing_yet;
  std::unique_ptr<ColumnTally> tally_;
  std::string doubtful_;
};

}  // namespace beadwork::table
