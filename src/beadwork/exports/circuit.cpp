#include <beadwork/exports/circuit.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace beadwork::exports {

Wires wires_of(const Plan& plan) {
  Wires out{input_identifiers(plan), {}, {}};
  out.missing.resize(out.ids.size());
  out.width.resize(out.ids.size());
  if (!plan.raw()) return out;
  for (std::size_t c = 0; c < plan.columns().size(); ++c) {
    const InputColumn& column = plan.columns()[c];
    const std::size_t last = kFirstCode + codes_of(column).levels.size() - 1;
    out.width[c] = column.text() ? static_cast<std::size_t>(std::bit_width(last)) : plan.options.numbers.bits;
    if (!column.text()) out.missing[c] = "missing_" + out.ids[c].substr(2);
  }
  return out;
}

std::vector<std::string> describe_circuit(const Plan& plan, const Wires& wires) {
  std::vector<std::string> out = describe(plan, wires.ids, {"1 in missing_...", "0"});
  if (plan.raw())
    for (std::size_t c = 0; c < plan.columns().size(); ++c) {
      if (!plan.columns()[c].text()) continue;
      out.push_back(
          fmt::format("Texts of {} by number: {} is missing, {} any other", wires.ids[c], kMissingCode, kOtherCode));
      const std::vector<std::string> levels = codes_of(plan.columns()[c]).levels;
      for (std::size_t i = 0; i < levels.size(); ++i)
        out.push_back(fmt::format("  {} {}", kFirstCode + i, in_quotes(levels[i])));
    }
  out.emplace_back("Output: class_index, the index of the class");
  return out;
}

std::size_t class_width(const Plan& plan) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(plan.classes().size() - 1)));
}

std::string wire_condition(const Plan& plan, const Wires& wires, const WireTests& tests, Feature f) {
  const auto written = [](const std::string& pattern, const auto&... words) {
    return fmt::format(fmt::runtime(pattern), words...);
  };
  if (!plan.raw()) return written(tests.bit, wires.ids[f()]);
  const Test& test = plan.tests()[f()];
  const InputColumn& column = plan.columns()[test.column];
  const std::string &id = wires.ids[test.column], &missing = wires.missing[test.column];
  const std::size_t width = wires.width[test.column];
  if (column.text()) {
    if (test.kind == TestKind::at_most)
      return written(tests.between, id, "", tests.code(kFirstCode, width),
                     tests.code(kFirstCode + static_cast<std::size_t>(test.threshold), width));
    const std::size_t code = test.kind == TestKind::missing ? kMissingCode : codes_of(column).of(test.level);
    const std::string own = written(tests.equals, id, "", tests.code(code, width));
    if (test.kind == TestKind::missing || !text_test(plan, test).rest) return own;
    return own + tests.either + written(tests.equals, id, "", tests.code(kOtherCode, width));
  }
  if (test.kind == TestKind::missing) return written(tests.missing, id, missing);
  const auto last = largest_at_most(test.threshold, plan.options.numbers);
  if (!last) return tests.never;
  if (*last == largest_of(plan.options.numbers.bits)) return written(tests.present, id, missing);
  return written(tests.at_most, id, missing, tests.number(*last, width));
}

}  // namespace beadwork::exports
