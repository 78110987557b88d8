#include "coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

using Numbers = std::vector<std::size_t>;

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> out;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) out.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return out;
}

// "3" is a column; "0:0-16" and "3:5" are cuts of sorted columns.
bool add_numbers(std::string_view word, const RankedData* ranks, Numbers& out) {
  const std::size_t colon = word.find(':');
  const auto first = parse_integer<std::size_t>(std::string(word.substr(0, colon)));
  if (!first || (colon == std::string_view::npos) != (ranks == nullptr)) return false;
  if (ranks == nullptr) {
    out.push_back(*first);
    return true;
  }
  const std::string_view cuts = word.substr(colon + 1);
  const std::size_t dash = cuts.find('-');
  const auto from = parse_integer<std::size_t>(std::string(cuts.substr(0, dash)));
  const auto to =
      dash == std::string_view::npos ? from : parse_integer<std::size_t>(std::string(cuts.substr(dash + 1)));
  if (!from || !to || *first >= ranks->columns.size() || *to >= ranks->columns[*first].num_features()) return false;
  for (std::size_t k = *from; k <= *to; ++k)
    out.push_back(ranks->feature_number({static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(k)}));
  return true;
}

// The numbers of features with these names; nothing where one has none.
std::optional<Numbers> numbers_of(const std::vector<std::string>& names, const Dataset& all) {
  Numbers out;
  for (const std::string& name : names) {
    const std::size_t before = out.size();
    for (std::size_t f = 0; f < all.num_features(); ++f)
      if (all.feature_name(Feature{f}) == name) out.push_back(f);
    if (out.size() == before) return {};
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> names_asked(const Model& model, std::string_view option) {
  if (!model.training().asked) return {};
  for (const auto& [name, texts] : option_texts(*model.training().asked))
    if (name == option) return texts;
  return {};
}

// The features that the claim leaves out, by what the model keeps of its request.
std::optional<Numbers> left_out(const Model& model, const LearntFrom& learnt) {
  Request request;
  request.pin.forbid = names_asked(model, "forbid");
  request.choice.candidate = names_asked(model, "candidate");
  const auto features = left_out_by(learnt.dataset, request);
  if (!features) return {};
  Numbers out;
  for (const Feature f : *features) out.push_back(f());
  return out;
}

// Which features may be, and which must be used.
void compare_features(const CertificateScope& certificate, const Model& model, const LearntFrom& learnt,
                      std::vector<std::string>& out) {
  const Scope& s = model.claim().scope;
  const std::size_t all = learnt.dataset.num_features();
  if (s.num_features != all)
    out.push_back(fmt::format("the claim is about {} features, these rows have {}", s.num_features, all));
  if (s.choice == Scope::Choice::cart)
    out.emplace_back("that the features are those of CART's tree");
  else if (s.num_allowed + certificate.forbidden.size() != s.num_features)
    out.push_back(
        fmt::format("it leaves {} of the features, the claim {}", all - certificate.forbidden.size(), s.num_allowed));
  const bool plain = certificate.forbidden.empty() && certificate.required.empty() && s.required.empty() &&
                     s.num_allowed == s.num_features;
  if (!s.required_columns.empty()) out.emplace_back("that some columns must be used");
  if (plain || !out.empty()) return;
  const auto forbidden = left_out(model, learnt);
  if (!forbidden || *forbidden != certificate.forbidden)
    out.emplace_back("which features may be used: the model says otherwise");
  const auto required = numbers_of(s.required, learnt.dataset);
  if (!required || *required != certificate.required)
    out.emplace_back("which features must be used: the model says otherwise");
}

}  // namespace

std::optional<CertificateScope> read_scope(std::string_view certificate, const RankedData* ranks) {
  CertificateScope out;
  out.over_values = certificate.starts_with("beadwork-certificate 2\n");
  if (!out.over_values && !certificate.starts_with("beadwork-certificate 1\n")) return {};
  const RankedData* const cuts = out.over_values ? ranks : nullptr;
  if (out.over_values && ranks == nullptr) return {};
  std::size_t found = 0;
  for (std::string_view rest = certificate; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto words = words_in(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (words.size() < 2) continue;
    const auto number = parse_integer<std::int64_t>(std::string(words[1]));
    if (words[0] == "data-sha256") out.data_sha256 = words[1];
    if (words[0] == "model") break;  // what follows is the proof
    if (words[0] != "depth" && words[0] != "claim" && words[0] != "forbidden" && words[0] != "required") continue;
    if (!number || *number < 0) return {};
    ++found;
    if (words[0] == "depth") out.depth = static_cast<std::size_t>(*number);
    if (words[0] == "claim") out.bound = *number;
    Numbers* const list = words[0] == "forbidden" ? &out.forbidden : words[0] == "required" ? &out.required : nullptr;
    for (std::size_t i = 2; list != nullptr && i < words.size(); ++i)
      if (!add_numbers(words[i], cuts, *list)) return {};
  }
  if (found < 3) return {};
  std::sort(out.forbidden.begin(), out.forbidden.end());
  std::sort(out.required.begin(), out.required.end());
  return out;
}

std::vector<std::string> not_covered(const CertificateScope& certificate, const Model& model,
                                     const LearntFrom& learnt) {
  const Claim& c = model.claim();
  const Scope& s = c.scope;
  std::vector<std::string> out;
  if (c.objective.costs) out.emplace_back("costs: it is about errors");
  if (c.objective.node_penalty > 0) out.emplace_back("the price of nodes");
  if (c.objective.mixed_labels) out.emplace_back("mixed labels");
  if (s.family != Scope::Family::diagrams) out.emplace_back("decision trees: it is about diagrams");
  if (s.exactly) out.emplace_back("the paper's definition");
  if (s.max_nodes) out.emplace_back("the limit of nodes");
  if (s.thresholds != learnt.dataset.thresholds())
    out.push_back(fmt::format("the thresholds: those of the claim are '{}', those of the rows '{}'",
                              printable(s.thresholds, 40), printable(learnt.dataset.thresholds(), 40)));
  if (certificate.depth != s.depth)
    out.push_back(fmt::format("depth {}: it is about depth {}", s.depth, certificate.depth));
  if (certificate.bound != c.lower_bound && !c.objective.costs)
    out.push_back(fmt::format("the bound {}: it is about {}", format_number(in_units(c, c.lower_bound)),
                              format_number(in_units(c, certificate.bound))));
  if (c.scale != learnt.dataset.weight_scale() && !c.objective.costs) out.emplace_back("the unit of the bounds");
  if (c.rounding != learnt.dataset.weight_rounding() && !c.objective.costs)
    out.emplace_back("how the weights were rounded");
  std::vector<std::string> features;
  compare_features(certificate, model, learnt, features);
  out.insert(out.end(), features.begin(), features.end());
  return out;
}

}  // namespace beadwork
