// The kernels, written once over a register type V; included by one file for each instruction set, inside its
// anonymous namespace, after V16 and V32 are defined. Nothing here may instantiate a standard template: those
// files are compiled with flags that the rest of the program must not inherit through a shared inline
// function.
//
// V: Lane, lanes; load, store, set1, zero; + - & | shift_left; min max abs; popcount through Tally; gt(a, b)
// as bits; keep_above(w, l) = w > l ? w : -1; below(w, b) = w < b ? w : -1; dead_too(x, w) = w < 0 ? -1 : x;
// compress(x, mask bits); hmax; plan and gather, which bring the lanes of `source` together.

// clang-format off
#include <beadwork/search/kernel/words.hpp>
#include <beadwork/search/kernel/counting.hpp>
#include <beadwork/search/kernel/bounds.hpp>
#include <beadwork/search/kernel/packing.hpp>
#include <beadwork/search/kernel/pairs.hpp>
// clang-format on

template <class V>
constexpr Table<typename V::Lane> table_of() {
  using B = Bounding<V>;
  using P = Packing<V>;
  return {V::lanes,   B::ones,  B::weigh, B::extend,     B::errors,       B::errors_with, B::eliminate, B::above,
          B::top_sum, P::split, V::plan,  V::plan_bytes, Pairs<V>::pairs, P::row_keys,    P::keep_rows};
}
