#include <beadwork/report.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace beadwork::report {
namespace {

std::int64_t scale_of(const Model& model) {
  return std::max<std::int64_t>(1, model.training().weight_scale);
}

double in_units(const Model& model, std::int64_t weight) {
  return static_cast<double>(weight) / static_cast<double>(scale_of(model));
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

// Equal weights of 1 have scale 1.
bool unweighted(const Model& model) {
  return scale_of(model) == 1 && model.training().total_weight == model.training().rows;
}

std::string shown(std::string_view name) {
  return printable(name, 200);
}

bool stands_for_itself(const InputColumn& input, const Test& test) {
  return input.type == ColumnType::nominal && input.levels == std::vector<std::string>{"0", "1"} &&
         test.kind == TestKind::equals && test.level == "1";
}

std::string test_words(const Model& model, Feature f, bool passed, const Shorten& shorten, const Signs& signs) {
  const Test& test = model.binarizer().tests()[f()];
  const InputColumn& input = model.binarizer().inputs()[test.column];
  const std::string name = shorten(input.name);
  if (stands_for_itself(input, test)) return passed ? name : "not " + name;
  switch (test.kind) {
    case TestKind::missing:
      return name + (passed ? " is missing" : " is present");
    case TestKind::at_most:
      return fmt::format("{} {} {}", name, passed ? signs.at_most : ">", text_of(input.reading, test.threshold));
    case TestKind::equals:
      break;
  }
  return fmt::format("{} {} {}", name, passed ? "=" : signs.unequal, shorten(test.level));
}

std::string answer_words(const Model& model, const std::optional<Class>& answer, const Shorten& shorten) {
  return answer ? shorten(model.class_names()[(*answer)()]) : "undecided";
}

std::string weight_words(const Model& model, std::int64_t weight) {
  const std::int64_t scale = scale_of(model);
  if (weight % scale == 0) return fmt::format("{}", weight / scale);
  const double value = in_units(model, weight);
  return value < 1e6 ? fmt::format("{:.6g}", value) : fmt::format("{:.1f}", value);
}

std::string share_words(const Model& model, std::int64_t part, std::int64_t whole) {
  const std::string of = weight_words(model, part) + " of " + weight_words(model, whole);
  if (!unweighted(model)) return of + " by weight";
  return of + (whole == scale_of(model) ? " row" : " rows");
}

std::string rows_words(const Model& model, std::int64_t weight) {
  if (!unweighted(model)) return "weight " + weight_words(model, weight);
  return weight_words(model, weight) + (weight == scale_of(model) ? " row" : " rows");
}

std::string short_weight(const Model& model, std::int64_t weight) {
  double value = in_units(model, weight);
  if (value < 9999.5) return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
  constexpr std::array<const char*, 6> kUnits{"k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  for (value /= 1000; value >= 999.5 && unit + 1 < kUnits.size(); value /= 1000) ++unit;
  return fmt::format("{:.{}f}{}", value, value < 9.95 ? 1 : 0, kUnits[unit]);
}

std::string probability_words(std::int64_t part, std::int64_t whole) {
  const double p = share(part, whole);
  if (part < whole && p >= 0.995) return ">0.99";
  if (part > 0 && p < 0.005) return "<0.01";
  return fmt::format("{:.2f}", p);
}

std::string percent_words(std::int64_t part, std::int64_t whole) {
  const double p = share(part, whole);
  if (part < whole && p >= 0.995) return ">99%";
  if (part > 0 && p < 0.005) return "<1%";
  return fmt::format("{:.0f}%", 100 * p);
}

std::int64_t right_weight(std::span<const std::int64_t> counts, const std::optional<Class>& answer) {
  return answer ? counts[(*answer)()] : 0;
}

namespace {

// Of the training rows, in the user's units.
std::vector<std::vector<double>> confusion_of(const Model& model) {
  const std::size_t classes = model.class_names().size();
  std::vector<std::vector<double>> out(classes, std::vector<double>(classes));
  const NodeCounts counts = node_counts(model.diagram(), model.counts());
  for (std::size_t n = 0; n < model.diagram().size(); ++n) {
    const auto& answer = model.diagram().nodes()[n].answer;
    if (!model.diagram().nodes()[n].sink || !answer) continue;
    for (std::size_t j = 0; j < classes; ++j) out[j][(*answer)()] += in_units(model, counts.at[n][j]);
  }
  return out;
}

}  // namespace

std::string summary(const Model& model) {
  const Training& t = model.training();
  if (t.total_weight == 0) return "no training rows";
  double percent = 100 * share(t.total_weight - t.errors, t.total_weight);
  if (t.errors > 0) percent = std::min(percent, 99.9);
  const std::string errors = weight_words(model, t.errors), all = rows_words(model, t.total_weight);
  const Claim& c = model.claim();
  const std::string kinds = c.objective.costs ? kinds_of_errors(confusion_of(model), model.class_names()) : "";
  const std::string named = kinds.empty() ? "" : ": " + kinds;
  std::string out = fmt::format(
      "training accuracy {:.1f}% ({}{})", percent,
      unweighted(model) ? fmt::format("{} error{} in {}", errors, t.errors == 1 ? "" : "s", all)
                        : fmt::format("errors of weight {} in {}", errors, weight_words(model, t.total_weight)),
      named);
  const std::string bound = is_proven(c) || c.lower_bound == 0 ? ""
                            : c.objective.costs
                                ? fmt::format(" (lower bound {})", format_number(beadwork::in_units(c, c.lower_bound)))
                                : fmt::format(" (lower bound {})", weight_words(model, c.lower_bound));
  // What was minimised comes first.
  out = c.objective.costs && c.upper_bound
            ? fmt::format("{}, {}{}; {}", amount_words(c, *c.upper_bound), headline(c, model.standing()), bound, out)
            : out + ", " + headline(c, model.standing()) + bound;
  return out + (model.sealed() ? "" : fmt::format("; {}", kNoChecksum));
}

}  // namespace beadwork::report

namespace beadwork {

std::string kinds_of_errors(const std::vector<std::vector<double>>& confusion,
                            const std::vector<std::string>& class_names) {
  constexpr std::size_t kMost = 4;
  std::vector<std::tuple<double, std::size_t, std::size_t>> kinds;
  for (std::size_t j = 0; j < confusion.size(); ++j)
    for (std::size_t k = 0; k < confusion.size(); ++k)
      if (j != k && confusion[j][k] > 0) kinds.emplace_back(-confusion[j][k], j, k);
  std::sort(kinds.begin(), kinds.end());
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, kinds.size()); ++i) {
    const auto& [less, j, k] = kinds[i];
    out += fmt::format("{}{} {} as {}", i == 0 ? "" : ", ", format_number(-less), printable(class_names[j], 40),
                       printable(class_names[k], 40));
  }
  if (kinds.size() > kMost) out += fmt::format(" and {} other kinds", kinds.size() - kMost);
  return out;
}

}  // namespace beadwork
