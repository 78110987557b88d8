#pragma once
#include <beadwork/ordered/cells.hpp>

#include <type_traits>

namespace beadwork::ordered {

// Calls f with the type of cells for this problem. Small totals and few cells fit in narrow numbers: half the memory to
// walk through.
template <class F>
auto with_cells(const Problem& p, F&& f) {
  const bool unit = std::all_of(p.costs.begin(), p.costs.end(), [](std::int64_t c) { return c <= 1; });
  const bool narrow = p.total < (std::int64_t{1} << 26) && (p.choose + p.required.size() < 14 || p.num_rows < 15000);
  if (p.num_channels == 2 && !narrow) return f(std::type_identity<Cells<std::int64_t, std::uint32_t, 2>>{});
  if (p.num_channels == 2 && unit) return f(std::type_identity<Cells<std::int32_t, std::uint16_t, 2, true>>{});
  if (p.num_channels == 2) return f(std::type_identity<Cells<std::int32_t, std::uint16_t, 2>>{});
  if (p.num_channels == 3 && narrow) return f(std::type_identity<Cells<std::int32_t, std::uint16_t, 3>>{});
  if (p.num_channels == 4 && narrow) return f(std::type_identity<Cells<std::int32_t, std::uint16_t, 4>>{});
  return f(std::type_identity<Cells<std::int64_t, std::uint32_t, 0>>{});
}

}  // namespace beadwork::ordered
