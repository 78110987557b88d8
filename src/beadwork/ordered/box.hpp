#pragma once
#include <beadwork/ordered/node.hpp>

namespace beadwork::ordered {

// An interval of places of a node's column: the rows before `left` are on one side, those from `right` on are on the
// other, and the rows between are dropped. Moving it costs the rows that change sides.
template <class Cells>
class Box {
 public:
  using W = typename Cells::Weight;
  using Code = typename Cells::Code;

  // All rows dropped.
  void begin(const Node<Cells>& node, std::uint32_t column, const Cells& cells) {
    node_ = &node;
    rows_ = node.rows[column].data();
    left_ = 0;
    right_ = node.num_rows;
    dropped_ = 0;
    code_.resize(node.code.size());
    totals_.assign((dead() + 1) * cells.channels(), 0);
    for (std::uint32_t i = 0; i < right_; ++i) {
      code_[rows_[i]] = cells.pack(dead(), rows_[i]);
      dropped_ += cells.largest(rows_[i]);
    }
  }

  // Returns the row steps.
  std::uint64_t move(std::uint32_t left, std::uint32_t right, const Cells& cells) {
    const std::uint32_t from = std::min(left_, left), mid = std::max(left_, left);
    const std::uint32_t after = std::max(mid, std::min(right_, right)), end = std::max(right_, right);
    change(from, mid, left, right, cells);
    change(after, end, left, right, cells);
    left_ = left;
    right_ = right;
    return 1 + mid - from + (end > after ? end - after : 0);
  }

  W error(const Cells& cells) const {
    W sum = 0;
    for (std::size_t c = 0; c < dead(); ++c) sum += cells.error(totals_.data(), c);
    return sum;
  }

  // The node that the box makes, with its rows sorted along every range. Returns the row steps.
  std::uint64_t make_child(const std::vector<Range>& ranges, const Cells& cells, Node<Cells>& child) {
    const std::size_t k = cells.channels();
    number_.assign(dead() + 1, kNone);
    child.num_cells = 0;
    child.totals.clear();
    child.error = 0;
    for (std::size_t c = 0; c < dead(); ++c) {
      const W e = cells.error(totals_.data(), c);
      if (e == 0) continue;
      number_[c] = child.num_cells++;
      child.error += e;
      const auto from = totals_.begin() + static_cast<std::ptrdiff_t>(c * k);
      child.totals.insert(child.totals.end(), from, from + static_cast<std::ptrdiff_t>(k));
    }
    child.code.resize(code_.size());
    child.num_rows = 0;
    for (std::uint32_t i = 0; i < node_->num_rows; ++i) {
      const std::uint32_t row = rows_[i];
      const std::size_t n = number_[Cells::cell_of(code_[row])];
      child.code[row] = n == kNone ? Node<Cells>::kOut : cells.pack(n, row);
      child.num_rows += n == kNone ? 0 : 1;
    }
    for (const Range& range : ranges) {
      auto& to = child.sorted[range.column];
      to.resize(child.num_rows + 1);
      std::uint32_t* write = to.data();
      for (const std::uint32_t row : node_->rows[range.column]) {
        *write = row;
        write += child.code[row] != Node<Cells>::kOut ? 1 : 0;
      }
      to.resize(child.num_rows);
      child.rows[range.column] = to;
    }
    return ranges.size() * node_->num_rows;
  }

  std::size_t dead() const { return 2 * node_->num_cells; }  // the cell of dropped rows
  W dropped() const { return dropped_; }
  const Code* code() const { return code_.data(); }
  const W* totals() const { return totals_.data(); }

 private:
  void change(std::uint32_t from, std::uint32_t to, std::uint32_t left, std::uint32_t right, const Cells& cells) {
    const auto side = [](std::uint32_t i, std::uint32_t l, std::uint32_t r) { return i < l ? 0 : i >= r ? 1 : 2; };
    for (std::uint32_t i = from; i < to; ++i) {
      const int before = side(i, left_, right_), after = side(i, left, right);
      if (before == after) continue;
      const std::uint32_t row = rows_[i];
      const std::size_t cell = 2 * Cells::cell_of(node_->code[row]);
      if (before < 2) cells.take(totals_.data(), cell + static_cast<std::size_t>(before), row);
      if (after < 2) cells.add(totals_.data(), cell + static_cast<std::size_t>(after), row);
      if (before == 2) dropped_ -= cells.largest(row);
      if (after == 2) dropped_ += cells.largest(row);
      code_[row] = cells.pack(after == 2 ? dead() : cell + static_cast<std::size_t>(after), row);
    }
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  const Node<Cells>* node_ = nullptr;
  const std::uint32_t* rows_ = nullptr;
  std::uint32_t left_ = 0, right_ = 0;
  W dropped_ = 0;
  std::vector<Code> code_;
  std::vector<W> totals_;
  std::vector<std::size_t> number_;
};

}  // namespace beadwork::ordered
