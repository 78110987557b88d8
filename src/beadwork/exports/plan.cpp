#include <beadwork/exports/plan.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork::exports {
namespace {

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string out;
  for (;;) {
    const std::size_t at = text.find(what);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += by;
    text.remove_prefix(at + what.size());
  }
}

std::string ordered_words(const std::vector<std::string>& levels, std::size_t most) {
  constexpr std::size_t kShown = 20;
  std::string out;
  for (std::size_t i = 0; i < std::min(levels.size(), kShown); ++i)
    out += (i == 0 ? "" : " < ") + in_quotes(levels[i], most);
  return levels.size() > kShown ? out + " < ..." : out;
}

std::string number_words(const ExportNumbers& numbers) {
  if (!numbers.integer()) return numbers.kind == ExportNumbers::Kind::float32 ? ", as a float" : "";
  return numbers.scale == 1 ? ", a whole one" : fmt::format(", times {}, a whole one", numbers.scale);
}

std::string column_words(const InputColumn& column, const ExportNumbers& numbers, const MissingWords& missing,
                         std::size_t most) {
  const bool numeric = !column.text();
  using enum Reading::Kind;
  const Reading& reading = column.reading;
  std::string type = numeric ? "number" : "text";
  if (reading.kind == date) type = "days since 1970-01-01";
  if (reading.kind == moment) type = "seconds since 1970-01-01 00:00";
  if (reading.kind == duration) type = reading.fields == 2 ? "60 x the first field + the second" : "seconds";
  if (reading.kind == boolean) type = fmt::format("{} or {}", column.levels[0], column.levels[1]);
  if (column.ordinal()) type += ", in this order: " + ordered_words(reading.levels, most);
  if (!reading.unit.empty()) type += fmt::format(" in {}, without that sign", reading.unit);
  if (!reading.other.empty())
    type += fmt::format(", {} for all but the {} categories of the model file", in_quotes(reading.other, most),
                        column.levels.size() - 1);
  if (numeric) type += number_words(numbers);
  return fmt::format("{}: {}, missing: {}", in_quotes(column.name, most), type,
                     numeric ? missing.number : missing.text);
}

// The diagram with its features numbered by their places in the list.
Diagram renumbered(const Diagram& diagram, const std::vector<Feature>& list) {
  std::vector<DiagramNode> nodes = diagram.nodes();
  for (DiagramNode& node : nodes)
    if (!node.sink)
      node.feature =
          Feature{static_cast<std::size_t>(std::find(list.begin(), list.end(), node.feature) - list.begin())};
  return *Diagram::make(std::move(nodes));
}

}  // namespace

Plan make_plan(const Model& model, ExportInputs inputs, const ExportOptions& options) {
  const std::vector<Feature> used = model.diagram().used_features();
  return {model, inputs, options.name, model.binarizer().select(used), renumbered(model.diagram(), used), options};
}

Ballot make_ballot(const Committee& committee, ExportInputs inputs, const ExportOptions& options) {
  std::vector<Feature> used;
  for (const Committee::Member& m : committee.members())
    for (const Feature f : m.diagram.used_features())
      if (std::find(used.begin(), used.end(), f) == used.end()) used.push_back(f);
  const Binarizer tested = committee.optimum().binarizer().select(used);
  Ballot out;
  for (const Committee::Member& m : committee.members())
    out.plans.push_back({committee.optimum(), inputs, options.name, tested, renumbered(m.diagram, used), options});
  return out;
}

std::vector<std::string> Plan::input_names() const {
  std::vector<std::string> names;
  if (raw())
    for (const InputColumn& column : columns()) names.push_back(column.name);
  else
    for (std::size_t f = 0; f < tests().size(); ++f) names.push_back(binarizer.feature_name(Feature{f}));
  return names;
}

std::string condition(const Plan& plan, const TestSyntax& syntax, Feature f) {
  const auto written = [](const std::string& pattern, const auto&... words) {
    return fmt::format(fmt::runtime(pattern), words...);
  };
  const auto equal = [&](const std::string& input, const std::string& level) {
    const bool nul = level.find('\0') != std::string::npos;
    return nul && !syntax.without_nul.empty() ? syntax.without_nul
                                              : written(syntax.equals, input, syntax.quoted(level));
  };
  if (!plan.raw()) return written(syntax.bit, syntax.inputs[f()]);
  const Test& test = plan.tests()[f()];
  if (syntax.own)
    if (std::string own = syntax.own(test); !own.empty()) return own;
  const std::string& input = syntax.inputs[test.column];
  const bool number = !plan.columns()[test.column].text();
  if (test.kind == TestKind::at_most && plan.columns()[test.column].ordinal()) {
    std::vector<std::string> words;
    for (std::size_t i = 0; static_cast<double>(i) <= test.threshold; ++i)
      words.push_back(equal(input, plan.columns()[test.column].reading.levels[i]));
    return words.size() == 1 || syntax.bare ? fmt::format("{}", fmt::join(words, syntax.either))
                                            : fmt::format("({})", fmt::join(words, syntax.either));
  }
  if (test.kind == TestKind::at_most) return written(syntax.at_most, input, syntax.number(test.threshold));
  if (test.kind == TestKind::missing) return written(number ? syntax.missing_number : syntax.missing_text, input);
  return equal(input, test.level);
}

std::vector<std::string> describe(const Plan& plan, const std::vector<std::string>& identifiers,
                                  const MissingWords& missing, std::size_t most) {
  std::vector<std::string> lines{
      fmt::format("Written by beadwork {}.", BEADWORK_VERSION),
      fmt::format("Predicts {}, classes by index:", in_quotes(plan.model.binarizer().target(), most))};
  for (std::size_t k = 0; k < plan.classes().size(); ++k)
    lines.push_back(fmt::format("  {} {}", k, in_quotes(plan.classes()[k], most)));
  const std::vector<std::string> names = plan.input_names();
  lines.emplace_back(names.empty() ? "Inputs: none; the answer is always the same."
                     : plan.raw()  ? "Inputs: raw columns"
                                   : "Inputs: binary features, 1 where the test holds");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string id = identifiers.empty() ? "" : identifiers[i] + " = ";
    lines.push_back("  " + id +
                    (plan.raw() ? column_words(plan.columns()[i], plan.options.numbers, missing, most)
                                : in_quotes(names[i], most)));
  }
  return lines;
}

std::string comment_lines(const std::vector<std::string>& lines, std::string_view mark) {
  std::string out;
  for (const std::string& line : lines) out.append(mark).append(line).append("\n");
  return out;
}

std::string comment_inline(std::string_view line) {
  return "/* " + replaced(replaced(line, "*/", "*\\u{2f}"), "/*", "/\\u{2a}") + " */";
}

std::string comment_block(const std::vector<std::string>& lines) {
  return comment_inline(fmt::format("{}", fmt::join(lines, "\n   "))) + "\n";
}

std::vector<std::string> input_identifiers(const Plan& plan) {
  std::vector<std::string> ids = Identifiers("x_").of(plan.input_names());
  if (ids.empty()) ids.emplace_back("x_unused");
  return ids;
}

Outputs outputs_of(const Plan& plan) {
  Outputs out;
  Identifiers identifiers("y_");
  const std::vector<std::string>& names = plan.classes();
  if (names.size() <= 2) return {{Class{1}}, {identifiers.of(names.back())}};
  for (std::size_t k = 0; k < names.size(); ++k) out.classes.emplace_back(k);
  out.identifiers = identifiers.of(names);
  return out;
}

void describe_outputs(const Plan& plan, const Outputs& outputs, std::vector<std::string>& lines, std::size_t most) {
  lines.emplace_back(outputs.classes.size() == 1 ? "Output: the index of the class"
                                                 : "Outputs: one per class; exactly one of them is 1");
  for (std::size_t i = 0; i < outputs.classes.size(); ++i) {
    const std::size_t k = outputs.classes[i]();
    lines.push_back(fmt::format("  {} = {}", outputs.identifiers[i],
                                k < plan.classes().size() ? in_quotes(plan.classes()[k], most) : "never"));
  }
}

std::vector<std::vector<InEdge>> edges_into(const Diagram& diagram) {
  std::vector<std::vector<InEdge>> into(diagram.size());
  for (std::size_t n = 0; n < diagram.size(); ++n) {
    const DiagramNode& node = diagram.nodes()[n];
    if (node.sink) continue;
    into[node.low()].push_back({Node{n}, false});
    into[node.high()].push_back({Node{n}, true});
  }
  return into;
}

}  // namespace beadwork::exports
