#include <beadwork/formula.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>

namespace beadwork {
namespace {

bool opb_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Words, relations and semicolons; a line that begins with * is a comment.
class OpbWords {
 public:
  OpbWords(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::string_view peek() {
    skip();
    if (at_ == text_.size()) return {};
    if (text_[at_] == ';' || text_[at_] == '=') return text_.substr(at_, 1);
    if ((text_[at_] == '>' || text_[at_] == '<') && at_ + 1 < text_.size() && text_[at_ + 1] == '=')
      return text_.substr(at_, 2);
    std::size_t end = at_ + 1;
    while (end < text_.size() && !opb_space(text_[end]) &&
           std::string_view(";<>=").find(text_[end]) == std::string_view::npos && text_[end - 1] != ':')
      ++end;
    return text_.substr(at_, end - at_);
  }
  std::string_view next() {
    const std::string_view w = peek();
    at_ += w.size();
    return w;
  }
  Error error(const std::string& message) const {
    return input_error(message, fmt::format("{}:{}:{}", name_, line_, word_at_ - line_start_ + 1));
  }

 private:
  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = ++at_;
      } else if (opb_space(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '*' && at_ == line_start_) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        break;
      }
    }
    word_at_ = at_;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 1, line_start_ = 0, word_at_ = 0;
};

std::string shown_word(std::string_view word) {
  return word.empty() ? "the end of the file" : fmt::format("'{}'", printable(word, 40));
}

// A sum with distinct variables: the coefficient of each, and what negated literals add.
struct LinearSum {
  std::map<Var, std::int64_t> coefficients;
  std::int64_t base = 0;
};

bool add_to(std::int64_t& sum, std::int64_t x) {
  return !__builtin_add_overflow(sum, x, &sum);
}

class OpbReader {
 public:
  OpbReader(std::string_view text, const std::string& name) : words_(text, name) {}

  Result<PseudoBoolean> read() {
    if (words_.peek().empty()) return words_.error("the file is empty");
    while (!words_.peek().empty()) {
      const std::string_view word = words_.peek();
      if (word == "max:") return words_.error("expected 'min:', got 'max:': minimise the negated sum");
      if (word == "soft:") return words_.error("soft constraints (WBO) are not read");
      TRY_DONE(word == "min:" ? objective() : constraint());
    }
    return std::move(out_);
  }

 private:
  Result<std::int64_t> number(std::string_view what) {
    const std::string_view word = words_.next();
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = end == digits.data() + digits.size() && !digits.empty() &&
                       std::isdigit(static_cast<unsigned char>(word.back())) != 0 && word.find_last_of("+-") + 1 <= 1;
    if (whole && (fault == std::errc::result_out_of_range || value == INT64_MIN))
      return words_.error(fmt::format("{} {} is too large (below 2^63 only)", what, printable(word, 40)));
    if (!whole || fault != std::errc()) return words_.error(fmt::format("expected {}, got {}", what, shown_word(word)));
    return value;
  }

  Result<Lit> literal() {
    std::string_view word = words_.next();
    const bool negated = word.starts_with('~');
    if (negated) word.remove_prefix(1);
    if (word.empty() || (std::isalpha(static_cast<unsigned char>(word[0])) == 0 && word[0] != '_'))
      return words_.error(fmt::format("expected a variable such as x1, got {}", shown_word(word)));
    const auto [at, first] = numbers_.try_emplace(std::string(word), Var(0));
    if (first) at->second = out_.fresh_var(std::string(word));
    return Lit(at->second, !negated);
  }

  Error too_large() const { return words_.error("the numbers of this line add up to 2^63 or more"); }

  Result<LinearSum> sum() {
    LinearSum out;
    while (words_.peek() != ";" && !relation(words_.peek())) {
      if (words_.peek().empty()) return words_.error("expected ';', found the end of the file");
      TRY(const auto c, number("a coefficient"));
      TRY(const auto lit, literal());
      const std::string_view after = words_.peek();
      if (!after.empty() && (std::isalpha(static_cast<unsigned char>(after[0])) != 0 || after[0] == '~'))
        return words_.error("a product of variables: only linear constraints are read");
      if (!lit.positive() && !add_to(out.base, c)) return too_large();
      if (!add_to(out.coefficients[lit.var()], lit.positive() ? c : -c)) return too_large();
    }
    return out;
  }

  static bool relation(std::string_view word) { return word == ">=" || word == "<=" || word == "="; }

  Status end() {
    const std::string_view word = words_.next();
    return word == ";" ? Status(Done{}) : words_.error(fmt::format("expected ';', got {}", shown_word(word)));
  }

  // Weights from 1 of literals, and the rest into `base`; nothing where that reaches 2^63.
  static std::optional<std::vector<Term>> terms_of(const LinearSum& sum, std::int64_t sign, std::int64_t& base) {
    std::vector<Term> out;
    Weight total = 0;
    for (const auto& [v, coefficient] : sum.coefficients) {
      if (coefficient == INT64_MIN) return std::nullopt;
      const std::int64_t c = sign * coefficient;
      if (c == 0) continue;
      if (c < 0 && !add_to(base, c)) return std::nullopt;
      const auto weight = static_cast<Weight>(c < 0 ? -c : c);
      if (weight > kMaxWeight - total) return std::nullopt;
      total += weight;
      out.push_back({Lit(v, c > 0), weight});
    }
    return out;
  }

  Status objective() {
    words_.next();
    if (out_.minimises) return words_.error("a second objective");
    TRY(const auto s, sum());
    TRY_DONE(end());
    out_.minimises = true;
    out_.base = s.base;
    auto terms = terms_of(s, 1, out_.base);
    Weight total = 0;
    if (terms)
      for (const Term& t : *terms) total += t.weight;
    std::int64_t most = out_.base;
    if (!terms || !add_to(most, static_cast<std::int64_t>(total))) return too_large();
    out_.objective = std::move(*terms);
    return Done{};
  }

  // sign * sum >= sign * bound, as weights of literals.
  Status at_least(const LinearSum& s, std::int64_t bound, std::int64_t sign) {
    std::int64_t base = 0;
    auto terms = terms_of(s, sign, base);
    std::int64_t least = sign * bound;
    if (!terms || base == INT64_MIN || !add_to(least, -sign * s.base) || !add_to(least, -base)) return too_large();
    if (least <= 0) return Done{};  // nothing is asked
    for (Term& t : *terms) t.weight = std::min(t.weight, static_cast<Weight>(least));
    out_.constraints.push_back({std::move(*terms), static_cast<Weight>(least)});
    return Done{};
  }

  Status constraint() {
    TRY(const auto s, sum());
    const std::string_view how = words_.next();
    if (!relation(how)) return words_.error(fmt::format("expected >=, <= or =, got {}", shown_word(how)));
    TRY(const auto bound, number("a bound"));
    TRY_DONE(end());
    if (s.base == INT64_MIN) return too_large();
    if (how != "<=") TRY_DONE(at_least(s, bound, 1));
    if (how != ">=") TRY_DONE(at_least(s, bound, -1));
    return Done{};
  }

  OpbWords words_;
  PseudoBoolean out_;
  std::map<std::string, Var> numbers_;
};

constexpr std::size_t kClausesOfSum = 200'000;  // beyond that a constraint becomes an adder

void encode_at_least(const PseudoBoolean::AtLeast& c, ClauseSinkRef sink) {
  Weight total = 0;
  std::vector<Lit> clause;
  std::vector<Term> negated;
  for (const Term& t : c.terms) {
    total += t.weight;
    clause.push_back(t.lit);
    negated.push_back({~t.lit, t.weight});
  }
  const bool each_will_do =
      std::all_of(c.terms.begin(), c.terms.end(), [&](const Term& t) { return t.weight >= c.least; });
  if (total < c.least)
    sink.add_clause(Clause{});
  else if (each_will_do)
    sink.add_clause(clause);
  else
    WeightedBound(sink, negated, total - c.least, WeightedBound::Kind::automatic, kClausesOfSum)
        .at_most(sink, total - c.least);
}

template <class Formula>
Formula constraints_of(const PseudoBoolean& problem) {
  Formula out;
  out.ensure_vars(problem.num_vars());
  for (const auto& c : problem.constraints) encode_at_least(c, out);
  return out;
}

}  // namespace

Result<PseudoBoolean> parse_opb(std::string_view text, const std::string& name) {
  return OpbReader(text, name).read();
}

Cnf to_cnf(const PseudoBoolean& problem) {
  return constraints_of<Cnf>(problem);
}

Wcnf to_wcnf(const PseudoBoolean& problem) {
  auto out = constraints_of<Wcnf>(problem);
  for (const Term& t : problem.objective) out.add_soft({~t.lit}, t.weight);
  return out;
}

}  // namespace beadwork
