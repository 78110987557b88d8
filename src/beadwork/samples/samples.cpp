#include <beadwork/samples.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace beadwork {
namespace {

// Columns of small integers or letters, filled row by row, the class last.
class Builder {
 public:
  explicit Builder(const std::vector<std::string>& names) {
    for (const std::string& name : names) columns_.push_back({name, ColumnType::nominal, {}, {}, {}});
  }
  void row(const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Column& c = columns_[i];
      std::size_t code = 0;
      while (code < c.levels.size() && c.levels[code] != values[i]) ++code;
      if (code == c.levels.size()) c.levels.push_back(values[i]);
      c.codes.push_back(static_cast<std::uint32_t>(code));
    }
  }
  Result<Table> table() && {
    const std::size_t target = columns_.size() - 1;
    return Table::make(std::move(columns_), target);
  }

 private:
  std::vector<Column> columns_;
};

using Board = std::string;  // nine of x, o, b (blank), row by row from the top left

bool wins(const Board& board, char player) {
  static constexpr std::array<std::array<std::size_t, 3>, 8> kLines{
      {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}};
  for (const auto& line : kLines)
    if (board[line[0]] == player && board[line[1]] == player && board[line[2]] == player) return true;
  return false;
}

void play(const Board& board, char to_move, std::set<Board>& seen, std::set<Board>& ends) {
  if (!seen.insert(board).second) return;
  if (wins(board, 'x') || wins(board, 'o') || board.find('b') == Board::npos) {
    ends.insert(board);
    return;
  }
  for (std::size_t square = 0; square < board.size(); ++square) {
    if (board[square] != 'b') continue;
    Board next = board;
    next[square] = to_move;
    play(next, to_move == 'x' ? 'o' : 'x', seen, ends);
  }
}

Result<Table> tic_tac_toe() {
  Builder b({"top-left", "top-middle", "top-right", "middle-left", "middle-middle", "middle-right", "bottom-left",
             "bottom-middle", "bottom-right", "class"});
  std::set<Board> seen;
  std::set<Board> ends;
  play("bbbbbbbbb", 'x', seen, ends);
  for (const Board& board : ends) {
    std::vector<std::string> row;
    for (const char square : board) row.emplace_back(1, square);
    row.emplace_back(wins(board, 'x') ? "positive" : "negative");
    b.row(row);
  }
  return std::move(b).table();
}

Result<Table> monk(const std::function<bool(const std::array<int, 6>&)>& rule) {
  static constexpr std::array<int, 6> kValues{3, 3, 2, 3, 4, 2};
  Builder b({"a1", "a2", "a3", "a4", "a5", "a6", "class"});
  for (int i = 0; i < 432; ++i) {
    std::array<int, 6> a{};
    for (std::size_t j = 6, rest = static_cast<std::size_t>(i); j-- > 0;) {
      const auto n = static_cast<std::size_t>(kValues[j]);
      a[j] = static_cast<int>(rest % n) + 1;
      rest /= n;
    }
    std::vector<std::string> row;
    for (const int v : a) row.push_back(std::to_string(v));
    row.emplace_back(rule(a) ? "1" : "0");
    b.row(row);
  }
  return std::move(b).table();
}

bool monk_1(const std::array<int, 6>& a) {
  return a[0] == a[1] || a[4] == 1;
}
bool monk_2(const std::array<int, 6>& a) {
  return std::count(a.begin(), a.end(), 1) == 2;
}
bool monk_3(const std::array<int, 6>& a) {
  return (a[4] == 3 && a[3] == 1) || (a[4] != 4 && a[1] != 3);
}

Result<Table> multiplexer(std::size_t address_bits) {
  const std::size_t data_bits = std::size_t{1} << address_bits;
  const std::size_t bits = address_bits + data_bits;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < address_bits; ++i) names.push_back(fmt::format("a{}", i));
  for (std::size_t i = 0; i < data_bits; ++i) names.push_back(fmt::format("d{}", i));
  names.emplace_back("class");
  Builder b(names);
  for (std::size_t input = 0; input < std::size_t{1} << bits; ++input) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < bits; ++i) row.emplace_back((input >> (bits - 1 - i) & 1) != 0 ? "1" : "0");
    const std::size_t address = input >> data_bits;
    row.push_back(row[address_bits + address]);
    b.row(row);
  }
  return std::move(b).table();
}

struct Entry {
  Sample sample;
  std::function<Result<Table>()> make;
};
const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"tic-tac-toe", "958 rows, 9 squares: is this end of a game a win for x?"}, tic_tac_toe},
      {{"monk-1", "432 robots: a1 = a2 or a5 = 1"}, [] { return monk(monk_1); }},
      {{"monk-2", "432 robots: exactly two attributes have their first value"}, [] { return monk(monk_2); }},
      {{"monk-3", "432 robots: (a5 = 3 and a4 = 1) or (a5 != 4 and a2 != 3)"}, [] { return monk(monk_3); }},
      {{"multiplexer-6", "64 rows: 2 address bits choose one of 4 data bits"}, [] { return multiplexer(2); }},
      {{"multiplexer-11", "2048 rows: 3 address bits choose one of 8 data bits"}, [] { return multiplexer(3); }},
  };
  return all;
}

}  // namespace

std::span<const Sample> samples() {
  static const std::vector<Sample> list = [] {
    std::vector<Sample> out;
    for (const Entry& e : entries()) out.push_back(e.sample);
    return out;
  }();
  return list;
}

Result<Table> make_sample(std::string_view name) {
  std::string names;
  for (const Entry& e : entries()) {
    if (e.sample.name == name) return e.make();
    names += fmt::format("{}{}", names.empty() ? "" : ", ", e.sample.name);
  }
  return input_error(fmt::format("unknown data set '{}'; the data sets are: {}", printable(name), names));
}

}  // namespace beadwork
