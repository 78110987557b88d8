#include <beadwork/table/attempt.hpp>
#include <beadwork/table/collisions.hpp>
#include <beadwork/table/number.hpp>
#include <beadwork/table/spelling.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace beadwork::table {
namespace {

// The unit of the first number that has one: a currency, a percent sign, or the word behind it ("kg"). First in the
// order of texts: the rows may come in any order.
std::string unit_in(std::vector<std::string> levels) {
  std::sort(levels.begin(), levels.end());
  for (const std::string& level : levels) {
    const std::size_t end = level.find_last_of("0123456789") + 1;
    const std::size_t start = std::min(level.find_first_not_of(' ', end), level.size());
    for (const std::string& word : {std::string(), level.substr(start)}) {
      const auto spelled = take_apart(level, word);
      if (spelled.unit.empty()) continue;
      for (const auto& convention : kConventions)
        if (value_of(spelled, convention)) return std::string(spelled.unit);
    }
  }
  return {};
}

// Plain numbers first: where several readings explain as much and agree, the first counts.
std::vector<Reading> readings_to_try(const Column& column, const TidyOptions& options) {
  std::vector<Reading> out;
  const std::string unit = unit_in(column.levels);
  for (const auto& [decimal, thousands] : kConventions) {
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

bool agree(const Attempt& a, const Attempt& b) {
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

std::string without_case(std::string_view text) {
  // No-break and thin spaces, zero width space and joiners, soft hyphen, byte-order mark.
  static constexpr std::array<std::string_view, 9> kUnseen{" ",      "\u00A0", "\u202F", "\u2009", "\u200B",
                                                           "\u200C", "\u200D", "\u00AD", "\uFEFF"};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto* unseen =
        std::find_if(kUnseen.begin(), kUnseen.end(), [&](std::string_view s) { return text.substr(i).starts_with(s); });
    if (unseen == kUnseen.end()) out += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
    i += unseen == kUnseen.end() ? 1 : unseen->size();
  }
  return out;
}

}  // namespace

Cells count_cells(const Column& column, std::span<const std::int64_t> times) {
  Cells cells{std::vector<std::size_t>(column.levels.size()), 0};
  for (std::size_t r = 0; r < column.codes.size(); ++r)
    if (const auto code = column.codes[r]; code != Codes::kMissing) {
      const std::size_t count = times.empty() ? 1 : static_cast<std::size_t>(times[r]);
      cells.of_level[code] += count;
      cells.total += count;
    }
  return cells;
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

bool plain(const Attempt& a) {
  const Reading& r = a.reading;
  return r.kind == Reading::Kind::number && r.decimal == '.' && r.thousands == 0 && r.unit.empty();
}

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

std::optional<std::pair<std::string, std::string>> look_alikes(const Column& column, const Cells& cells) {
  std::vector<std::size_t> order(column.levels.size());  // of texts: the rows may come in any order
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return column.levels[a] < column.levels[b]; });
  std::map<std::string, std::size_t> seen;
  for (const std::size_t i : order) {
    if (cells.of_level[i] == 0) continue;
    const auto [it, fresh] = seen.try_emplace(without_case(column.levels[i]), i);
    if (!fresh) return std::pair(printable(column.levels[it->second], 30), printable(column.levels[i], 30));
  }
  return std::nullopt;
}

// The value of a text, exactly.
static std::string exactly(const Reading& reading, std::string_view text) {
  if (reading.calendar()) {
    const auto moment = moment_of(text, reading.order);
    if (!moment) return std::string(text);
    const double fraction =
        moment->fraction.empty() ? 0 : parse_number("0." + std::string(moment->fraction)).value_or(0);
    return fmt::format("{:.0f}.{}", std::round(moment->seconds - fraction), moment->fraction);
  }
  if (reading.kind != Reading::Kind::number) return {};
  const Spelled spelled = take_apart(text, reading.unit);
  std::string plain;
  for (const char c : spelled.body)
    if (c != reading.thousands) plain += c == reading.decimal ? '.' : c;
  return (spelled.negative ? "-" : "") + exact_number(plain);
}

std::optional<std::pair<std::string, std::string>> read_as_one(const Column& column, const Attempt& a) {
  constexpr std::size_t kSeconds = 19;  // characters of a time without fractions
  std::map<double, std::size_t> first;
  for (std::size_t i = 0; i < column.levels.size(); ++i) {
    const std::string& level = column.levels[i];
    const bool fine = a.reading.kind == Reading::Kind::moment && level.size() > kSeconds;
    if (std::isnan(a.values[i]) || (!fine && !Collisions::worth_a_look(level))) continue;
    const auto [at, fresh] = first.try_emplace(a.values[i], i);
    if (!fresh && exactly(a.reading, column.levels[at->second]) != exactly(a.reading, level))
      return std::minmax(column.levels[at->second], level);
  }
  return std::nullopt;
}

TableWarning told_as_one(const std::string& column, const std::pair<std::string, std::string>& two, bool input) {
  std::string message =
      fmt::format("column '{}': '{}' and '{}' are read as the same, for a number holds no more digits",
                  printable(column, 40), printable(two.first, 40), printable(two.second, 40));
  if (!input) return {std::move(message), {}, {}};
  return {std::move(message), {{"nominal", column}}, "tell them apart as categories"};
}

std::string in_rows(std::size_t count) {
  return count == 1 ? "1 row" : fmt::format("{} rows", count);
}

}  // namespace beadwork::table
