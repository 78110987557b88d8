#include <beadwork/claim.hpp>
#include <beadwork/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

// The claim as JSON. One list names every key, its field and how it is written; writing and reading both follow it, so
// that they cannot differ. Keys that are not there keep their defaults: files of this version may gain keys.

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kFamilies{std::pair{"diagrams", Scope::Family::diagrams},
                               std::pair{"trees", Scope::Family::trees}};
constexpr std::array kChoices{std::pair{"all", Scope::Choice::all}, std::pair{"candidates", Scope::Choice::candidates},
                              std::pair{"cart", Scope::Choice::cart}};
constexpr std::array kProvers{
    std::pair{"nobody", Prover::Kind::nobody},           std::pair{"search", Prover::Kind::search},
    std::pair{"enumeration", Prover::Kind::enumeration}, std::pair{"maxsat", Prover::Kind::maxsat},
    std::pair{"solver", Prover::Kind::solver},           std::pair{"hand", Prover::Kind::hand}};

struct Fault {
  std::string message;
};

// Writes a field under its key.
struct Writer {
  Json& j;
  template <class T>
  void field(const char* key, const T& value) {
    j[key] = value;
  }
  template <class T>
  void field(const char* key, const std::optional<T>& value) {
    j[key] = value ? Json(*value) : Json();
  }
  template <class E, std::size_t N>
  void word(const char* key, E value, const std::array<std::pair<const char*, E>, N>& names) {
    for (const auto& [name, known] : names)
      if (known == value) j[key] = name;
  }
  void status(const char* key, SolveStatus value) { j[key] = to_string(value); }
};

// Reads it, if it is there.
struct Reader {
  const Json& j;
  const Json* find(const char* key, bool (Json::*is)() const noexcept) const {
    const auto it = j.find(key);
    if (it == j.end()) return nullptr;
    if (!((*it).*is)()) throw Fault{fmt::format("\"{}\" of the claim has the wrong type", key)};
    return &*it;
  }
  template <std::integral T>
  void field(const char* key, T& value) {
    const Json* v = find(key, &Json::is_number_integer);
    if (v == nullptr) return;
    if (v->is_number_unsigned() ? v->get<std::uint64_t>() > INT64_MAX : v->get<std::int64_t>() < 0)
      throw Fault{fmt::format("\"{}\" of the claim is out of range", key)};
    value = v->get<T>();
  }
  void field(const char* key, double& value) {
    if (const Json* v = find(key, &Json::is_number)) value = v->get<double>();
    if (!(value >= 0)) throw Fault{fmt::format("\"{}\" of the claim is out of range", key)};
  }
  template <class T>
  void field(const char* key, std::optional<T>& value) {
    const auto it = j.find(key);
    if (it != j.end() && !it->is_null()) field(key, value.emplace());
  }
  void field(const char* key, bool& value) {
    if (const Json* v = find(key, &Json::is_boolean)) value = v->get<bool>();
  }
  void field(const char* key, std::string& value) {
    if (const Json* v = find(key, &Json::is_string)) value = v->get<std::string>();
  }
  void field(const char* key, std::vector<std::string>& value) {
    const Json* v = find(key, &Json::is_array);
    if (v == nullptr) return;
    for (const Json& item : *v) {
      if (!item.is_string()) throw Fault{fmt::format("\"{}\" of the claim holds more than texts", key)};
      value.push_back(item.get<std::string>());
    }
  }
  template <class E, std::size_t N>
  void word(const char* key, E& value, const std::array<std::pair<const char*, E>, N>& names) {
    const Json* v = find(key, &Json::is_string);
    if (v == nullptr) return;
    const auto& text = v->get_ref<const std::string&>();
    const auto known = std::find_if(names.begin(), names.end(), [&](const auto& entry) { return text == entry.first; });
    if (known == names.end()) refuse(key, *v);
    value = known->second;
  }
  void status(const char* key, SolveStatus& value) {
    const Json* v = find(key, &Json::is_string);
    if (v == nullptr) throw Fault{"the claim has no status"};
    const auto known = parse_status(v->get<std::string>());
    if (!known) refuse(key, *v);
    value = *known;
  }
  [[noreturn]] static void refuse(const char* key, const Json& word) {
    throw Fault{fmt::format("\"{}\" of the claim is '{}'", key, printable(word.get<std::string>()))};
  }
};

template <class Archive, class C>
void describe(Archive a, C& c) {
  a.status("status", c.status);
  a.field("lower_bound", c.lower_bound);
  a.field("upper_bound", c.upper_bound);
  a.field("scale", c.scale);
  a.field("rounding", c.rounding);
  a.field("costs", c.objective.costs);
  a.field("node_penalty", c.objective.node_penalty);
  a.field("mixed_labels", c.objective.mixed_labels);
  a.word("family", c.scope.family, kFamilies);
  a.field("depth", c.scope.depth);
  a.field("exactly", c.scope.exactly);
  a.field("max_nodes", c.scope.max_nodes);
  a.field("num_features", c.scope.num_features);
  a.field("num_allowed", c.scope.num_allowed);
  a.field("num_zero", c.scope.num_zero);
  a.field("num_distinct", c.scope.num_distinct);
  a.word("choice", c.scope.choice, kChoices);
  a.field("required", c.scope.required);
  a.field("thresholds", c.scope.thresholds);
  a.word("proven_by", c.prover.kind, kProvers);
  a.field("solver", c.prover.solver);
  a.field("resumed", c.prover.resumed);
  a.field("shards", c.prover.shards);
  a.field("certifiable", c.certifiable);
  a.field("canonical", c.canonical);
}

// Whether a reader takes the numbers and texts.
Status check_ranges(const Claim& c) {
  const Scope& s = c.scope;
  if (c.lower_bound < 0 || c.upper_bound.value_or(0) < 0 || c.rounding < 0)
    return input_error("a bound of the claim is out of range");
  if (!(c.objective.node_penalty >= 0) || std::isinf(c.objective.node_penalty))
    return input_error("the node penalty of the claim is out of range");
  for (const std::size_t n : {s.depth, s.max_nodes.value_or(0), s.num_features, s.num_allowed, s.num_zero,
                              s.num_distinct, c.prover.parts, c.prover.shards})
    if (n > INT64_MAX) return input_error("a number of the claim's scope is out of range");
  if (s.num_zero > 0 && !s.exactly)
    return input_error("only a claim by the paper's definition leaves columns uncounted");
  if (s.num_allowed > s.num_features || s.num_zero > s.num_features - s.num_allowed)
    return input_error("a claim allows more features than there are");
  std::vector<std::string> texts = s.required;
  texts.insert(texts.end(), s.required_columns.begin(), s.required_columns.end());
  texts.insert(texts.end(), {s.thresholds, c.prover.solver});
  for (const std::string& text : texts)
    if (find_invalid_utf8(text)) return input_error("a text of the claim is not UTF-8");
  return Done{};
}

}  // namespace

Status check_claim(const Claim& c) {
  TRY_DONE(check_ranges(c));
  const bool answered = c.status == SolveStatus::optimal || c.status == SolveStatus::feasible;
  if (c.scale < 1) return input_error("\"scale\" of the claim is out of range");
  if (answered != c.upper_bound.has_value()) return input_error("status and upper bound of the claim disagree");
  if (c.upper_bound && c.lower_bound > *c.upper_bound) return input_error("the bounds of the claim cross");
  if (is_proven(c) && c.lower_bound != *c.upper_bound) return input_error("the bounds of the claim do not prove it");
  if ((is_proven(c) || c.near_optimum) && !c.prover.exact()) return input_error("the claim names no proof");
  if (c.light_left_out && c.status != SolveStatus::feasible)
    return input_error("what leaves out tests is neither optimal nor unknown");
  if (c.near_optimum && (c.status != SolveStatus::feasible || c.lower_bound == *c.upper_bound))
    return input_error("what is near the optimum is neither optimal nor unknown");
  return Done{};
}

std::string claim_json(const Claim& claim) {
  Json j;
  describe(Writer{j}, claim);
  if (const auto& columns = claim.scope.required_columns; !columns.empty()) j["required_columns"] = columns;
  if (claim.near_optimum) j["near_optimum"] = true;      // not a key of the models that fit gives
  if (claim.light_left_out) j["light_left_out"] = true;  // nor is this
  return j.dump();
}

Result<Claim> claim_from_json(std::string_view text) {
  try {
    TRY(const auto j, parse_json(text, "", "a claim"));
    if (!j.is_object()) throw Fault{"the claim is not an object"};
    Claim c;
    describe(Reader{j}, c);
    Reader{j}.field("required_columns", c.scope.required_columns);
    Reader{j}.field("near_optimum", c.near_optimum);
    Reader{j}.field("light_left_out", c.light_left_out);
    TRY_DONE(check_claim(c));
    return c;
  } catch (const Fault& fault) {
    return input_error(fault.message);
  }
}

}  // namespace beadwork
