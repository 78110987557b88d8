#include <beadwork/claim.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

// "of these 11 features", "of the 3 candidate features", "of the 5 features of CART's tree".
std::string features_words(const Scope& s) {
  if (s.choice == Scope::Choice::candidates)
    return fmt::format("the {} candidate feature{}", s.num_allowed, s.num_allowed == 1 ? "" : "s");
  if (s.choice == Scope::Choice::cart) return counted(s.num_allowed, "feature").insert(0, "the ") + " of CART's tree";
  if (s.num_allowed + s.num_zero < s.num_features)
    return fmt::format("the {} that {} not forbidden", counted(s.num_allowed, "feature"),
                       s.num_allowed == 1 ? "is" : "are");
  return fmt::format("{} {}", s.num_allowed == 1 ? "this" : "these", counted(s.num_allowed, "feature"));
}

std::string thresholds_words(const Scope& s) {
  if (s.thresholds.empty()) return "";
  if (s.thresholds == "all") return ", over all thresholds";
  return fmt::format(" (numeric columns cut by {})", s.thresholds);
}

// "a, b and 2 more"
std::string names_words(const std::vector<std::string>& all) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) names.push_back(printable(all[i], 40));
  const std::size_t more = all.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

// " with x <= 3", " with a test of age", " with x <= 3 and with a test of each of age, city"
std::string required_words(const Scope& s) {
  const auto& columns = s.required_columns;
  std::string out = s.required.empty() ? "" : " with " + names_words(s.required);
  if (columns.empty()) return out;
  return out + fmt::format("{} with a test of {}{}", out.empty() ? "" : " and", columns.size() == 1 ? "" : "each of ",
                           names_words(columns));
}

// "diagram of at most 6 nodes on at most 4 of these 11 features"
std::string scope_words(const Claim& c) {
  const Scope& s = c.scope;
  if (s.family == Scope::Family::trees)
    return fmt::format("decision tree of depth {} on {}", s.depth, features_words(s));
  if (s.exactly)
    return fmt::format("diagram of exactly {} of {} whose root is a bead{}", s.depth, features_words(s),
                       s.num_zero == 0 ? "" : fmt::format(" ({} not counted)", counted(s.num_zero, "all-zero column")));
  const std::string nodes = s.max_nodes ? fmt::format("of at most {} ", counted(*s.max_nodes, "node")) : std::string();
  // With nodes counted, a copy of a feature could be tested twice on a path, and orders matter.
  const bool sized = s.max_nodes || c.objective.node_penalty > 0;
  return fmt::format(
      "{}diagram {}on at most {} of {}{}{}", sized ? "ordered " : "", nodes, std::min(s.depth, s.num_allowed),
      features_words(s), required_words(s),
      sized && s.num_distinct > 0 && s.num_distinct < s.num_allowed ? ", equal and opposite ones counted once," : "");
}

std::string labels_words(const Claim& c) {
  return c.objective.mixed_labels ? " against the mixed labels" : "";
}

std::string better_words(const Claim& c) {
  if (c.objective.node_penalty > 0)
    return fmt::format("has a smaller sum of {} + {} x nodes{}", measure(c), format_number(c.objective.node_penalty),
                       labels_words(c));
  return (c.objective.costs ? "costs less" : "makes fewer errors") + labels_words(c);
}

// Two answers differ by at most this much more than their bounds say.
std::string rounding_words(const Claim& c) {
  if (c.rounding == 0) return "";
  const double most = in_units(c, c.rounding);
  const double unit = std::pow(10, std::floor(std::log10(most)) - 1);
  return fmt::format(" (up to {:.2g} more or less, because weights were rounded)", std::ceil(most / unit) * unit);
}

// Where the proof is not all ours, whose word it is.
std::string prover_words(const Prover& p) {
  std::string out;
  if (p.kind == Prover::Kind::solver)
    out += fmt::format("; proven by '{}', not checked by us", printable(p.solver, 60));
  if (p.resumed) out += "; part of the proof was read from a checkpoint";
  if (p.parts > 1) out += fmt::format("; proven in {} parts", p.parts);
  if (p.shards > 1) out += fmt::format("; proven from {} shards", p.shards);
  return out;
}

// "1 error above the proven optimum", "cost 2.5 above the proven optimum"
std::string above_words(const Claim& c) {
  return amount_words(c, *c.upper_bound - c.lower_bound) + " above the proven optimum";
}

// "28 errors, 1 above the proven optimum of 27: no diagram on at most 4 of these 11 features makes fewer than 27
// errors"
std::string chosen_words(const Claim& c) {
  const std::string least = format_number(in_units(c, c.lower_bound));
  const std::string above = format_number(in_units(c, *c.upper_bound - c.lower_bound));
  const std::string better = c.objective.costs ? fmt::format("costs less than {}", least)
                                               : "makes fewer than " + amount_words(c, c.lower_bound);
  return fmt::format("{}, {} above the proven optimum of {}: no {} {}{}{}{}{}", amount_words(c, *c.upper_bound), above,
                     least, scope_words(c), better, labels_words(c), thresholds_words(c.scope), rounding_words(c),
                     prover_words(c.prover));
}

// Why nothing more is proven.
std::string_view why_open(const Claim& c) {
  return c.light_left_out ? "tests that few rows take were left out" : "stopped early";
}

std::string not_proven_words(const Claim& c) {
  if (c.prover.kind == Prover::Kind::hand) return "edited by hand: nothing is proven, better ones may exist";
  if (c.prover.kind == Prover::Kind::nobody) return "a heuristic: nothing is proven, better ones may exist";
  if (!c.upper_bound) return "stopped before any diagram was found";
  if (c.objective.node_penalty > 0)
    return fmt::format("not proven optimal: another diagram may have a smaller sum of {} + {} x nodes ({})", measure(c),
                       format_number(c.objective.node_penalty), why_open(c));
  const std::string whose = c.prover.kind == Prover::Kind::solver
                                ? fmt::format("; the lower bound is the word of '{}'", printable(c.prover.solver, 60))
                                : std::string();
  if (c.lower_bound == *c.upper_bound)
    return fmt::format(
        "not proven optimal: {}{}, which is also the lower bound, but the proof was not finished{} ({}){}",
        amount_words(c, *c.upper_bound), labels_words(c), rounding_words(c), why_open(c), whose);
  return fmt::format("not proven optimal: between {} and {} {}{} {} possible{} ({}){}",
                     format_number(in_units(c, c.lower_bound)), format_number(in_units(c, *c.upper_bound)),
                     c.objective.costs ? "in costs" : "errors", labels_words(c), c.objective.costs ? "is" : "are",
                     rounding_words(c), why_open(c), whose);
}

}  // namespace

double in_units(const Claim& claim, std::int64_t value) {
  return static_cast<double>(value) / static_cast<double>(claim.scale);
}

std::string_view measure(const Claim& claim) {
  return claim.objective.costs ? "cost" : "errors";
}

std::string amount_words(const Claim& claim, std::int64_t value) {
  const double amount = in_units(claim, value);
  if (claim.objective.costs) return "cost " + format_number(amount);
  return fmt::format("{} error{}", format_number(amount), amount == 1 ? "" : "s");
}

std::string_view to_string(Standing standing) {
  return standing == Standing::proven     ? "proven by this run"
         : standing == Standing::claimed  ? "claimed"
         : standing == Standing::verified ? "verified"
                                          : "rejected by the checker";
}

std::string to_words(const Claim& c, Standing standing) {
  if (c.status == SolveStatus::infeasible)
    return fmt::format("infeasible: there is no {}{}", scope_words(c), prover_words(c.prover));
  std::string out = c.near_optimum ? chosen_words(c) : not_proven_words(c);
  if (is_proven(c)) {
    out = fmt::format("optimal: no {} {}{}{}{}", scope_words(c), better_words(c), thresholds_words(c.scope),
                      rounding_words(c), prover_words(c.prover));
    if (!c.canonical) out += "; others may tie with it";
  }
  if (!c.prover.exact() || standing == Standing::proven) return out;
  if (standing == Standing::rejected) return fmt::format("the checker rejects the claim \"{}\"", out);
  // A certificate speaks of the bound alone: that the diagram reaches what was claimed of it, nobody checked.
  if (standing == Standing::verified && !is_proven(c))
    return fmt::format("{}{}; the lower bound is verified", c.near_optimum ? "claimed: " : "", out);
  return fmt::format("{}{} {}", to_string(standing), c.near_optimum ? ":" : "", out);
}

std::string headline(const Claim& c, Standing standing) {
  if (standing == Standing::rejected) return "claim rejected by the checker";
  if (c.prover.kind == Prover::Kind::hand) return "edited, not proven";
  if (c.near_optimum) {
    if (standing == Standing::proven) return above_words(c);
    return fmt::format("claimed: {}{}", above_words(c), standing == Standing::verified ? ", bound verified" : "");
  }
  if (!is_proven(c))
    return standing == Standing::verified ? "not proven optimal, bound verified" : "not proven optimal";
  return standing == Standing::proven ? "optimal" : fmt::format("{} optimal", to_string(standing));
}

}  // namespace beadwork
