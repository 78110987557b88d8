#include "bindings.hpp"
#include "waiting.hpp"
#include <beadwork/encoding.hpp>
#include <beadwork/engine.hpp>

namespace beadwork::python {
namespace {

// A table as a formula, with what reads its models.
struct Encoded {
  Encoding encoding = Encoding::bdd2;
  std::size_t depth = 1;
  bool maxsat = true;
  Dataset dataset;
  Examples examples;
  BddVariables diagram;
  TreeVariables tree;
  Wcnf formula;  // without soft clauses where it asks for no errors at all
};

struct StoppedWhileEncoding {};

// Looks at signals now and then.
struct WatchedSink {
  Wcnf& formula;
  const Control& control;
  std::size_t unseen = 0;

  Var fresh_var() {
    poll(1);
    return formula.fresh_var();
  }
  void add_clause(Clause clause) {
    poll(clause.size());
    formula.add_clause(clause);
  }
  void poll(std::size_t work) {
    constexpr std::size_t kBetween = 1 << 14;
    if ((unseen += work + 1) < kBetween) return;
    unseen = 0;
    if (control.stopping()) throw StoppedWhileEncoding{};
  }
};

void write_formula(Encoded& e, const Control& control) {
  WatchedSink sink{e.formula, control};
  const NamedSink hard{sink, [&](Var v, const std::string& name) { e.formula.set_name(v, name); }};
  const SoftClauses soft = [&](Clause clause, Weight weight) {
    sink.poll(clause.size());
    e.formula.add_soft(clause, weight);
  };
  switch (e.encoding) {
    case Encoding::bdd1:
      e.diagram = encode_bdd1(e.examples, e.depth, hard);
      break;
    case Encoding::bdd2:
      e.diagram = e.maxsat ? lift_bdd2(e.examples, e.depth, hard, soft) : encode_bdd2(e.examples, e.depth, hard);
      break;
    case Encoding::bdd3:
      e.diagram = lift_bdd3(e.examples, e.depth, hard, soft);
      break;
    case Encoding::pair:
      e.diagram = lift_pair(e.examples, e.depth, hard, soft);
      break;
    case Encoding::dt:
      e.tree = lift_dt(e.examples, e.depth, hard, soft);
      break;
  }
}

// The same formula as `beadwork encode` writes.
Encoded encode(const Dataset& dataset, const std::string& model, std::size_t depth, std::optional<bool> maxsat) {
  const auto encoding = parse_encoding(model);
  if (!encoding) throw nb::value_error(("model: expected bdd1, bdd2, bdd3, pair or dt, got '" + model + "'").c_str());
  if (depth < 1 || depth > kMaxDepth) throw nb::value_error("depth: expected a number from 1 to 20");
  const bool decides = *encoding == Encoding::bdd1 || *encoding == Encoding::bdd2;
  if (*encoding == Encoding::bdd1 && maxsat.value_or(false)) throw nb::value_error("bdd1 has no MaxSAT form; use bdd2");
  if (!decides && !maxsat.value_or(true))
    throw nb::value_error((model + " has only a MaxSAT form; use bdd1 or bdd2").c_str());
  Encoded out;
  out.encoding = *encoding;
  out.depth = depth;
  out.maxsat = maxsat.value_or(*encoding != Encoding::bdd1);
  out.dataset = dataset;
  GilWait waiting(nb::none(), 1);
  take(waiting.run([&](const Control& control) -> Status {
    if (decides || *encoding == Encoding::dt) {
      auto examples = faithful_examples(dataset, true, control);
      if (!examples) return examples.error();
      out.examples = *std::move(examples);
    } else {
      auto merged = merged_examples(dataset, control);
      if (!merged) return Error{ErrorCode::limit, "stopped", {}};
      out.examples = *std::move(merged);
    }
    if (out.maxsat && *encoding == Encoding::bdd2)
      if (const Status fits = check_soft_weights(out.examples, depth); !fits) return fits.error();
    try {
      write_formula(out, control);
    } catch (const StoppedWhileEncoding&) {
      return Error{ErrorCode::limit, "stopped", {}};
    }
    return Done{};
  }));
  return out;
}

std::vector<std::vector<int>> clauses_of(const ClauseList& clauses) {
  std::vector<std::vector<int>> out(clauses.size());
  for (std::size_t i = 0; i < clauses.size(); ++i)
    for (const Lit l : clauses[i]) out[i].push_back(l.dimacs());
  return out;
}

std::vector<Weight> weights_of(const Wcnf& formula) {
  std::vector<Weight> out;
  for (std::size_t i = 0; i < formula.soft().size(); ++i) out.push_back(formula.weight(i));
  return out;
}

std::vector<std::pair<std::size_t, std::string>> named_variables(const Wcnf& formula) {
  std::vector<std::pair<std::size_t, std::string>> out;
  for (const auto& [v, name] : formula.names()) out.emplace_back(v() + 1, name);
  return out;
}

// A solver's variables of its own, beyond the formula's, are passed over.
Assignment assignment_of(const Encoded& e, const std::vector<std::int64_t>& literals) {
  Assignment out(e.formula.num_vars());
  for (const std::int64_t l : literals)
    if (const auto v = static_cast<std::uint64_t>(l < 0 ? -(l + 1) : l - 1); l != 0 && v < e.formula.num_vars())
      out.set(Var(v), l > 0);
  if (const auto broken = first_falsified(e.formula.hard(), out))
    throw nb::value_error(("the assignment falsifies hard clause " + std::to_string(*broken + 1)).c_str());
  return out;
}

// What an assignment stands for: a table, unless it is a tree; the diagram; what the soft clauses cost; the weight of
// the rows that the diagram gets wrong.
std::tuple<std::optional<TruthTable>, Diagram, Weight, std::int64_t> decoded(
    const Encoded& e, const std::vector<std::int64_t>& literals) {
  const Assignment assignment = assignment_of(e, literals);
  std::optional<TruthTable> table;
  Diagram diagram;
  if (e.encoding == Encoding::dt) {
    diagram = decode(e.tree, e.examples, assignment);
  } else {
    const TruthTable found = decode(e.diagram, e.examples, assignment);
    table = fill_by_branch(found, count_cells(e.dataset, found.order()));
    diagram = diagram_of(*table);
  }
  const std::int64_t errors = training_errors(e.dataset, diagram);
  return {std::move(table), std::move(diagram), *cost(e.formula, assignment), errors};
}

}  // namespace

void bind_encoding(nb::module_& m) {
  nb::class_<Encoded>(m, "Encoded", "A table as a formula.")
      .def_prop_ro("model", [](const Encoded& e) { return std::string(to_string(e.encoding)); })
      .def_ro("depth", &Encoded::depth)
      .def_ro("maxsat", &Encoded::maxsat)
      .def_prop_ro("num_vars", [](const Encoded& e) { return e.formula.num_vars(); })
      .def_prop_ro("base_errors", [](const Encoded& e) { return e.examples.base_errors; })
      .def("hard", [](const Encoded& e) { return clauses_of(e.formula.hard()); })
      .def("soft", [](const Encoded& e) { return clauses_of(e.formula.soft()); })
      .def("weights", [](const Encoded& e) { return weights_of(e.formula); })
      .def("names", [](const Encoded& e) { return named_variables(e.formula); })
      .def("dimacs",
           [](const Encoded& e) {
             if (e.maxsat) return to_dimacs(e.formula);
             Cnf cnf;
             cnf.ensure_vars(e.formula.num_vars());
             for (const auto& [v, name] : e.formula.names()) cnf.set_name(v, name);
             for (std::size_t i = 0; i < e.formula.hard().size(); ++i) cnf.add_clause(e.formula.hard()[i]);
             return to_dimacs(cnf);
           })
      .def("decode", &decoded, nb::arg("literals"),
           "(table or None, diagram, cost of the soft clauses, weight of the rows that are wrong).");
  m.def("encode", &encode, nb::arg("dataset"), nb::arg("model"), nb::arg("depth"), nb::arg("maxsat").none(),
        "The clauses of a model.");
}

}  // namespace beadwork::python
