#pragma once
#include <beadwork/base.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace beadwork {

// A propositional variable, counted from 0: Var{0} is the 1 of a DIMACS file.
using Var = Index<struct VarTag>;

// The most variables a formula may have; literals then fit in 32 bits and in every solver's int.
inline constexpr std::size_t kMaxVars = std::size_t{1} << 30;

// A variable or its negation. A Var converts to its positive literal; ~ negates.
class Lit {
 public:
  constexpr Lit() = default;
  constexpr Lit(Var v, bool positive = true) : code_(2 * v.value + (positive ? 0U : 1U)) {}
  static constexpr Lit from_dimacs(int d) {
    return d > 0 ? Lit(Var(static_cast<std::size_t>(d) - 1)) : Lit(Var(static_cast<std::size_t>(-d) - 1), false);
  }

  constexpr Var var() const { return Var(code_ / 2); }
  constexpr bool positive() const { return (code_ & 1U) == 0; }
  constexpr Lit operator~() const { return Lit(var(), !positive()); }
  constexpr int dimacs() const {
    const int d = static_cast<int>(code_ / 2) + 1;
    return positive() ? d : -d;
  }
  // 2v for a variable, 2v+1 for its negation: an index into tables by literal.
  constexpr std::size_t code() const { return code_; }
  friend constexpr auto operator<=>(const Lit&, const Lit&) = default;

 private:
  std::uint32_t code_ = 0;
};

}  // namespace beadwork

template <>
struct std::hash<beadwork::Lit> {
  std::size_t operator()(const beadwork::Lit& l) const noexcept { return l.code(); }
};
