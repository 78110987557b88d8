#include <beadwork/encoding.hpp>

#include <algorithm>
#include <array>

namespace beadwork {

namespace {
constexpr std::array kNames = {std::pair{Encoding::bdd1, "bdd1"}, std::pair{Encoding::bdd2, "bdd2"},
                               std::pair{Encoding::bdd3, "bdd3"}, std::pair{Encoding::pair, "pair"},
                               std::pair{Encoding::dt, "dt"}};
}

std::string_view to_string(Encoding e) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& n) { return n.first == e; })->second;
}

std::optional<Encoding> parse_encoding(std::string_view text) {
  const auto* it = std::find_if(kNames.begin(), kNames.end(), [&](const auto& n) { return n.second == text; });
  return it == kNames.end() ? std::nullopt : std::optional(it->first);
}

NamedSink named(Cnf& cnf) {
  return {cnf, [&cnf](Var v, const std::string& name) { cnf.set_name(v, name); }};
}
NamedSink named(Wcnf& wcnf) {
  return {wcnf, [&wcnf](Var v, const std::string& name) { wcnf.set_name(v, name); }};
}
NamedSink named(DimacsFile& file) {
  return {file,
          [&file](Var v, const std::string& name) { file.comment("var " + std::to_string(v() + 1) + " " + name); }};
}
NamedSink unnamed(ClauseSinkRef sink) {
  return {sink, {}};
}

Wcnf maxsat_model(Encoding e, const Examples& examples, std::size_t depth) {
  Wcnf wcnf;
  const NamedSink hard = named(wcnf);
  const SoftClauses soft = [&](Clause clause, Weight weight) { wcnf.add_soft(clause, weight); };
  switch (e) {
    case Encoding::bdd1:
      throw ContractViolation("maxsat_model: bdd1 has no MaxSAT lift");
    case Encoding::bdd2:
      lift_bdd2(examples, depth, hard, soft);
      break;
    case Encoding::bdd3:
      lift_bdd3(examples, depth, hard, soft);
      break;
    case Encoding::pair:
      lift_pair(examples, depth, hard, soft);
      break;
    case Encoding::dt:
      lift_dt(examples, depth, hard, soft);
      break;
  }
  return wcnf;
}

TruthTable decode(const BddVariables& v, const Examples& examples, const Assignment& assignment) {
  std::vector<Feature> order;
  for (std::size_t r = 0; r < v.select.size(); ++r)
    if (assignment[v.select[r]]) order.push_back(examples.features[r]);
  for (const std::vector<Var>& place : v.place)
    for (std::size_t r = 0; r < place.size(); ++r)
      if (assignment[place[r]]) order.push_back(examples.features[r]);
  TruthTable table(std::move(order), examples.num_classes);
  for (std::size_t j = 0; j < v.cell.size() && j < table.num_cells(); ++j) {
    if (v.cell_class.empty()) {
      table.decide(j, Class{assignment[v.cell[j]] ? 1U : 0U});
      continue;
    }
    for (std::size_t k = 0; k < examples.num_classes; ++k)
      if (assignment[v.cell_class[j][k]]) table.decide(j, Class{k});
  }
  return table;
}

std::vector<Lit> literals_of(const BddVariables& v, const Examples& examples, const TruthTable& table) {
  require(table.all_decided(), "literals_of: a decided table");
  std::vector<std::size_t> chosen;  // places of the table's features among the examples'
  for (const Feature f : table.order()) {
    const auto at = std::find(examples.features.begin(), examples.features.end(), f);
    require(at != examples.features.end(), "literals_of: a table over features of the examples");
    chosen.push_back(static_cast<std::size_t>(at - examples.features.begin()));
  }
  require(v.place.empty() || v.place.size() == chosen.size(), "literals_of: a table of the formula's depth");
  std::vector<Lit> out;
  for (std::size_t r = 0; r < v.select.size(); ++r)
    out.emplace_back(v.select[r], std::find(chosen.begin(), chosen.end(), r) != chosen.end());
  for (std::size_t i = 0; i < v.place.size(); ++i) out.emplace_back(v.place[i][chosen[i]]);
  for (std::size_t j = 0; j < v.cell.size(); ++j) {
    const Class k = table.first_allowed(j);
    out.push_back(v.cell_class.empty() ? Lit(v.cell[j], k == Class{1}) : Lit(v.cell_class[j][k()]));
  }
  for (std::size_t q = 0; q < v.wrong.size(); ++q) {
    std::size_t cell = 0;
    for (const std::size_t r : chosen) cell = 2 * cell + (examples.value(r, q) ? 1 : 0);
    out.emplace_back(v.wrong[q], !table.allows(cell, examples.labels[q]));
  }
  return out;
}

}  // namespace beadwork
