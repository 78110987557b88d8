#pragma once
// samples: data sets that are defined by a rule, so that the project can ship them without shipping data.
//
//   auto t = make_sample("tic-tac-toe");      // 958 rows: every end of a game that x opens, is it a win for
//   x?
//
// tic-tac-toe    UCI's Tic-Tac-Toe Endgame (Aha 1991): the boards at the end of all games, x moving first
// monk-1..3      the MONK's problems (Thrun et al. 1991), all 432 robots, without noise
// multiplexer-6, multiplexer-11   2 (3) address bits choose one of 4 (8) data bits

#include <beadwork/base.hpp>
#include <beadwork/table.hpp>

#include <span>
#include <string_view>

namespace beadwork {

struct Sample {
  std::string_view name;
  std::string_view summary;
};
std::span<const Sample> samples();
// The Error lists the names there are.
Result<Table> make_sample(std::string_view name);

}  // namespace beadwork
