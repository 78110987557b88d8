#pragma once
#include <beadwork/table/collisions.hpp>
#include <beadwork/table/levels.hpp>
#include <beadwork/table/rows.hpp>
#include <beadwork/table/tally.hpp>

#include <array>

namespace beadwork::table {

// The texts that stand for no value, and what quotes around a text say of it. Most fields are told apart by their first
// byte.
class MissingTokens {
 public:
  explicit MissingTokens(std::vector<std::string> tokens);
  // csv: a listed text in quotes is there, and blanks inside the quotes belong to it.
  bool quotes_mean_text = true;
  bool typed = false;  // a file that knows its types: texts are what they are, to the last blank
  bool contains(std::string_view text) const {
    return text.empty() ? empty_ : starts_[static_cast<unsigned char>(text.front())] && listed(text);
  }

 private:
  bool listed(std::string_view text) const;
  std::vector<std::string> tokens_;
  std::array<bool, 256> starts_{};
  bool empty_ = false;
};

// The text of a field, without the blanks inside quotes that do not count; `padded`: it has such blanks.
std::string_view text_of(const Field& field, const MissingTokens& missing, std::string& scratch, bool& padded);

enum class Rule { detect, numeric, nominal, skip };
enum class Role { input, target, weight };

struct ColumnPlan {
  std::string name;
  Rule rule = Rule::detect;
  Role role = Role::input;
  bool forced = false;                       // by an option, not by the file
  bool closed = false;                       // only `levels` may occur
  std::vector<std::string> levels;           // declared
  bool declares_missing = false;             // a quoted '?' is missing, too
  bool as_text = false;                      // numbers are told apart from categories when all values are known
  bool empty = false;                        // skipped, and no value may stand in it
  bool lenient = false;                      // numbers of a model: "-" or "n/a" is missing though training had none
  bool keep = false;                         // not left out, however many values it has
  bool part = false;                         // of a table in several files, which decide together
  bool as_found = false;                     // its texts are read with those of other files
  bool may_be_zero = false;                  // weights of a part
  bool ordered = false;                      // `levels`, which are closed, become their places
  bool sure = false;                         // its numbers are such, and no spelling of anything else
  std::optional<Reading::Order> dates = {};  // of its dates, as the file declares it
  std::string date_format = {};              // what the file declares of its dates, if that cannot be read
  std::vector<std::string> missing = {};     // texts that mean no value here
  // Somebody said what it is: the file by a list of levels or a number, or an option.
  bool typed() const { return forced || closed || sure || !date_format.empty() || rule == Rule::numeric; }
};

// Grows one column, value by value. A column whose type is to be detected starts as codes of 0 and 1, becomes
// numbers at the first other number, and nominal at the first text. Only in the rare case that numbers came
// before the text
// ("2", "3", "5more") are their spellings lost, and the column asks to be read again.
class ColumnBuilder {
 public:
  ColumnBuilder(ColumnPlan plan, const MissingTokens& missing, const Source& source);

  bool add(const Field& field);  // false: refused
  bool lacks(const Field& field) { return is_missing(field, field.quoted ? text_in(field) : field.raw); }
  bool saw_plain() const { return saw_plain_; }          // a value without quotes
  bool quotes_matter() const { return quotes_matter_; }  // a value was read that stands and falls with them
  std::string complaint(const Field& field);             // why it was refused
  Status finish() const;                                 // what only the end can tell

  const ColumnPlan& plan() const { return plan_; }
  bool wants_another_pass() const { return state_ == State::undone; }
  // A number with a point before its last three digits, if all numbers are such, or whole and below 1000: 1.234 may be
  // 1234. Empty: no doubt.
  std::string_view doubtful() const { return doubt_ == Doubt::both ? std::string_view(doubtful_) : ""; }
  // Two numbers that were read as one, if there are such.
  const std::pair<std::string, std::string>* told_as_one() const {
    return collisions_ && collisions_->found() ? &*collisions_->found() : nullptr;
  }
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
  std::string_view text_in(const Field& field);
  bool is_code(std::string_view text) const;
  bool is_missing(const Field& field, std::string_view text);
  void turn_into_numbers();
  void turn_into_undone(std::string_view raw);

  ColumnPlan plan_;
  const MissingTokens& missing_;
  const Source& source_;
  State state_;
  std::string scratch_;
  bool saw_plain_ = false;
  bool quotes_matter_ = false;
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
  std::unique_ptr<Collisions> collisions_;
};

}  // namespace beadwork::table
