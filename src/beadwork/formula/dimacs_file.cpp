#include "beadwork/formula/clause_text.hpp"
#include <beadwork/formula.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {

struct DimacsFile::State {
  FileWriter file;
  Kind kind = Kind::cnf;
  std::string buffer = {};
  std::size_t vars = 0, clauses = 0;
  Weight total = 0;
  std::unique_ptr<Packer> packer = nullptr;  // where the name asks for it

  void flush() {
    file.write(packer ? packer->pack(buffer) : buffer);
    buffer.clear();
  }
  void clause(Clause c) {
    for (const Lit l : c) vars = std::max(vars, l.var()() + 1);
    append_clause(buffer, c);
    ++clauses;
    if (buffer.size() > (1U << 16)) flush();
  }
  std::string header() const { return fmt::format("p cnf {:<10} {:<20}\n", vars, clauses); }
};

DimacsFile::DimacsFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
DimacsFile::DimacsFile(DimacsFile&&) noexcept = default;
DimacsFile& DimacsFile::operator=(DimacsFile&&) noexcept = default;
DimacsFile::~DimacsFile() = default;

Result<DimacsFile> DimacsFile::create(const std::string& path, Kind kind) {
  const bool packs = path.ends_with(".gz") || path.ends_with(".zst");
  if (packs && kind == Kind::cnf)
    return input_error("a CNF is not packed, because its first line is written last; give a name without .gz or .zst",
                       path);
  TRY(auto file, FileWriter::create(path));
  std::unique_ptr<State> state(new State{std::move(file), kind});
  if (packs) {
    TRY(auto packer, packer_for(path));
    state->packer = std::move(packer);
  }
  if (kind == Kind::cnf) state->buffer = state->header();
  return DimacsFile(std::move(state));
}

Var DimacsFile::fresh_var() {
  require(state_->vars < kMaxVars, "DimacsFile: too many variables");
  return Var(state_->vars++);
}

Var DimacsFile::fresh_var(const std::string& name) {
  const Var v = fresh_var();
  append_name(state_->buffer, v, name);
  return v;
}

void DimacsFile::comment(std::string_view text) {
  state_->buffer += "c " + printable(text, 1000) + "\n";
}

void DimacsFile::add_clause(Clause clause) {
  if (state_->kind == Kind::wcnf) state_->buffer += "h ";
  state_->clause(clause);
}

void DimacsFile::add_soft(Clause clause, Weight weight) {
  require(state_->kind == Kind::wcnf, "DimacsFile: a CNF has no soft clauses");
  require(weight >= 1 && weight <= kMaxWeight - state_->total, "DimacsFile: weights are at least 1, their sum < 2^63");
  state_->total += weight;
  state_->buffer += fmt::format("{} ", weight);
  state_->clause(clause);
}

Status DimacsFile::finish(const Control& control) {
  state_->flush();
  if (state_->packer) state_->file.write(state_->packer->finish());
  if (state_->kind == Kind::cnf) state_->file.write_first(state_->header());
  return state_->file.finish(control);
}

}  // namespace beadwork
