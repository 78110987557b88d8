#include <beadwork/exports/plan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

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
    type +=
        fmt::format(", all but {} categories count as {}", column.levels.size() - 1, in_quotes(reading.other, most));
  if (numeric) type += number_words(numbers);
  return fmt::format("{}: {}, missing: {}", in_quotes(column.name, most), type,
                     numeric ? missing.number : missing.text);
}

// The diagram with its features numbered by their places in the list.
Diagram renumbered(const Diagram& diagram, const std::vector<Feature>& list) {
  std::map<Feature, std::size_t> place;
  for (std::size_t i = 0; i < list.size(); ++i) place[list[i]] = i;
  std::vector<DiagramNode> nodes = diagram.nodes();
  for (DiagramNode& node : nodes)
    if (!node.sink) node.feature = Feature{place.at(node.feature)};
  return *Diagram::make(std::move(nodes));
}

std::vector<Meanings> meanings_of(const Binarizer& binarizer) {
  std::vector<Meanings> out;
  for (const InputColumn& column : binarizer.inputs()) out.emplace_back(column);
  return out;
}

bool spells_some(const std::vector<Spelling>& spellings, const std::string& text) {
  return std::any_of(spellings.begin(), spellings.end(), [&](const Spelling& s) { return spells(s, text); });
}

// The texts of one comparison, as the language writes it.
std::string compared(const TestSyntax& syntax, const std::string& input, const Spelling& spelling) {
  if (syntax.spelled) return syntax.spelled(input, spelling);
  const auto written = [&](const std::string& pattern) {
    return fmt::format(fmt::runtime(pattern), input, syntax.quoted(spelling.text));
  };
  using enum Spelling::Kind;
  switch (spelling.kind) {
    case any_case:
      return written(syntax.any_case);
    case number:
      return written(syntax.same_number);
    case yes:
      return fmt::format(fmt::runtime(syntax.yes), input);
    case no:
      return fmt::format(fmt::runtime(syntax.no), input);
    case exact:
      break;
  }
  const bool nul = spelling.text.find('\0') != std::string::npos;
  return nul && !syntax.without_nul.empty() ? syntax.without_nul : written(syntax.equals);
}

std::string text_condition(const TestSyntax& syntax, const std::string& input, const TextTest& test) {
  const std::string absent = fmt::format(fmt::runtime(syntax.missing_text), input);
  const auto any_of = [&](const std::vector<Spelling>& texts) {
    std::vector<std::string> words;
    for (const Spelling& s : texts) words.push_back(compared(syntax, input, s));
    return words;
  };
  const auto joined = [&](const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, syntax.either));
  };
  const auto negated = [&](const std::string& what) { return fmt::format(fmt::runtime(syntax.negated), what); };
  std::vector<std::string> words = any_of(test.texts);
  if (test.missing) words.insert(words.begin(), absent);
  std::string out = joined(words);
  bool alone = words.size() == 1;
  if (test.rest) {
    out = words.empty() ? negated(absent) : negated(absent) + syntax.both + negated(out);
    alone = words.empty();
  } else if (!test.but.empty()) {
    out = (alone ? out : "(" + out + ")") + syntax.both + negated(joined(any_of(test.but)));
    alone = false;
  }
  return alone || syntax.bare ? out : "(" + out + ")";
}

}  // namespace

Plan make_plan(const Model& model, ExportInputs inputs, const ExportOptions& options) {
  const std::vector<Feature> used = model.diagram().used_features();
  Binarizer tested = model.binarizer().select(used);
  std::vector<Meanings> meanings = meanings_of(tested);
  return {model, inputs, options.name, std::move(tested), renumbered(model.diagram(), used), options, meanings};
}

Ballot make_ballot(const Committee& committee, ExportInputs inputs, const ExportOptions& options) {
  std::vector<Feature> used;
  for (const Committee::Member& m : committee.members())
    for (const Feature f : m.diagram.used_features())
      if (std::find(used.begin(), used.end(), f) == used.end()) used.push_back(f);
  const Binarizer tested = committee.optimum().binarizer().select(used);
  Ballot out;
  for (const Committee::Member& m : committee.members())
    out.plans.push_back(
        {committee.optimum(), inputs, options.name, tested, renumbered(m.diagram, used), options, meanings_of(tested)});
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

TextTest text_test(const Plan& plan, const Test& test) {
  const Meanings& meanings = plan.meanings[test.column];
  TextTest out;
  if (test.kind == TestKind::missing) {
    out.missing = true;
    for (const std::string& text : meanings.missing()) out.texts.push_back({Spelling::Kind::exact, text});
    return out;
  }
  if (test.kind == TestKind::at_most) {
    for (std::size_t i = 0; static_cast<double>(i) <= test.threshold; ++i) out.texts.push_back(meanings.spelling(i));
  } else if (const std::size_t level = meanings.place(test.level); meanings.rest() == level) {
    out.rest = true;
    for (std::size_t i = 0; i < meanings.levels().size(); ++i)
      if (i != level) out.texts.push_back(meanings.spelling(i));
    for (const std::string& text : meanings.missing()) out.texts.push_back({Spelling::Kind::exact, text});
    return out;
  } else {
    out.texts.push_back(meanings.spelling(level));
  }
  for (const std::string& text : meanings.missing())
    if (spells_some(out.texts, text)) out.but.push_back({Spelling::Kind::exact, text});
  return out;
}

Comparisons comparisons_of(const Plan& plan) {
  Comparisons out;
  for (const Test& test : plan.tests()) {
    if (!plan.raw() || !plan.columns()[test.column].text()) continue;
    TextTest texts = text_test(plan, test);
    texts.texts.insert(texts.texts.end(), texts.but.begin(), texts.but.end());
    for (const Spelling& s : texts.texts) {
      using enum Spelling::Kind;
      out.exact |= s.kind == exact && s.text.find('\0') == std::string::npos;
      out.yes |= s.kind == yes;
      out.no |= s.kind == no;
      out.any_case |= s.kind == any_case || s.kind == yes || s.kind == no;
      out.number |= s.kind == number || s.kind == yes || s.kind == no;
    }
  }
  return out;
}

std::vector<std::string> spelled_out(const Spelling& spelling) {
  using enum Spelling::Kind;
  if (spelling.kind == exact) return {spelling.text};
  if (spelling.kind == number) {
    std::vector<std::string> out{spelling.text};
    if (spelling.text.find('.') == std::string::npos) out.push_back(spelling.text + ".0");
    if (spelling.text == "0") out.insert(out.end(), {"-0", "-0.0"});
    return out;
  }
  if (spelling.kind == any_case) {
    std::vector<std::string> out;
    for (std::size_t upper = 0; upper < std::size_t{1} << spelling.text.size(); ++upper) {
      out.push_back(spelling.text);
      for (std::size_t i = 0; i < spelling.text.size(); ++i)
        if ((upper >> i & 1) != 0) out.back()[i] = static_cast<char>(out.back()[i] & ~0x20);
    }
    return out;
  }
  std::vector<std::string> out = spelled_out({number, spelling.kind == yes ? "1" : "0"});
  for (const std::string_view word : spelling.kind == yes ? kYesWords : kNoWords) {
    const std::vector<std::string> cases = spelled_out({any_case, std::string(word)});
    out.insert(out.end(), cases.begin(), cases.end());
  }
  return out;
}

std::optional<Error> nul_in_classes(const Plan& plan, std::string_view format) {
  for (const std::string& name : plan.classes())
    if (name.find('\0') != std::string::npos)
      return option_error(fmt::format("class {} holds a NUL, where the texts of {} end", in_quotes(name, 40), format),
                          "to");
  return std::nullopt;
}

std::string condition(const Plan& plan, const TestSyntax& syntax, Feature f) {
  const auto written = [](const std::string& pattern, const auto&... words) {
    return fmt::format(fmt::runtime(pattern), words...);
  };
  if (!plan.raw()) return written(syntax.bit, syntax.inputs[f()]);
  const Test& test = plan.tests()[f()];
  if (syntax.own)
    if (std::string own = syntax.own(test); !own.empty()) return own;
  const std::string& input = syntax.inputs[test.column];
  if (plan.columns()[test.column].text()) return text_condition(syntax, input, text_test(plan, test));
  if (test.kind == TestKind::at_most) return written(syntax.at_most, input, syntax.number(test.threshold));
  return written(syntax.missing_number, input);
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
  const ExportNumbers& numbers = plan.options.numbers;
  if (plan.raw() && numbers.integer() &&
      std::any_of(plan.columns().begin(), plan.columns().end(), [](const InputColumn& c) { return !c.text(); }))
    lines.push_back(numbers.scale == 1
                        ? "An integer stands for the number itself: for columns of whole numbers. Others need a scale."
                        : fmt::format("An integer stands for the number times {0}: for columns of multiples of 1/{0}.",
                                      numbers.scale));
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
