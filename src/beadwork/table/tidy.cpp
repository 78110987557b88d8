#include <beadwork/table/attempt.hpp>
#include <beadwork/table/number.hpp>
#include <beadwork/table/spelling.hpp>
#include <beadwork/table/tidy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace beadwork {
namespace {

using namespace table;

// The least of the texts that something holds of, by their numbers; what is said of a column depends on no order of
// rows.
template <class Holds>
std::optional<std::size_t> least_level(const Column& column, const Holds& holds) {
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < column.levels.size(); ++i)
    if (holds(i) && (!least || column.levels[i] < column.levels[*least])) least = i;
  return least;
}

TableWarning rivalry(const Column& column, const Choice& choice) {
  const auto disagree = [&](std::size_t k) {
    return std::abs(choice.best.values[k] - choice.rival->values[k]) > 0;  // neither is NaN
  };
  const auto any = [](std::size_t) { return true; };
  const std::size_t i = least_level(column, disagree).value_or(least_level(column, any).value_or(0));
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
  std::sort(out.texts.begin(), out.texts.end());  // the rows may come in any order
  return out;
}

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

void convert(Column& column, const Attempt& best, const std::vector<std::string>& missing) {
  column.numbers.reserve(column.codes.size());
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const auto code = column.codes[r];
    column.numbers.push_back(code == Codes::kMissing ? kNoNumber : best.values[code]);
  }
  column.type = ColumnType::numeric;
  const auto plainly = [&](const std::string& level) { return parse_number(level) || holds(missing, level); };
  const bool all_plain = std::all_of(column.levels.begin(), column.levels.end(), plainly);
  auto codes = std::move(column.reading.missing);
  column.reading = plain(best) && all_plain ? Reading{} : best.reading;
  column.reading.missing = std::move(codes);
  column.reading.add_missing(missing);
  const auto fraction = [](double x) { return !std::isnan(x) && x != std::floor(x); };
  if (best.reading.kind == Reading::Kind::moment && std::any_of(best.values.begin(), best.values.end(), fraction))
    column.reading.fields = 3;
  column.codes = {};
  column.levels = {};
}

// A column of 0, 1 and texts for "no value" stays one of categories, without these texts.
void forget_levels(Column& column, const std::vector<std::string>& missing) {
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
  column.reading.add_missing(missing);
}

void note_strays(const std::string& column, const Strays& strays, Findings& findings) {
  if (strays.texts.empty()) return;
  findings.notes.push_back(fmt::format("column '{}': '{}'{} ({}) read as missing", printable(column, 40),
                                       printable(strays.texts.front(), 40),
                                       strays.texts.size() == 1 ? "" : " and the like", in_rows(strays.cells)));
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
  const auto code = [&](std::size_t i) { return looks_like_code(column.levels[i]); };
  if (const auto at = least_level(column, code); at && plain(choice.best)) {
    findings.warnings.push_back({fmt::format("column '{}' stays text: '{}' begins with a zero, as codes do", name,
                                             printable(column.levels[*at], 40)),
                                 {{"numeric", column.name}},
                                 "read numbers"});
    return false;
  }
  if (const auto two = read_as_one(column, choice.best))
    findings.warnings.push_back(told_as_one(column.name, *two, true));
  note_strays(column.name, strays, findings);
  const auto plainly = [](const std::string& level) { return parse_number(level).has_value(); };
  if (!plain(choice.best) && !std::all_of(column.levels.begin(), column.levels.end(), plainly))
    findings.notes.push_back(fmt::format("column '{}' read as {}", name, words(choice.best.reading)));
  const auto zero_one = [](double x) { return std::isnan(x) || x == 0 || x == 1; };
  if (plain(choice.best) && std::all_of(choice.best.values.begin(), choice.best.values.end(), zero_one))
    forget_levels(column, strays.texts);
  else
    convert(column, choice.best, strays.texts);
  return true;
}

// Yes and no in more than two spellings become two levels, the most frequent spelling of each. A few texts for "no
// value" among them are missing.
bool into_truths(Column& column, const Cells& cells, Findings& findings) {
  if (column.levels.size() < 3 || column.levels.size() > 12) return false;
  std::array<std::optional<std::size_t>, 2> name;
  Strays strays;
  for (std::size_t i = 0; i < column.levels.size(); ++i) {
    const auto truth = truth_of(column.levels[i]);
    if (!truth) {
      if (!stands_for_nothing(column.levels[i])) return false;
      strays.texts.push_back(column.levels[i]);
      strays.cells += cells.of_level[i];
      continue;
    }
    auto& best = name[*truth ? 1 : 0];
    const auto ahead = [&](std::size_t a, std::size_t b) {
      return cells.of_level[a] != cells.of_level[b] ? cells.of_level[a] > cells.of_level[b]
                                                    : column.levels[a] < column.levels[b];
    };
    if (!best || ahead(i, *best)) best = i;
  }
  if (!name[0] || !name[1] || 2 * strays.cells > cells.total) return false;
  std::sort(strays.texts.begin(), strays.texts.end());
  note_strays(column.name, strays, findings);
  if (column.levels.size() - strays.texts.size() == 2) {
    forget_levels(column, strays.texts);
    return true;
  }
  Codes codes;
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const auto code = column.codes[r];
    const auto truth = code == Codes::kMissing ? std::nullopt : truth_of(column.levels[code]);
    codes.push_back(!truth ? Codes::kMissing : *truth ? 1U : 0U);
  }
  column.levels = {column.levels[*name[0]], column.levels[*name[1]]};
  column.codes = std::move(codes);
  column.reading.kind = Reading::Kind::boolean;
  column.reading.add_missing(strays.texts);
  findings.notes.push_back(fmt::format("column '{}' read as {} or {}, however it is spelled",
                                       printable(column.name, 40), column.levels[0], column.levels[1]));
  return true;
}

// The most frequent categories stay; the others become one.
void limit_categories(Column& column, const Cells& cells, std::size_t most, Findings& findings) {
  auto [stay, other, place] = frequent_levels(column.levels, cells.of_level, most);
  std::vector<std::string> levels;
  for (const std::size_t i : stay) levels.push_back(column.levels[i]);
  if (!other.empty()) levels.push_back(other);
  findings.notes.push_back(fmt::format("column '{}' has {} categories: the {} most frequent stay, the rest {}",
                                       printable(column.name, 40), column.levels.size(), most,
                                       other.empty() ? "are other spellings of them" : fmt::format("is '{}'", other)));
  Codes codes;
  for (std::size_t r = 0; r < column.codes.size(); ++r)
    codes.push_back(column.codes[r] == Codes::kMissing ? Codes::kMissing
                                                       : static_cast<std::uint32_t>(place[column.codes[r]]));
  column.codes = std::move(codes);
  column.levels = std::move(levels);
  column.reading.other = std::move(other);
}

// Levels of the rest that are another spelling of one that stays.
void join_spellings(FrequentLevels& frequent, const std::vector<std::string>& levels) {
  std::unordered_map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t k = 0; k < frequent.stay.size(); ++k)
    if (const auto same = same_category(levels[frequent.stay[k]])) alike[*same].push_back(k);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (frequent.place[i] != frequent.stay.size()) continue;
    const auto same = same_category(levels[i]);
    const auto at = same ? alike.find(*same) : alike.end();
    if (at != alike.end() && at->second.size() == 1) frequent.place[i] = at->second.front();
  }
}

bool nearly_all_different(std::size_t texts, std::size_t cells) {
  constexpr std::size_t kFewestToLeaveOut = 20;
  return texts >= kFewestToLeaveOut && 10 * texts >= 9 * cells;
}

}  // namespace

FrequentLevels frequent_levels(const std::vector<std::string>& levels, const std::vector<std::size_t>& counts,
                               std::size_t most) {
  FrequentLevels out{std::vector<std::size_t>(levels.size()), "other", std::vector<std::size_t>(levels.size(), most)};
  std::iota(out.stay.begin(), out.stay.end(), std::size_t{0});
  std::sort(out.stay.begin(), out.stay.end(), [&](std::size_t a, std::size_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : levels[a] < levels[b];
  });
  out.stay.resize(most);
  std::sort(out.stay.begin(), out.stay.end());
  for (std::size_t k = 0; k < most; ++k) out.place[out.stay[k]] = k;
  join_spellings(out, levels);
  bool rest = false;
  for (std::size_t i = 0; i < levels.size(); ++i) rest = rest || (counts[i] != 0 && out.place[i] == most);
  while (std::find(levels.begin(), levels.end(), out.other) != levels.end()) out.other = fmt::format("({})", out.other);
  if (!rest) out.other.clear();
  return out;
}

TextsAre judge_texts(const std::vector<std::string>& texts, const std::vector<std::size_t>& counts,
                     const ReadOptions& options) {
  Column column{"", ColumnType::nominal, {}, {}, texts};
  const Cells cells{counts, std::accumulate(counts.begin(), counts.end(), std::size_t{0})};
  Findings findings;
  if (into_truths(column, cells, findings) ||
      into_numbers(column, cells, {options.decimal, options.thousands, options.dates}, findings))
    return TextsAre::something_else;
  const bool asked_about = !findings.warnings.empty();
  return !asked_about && nearly_all_different(texts.size(), cells.total) ? TextsAre::left_out : TextsAre::categories;
}

Result<std::optional<Column>> read_texts(Column column, const std::vector<std::size_t>& counts,
                                         const ReadOptions& options, Findings& findings) {
  const auto number = [](const std::string& text) { return parse_number(text) && !looks_like_code(text); };
  const auto odd = least_level(column, [&](std::size_t i) { return names_no_finite_number(column.levels[i]); });
  if (odd && std::all_of(column.levels.begin(), column.levels.end(),
                         [&](const std::string& s) { return number(s) || names_no_finite_number(s); }))
    return not_finite(column.levels[*odd], column.name, "");
  column.codes = {};
  for (std::size_t i = 0; i < column.levels.size(); ++i) column.codes.push_back(static_cast<std::uint32_t>(i));
  column.as_found = false;
  const Cells cells{counts, std::accumulate(counts.begin(), counts.end(), std::size_t{0})};
  const bool keep = std::find(options.keep.begin(), options.keep.end(), column.name) != options.keep.end();
  const TidyOptions how{options.decimal, options.thousands, options.dates, options.max_categories, false, keep};
  if (!tidy(column, cells, how, findings)) return std::optional<Column>{};
  return std::optional(std::move(column));
}

void into_places(Column& column) {
  Attempt places{
      {.kind = Reading::Kind::ordinal, .levels = column.levels}, std::vector<double>(column.levels.size()), 0};
  std::iota(places.values.begin(), places.values.end(), 0.0);
  convert(column, places, {});
}

bool tidy(Column& column, const TidyOptions& options, Findings& findings, std::span<const std::int64_t> times) {
  return column.type != ColumnType::nominal || tidy(column, count_cells(column, times), options, findings);
}

bool tidy(Column& column, const Cells& cells, const TidyOptions& options, Findings& findings) {
  if (column.type != ColumnType::nominal) return true;
  const std::size_t warnings = findings.warnings.size();
  if (!options.typed && (into_truths(column, cells, findings) || into_numbers(column, cells, options, findings)))
    return true;
  const auto used = static_cast<std::size_t>(
      std::count_if(cells.of_level.begin(), cells.of_level.end(), [](std::size_t n) { return n != 0; }));
  const bool asked_about = findings.warnings.size() > warnings;
  const bool keeping = options.typed || options.keep || options.max_categories == SIZE_MAX;
  if (!keeping && !asked_about && nearly_all_different(used, cells.total)) {
    findings.warnings.push_back({fmt::format("column '{}' is left out: {} different texts in {}",
                                             printable(column.name, 40), used, in_rows(cells.total)),
                                 {{"keep_column", column.name}},
                                 "keep it"});
    return false;
  }
  if (const auto two = look_alikes(column, cells); two && !options.typed)
    findings.warnings.push_back({fmt::format("column '{}' has categories '{}' and '{}', which are read as different",
                                             printable(column.name, 40), two->first, two->second),
                                 {},
                                 {}});
  if (used > options.max_categories) limit_categories(column, cells, options.max_categories, findings);
  return true;
}

}  // namespace beadwork
