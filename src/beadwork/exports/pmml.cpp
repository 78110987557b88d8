#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

// A TreeModel, the diagram unrolled. The first child of a node stands for its test, the second for whatever is left:
// a test of a missing value is not true ("missingValueStrategy none"), so such a row goes on to the second.
namespace beadwork::exports {
namespace {

bool in_xml(std::string_view text) {
  const std::u32string all = code_points(text);
  return std::all_of(all.begin(), all.end(), [](char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
  });
}

// The value of an attribute, in quotes.
std::string attribute(std::string_view text) {
  return '"' +
         escaped(text, {{'&', "&amp;"},
                        {'<', "&lt;"},
                        {'>', "&gt;"},
                        {'"', "&quot;"},
                        {'\t', "&#9;"},
                        {'\n', "&#10;"},
                        {'\r', "&#13;"}}) +
         '"';
}

class PmmlWriter {
 public:
  explicit PmmlWriter(const Plan& plan)
      : plan_(plan),
        branches_(plan.model.diagram(), plan.model.counts()),
        names_(usable_names(plan.input_names(), [](const std::string& n) { return !n.empty() && in_xml(n); })) {
    const std::string& target = plan.model.binarizer().target();
    target_ = target.empty() || !in_xml(target) ? "y_class" : target;
    while (std::find(names_.begin(), names_.end(), target_) != names_.end()) target_ += "_";
  }

  // The first text that XML cannot hold, if any.
  std::optional<std::string> refused() const {
    for (const std::string& name : plan_.classes())
      if (!in_xml(name)) return "class " + in_quotes(name, 40);
    for (const Test& test : plan_.tests()) {
      const InputColumn& column = plan_.columns()[test.column];
      if (test.kind == TestKind::equals && !in_xml(test.level)) return "category " + in_quotes(test.level, 40);
      if (column.ordinal())
        for (const std::string& word : column.reading.levels)
          if (!in_xml(word)) return "category " + in_quotes(word, 40);
    }
    return std::nullopt;
  }

  std::string file() const {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out += "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">\n";
    out += fmt::format(
        "  <Header description={}>\n    <Application name=\"beadwork\" version=\"{}\"/>\n  </Header>\n",
        attribute(fmt::format("{}", fmt::join(describe(plan_, names_shown(), {"missing", "missing"}), "\n"))),
        BEADWORK_VERSION);
    out += dictionary();
    out += fmt::format(
        "  <TreeModel modelName=\"{}_model\" functionName=\"classification\" missingValueStrategy=\"none\">\n{}{}",
        plan_.name, schema(), outputs());
    return out + nodes(unrolled(plan_)) + "  </TreeModel>\n</PMML>\n";
  }

 private:
  std::vector<std::string> names_shown() const {
    std::vector<std::string> out;
    for (const std::string& name : names_) out.push_back(in_quotes(name));
    return out;
  }

  std::string dictionary() const {
    std::string out = fmt::format("  <DataDictionary numberOfFields=\"{}\">\n", names_.size() + 1);
    for (std::size_t c = 0; c < names_.size(); ++c)
      out += fmt::format("    <DataField name={} optype=\"{}\" dataType=\"{}\"/>\n", attribute(names_[c]),
                         plan_.columns()[c].text() ? "categorical" : "continuous",
                         plan_.columns()[c].text() ? "string" : "double");
    out += fmt::format("    <DataField name={} optype=\"categorical\" dataType=\"string\">\n", attribute(target_));
    for (const std::string& name : plan_.classes()) out += fmt::format("      <Value value={}/>\n", attribute(name));
    return out + "    </DataField>\n  </DataDictionary>\n";
  }

  std::string schema() const {
    std::string out = "    <MiningSchema>\n";
    for (const std::string& name : names_)
      out += fmt::format("      <MiningField name={} invalidValueTreatment=\"asIs\"/>\n", attribute(name));
    return out +
           fmt::format("      <MiningField name={} usageType=\"target\"/>\n    </MiningSchema>\n", attribute(target_));
  }

  std::string outputs() const {
    std::string out =
        "    <Output>\n      <OutputField name=\"prediction\" optype=\"categorical\" dataType=\"string\" "
        "feature=\"predictedValue\"/>\n";
    const std::vector<std::string> names = Identifiers("p_").of(plan_.classes());
    for (std::size_t k = 0; k < names.size(); ++k)
      out += fmt::format(
          "      <OutputField name=\"{}\" optype=\"continuous\" dataType=\"double\" feature=\"probability\" "
          "value={}/>\n",
          names[k], attribute(plan_.classes()[k]));
    return out + "    </Output>\n";
  }

  std::string predicate(Feature f) const {
    const Test& test = plan_.tests()[f()];
    const InputColumn& column = plan_.columns()[test.column];
    const std::string field = attribute(names_[test.column]);
    const auto simple = [&](std::string_view op, const std::string& value) {
      return fmt::format("<SimplePredicate field={} operator=\"{}\" value={}/>", field, op, attribute(value));
    };
    const std::string absent = fmt::format("<SimplePredicate field={} operator=\"isMissing\"/>", field);
    if (column.text()) return text_predicate(text_test(plan_, test), field, absent);
    return test.kind == TestKind::missing ? absent : simple("lessOrEqual", format_number(test.threshold));
  }

  // As a set where no text needs an escape, else one by one. A value that is missing is neither in a set nor out of it.
  static std::string among(const std::vector<std::string>& texts, const std::string& field, bool in) {
    const auto plain = [](const std::string& text) {
      return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
      });
    };
    const auto simple = [&](const std::string& text) {
      return fmt::format("<SimplePredicate field={} operator=\"{}\" value={}/>", field, in ? "equal" : "notEqual",
                         attribute(text));
    };
    if (texts.size() == 1) return simple(texts[0]);
    std::string list;
    if (std::all_of(texts.begin(), texts.end(), plain)) {
      for (const std::string& text : texts) list += (list.empty() ? "" : " ") + attribute(text);
      return fmt::format(
          "<SimpleSetPredicate field={} booleanOperator=\"{}\"><Array type=\"string\" n=\"{}\">{}</Array>"
          "</SimpleSetPredicate>",
          field, in ? "isIn" : "isNotIn", texts.size(), list);
    }
    for (const std::string& text : texts) list += simple(text);
    return fmt::format("<CompoundPredicate booleanOperator=\"{}\">{}</CompoundPredicate>", in ? "or" : "and", list);
  }

  static std::string text_predicate(const TextTest& test, const std::string& field, const std::string& absent) {
    std::vector<std::string> texts;
    std::set<std::string> seen;
    for (const Spelling& s : test.but) seen.insert(s.text);
    for (const Spelling& s : test.texts)
      for (const std::string& text : spelled_out(s))
        if (in_xml(text) && seen.insert(text).second) texts.push_back(text);
    if (test.rest && texts.empty()) return fmt::format("<SimplePredicate field={} operator=\"isNotMissing\"/>", field);
    if (test.rest) return among(texts, field, false);
    if (!test.missing) return texts.empty() ? "<False/>" : among(texts, field, true);
    if (texts.empty()) return absent;
    return "<CompoundPredicate booleanOperator=\"or\">" + absent + among(texts, field, true) + "</CompoundPredicate>";
  }

  std::string leaf(const TreeNode& at, const std::string& space) const {
    std::string out;
    const std::vector<std::int64_t> counts = branches_.of(at.first_path);
    const std::vector<double> shares = shares_of(counts);
    const auto scale = static_cast<double>(plan_.model.training().weight_scale);
    for (std::size_t k = 0; k < shares.size(); ++k)
      out += fmt::format("{}<ScoreDistribution value={} recordCount=\"{}\" probability=\"{}\"/>\n", space,
                         attribute(plan_.classes()[k]), format_number(static_cast<double>(counts[k]) / scale),
                         format_number(shares[k]));
    return out;
  }

  // Without recursion: a chain of tests may be as long as its file.
  std::string nodes(const std::vector<TreeNode>& tree) const {
    constexpr std::size_t kMostIndent = 40;
    struct Open {
      std::size_t node, level;
      std::string test;
      bool closing = false;
    };
    std::string out;
    std::vector<Open> todo{{0, 2, "<True/>"}};
    while (!todo.empty()) {
      const Open open = std::move(todo.back());
      todo.pop_back();
      const TreeNode& at = tree[open.node];
      const std::string space(2 * std::min(open.level, kMostIndent), ' ');
      if (open.closing) {
        out += space + "</Node>\n";
        continue;
      }
      const std::string score = at.leaf ? " score=" + attribute(plan_.classes()[at.answer()]) : "";
      out += fmt::format("{}<Node id=\"{}\"{}>{}\n", space, open.node, score, open.test);
      todo.push_back({open.node, open.level, "", true});
      if (at.leaf) {
        out += leaf(at, space + "  ");
        continue;
      }
      todo.push_back({at.low, open.level + 1, "<True/>"});
      todo.push_back({at.high, open.level + 1, predicate(at.feature)});
    }
    return out;
  }

  const Plan& plan_;
  BranchCounts branches_;
  std::vector<std::string> names_;
  std::string target_;
};

}  // namespace

Result<std::string> to_pmml(const Plan& plan) {
  if (const auto fits = check_unrolled(plan, "pmml"); !fits) return fits.error();
  const PmmlWriter writer(plan);
  if (const auto text = writer.refused())
    return option_error(fmt::format("{} holds a character that XML cannot hold", *text), "to");
  return writer.file();
}

}  // namespace beadwork::exports
