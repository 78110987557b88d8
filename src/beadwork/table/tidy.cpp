#include <beadwork/table/spelling.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace beadwork {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestToLeaveOut = 20;

// How often each level occurs, and how many cells have a value at all.
struct Cells {
  std::vector<std::size_t> of_level;
  std::size_t total = 0;
};

Cells count_cells(const Column& column) {
  Cells cells{std::vector<std::size_t>(column.levels.size()), 0};
  for (std::size_t r = 0; r < column.codes.size(); ++r)
    if (const auto code = column.codes[r]; code != Codes::kMissing) {
      ++cells.of_level[code];
      ++cells.total;
    }
  return cells;
}

// One way to read a column, and what it makes of each level.
struct Attempt {
  Reading reading;
  std::vector<double> values;  // NaN: no value of this kind
  std::size_t explained = 0;   // cells
};

bool stands_for_nothing(std::string_view text) {
  static constexpr std::array<std::string_view, 22> kTokens{
      "-",   "--",   "---", "–",   "—",    ".",      "..",   "...", "*",       "n/a",     "#n/a",
      "#na", "n.a.", "na",  "nan", "null", "#null!", "none", "nil", "missing", "unknown", "tbd"};
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return std::find(kTokens.begin(), kTokens.end(), lower) != kTokens.end();
}

// The unit that the first number with one has.
std::string unit_in(const std::vector<std::string>& levels) {
  for (const std::string& level : levels) {
    const auto spelled = table::take_apart(level);
    if (spelled.unit.empty()) continue;
    for (const auto& convention : table::kConventions)
      if (table::value_of(spelled, convention)) return std::string(spelled.unit);
  }
  return {};
}

// Plain numbers first: where several readings explain as much and agree, the first counts.
std::vector<Reading> readings_to_try(const Column& column, const TidyOptions& options) {
  std::vector<Reading> out;
  const std::string unit = unit_in(column.levels);
  for (const auto& [decimal, thousands] : table::kConventions) {
    if (options.decimal != 0 && decimal != options.decimal) continue;
    if (options.thousands != 0 && thousands != options.thousands) continue;
    if (decimal == ',' && thousands == 0) continue;  // the same with dots between thousands reads all that this reads
    out.push_back({.kind = Reading::Kind::number, .decimal = decimal, .thousands = thousands, .unit = unit});
  }
  for (const auto order : {Reading::Order::year_first, Reading::Order::day_first, Reading::Order::month_first}) {
    if (options.dates && order != Reading::Order::year_first && order != *options.dates) continue;
    out.push_back({.kind = Reading::Kind::date, .order = order});
    out.push_back({.kind = Reading::Kind::moment, .order = order});
  }
  for (const int fields : {2, 3}) out.push_back({.kind = Reading::Kind::duration, .fields = fields});
  return out;
}

Attempt attempt(const Column& column, const Cells& cells, Reading reading) {
  Attempt out{std::move(reading), std::vector<double>(column.levels.size(), kNoNumber), 0};
  for (std::size_t i = 0; i < column.levels.size(); ++i)
    if (const auto number = number_of(out.reading, column.levels[i])) {
      out.values[i] = *number;
      out.explained += cells.of_level[i];
    }
  return out;
}

bool agree(const Attempt& a, const Attempt& b) {
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

bool plain(const Attempt& a) {
  const Reading& r = a.reading;
  return r.kind == Reading::Kind::number && r.decimal == '.' && r.thousands == 0 && r.unit.empty();
}

// The reading that explains the most cells; and another one that explains as many, but otherwise.
struct Choice {
  Attempt best;
  std::optional<Attempt> rival;
};

Choice choose(const Column& column, const Cells& cells, const TidyOptions& options) {
  Choice out;
  for (Reading& reading : readings_to_try(column, options)) {
    Attempt next = attempt(column, cells, std::move(reading));
    if (next.explained > out.best.explained)
      out = {std::move(next), std::nullopt};
    else if (next.explained == out.best.explained && next.explained > 0 && !plain(out.best) && !agree(next, out.best))
      out.rival = std::move(next);
  }
  return out;
}

std::string words(const Reading& reading) {
  using enum Reading::Kind;
  if (reading.kind == date) return "dates";
  if (reading.kind == moment) return "dates with a time";
  if (reading.kind == duration) return "times";
  std::string out = reading.decimal == ',' ? "numbers with a decimal comma" : "numbers";
  if (reading.decimal == '.' && reading.thousands != 0)
    out += fmt::format(" with {} between thousands",
                       reading.thousands == ' ' ? "blanks" : fmt::format("{}", reading.thousands));
  if (!reading.unit.empty()) out += fmt::format(" in {}", reading.unit);
  return out;
}

std::string in_rows(std::size_t count) {
  return count == 1 ? "1 row" : fmt::format("{} rows", count);
}

TableWarning rivalry(const Column& column, const Choice& choice) {
  std::size_t i = 0;  // a level on which they disagree
  while (i + 1 < column.levels.size() && !(std::abs(choice.best.values[i] - choice.rival->values[i]) > 0)) ++i;
  const std::string name = printable(column.name, 40);
  const std::string shown = printable(column.levels[i], 40);
  if (choice.best.reading.calendar())
    return {fmt::format("column '{}' stays text: '{}' is {} or {}", name, shown,
                        text_of(choice.best.reading, choice.best.values[i]),
                        text_of(choice.rival->reading, choice.rival->values[i])),
            {{"dates", "dmy"}, {"dates", "mdy"}},
            "say which"};
  return {fmt::format("column '{}' stays text: '{}' is {} or {}", name, shown, format_number(choice.best.values[i]),
                      format_number(choice.rival->values[i])),
          {{"decimal", ","}, {"thousands", ","}},
          "say which"};
}

// Levels that the reading does not explain.
struct Strays {
  std::vector<std::string> texts;
  std::size_t cells = 0;
  bool nothing = true;  // all of them stand for no value
};

Strays strays_of(const Column& column, const Cells& cells, const Attempt& best) {
  Strays out;
  for (std::size_t i = 0; i < column.levels.size(); ++i) {
    if (!std::isnan(best.values[i]) || cells.of_level[i] == 0) continue;
    out.texts.push_back(column.levels[i]);
    out.cells += cells.of_level[i];
    out.nothing = out.nothing && stands_for_nothing(column.levels[i]);
  }
  return out;
}

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

void convert(Column& column, const Attempt& best, std::vector<std::string> missing) {
  column.numbers.reserve(column.codes.size());
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const auto code = column.codes[r];
    column.numbers.push_back(code == Codes::kMissing ? kNoNumber : best.values[code]);
  }
  column.type = ColumnType::numeric;
  const auto plainly = [&](const std::string& level) { return parse_number(level) || holds(missing, level); };
  const bool all_plain = std::all_of(column.levels.begin(), column.levels.end(), plainly);
  column.reading = plain(best) && all_plain ? Reading{} : best.reading;
  column.reading.missing = std::move(missing);
  const auto fraction = [](double x) { return !std::isnan(x) && x != std::floor(x); };
  if (best.reading.kind == Reading::Kind::moment && std::any_of(best.values.begin(), best.values.end(), fraction))
    column.reading.fields = 3;
  column.codes = {};
  column.levels = {};
}

// A column of 0, 1 and texts for "no value" stays one of categories, without these texts.
void forget_levels(Column& column, std::vector<std::string> missing) {
  Codes codes;
  std::vector<std::string> levels;
  std::vector<std::uint32_t> place;
  for (const std::string& level : column.levels) {
    const bool gone = holds(missing, level);
    place.push_back(gone ? Codes::kMissing : static_cast<std::uint32_t>(levels.size()));
    if (!gone) levels.push_back(level);
  }
  for (std::size_t r = 0; r < column.codes.size(); ++r)
    codes.push_back(column.codes[r] == Codes::kMissing ? Codes::kMissing : place[column.codes[r]]);
  column.codes = std::move(codes);
  column.levels = std::move(levels);
  column.reading.missing = std::move(missing);
}

// Numbers, dates and times. False: the column is none of these.
bool into_numbers(Column& column, const Cells& cells, const TidyOptions& options, Findings& findings) {
  const auto has_digit = [](const std::string& s) { return s.find_first_of("0123456789") != std::string::npos; };
  std::size_t digits = 0;
  for (std::size_t i = 0; i < column.levels.size(); ++i) digits += has_digit(column.levels[i]) ? cells.of_level[i] : 0;
  if (2 * digits <= cells.total) return false;
  Choice choice = choose(column, cells, options);
  if (choice.best.explained == 0) return false;
  const Strays strays = strays_of(column, cells, choice.best);
  const std::string name = printable(column.name, 40);
  if (!strays.nothing || 2 * strays.cells > cells.total) {
    if (10 * choice.best.explained < 8 * cells.total || strays.texts.size() > 10) return false;
    findings.warnings.push_back(
        {fmt::format("column '{}' stays text: '{}' ({}) is none of {}", name, printable(strays.texts.front(), 40),
                     in_rows(strays.cells), words(choice.best.reading)),
         {{"missing_also", strays.texts.front()}},
         "read it as missing"});
    return false;
  }
  if (choice.rival) {
    findings.warnings.push_back(rivalry(column, choice));
    return false;
  }
  if (!strays.texts.empty())
    findings.notes.push_back(fmt::format("column '{}': '{}' ({}) read as missing", name,
                                         printable(strays.texts.front(), 40), in_rows(strays.cells)));
  if (!plain(choice.best))
    findings.notes.push_back(fmt::format("column '{}' read as {}", name, words(choice.best.reading)));
  const auto zero_one = [](double x) { return std::isnan(x) || x == 0 || x == 1; };
  if (plain(choice.best) && std::all_of(choice.best.values.begin(), choice.best.values.end(), zero_one))
    forget_levels(column, strays.texts);
  else
    convert(column, choice.best, strays.texts);
  return true;
}

// Yes and no in more than two spellings become two levels, the most frequent spelling of each.
bool into_truths(Column& column, const Cells& cells, Findings& findings) {
  if (column.levels.size() < 3 || column.levels.size() > 12) return false;
  std::array<std::optional<std::size_t>, 2> name;
  for (std::size_t i = 0; i < column.levels.size(); ++i) {
    const auto truth = truth_of(column.levels[i]);
    if (!truth) return false;
    auto& best = name[*truth ? 1 : 0];
    if (!best || cells.of_level[i] > cells.of_level[*best]) best = i;
  }
  if (!name[0] || !name[1]) return false;
  Codes codes;
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const auto code = column.codes[r];
    codes.push_back(code == Codes::kMissing ? code : *truth_of(column.levels[code]) ? 1U : 0U);
  }
  column.levels = {column.levels[*name[0]], column.levels[*name[1]]};
  column.codes = std::move(codes);
  column.reading.kind = Reading::Kind::boolean;
  findings.notes.push_back(fmt::format("column '{}' read as {} or {}, however it is spelled",
                                       printable(column.name, 40), column.levels[0], column.levels[1]));
  return true;
}

// The most frequent categories stay; the others become one.
void limit_categories(Column& column, const Cells& cells, std::size_t most, Findings& findings) {
  std::vector<std::size_t> order(column.levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cells.of_level[a] != cells.of_level[b] ? cells.of_level[a] > cells.of_level[b]
                                                  : column.levels[a] < column.levels[b];
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::string other = "other";
  while (std::find(column.levels.begin(), column.levels.end(), other) != column.levels.end()) other = "(" + other + ")";
  std::vector<std::uint32_t> place(column.levels.size(), static_cast<std::uint32_t>(most));
  std::vector<std::string> levels;
  for (const std::size_t i : order) {
    place[i] = static_cast<std::uint32_t>(levels.size());
    levels.push_back(column.levels[i]);
  }
  levels.push_back(other);
  findings.notes.push_back(fmt::format("column '{}' has {} categories: the {} most frequent stay, the rest is '{}'",
                                       printable(column.name, 40), column.levels.size(), most, other));
  Codes codes;
  for (std::size_t r = 0; r < column.codes.size(); ++r)
    codes.push_back(column.codes[r] == Codes::kMissing ? Codes::kMissing : place[column.codes[r]]);
  column.codes = std::move(codes);
  column.levels = std::move(levels);
  column.reading.other = std::move(other);
}

}  // namespace

bool tidy(Column& column, const TidyOptions& options, Findings& findings) {
  if (column.type != ColumnType::nominal) return true;
  const Cells cells = count_cells(column);
  const std::size_t warnings = findings.warnings.size();
  if (!options.typed && (into_truths(column, cells, findings) || into_numbers(column, cells, options, findings)))
    return true;
  const auto used = static_cast<std::size_t>(
      std::count_if(cells.of_level.begin(), cells.of_level.end(), [](std::size_t n) { return n != 0; }));
  const bool asked_about = findings.warnings.size() > warnings;
  if (!options.typed && !options.keep && !asked_about && used >= kFewestToLeaveOut && 10 * used >= 9 * cells.total) {
    findings.warnings.push_back({fmt::format("column '{}' is left out: {} different texts in {}",
                                             printable(column.name, 40), used, in_rows(cells.total)),
                                 {{"keep_column", column.name}},
                                 "keep it"});
    return false;
  }
  if (used > options.max_categories) limit_categories(column, cells, options.max_categories, findings);
  return true;
}

Status tidy_target(Column& target, std::size_t bins, Findings& findings) {
  constexpr std::size_t kMostNumbers = 20;
  std::vector<double> of_level;
  for (const std::string& level : target.levels) {
    const auto number = parse_number(level);
    if (!number && bins != 0)
      return option_error(
          fmt::format("'{}' in the target '{}' is not a number", printable(level, 40), printable(target.name, 40)),
          "target_bins");
    if (!number) return Done{};
    of_level.push_back(*number);
  }
  const bool whole = std::all_of(of_level.begin(), of_level.end(), [](double x) { return x == std::floor(x); });
  if (bins == 0) {
    if (of_level.size() <= kMostNumbers || (whole && 10 * of_level.size() <= target.num_rows())) return Done{};
    return option_error(fmt::format("the target '{}' has {} different numbers, and this learns classes, not numbers; "
                                    "4 would make four classes of about equal size",
                                    printable(target.name, 40), of_level.size()),
                        "target_bins");
  }
  std::vector<double> sorted;
  for (std::size_t r = 0; r < target.num_rows(); ++r) sorted.push_back(of_level[target.codes[r]]);
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> cuts;
  for (std::size_t i = 1; i < bins; ++i) {
    const double cut = sorted[(i * sorted.size() - 1) / bins];
    if (cut < sorted.back() && (cuts.empty() || cut > cuts.back())) cuts.push_back(cut);
  }
  if (cuts.empty())
    return option_error(fmt::format("the target '{}' cannot be cut into classes", printable(target.name, 40)),
                        "target_bins");
  Codes codes;
  for (std::size_t r = 0; r < target.num_rows(); ++r)
    codes.push_back(static_cast<std::uint32_t>(bin_of(cuts, of_level[target.codes[r]])));
  target.codes = std::move(codes);
  target.levels = bin_names(cuts);
  target.reading.cuts = std::move(cuts);
  findings.notes.push_back(
      fmt::format("target '{}' cut into {} classes", printable(target.name, 40), target.levels.size()));
  return Done{};
}

}  // namespace beadwork
