#include "beadwork/formula/scanner.hpp"
#include <beadwork/formula.hpp>

#include <fmt/format.h>

namespace beadwork {

namespace {

struct Header {
  std::size_t vars = 0, clauses = 0;
  Weight top = 0;  // 0: none given
};

Result<Header> header(Scanner& in, std::string_view kind) {
  if (in.word() != "p") return in.error(fmt::format("expected the header 'p {} variables clauses'", kind));
  if (in.end_of_line() || in.word() != kind) return in.error(fmt::format("expected '{}' after 'p'", kind));
  Header h;
  for (std::size_t* field : {&h.vars, &h.clauses}) {
    const bool vars = field == &h.vars;
    if (in.end_of_line())
      return in.error("the header ends early: expected 'p " + std::string(kind) + " variables clauses'");
    TRY(const auto n,
        in.number(vars ? "the number of variables" : "the number of clauses", vars ? kMaxVars : SIZE_MAX));
    *field = n;
  }
  return h;
}

Status expect_line_end(Scanner& in) {
  if (in.end_of_line()) return Done{};
  in.peek();
  return in.error("unexpected text at the end of the header");
}

Status check_count(Scanner& in, std::size_t found, std::size_t announced) {
  if (found == announced) return Done{};
  return in.error(fmt::format("the header announces {} clauses, the file has {}", announced, found));
}

// Names of variables up to `largest`: a name brings its variable into being, and one line must not cost gigabytes.
template <class Formula>
void take_names(const Scanner& in, Formula& formula, std::size_t largest) {
  for (const auto& [v, name] : in.names())
    if (v() < largest) formula.set_name(v, name);
}

Status read_classic(Scanner& in, Wcnf& out) {
  TRY(auto h, header(in, "wcnf"));
  if (!in.end_of_line()) {
    TRY(const auto top, in.number("the weight of hard clauses", std::uint64_t{1} << 63));
    h.top = top;
    if (h.top == 0) return in.error("the weight of hard clauses is 0");
  }
  if (const auto end = expect_line_end(in); !end) return end.error();
  out.ensure_vars(h.vars);
  std::vector<Lit> clause;
  while (!in.at_end()) {
    TRY(const auto weight, in.number("a weight", h.top != 0 ? h.top : kMaxWeight));
    if (weight == 0) return in.error("a weight is below 1");
    const bool hard = h.top != 0 && weight == h.top;
    if (!hard && weight > kMaxWeight - out.total_weight()) return in.error("the weights add up to 2^63 or more");
    if (const auto c = in.clause(clause, h.vars); !c) return c.error();
    if (hard)
      out.add_clause(clause);
    else
      out.add_soft(clause, weight);
  }
  if (const auto c = check_count(in, out.hard().size() + out.soft().size(), h.clauses); !c) return c.error();
  take_names(in, out, h.vars);
  return Done{};
}

Status read_modern(Scanner& in, Wcnf& out) {
  std::vector<Lit> clause;
  while (!in.at_end()) {
    const bool hard = in.peek() == "h";
    Weight weight = 0;
    if (hard) {
      in.word();
    } else {
      TRY(const auto w, in.number("'h' or a weight", kMaxWeight));
      if (w == 0) return in.error("a weight is below 1");
      if (w > kMaxWeight - out.total_weight()) return in.error("the weights add up to 2^63 or more");
      weight = w;
    }
    if (const auto c = in.clause(clause, kMaxVars); !c) return c.error();
    if (hard)
      out.add_clause(clause);
    else
      out.add_soft(clause, weight);
  }
  take_names(in, out, std::max(out.num_vars(), in.size()));
  return Done{};
}

}  // namespace

Result<Cnf> parse_cnf(std::string_view text, const std::string& name) {
  Scanner in(text, name);
  TRY(const auto h, header(in, "cnf"));
  if (const auto end = expect_line_end(in); !end) return end.error();
  Cnf out;
  out.ensure_vars(h.vars);
  std::vector<Lit> clause;
  while (!in.at_end()) {
    if (const auto c = in.clause(clause, h.vars); !c) return c.error();
    out.add_clause(clause);
  }
  if (const auto c = check_count(in, out.clauses().size(), h.clauses); !c) return c.error();
  take_names(in, out, h.vars);
  return out;
}

Result<Cnf> parse_headerless_cnf(std::string_view text, const std::string& name) {
  Scanner in(text, name);
  Cnf out;
  std::vector<Lit> clause;
  while (!in.at_end()) {
    TRY_DONE(in.clause(clause, kMaxVars));
    out.add_clause(clause);
  }
  take_names(in, out, std::max(out.num_vars(), in.size()));
  return out;
}

Result<Wcnf> parse_wcnf(std::string_view text, const std::string& name) {
  Scanner in(text, name);
  Wcnf out;
  TRY_DONE(in.peek() == "p" ? read_classic(in, out) : read_modern(in, out));
  return out;
}

Result<Cnf> read_cnf(const std::string& path) {
  TRY(const auto text, read_file(path));
  return parse_cnf(text, path);
}

Result<Wcnf> read_wcnf(const std::string& path) {
  TRY(const auto text, read_file(path));
  return parse_wcnf(text, path);
}

}  // namespace beadwork
