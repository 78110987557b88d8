#include <beadwork/table/column_builder.hpp>
#include <beadwork/table/number.hpp>
#include <beadwork/table/spelling.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::table {
namespace {

std::string joined(const std::vector<std::string>& levels) {
  std::string out;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (i == 8) return out + ",...";
    if (i != 0) out += ',';
    out += printable(levels[i], 20);
  }
  return out;
}

}  // namespace

std::string_view text_of(const Field& field, const MissingTokens& missing, std::string& scratch, bool& padded) {
  const std::string_view text = value(field, scratch);
  if (!field.quoted || field.literal || missing.typed) return text;
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::string_view inside = text.substr(first, text.find_last_not_of(" \t") + 1 - first);
  padded = inside.size() != text.size();
  return missing.quotes_mean_text ? text : inside;
}

bool names_no_finite_number(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.size() != 3 && text.size() != 8) return false;
  std::string lower;
  for (const char c : text) lower += static_cast<char>(c | 0x20);
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

Error not_finite(std::string_view text, const std::string& column, std::string where) {
  const std::string shown = printable(text);
  return input_error(fmt::format("'{}' is not a finite number; add it to the missing values, or column '{}' to the "
                                 "nominal ones",
                                 shown, printable(column, 40)),
                     std::move(where))
      .with({"missing_also", shown});
}

MissingTokens::MissingTokens(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  for (const std::string& token : tokens_) {
    if (token.empty())
      empty_ = true;
    else
      starts_[static_cast<unsigned char>(token.front())] = true;
  }
}

bool MissingTokens::listed(std::string_view text) const {
  return std::find(tokens_.begin(), tokens_.end(), text) != tokens_.end();
}

ColumnBuilder::ColumnBuilder(ColumnPlan plan, const MissingTokens& missing, const Source& source)
    : plan_(std::move(plan)), missing_(missing), source_(source) {
  static constexpr std::array kStart{State::bits, State::numbers, State::nominal, State::skipped};
  state_ = plan_.rule == Rule::detect && plan_.as_text ? State::nominal : kStart[static_cast<std::size_t>(plan_.rule)];
  for (const std::string& level : plan_.levels) index_.find_or_add(level);
}

bool ColumnBuilder::add(const Field& field) {
  if (state_ == State::skipped) return !plan_.empty || field.raw.empty();
  if (!field.quoted) saw_plain_ = true;
  if (state_ == State::undone) {
    if (field.quoted) is_missing(field, text_in(field));  // whether its quotes matter
    return true;
  }
  const std::string_view text = field.quoted ? text_in(field) : field.raw;
  if (is_missing(field, text)) return add_missing();
  switch (state_) {
    case State::bits:
      return add_bit(text) || add_number(text, field.raw);
    case State::numbers:
      return add_number(text, field.raw);
    default:
      return add_level(text);
  }
}

std::string_view ColumnBuilder::text_in(const Field& field) {
  if (!field.quoted || field.literal) return value(field, scratch_);
  bool padded = false;
  const std::string_view text = text_of(field, missing_, scratch_, padded);
  quotes_matter_ = quotes_matter_ || padded;
  return text;
}

bool ColumnBuilder::is_code(std::string_view text) const {
  double number = 0;
  const bool numeric = read_number(text, number);
  return std::any_of(plan_.missing.begin(), plan_.missing.end(), [&](const std::string& code) {
    double other = 0;
    return code == text || (numeric && read_number(code, other) && other == number);
  });
}

// A declared level stays one though it spells like a missing value ("NA").
bool ColumnBuilder::is_missing(const Field& field, std::string_view text) {
  if (!missing_.contains(text)) return !plan_.missing.empty() && is_code(text);
  if (!plan_.missing.empty() && is_code(text)) return true;
  if (field.literal) return plan_.declares_missing && text == "?";
  if (field.quoted && !text.empty()) {
    quotes_matter_ = true;
    if (missing_.quotes_mean_text) return false;
  }
  return !plan_.closed || index_.find(text) == LevelIndex::kNone;
}

bool ColumnBuilder::add_missing() {
  if (plan_.role != Role::input) return false;
  if (state_ == State::numbers)
    push_number(kNoNumber);
  else
    push_code(Codes::kMissing);
  return true;
}

void ColumnBuilder::push_number(double number) {
  if (tally_)
    tally_->add_number(number);
  else
    numbers_.push_back(number);
}

void ColumnBuilder::push_code(std::uint32_t code) {
  if (tally_)
    tally_->add_code(code);
  else
    codes_.push_back(code);
}

void ColumnBuilder::count_only(std::size_t most_numbers, const double* weight) {
  tally_ = std::make_unique<ColumnTally>(most_numbers, weight);
}

bool ColumnBuilder::add_bit(std::string_view text) {
  if (text == "0" || text == "1") return add_level(text);
  if (looks_like_code(text) && !plan_.sure) {
    state_ = State::nominal;
    return add_level(text);
  }
  double number = 0;
  if (read_number(text, number) || names_no_finite_number(text)) {
    turn_into_numbers();
    return false;
  }
  state_ = State::nominal;
  return add_level(text);
}

bool ColumnBuilder::add_number(std::string_view text, std::string_view raw) {
  if (text.size() > 1 && text.front() == '0' && plan_.rule == Rule::detect && !plan_.sure && looks_like_code(text)) {
    turn_into_undone(raw);
    return true;
  }
  double number = kNoNumber;
  if (!read_number(text, number)) {
    if (plan_.lenient && stands_for_nothing(text)) return add_missing();
    if (plan_.rule == Rule::numeric) return false;
    if (plan_.part || !names_no_finite_number(text)) {
      turn_into_undone(raw);
      return true;
    }
    if (not_finite_.empty()) {
      not_finite_ = raw;
      not_finite_at_ = source_.place_of(source_.offset_of(raw.data()));
    }
  }
  if (plan_.role == Role::weight) {
    weight_sum_ += number;
    if (number < 0 || weight_sum_ > 0x1p63) return false;
  }
  if (doubt_ != Doubt::none) doubt(text, raw);
  if (text.size() > Collisions::kSure && !plan_.lenient && Collisions::worth_a_look(text)) {
    if (!collisions_) collisions_ = std::make_unique<Collisions>();
    collisions_->add(text, number);
  }
  push_number(number);
  return true;
}

void ColumnBuilder::doubt(std::string_view text, std::string_view raw) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  const auto digits = [](std::string_view s) { return s.find_first_not_of("0123456789") == std::string_view::npos; };
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const bool starts = !whole.empty() && whole.size() <= 3 && whole.front() != '0' && digits(whole);
  const bool points =
      starts && point != std::string_view::npos && text.size() == point + 4 && digits(text.substr(point + 1));
  const bool small = (starts || text == "0") && point == std::string_view::npos;
  if (points && (doubtful_.empty() || raw < doubtful_)) doubtful_ = raw;
  const Doubt seen = points ? Doubt::points : small ? Doubt::small : Doubt::none;
  if (seen == Doubt::none || doubt_ == Doubt::nothing_yet)
    doubt_ = seen;
  else if (doubt_ != seen)
    doubt_ = Doubt::both;
}

bool ColumnBuilder::add_level(std::string_view text) {
  const std::uint32_t code = plan_.closed ? index_.find(text) : index_.find_or_add(text);
  if (code == LevelIndex::kNone) return false;
  push_code(code);
  return true;
}

void ColumnBuilder::turn_into_numbers() {
  state_ = State::numbers;
  if (tally_) tally_->turn_into_numbers(index_.levels());
  numbers_.reserve(codes_.size() + 1);
  for (std::size_t i = 0; i < codes_.size(); ++i)
    numbers_.push_back(codes_[i] == Codes::kMissing ? kNoNumber : index_.levels()[codes_[i]] == "1" ? 1.0 : 0.0);
  codes_ = {};
  index_ = {};
}

void ColumnBuilder::turn_into_undone(std::string_view raw) {
  state_ = State::undone;
  surprise_ = raw;
  surprise_line_ = source_.line_at(source_.offset_of(raw.data()));
  not_finite_ = {};
  numbers_ = std::vector<double>();  // = {} would keep the memory
  collisions_.reset();
  if (tally_) tally_->start_again();
}

std::string ColumnBuilder::complaint(const Field& field) {
  const std::string_view text = text_in(field);
  if (plan_.empty) return "a value in a column without a name; give it one in the header";
  const std::string shown = printable(text, 40);
  const std::string name = printable(plan_.name, 40);
  const bool missing = is_missing(field, text);
  if (plan_.role == Role::weight && missing)
    return fmt::format("the weight is missing (column '{}'); write a number, or remove the row", name);
  if (plan_.ordered)
    return fmt::format("'{}' is not in the order of '{}' ({}); add it there, or to the missing values", shown, name,
                       joined(plan_.levels));
  if (plan_.rule == Rule::nominal)
    return fmt::format("'{}' is not among the values declared for '{}' {{{}}}; declare it there", shown, name,
                       joined(plan_.levels));
  double number = 0;
  const bool is_number = read_number(text, number);
  if (plan_.role == Role::weight && is_number)
    return number < 0 ? fmt::format("expected a weight of 0 or more, got {}", shown)
                      : std::string("the weights add up to more than 2^63; scale them down");
  if (names_no_finite_number(text))
    return fmt::format("'{}' is not a finite number; add it to the missing values", shown);
  const std::string_view fix =
      text.find(',') != std::string_view::npos    ? "; write it with a decimal point and without thousands separators"
      : plan_.forced && plan_.role == Role::input ? "; make the column nominal, or add the text to the missing values"
                                                  : "";
  return fmt::format("expected a number in column '{}', got '{}'{}", name, shown, fix);
}

Status ColumnBuilder::finish() const {
  if (!not_finite_.empty()) return not_finite(not_finite_, plan_.name, not_finite_at_);
  if (plan_.role == Role::weight && weight_sum_ == 0 && !plan_.may_be_zero)
    return source_.refuse(
        fmt::format("all weights in column '{}' are 0; at least one row must count", printable(plan_.name, 40)));
  return Done{};
}

Column ColumnBuilder::take_part() {
  Column column = take();
  column.numbers.shrink_to_fit();
  numbers_ = {};
  codes_ = {};
  index_ = {};
  for (const std::string& level : plan_.levels) index_.find_or_add(level);
  return column;
}

Column ColumnBuilder::take() {
  if (state_ == State::bits && index_.levels().empty()) turn_into_numbers();
  if (tally_) tally_->take(state_ == State::numbers, index_.levels().size(), numbers_, codes_);
  Column column;
  column.name = plan_.name;
  column.type = state_ == State::numbers ? ColumnType::numeric : ColumnType::nominal;
  column.numbers = std::move(numbers_);
  column.codes = std::move(codes_);
  if (column.type == ColumnType::nominal) column.levels = index_.take();
  if (plan_.ordered) into_places(column);
  return column;
}

}  // namespace beadwork::table
