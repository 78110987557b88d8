#include "beadwork/formula/clause_text.hpp"
#include <beadwork/formula.hpp>

#include <fmt/format.h>

#include <iterator>

namespace beadwork {

void append_clause(std::string& out, Clause clause) {
  for (const Lit l : clause) fmt::format_to(std::back_inserter(out), "{} ", l.dimacs());
  out += "0\n";
}

void append_name(std::string& out, Var v, std::string_view name) {
  fmt::format_to(std::back_inserter(out), "c var {} {}\n", v() + 1, printable(name, 1000));
}

namespace {

void append_names(std::string& out, const Variables& variables) {
  for (const auto& [v, name] : variables.names()) append_name(out, v, name);
}

}  // namespace

std::string to_dimacs(const Cnf& cnf) {
  std::string out;
  append_names(out, cnf);  // before the header: some solvers take comments nowhere else
  out += fmt::format("p cnf {} {}\n", cnf.num_vars(), cnf.clauses().size());
  for (std::size_t i = 0; i < cnf.clauses().size(); ++i) append_clause(out, cnf.clauses()[i]);
  return out;
}

std::string to_dimacs(const Wcnf& wcnf, WcnfForm form) {
  const bool classic = form == WcnfForm::classic;
  const Weight top = wcnf.total_weight() + 1;  // at most 2^63
  std::string out;
  append_names(out, wcnf);
  if (classic) out += fmt::format("p wcnf {} {} {}\n", wcnf.num_vars(), wcnf.hard().size() + wcnf.soft().size(), top);
  const std::string hard = classic ? fmt::format("{} ", top) : "h ";
  for (std::size_t i = 0; i < wcnf.hard().size(); ++i) append_clause(out += hard, wcnf.hard()[i]);
  for (std::size_t i = 0; i < wcnf.soft().size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{} ", wcnf.weight(i));
    append_clause(out, wcnf.soft()[i]);
  }
  return out;
}

}  // namespace beadwork
