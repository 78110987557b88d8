#include <beadwork/report.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

using namespace report;

// What a path says about one column. Of several thresholds the tightest remain; a value that is known makes what it is
// not, and that it is present, superfluous. A missing value fails every other test, so it counts as above and unequal.
struct Facts {
  std::size_t column = 0;
  std::optional<double> above, at_most;
  std::optional<Feature> equal;
  std::vector<Feature> unequal;
  std::optional<Feature> missing, present;

  bool impossible = false;

  bool known() const { return at_most || equal; }
  void add(const Model& model, Feature f, bool passed);
  std::string words(const Model& model, const Signs& signs) const;
};

void Facts::add(const Model& model, Feature f, bool passed) {
  const Test& test = model.binarizer().tests()[f()];
  const auto level = [&](Feature g) -> const std::string& { return model.binarizer().tests()[g()].level; };
  switch (test.kind) {
    case TestKind::at_most:
      if (passed) at_most = std::min(at_most.value_or(test.threshold), test.threshold);
      if (!passed) above = std::max(above.value_or(test.threshold), test.threshold);
      break;
    case TestKind::equals:
      if (passed) {
        impossible |= equal && level(*equal) != test.level;
        equal = f;
      } else if (std::none_of(unequal.begin(), unequal.end(), [&](Feature g) { return level(g) == test.level; })) {
        unequal.push_back(f);
      }
      break;
    case TestKind::missing:
      (passed ? missing : present) = f;
      break;
  }
  impossible |= missing && (present || known());
  impossible |= at_most && above && *above >= *at_most;
  impossible |=
      equal && std::any_of(unequal.begin(), unequal.end(), [&](Feature g) { return level(g) == level(*equal); });
}

std::string Facts::words(const Model& model, const Signs& signs) const {
  if (missing) return test_words(model, *missing);
  if (equal) return test_words(model, *equal);
  const std::string name = shown(model.binarizer().inputs()[column].name);
  const auto value = [&](double x) { return text_of(model.binarizer().inputs()[column].reading, x); };
  if (above && at_most) return fmt::format("{} < {} {} {}", value(*above), name, signs.at_most, value(*at_most));
  if (at_most) return fmt::format("{} {} {}", name, signs.at_most, value(*at_most));
  std::vector<std::string> parts;
  if (above) parts.push_back(name + " > " + value(*above));
  for (const Feature f : unequal) parts.push_back(test_words(model, f, false, shown, signs));
  if (present) parts.push_back(test_words(model, *present, false));
  return fmt::format("{}", fmt::join(parts, " AND "));
}

struct Rule {
  std::uint64_t path = 0;
  std::optional<Class> answer;
  std::int64_t weight = 0;
  bool impossible = false;
  std::string conditions;  // empty: always
};

// Columns stand in the order in which the path first asks for them.
void state_conditions(const Model& model, const Diagram::Path& path, const Signs& signs, Rule& rule) {
  std::vector<Facts> facts;
  for (const Diagram::Step& step : path.steps) {
    const Feature f = model.diagram()[step.node].feature;
    const std::size_t column = model.binarizer().tests()[f()].column;
    auto it = std::find_if(facts.begin(), facts.end(), [&](const Facts& x) { return x.column == column; });
    if (it == facts.end()) {
      facts.emplace_back();
      it = std::prev(facts.end());
      it->column = column;
    }
    it->add(model, f, step.passed);
  }
  std::vector<std::string> words;
  const bool impossible = std::any_of(facts.begin(), facts.end(), [](const Facts& x) { return x.impossible; });
  rule.impossible = impossible && rule.weight == 0;
  if (impossible) {  // every test as it stands: merging would hide the contradiction
    for (const Diagram::Step& step : path.steps)
      words.push_back(test_words(model, model.diagram()[step.node].feature, step.passed, shown, signs));
  } else {
    for (const Facts& x : facts) words.push_back(x.words(model, signs));
  }
  rule.conditions = fmt::format("{}", fmt::join(words, " AND "));
}

std::string evidence(const Model& model, std::span<const std::int64_t> counts, const std::optional<Class>& answer) {
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const std::int64_t right = right_weight(counts, answer);
  return probability_words(right, total) + ", " + share_words(model, right, total);
}

std::string rule_words(const Model& model, const BranchCounts& branches, const Rule& rule) {
  std::string out = rule.conditions.empty() ? "ALWAYS " : "IF " + rule.conditions + " THEN ";
  out += answer_words(model, rule.answer);
  const auto counts = branches.of(rule.path);
  const bool nothing = std::all_of(counts.begin(), counts.end(), [](std::int64_t c) { return c == 0; });
  if (rule.weight != 0) return out + " (" + evidence(model, counts, rule.answer) + ")";
  if (nothing) return out + " (no training rows)";
  return out + " (no training rows; the branch above: " + evidence(model, counts, rule.answer) + ")";
}

bool missing_matters(const Model& model) {
  for (const Feature f : model.diagram().used_features()) {
    const Test& test = model.binarizer().tests()[f()];
    if (!stands_for_itself(model.binarizer().inputs()[test.column], test)) return true;
  }
  return false;
}

}  // namespace

// Rules stand by class, in each those of most rows first. Every path is there: those that contradict
// themselves (two thresholds of one column) at the end, by themselves.
namespace {

// Tests on all paths together: what the rules have to name.
std::uint64_t tests_on_paths(const Diagram& diagram) {
  std::vector<std::uint64_t> tests(diagram.size());
  for (std::size_t n = diagram.size(); n-- > 0;)
    if (const DiagramNode& node = diagram.nodes()[n]; !node.sink)
      tests[n] = tests[node.low()] + tests[node.high()] + diagram.num_paths(Node{n});
  return tests[0];
}

std::string rules_of(const Model& model, const Signs& signs) {
  constexpr std::uint64_t kMostTests = 200'000;
  const Diagram& diagram = model.diagram();
  if (const std::uint64_t tests = tests_on_paths(diagram); tests > kMostTests)
    return fmt::format("\nThe rules of all {} paths are left out: they would name {} tests, and the limit is {}.\n",
                       diagram.num_paths(), tests, kMostTests);
  const BranchCounts branches(model.diagram(), model.counts());
  std::vector<Rule> rules;
  for (std::uint64_t p = 0; p < diagram.num_paths(); ++p) {
    const Diagram::Path path = diagram.path(p);
    rules.push_back({p, diagram[path.sink].answer, model.counts().total(p), false, {}});
    state_conditions(model, path, signs, rules.back());
  }
  std::stable_sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) {
    if (a.impossible != b.impossible) return b.impossible;
    if (a.answer != b.answer) return a.answer < b.answer;
    return a.weight > b.weight;
  });

  std::string out;
  for (std::size_t i = 0; i < rules.size();) {
    std::size_t end = i;
    std::int64_t weight = 0;
    for (; end < rules.size() && rules[end].impossible == rules[i].impossible &&
           (rules[i].impossible || rules[end].answer == rules[i].answer);
         ++end)
      weight += rules[end].weight;
    const std::size_t count = end - i;
    if (rules[i].impossible) {
      out += fmt::format("\nNo row can take {}:\n", count == 1 ? "this path" : fmt::format("these {} paths", count));
    } else {
      out += fmt::format("\n{}: {} {}, {}\n", answer_words(model, rules[i].answer), count,
                         count == 1 ? "rule" : "rules", rows_words(model, weight));
    }
    for (; i < end; ++i)
      out += "  " +
             (rules[i].impossible ? "IF " + rules[i].conditions + " THEN " + answer_words(model, rules[i].answer)
                                  : rule_words(model, branches, rules[i])) +
             "\n";
  }
  if (missing_matters(model))
    out += fmt::format(
        "\nA missing value, or a category not seen in training, fails every test except \"is missing\": it counts as > "
        "and as {}.\n",
        signs.unequal);
  return out;
}

}  // namespace

std::string report::rules_words(const Model& model, const Signs& signs) {
  return fmt::format("Predicts {}: {}\n", shown(model.binarizer().target()), summary(model)) + rules_of(model, signs);
}

std::string text_rules(const Model& model) {
  return rules_words(model, kPlain);
}

std::string text_report(const Model& model) {
  std::string out = text_diagram(model) + rules_of(model, kPlain);
  if (!model.edits().empty()) out += "\nEdited by hand:\n";
  for (const std::string& edit : model.edits()) out += fmt::format("  {}\n", shown(edit));
  return out;
}

std::string text_members(const Committee& committee) {
  std::string out = fmt::format("Committee: {}.\n", to_words(committee));
  for (const Committee::Member& m : committee.members()) {
    out += "  " + amount_words(committee.optimum().claim(), m.cost) + ":";
    for (const std::string& name : committee.features_of(m)) out += fmt::format(" [{}]", printable(name));
    out += m.diagram.inner_nodes() == 0 ? " no tests\n" : "\n";
  }
  return out;
}

std::string text_report(const Committee& committee) {
  return text_members(committee) + "\nThe first member, which decides ties:\n\n" + text_report(committee.optimum());
}

}  // namespace beadwork
