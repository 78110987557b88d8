#include <beadwork/model/reading_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwork::model {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKinds[] = {"plain", "number", "date", "moment", "duration", "boolean", "ordinal"};
constexpr const char* kOrders[] = {"ymd", "dmy", "mdy"};

template <std::size_t N>
std::size_t place_of(const Json& j, const char* const (&names)[N], const std::string& where) {
  const auto text = j.get<std::string>();
  for (std::size_t i = 0; i < N; ++i)
    if (text == names[i]) return i;
  throw std::invalid_argument(fmt::format("{} is '{}'", where, printable(text, 40)));
}

// One character, or nothing for 0.
std::string text_of(char c) {
  return c == 0 ? std::string() : std::string(1, c);
}

char character(const Json& j, std::string_view allowed, const std::string& where) {
  const auto text = j.get<std::string>();
  if (text.empty()) return 0;
  if (text.size() != 1 || allowed.find(text[0]) == std::string_view::npos)
    throw std::invalid_argument(fmt::format("{} is '{}'", where, printable(text, 40)));
  return text[0];
}

// Writes what differs from the plain value.
template <class T>
void put(Json& j, const char* key, const T& value, const T& plain) {
  if (value != plain) j[key] = value;
}

std::vector<double> cuts_of(const Json& j, const std::string& where) {
  auto cuts = j.get<std::vector<double>>();
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(cuts.begin(), cuts.end(), finite) ||
      std::adjacent_find(cuts.begin(), cuts.end(), std::greater_equal<>()) != cuts.end())
    throw std::invalid_argument(where + " do not rise");
  return cuts;
}

}  // namespace

Json reading_json(const Reading& reading) {
  const Reading plain;
  Json j = Json::object();
  if (reading.kind != plain.kind) j["kind"] = kKinds[static_cast<std::size_t>(reading.kind)];
  put(j, "decimal", text_of(reading.decimal), text_of(plain.decimal));
  put(j, "thousands", text_of(reading.thousands), std::string());
  put(j, "unit", reading.unit, plain.unit);
  if (reading.order != plain.order) j["order"] = kOrders[static_cast<std::size_t>(reading.order)];
  put(j, "fields", reading.fields, plain.fields);
  put(j, "levels", reading.levels, plain.levels);
  put(j, "missing", reading.missing, plain.missing);
  put(j, "other", reading.other, plain.other);
  put(j, "cuts", reading.cuts, plain.cuts);
  return j;
}

Json reading_json(const ReadOptions& options) {
  const ReadOptions plain;
  Json j = Json::object();
  put(j, "delimiter", text_of(options.delimiter), std::string());
  put(j, "header", options.header, plain.header);
  put(j, "missing", options.missing, plain.missing);
  if (options.quotes_mean_text) j["quotes_mean_text"] = *options.quotes_mean_text;
  for (const MissingCode& code : options.missing_of) j["missing_of"][code.column].push_back(code.text);
  put(j, "encoding", options.encoding, plain.encoding);
  put(j, "drop_unlabelled", options.drop_unlabelled, plain.drop_unlabelled);
  put(j, "weight", options.weight, plain.weight);
  put(j, "numeric", options.numeric, plain.numeric);
  put(j, "nominal", options.nominal, plain.nominal);
  for (const OrderedWords& words : options.ordered) j["ordered"][words.column] = words.levels;
  put(j, "ignore", options.ignore, plain.ignore);
  put(j, "decimal", text_of(options.decimal), std::string());
  put(j, "thousands", text_of(options.thousands), std::string());
  if (options.dates) j["dates"] = kOrders[static_cast<std::size_t>(*options.dates)];
  put(j, "keep", options.keep, plain.keep);
  put(j, "max_categories", options.max_categories, plain.max_categories);
  put(j, "target_bins", options.target_bins, plain.target_bins);
  return j;
}

Reading read_reading(const Json& j, const std::string& where) {
  if (!j.is_object()) throw std::invalid_argument(where + " is not an object");
  Reading out;
  for (const auto& [key, value] : j.items()) {
    const std::string what = fmt::format("\"{}\" of {}", printable(key, 40), where);
    if (key == "kind")
      out.kind = static_cast<Reading::Kind>(place_of(value, kKinds, what));
    else if (key == "decimal")
      out.decimal = character(value, ".,", what);
    else if (key == "thousands")
      out.thousands = character(value, ",.' ", what);
    else if (key == "unit")
      out.unit = value.get<std::string>();
    else if (key == "order")
      out.order = static_cast<Reading::Order>(place_of(value, kOrders, what));
    else if (key == "fields")
      out.fields = value.get<int>() == 2 ? 2 : 3;
    else if (key == "levels")
      out.levels = value.get<std::vector<std::string>>();
    else if (key == "missing")
      out.missing = value.get<std::vector<std::string>>();
    else if (key == "other")
      out.other = value.get<std::string>();
    else if (key == "cuts")
      out.cuts = cuts_of(value, what);
    else
      throw std::invalid_argument(fmt::format("{} has an unknown key \"{}\"", where, printable(key, 40)));
  }
  return out;
}

namespace {

void read_codes(const Json& j, ReadOptions& out) {
  for (const auto& [column, texts] : j.items())
    for (const std::string& text : texts.get<std::vector<std::string>>()) out.missing_of.push_back({column, text});
}

}  // namespace

ReadOptions read_options(const Json& j) {
  if (!j.is_object()) throw std::invalid_argument("\"reading\" is not an object");
  ReadOptions out;
  using Texts = std::vector<std::string>;
  for (const auto& [key, value] : j.items()) {
    const std::string what = fmt::format("\"{}\" of the reading", printable(key, 40));
    if (key == "delimiter")
      out.delimiter = character(value, ",;\t|", what);
    else if (key == "header")
      out.header = value.get<bool>();
    else if (key == "missing")
      out.missing = value.get<Texts>();
    else if (key == "quotes_mean_text")
      out.quotes_mean_text = value.get<bool>();
    else if (key == "missing_of")
      read_codes(value, out);
    else if (key == "encoding")
      out.encoding = value.get<std::string>();
    else if (key == "drop_unlabelled")
      out.drop_unlabelled = value.get<bool>();
    else if (key == "weight")
      out.weight = value.get<std::string>();
    else if (key == "numeric")
      out.numeric = value.get<Texts>();
    else if (key == "nominal")
      out.nominal = value.get<Texts>();
    else if (key == "ordered")
      for (const auto& [column, levels] : value.items()) out.ordered.push_back({column, levels.get<Texts>()});
    else if (key == "ignore")
      out.ignore = value.get<Texts>();
    else if (key == "decimal")
      out.decimal = character(value, ".,", what);
    else if (key == "thousands")
      out.thousands = character(value, ",.' ", what);
    else if (key == "dates")
      out.dates = static_cast<Reading::Order>(place_of(value, kOrders, what));
    else if (key == "keep")
      out.keep = value.get<Texts>();
    else if (key == "max_categories")
      out.max_categories = value.get<std::size_t>();
    else if (key == "target_bins")
      out.target_bins = value.get<std::size_t>();
    else
      throw std::invalid_argument(fmt::format("the reading has an unknown key \"{}\"", printable(key, 40)));
  }
  return out;
}

}  // namespace beadwork::model
