#include <beadwork/report/html/json.hpp>
#include <beadwork/report/wording.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace beadwork::report {
namespace {

// Texts that many models share, each once.
class Pool {
 public:
  std::size_t place(const std::string& text) {
    const auto [at, added] = places_.try_emplace(text, texts_.size());
    if (added) texts_.push_back(text);
    return at->second;
  }
  Json lines(std::string_view text) {
    Json out = Json::array();
    for (std::size_t from = 0, to = 0; from <= text.size(); from = to + 1) {
      to = std::min(text.find('\n', from), text.size());
      out.push_back(place(std::string(text.substr(from, to - from))));
    }
    return out;
  }
  Json take() { return std::move(texts_); }

 private:
  std::map<std::string, std::size_t> places_;
  Json texts_ = Json::array();
};

Json packed_layout(const Layout& layout, Pool& pool) {
  Json j{{"size", {rounded(layout.width), rounded(layout.height), rounded(layout.names_width)}},
         {"ordered", layout.ordered}};
  for (const char* key : {"levels", "nodes", "edges"}) j[key] = Json::array();
  for (const Layout::LevelName& l : layout.levels)
    j["levels"].push_back({pool.place(l.text), pool.place(l.whole), rounded(l.y)});
  for (const Layout::PlacedNode& n : layout.nodes)
    j["nodes"].push_back({rounded(n.x), rounded(n.y), rounded(n.rx), rounded(n.ry), n.label, n.note});
  for (const Layout::PlacedEdge& e : layout.edges)
    j["edges"].push_back({e.from(), e.to(), e.high ? 1 : 0, std::round(1e4 * e.share) / 1e4, path_data(e.points)});
  return j;
}

// A point of the front is the best of its size, and of no other.
std::string headline_of(const ReportFacts::Alternative& other, Standing standing) {
  const Claim& claim = other.model.claim();
  if (other.of_front) return is_proven(claim) ? "proven best of its size" : "not proven best of its size";
  return headline(claim, standing);
}

Json alternative_json(const ReportFacts& facts, const ReportFacts::Alternative& other, const Model& file, Pool& pool) {
  constexpr std::size_t kShortRules = 2000;  // bytes; beyond that the page says who writes them
  const Model& model = other.model;
  const Claim& claim = model.claim();
  Json j{{"kind", other.of_front ? "front" : "near"}, {"amount", in_units(claim, *claim.upper_bound)},
         {"tests", model.diagram().inner_nodes()},    {"headline", headline_of(other, facts.standing)},
         {"claim", to_words(claim, facts.standing)},  {"optimal", is_proven(claim)},
         {"model", pool.lines(to_json(file))}};
  j["columns"] = Json::array();
  const Binarizer tested = model.binarizer().select(model.diagram().used_features());
  for (const InputColumn& input : tested.inputs()) j["columns"].push_back(pool.place(input.name));
  j["words"] = Json::array();
  for (std::size_t f = 0; f < model.num_features(); ++f)
    j["words"].push_back(
        {pool.place(test_words(model, Feature{f}, true)), pool.place(test_words(model, Feature{f}, false))});
  j["layout"] = packed_layout(lay_out(model), pool);
  const std::string rules =
      model.diagram().num_paths() <= kShortRules / 10 ? rules_words(model, kTypeset) : std::string();
  if (!rules.empty() && rules.size() <= kShortRules) j["rules"] = pool.lines(rules);
  j["on"] = Json::array();
  if (!trained_rows(facts)) j["on"].push_back(figures_json(remembered(model)));
  for (const Judged& judged : other.on) j["on"].push_back(figures_json(judged));
  return j;
}

}  // namespace

Json alternatives_json(const ReportFacts& facts, const ReportFacts& files) {
  Pool pool;
  Json list = Json::array();
  for (std::size_t i = 0; i < facts.alternatives.size(); ++i)
    list.push_back(alternative_json(facts, facts.alternatives[i], files.alternatives[i].model, pool));
  return {{"claim", facts.alternatives_claim}, {"models", std::move(list)}, {"texts", pool.take()}};
}

}  // namespace beadwork::report
