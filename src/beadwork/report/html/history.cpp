#include <beadwork/report/html/json.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::report {
namespace {

// How many sets of at most `depth` features there are: a number while it is exact, else 10^x.
std::string sets_words(std::size_t features, std::size_t depth) {
  double sum = 0;
  double ways = 1;
  for (std::size_t k = 0; k <= std::min(depth, features); ++k) {
    sum += ways;
    ways *= static_cast<double>(features - k) / static_cast<double>(k + 1);
  }
  if (sum >= 1e15) return fmt::format("about {:.1e}", sum);
  std::string digits = fmt::format("{:.0f}", sum);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

Json binarizer_json(const Binarizer& binarizer) {
  constexpr std::size_t kMostTests = 200;  // of one column, in words
  Json list = Json::array();
  for (std::size_t c = 0; c < binarizer.inputs().size(); ++c) {
    const InputColumn& input = binarizer.inputs()[c];
    Json j = Json::parse(to_json(input));
    j["tests"] = Json::array();
    std::size_t count = 0;
    for (const Test& test : binarizer.tests())
      if (test.column == c && ++count <= kMostTests) j["tests"].push_back(shown(binarizer.feature_name(test)));
    j["count"] = count;
    list.push_back(std::move(j));
  }
  return list;
}

Json bounds_json(const ReportFacts& facts) {
  Json list = Json::array();
  for (const ReportFacts::Moment& m : facts.bounds)
    list.push_back({m.seconds, m.lower_bound, m.upper_bound ? Json(*m.upper_bound) : Json()});
  return list;
}

// How many sets the proof is about, if it is about all sets of at most that many features.
std::string sets_covered(const Claim& c) {
  const bool all = c.scope.family == Scope::Family::diagrams && !c.scope.exactly && c.scope.required.empty() &&
                   c.scope.required_columns.empty() && c.scope.num_allowed == c.scope.num_features;
  return all && is_proven(c) ? sets_words(c.scope.num_features, c.scope.depth) : "";
}

// The outcome of the fit; of the sets near the best no more than a person would look through.
Json outcome_of(const ReportFacts& facts) {
  constexpr std::size_t kMostSets = 1000;
  if (facts.outcome.empty()) return {};
  Json j = Json::parse(facts.outcome);
  for (const char* key : {"sets", "without_idle"})
    if (j.contains("near_sets") && j["near_sets"].contains(key) && j["near_sets"][key].size() > kMostSets)
      j["near_sets"][key].get_ref<Json::array_t&>().resize(kMostSets);
  return j;
}

}  // namespace

Json history_json(const Model& model, const ReportFacts& facts) {
  const Claim& c = model.claim();
  std::string claim = to_words(c, facts.standing);
  if (!facts.size_claim.empty()) claim += "; " + facts.size_claim;
  if (!model.sealed()) claim += fmt::format("; {}", kNoChecksum);
  Json j{{"claim", claim},
         {"headline", headline(c, facts.standing)},
         {"optimal", is_proven(c) && facts.standing != Standing::rejected},
         {"feature_sets", sets_covered(c)},
         {"certifiable", c.certifiable},
         {"measure", measure(c)}};
  if (facts.certificate)
    j["certificate"] = {{"name", facts.certificate->name},
                        {"sha256", facts.certificate->sha256},
                        {"verdict", facts.certificate->verdict},
                        {"over_values", facts.certificate->over_values}};
  if (const auto& v = facts.validation)
    j["validation"] = {{"folds", v->folds},
                       {"accuracy", v->accuracy},
                       {"baseline", v->baseline},
                       {"lift", lift_json(v->lift)},
                       {"seconds", v->seconds}};
  if (facts.validation && facts.validation->cost) {
    j["validation"]["cost"] = *facts.validation->cost;
    j["validation"]["baseline_cost"] = *facts.validation->baseline_cost;
  }
  j["bounds"] = bounds_json(facts);
  j["outcome"] = outcome_of(facts);
  j["columns"] = facts.binarizer ? binarizer_json(*facts.binarizer) : Json();
  j["options"] = Json::array();
  for (const auto& [name, value] : facts.options) j["options"].push_back({name, value});
  j["command"] = facts.command;
  return j;
}

}  // namespace beadwork::report
