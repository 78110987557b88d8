#include "input_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

Result<char> sign(const std::string& text, std::string_view allowed, const std::string& flag,
                  std::string_view expected) {
  if (text.size() == 1 && allowed.find(text[0]) != std::string_view::npos) return text[0];
  return usage_error(fmt::format("expected {}, got '{}'", expected, printable(text)), flag);
}

// COLUMN=LOW,MEDIUM,HIGH; blanks around the words do not count.
Result<OrderedWords> ordered_words(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0)
    return usage_error(fmt::format("expected COLUMN=LOW,MEDIUM,HIGH, got '{}'", printable(text)), "--ordered");
  OrderedWords out{text.substr(0, sign), {}};
  for (std::size_t at = sign; at != std::string::npos;) {
    const std::size_t end = text.find(',', at + 1);
    std::string word = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    out.levels.push_back(std::move(word));
    at = end;
  }
  return out;
}

}  // namespace

Result<ReadOptions> InputFlags::read_options() const {
  ReadOptions o;
  static constexpr std::array kFormats = {std::pair{"auto", TableFormat::detect}, std::pair{"csv", TableFormat::csv},
                                          std::pair{"arff", TableFormat::arff},
                                          std::pair{"matrix", TableFormat::matrix}};
  const auto* known = std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& f) { return f.first == format; });
  if (known == kFormats.end())
    return usage_error(fmt::format("expected auto, csv, arff or matrix, got '{}'", printable(format)), "--format");
  o.format = known->second;
  if (!delimiter.empty()) {
    const std::string d = delimiter == "tab" || delimiter == "\\t" ? "\t" : delimiter;
    TRY(const auto known_sign, sign(d, ",;\t|", "--delimiter", ", ; | or tab"));
    o.delimiter = known_sign;
  }
  TRY_DONE(read_spellings(o));
  o.header = !no_header;
  add_missing(o);
  o.encoding = encoding;
  o.drop_unlabelled = drop_unlabelled;
  o.target = target;
  o.weight = weight;
  o.numeric = numeric;
  o.nominal = nominal;
  for (const std::string& text : ordered) {
    TRY(auto words, ordered_words(text));
    o.ordered.push_back(std::move(words));
  }
  o.ignore = ignore;
  o.keep = keep_column;
  if (like && o == ReadOptions{}) return *like;
  return o;
}

// COLUMN=TEXT is a code of one column; other texts count in all of them.
void InputFlags::add_missing(ReadOptions& o) const {
  std::vector<std::string> everywhere;
  for (const auto* list : {&missing, &missing_also})
    for (const std::string& text : *list)
      if (const std::size_t sign = text.find('='); sign != std::string::npos && sign != 0)
        o.missing_of.push_back({text.substr(0, sign), text.substr(sign + 1)});
      else
        (list == &missing ? everywhere : o.missing).push_back(text);
  if (everywhere.empty()) return;
  everywhere.insert(everywhere.end(), o.missing.begin() + static_cast<std::ptrdiff_t>(ReadOptions{}.missing.size()),
                    o.missing.end());
  o.missing = std::move(everywhere);
}

// What columns of text may stand for.
Status InputFlags::read_spellings(ReadOptions& o) const {
  if (!decimal.empty()) {
    TRY(const auto c, sign(decimal, ".,", "--decimal", ". or ,"));
    o.decimal = c;
  }
  if (!thousands.empty()) {
    TRY(const auto c, sign(thousands, ",.' ", "--thousands", ", . ' or a space"));
    o.thousands = c;
  }
  if (o.decimal != 0 && o.decimal == o.thousands)
    return usage_error("the decimal sign cannot stand between thousands, too", "--thousands");
  static constexpr std::array<std::string_view, 3> kOrders{"ymd", "dmy", "mdy"};
  const auto* order = std::find(kOrders.begin(), kOrders.end(), dates);
  if (!dates.empty() && order == kOrders.end())
    return usage_error(fmt::format("expected dmy, mdy or ymd, got '{}'", printable(dates)), "--dates");
  if (!dates.empty()) o.dates = static_cast<Reading::Order>(order - kOrders.begin());
  if (max_categories < 1) return usage_error("expected at least 1", "--max-categories");
  if (target_bins == 1) return usage_error("expected at least 2", "--target-bins");
  o.max_categories = max_categories;
  o.target_bins = target_bins;
  return Done{};
}

}  // namespace beadwork
