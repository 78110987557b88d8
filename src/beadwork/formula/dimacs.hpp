#pragma once
#include <beadwork/base.hpp>
#include <beadwork/formula/cnf.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace beadwork {

// Strict readers; `name` stands for the file in messages ("name:line:column: ...").
Result<Cnf> parse_cnf(std::string_view text, const std::string& name);
Result<Wcnf> parse_wcnf(std::string_view text, const std::string& name);
Result<Cnf> parse_headerless_cnf(std::string_view text, const std::string& name);  // clauses alone
Result<Cnf> read_cnf(const std::string& path);
Result<Wcnf> read_wcnf(const std::string& path);

enum class WcnfForm { modern, classic };  // the 2022 `h` lines; `p wcnf vars clauses top`

std::string to_dimacs(const Cnf& cnf);
std::string to_dimacs(const Wcnf& wcnf, WcnfForm form = WcnfForm::modern);

// A sink that writes straight to a file, for formulas that should not be held in memory. A CNF's header needs counts
// that are known at the end only: its line is left wide enough and filled in by finish(), so a CNF is never packed; a
// WCNF is where its name ends in .gz or .zst. Destroyed without finish() it leaves nothing behind (FileWriter).
class DimacsFile {
 public:
  enum class Kind { cnf, wcnf };  // wcnf in the modern form
  static Result<DimacsFile> create(const std::string& path, Kind kind);
  DimacsFile(DimacsFile&&) noexcept;
  DimacsFile& operator=(DimacsFile&&) noexcept;
  ~DimacsFile();

  Var fresh_var();
  Var fresh_var(const std::string& name);
  void comment(std::string_view text);
  void add_clause(Clause clause);
  void add_soft(Clause clause, Weight weight);  // contract: kind is wcnf, weight as for Wcnf
  Status finish(const Control& control = {});

 private:
  struct State;
  explicit DimacsFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace beadwork
