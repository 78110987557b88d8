#include <beadwork/report.hpp>
#include <beadwork/report/html/bundle.hpp>
#include <beadwork/report/html/json.hpp>
#include <beadwork/report/markup.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

using namespace report;

constexpr std::uint64_t kMostRules = 20'000;  // beyond that nobody reads them; `beadwork show` writes any number

std::string base64(std::string_view hex) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto nibble = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 6) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 6; ++j) bits = bits << 4U | (i + j < hex.size() ? nibble(hex[i + j]) : 0U);
    const std::size_t bytes = std::min<std::size_t>(3, (hex.size() - i) / 2);
    for (std::size_t j = 0; j < 4; ++j) out += j <= bytes ? kDigits[bits >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

std::string source_hash(std::string_view text) {
  return "'sha256-" + base64(Sha256::of(text)) + "'";
}

// Nothing may be fetched, framed or posted; the one script and the one style sheet are known by their hashes. Pictures
// that the page makes of itself (PNG) are blobs.
std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src blob: data:; base-uri 'none'; form-action "
      "'none'",
      source_hash(page_script()), source_hash(page_style()));
}

// Inside <script> the text ends at "</script" and changes its meaning at "<!--": without "<" there is neither. JSON has
// "<" within strings only, where the escape means the same.
std::string island(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return escaped(text, {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}});
}

// What a reader sees without the script, and all that is left if it fails. The script takes picture and rules from here
// and puts the page in its place.
std::string still_page(const Model& model, const std::string& title) {
  std::string out = fmt::format("<div id=\"still\">\n<h1>{}</h1>\n<p>{}.</p>\n", title, xml_text(summary(model)));
  out +=
      "<noscript><p>With JavaScript this page also answers questions about cases and shows rows and evidence; all of "
      "it is in this file.</p></noscript>\n";
  out += fmt::format("<div class=\"frame\">{}</div>\n", to_svg(model));
  if (model.diagram().num_paths() <= kMostRules)
    out += fmt::format("<pre id=\"rules-text\">\n{}</pre>\n", xml_text(rules_words(model, kTypeset)));
  return out + "</div>\n";
}

}  // namespace

Status check_class(const std::string& name, const std::vector<std::string>& classes, const std::string& where) {
  if (std::find(classes.begin(), classes.end(), name) != classes.end()) return Done{};
  if (const std::string meant = did_you_mean(name, classes); !meant.empty())
    return input_error(fmt::format("'{}' is not a class{}", printable(name), meant), where);
  std::string list;
  for (const std::string& c : classes) {
    if (list.size() > 300)
      return input_error(
          fmt::format("'{}' is not one of the {} classes: {}, ...", printable(name), classes.size(), list), where);
    list += (list.empty() ? "" : ", ") + printable(c);
  }
  return input_error(fmt::format("'{}' is not a class; the classes are {}", printable(name), list), where);
}

Status check_page(std::size_t num_classes, const std::string& where) {
  if (num_classes <= kMostClassesOnPage) return Done{};
  return input_error(fmt::format("a page shows at most {} classes, and there are {}", kMostClassesOnPage, num_classes),
                     where);
}

Result<std::string> html_report(const Model& fitted, const ReportFacts& given) {
  TRY_DONE(check_page(fitted.class_names().size()));
  if (!given.positive.empty()) TRY_DONE(check_class(given.positive, fitted.class_names(), "positive"));
  TRY(const auto named, labelled(fitted, given));
  const auto& [model, facts] = named;
  Json data{{"format", "beadwork-report"}, {"version", 1}, {"beadwork", BEADWORK_VERSION}};
  data["texts"] = {{"model", to_json(fitted)}, {"summary", summary(model)}};
  data["diagram"] = diagram_json(model);
  TRY(auto rows, rows_json(model, facts));
  data["rows"] = std::move(rows);
  data["history"] = history_json(model, facts);
  if (!facts.alternatives.empty()) data["alternatives"] = alternatives_json(facts, given);

  if (!facts.title.empty()) data["title"] = facts.title;
  if (!facts.positive.empty()) data["positive"] = facts.positive;
  if (!facts.date.empty()) data["date"] = facts.date;
  for (const ReportFacts::Label& l : facts.labels) data["labels"].push_back({l.column, l.value, l.text});
  const std::string title = xml_text(facts.title.empty() ? "How the model decides: " + shown(model.binarizer().target())
                                                         : shown(facts.title));
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy());
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n";
  out += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", title, page_style());
  out += still_page(model, title);
  out += fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n", island(data));
  out += fmt::format("<script>{}</script>\n</body>\n</html>\n", page_script());
  return out;
}

}  // namespace beadwork
