#include <fmt/format.h>

#include <beadwork/report/html/json.hpp>
#include <beadwork/report/wording.hpp>
#include <cmath>

namespace beadwork::report {
namespace {

// How many sets of at most `depth` features there are: a number while it is exact, else 10^x.
std::string sets_words(std::int64_t features, std::int64_t depth) {
  double sum = 0;
  double ways = 1;
  for (std::int64_t k = 0; k <= std::min(depth, features); ++k) {
    sum += ways;
    ways *= static_cast<double>(features - k) / static_cast<double>(k + 1);
  }
  if (sum >= 1e15) return fmt::format("about {:.1e}", sum);
  std::string digits = fmt::format("{:.0f}", sum);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string claim_of(const Model& model) {
  const Training& t = model.training();
  if (t.status != "optimal") {
    const std::string some = weight_words(model, t.errors);
    if (t.lower_bound <= 0)
      return "Not proven optimal: this one makes " + some +
             " errors on the training rows; better ones may exist.";
    return fmt::format(
        "Not proven optimal: no diagram of this kind makes fewer than {} errors on the training rows, this "
        "one makes {}.",
        weight_words(model, t.lower_bound), some);
  }
  if (t.faithful)
    return fmt::format(
        "Proven optimal: no diagram of exactly {} of these {} features whose root is a bead makes fewer "
        "errors on the "
        "training rows.",
        t.depth, t.num_features);
  return fmt::format(
      "Proven optimal: no diagram on at most {} of these {} features makes fewer errors on the training "
      "rows.",
      t.depth, t.num_features);
}

Json binarizer_json(const Binarizer& binarizer) {
  constexpr std::size_t kMostTests = 200;  // of one column, in words
  Json list = Json::array();
  for (std::size_t c = 0; c < binarizer.inputs().size(); ++c) {
    const InputColumn& input = binarizer.inputs()[c];
    Json j{{"name", input.name}, {"type", input.type == ColumnType::numeric ? "numeric" : "nominal"}};
    j["tests"] = Json::array();
    std::size_t count = 0;
    for (const Test& test : binarizer.tests())
      if (test.column == c && ++count <= kMostTests)
        j["tests"].push_back(shown(binarizer.feature_name(test)));
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

Json depths_json(const ReportFacts& facts) {
  Json list = Json::array();
  for (const ReportFacts::DepthPoint& p : facts.by_depth)
    list.push_back({{"depth", p.depth},
                    {"errors", p.errors},
                    {"lower_bound", p.lower_bound},
                    {"status", p.status},
                    {"features", p.features}});
  return list;
}

Json front_json(const ReportFacts& facts) {
  Json list = Json::array();
  for (const PlotPoint& p : facts.front)
    list.push_back({{"features", p.features},
                    {"nodes", p.nodes},
                    {"errors", p.errors},
                    {"lower_bound", p.lower_bound},
                    {"proven", p.proven}});
  return list;
}

Json near_json(const ReportFacts::Near& near) {
  constexpr std::size_t kMostSets = 1000;
  Json j{{"complete", near.complete}, {"num_sets", near.num_sets}, {"sets", Json::array()}};
  for (const auto& set : near.sets) {
    if (j["sets"].size() == kMostSets) break;
    j["sets"].push_back({{"errors", set.errors}, {"features", set.features}});
  }
  return j;
}

}  // namespace

Json history_json(const Model& model, const ReportFacts& facts) {
  const Training& t = model.training();
  Json j{{"claim", facts.claim.empty() ? claim_of(model) : facts.claim},
         {"optimal", facts.proven.value_or(t.status == "optimal")},
         {"feature_sets", facts.all_sets && !t.faithful ? sets_words(t.num_features, t.depth) : ""},
         {"measure", facts.measure}};
  if (facts.certificate)
    j["certificate"] = {{"name", facts.certificate->name}, {"sha256", facts.certificate->sha256}};
  j["bounds"] = bounds_json(facts);
  j["by_depth"] = depths_json(facts);
  j["front"] = front_json(facts);
  j["front_complete"] = facts.front_complete;
  j["near"] = facts.near ? near_json(*facts.near) : Json();
  j["columns"] = facts.binarizer ? binarizer_json(*facts.binarizer) : Json();
  j["options"] = Json::array();
  for (const auto& [name, value] : facts.options) j["options"].push_back({name, value});
  j["command"] = facts.command;
  return j;
}

}  // namespace beadwork::report
