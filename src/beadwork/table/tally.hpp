#pragma once
#include <beadwork/table.hpp>

#include <bit>
#include <cmath>

namespace beadwork::table {

// How often each level occurs, and how many cells have a value at all.
struct Cells {
  std::vector<std::size_t> of_level;
  std::size_t total = 0;
};

// Numbers as keys in their order; -0 is 0.
inline std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}
inline double number_of_key(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63 != 0 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// Neighbouring numbers that are counted together.
struct Lump {
  std::uint64_t least = ~std::uint64_t{0};  // as keys
  std::uint64_t greatest = 0;
  std::size_t count = 0;
  double weight = 0;
  bool single() const { return least == greatest; }
  void add(std::uint64_t key, std::size_t n, double w) {
    if (key < least) least = key;
    if (key > greatest) greatest = key;
    count += n;
    weight += w;
  }
};

// Sees a column's numbers again (survey.cpp).
class NumberSink {
 public:
  virtual ~NumberSink() = default;
  virtual void add(std::uint64_t key, double weight) = 0;
};

// The different numbers of a column with their weights, up to a limit. Beyond it, lumps of them, about equally large if
// the numbers that came first are like those that follow.
class NumberTally {
 public:
  explicit NumberTally(std::size_t most) : most_(most) {}
  void add(double number, std::size_t count, double weight);
  bool too_many() const { return !lumps_.empty(); }
  const std::vector<Lump>& lumps() const { return lumps_; }  // in order
  void send_to(NumberSink* sink) { sink_ = sink; }           // from now on, instead of counting
  std::vector<std::pair<double, double>> sorted() const;     // number, weight

 private:
  struct Slot {
    std::uint64_t key = 0;
    double weight = -1;  // free
    std::size_t count = 0;
  };
  Slot& slot_of(std::uint64_t key);
  void grow();
  void make_lumps();

  std::size_t most_;
  std::vector<Slot> slots_ = std::vector<Slot>(16);
  std::size_t used_ = 0;
  std::vector<std::uint64_t> starts_;  // of the lumps but the first
  std::vector<Lump> lumps_;
  NumberSink* sink_ = nullptr;
};

// All that a survey keeps of a column's cells.
struct ColumnTally {
  ColumnTally(std::size_t most_numbers, const double* weight_of_row)
      : numbers(most_numbers), weight(weight_of_row), most(most_numbers) {}
  void add_number(double number);
  void add_code(std::uint32_t code);
  void turn_into_numbers(const std::vector<std::string>& levels);  // of a column of 0 and 1 so far
  void start_again();
  // Each value once, and a missing one where there were some.
  void take(bool numeric, std::size_t levels, std::vector<double>& out_numbers, Codes& out_codes);
  Cells cells() const;

  NumberTally numbers;
  const double* weight;
  std::size_t most;
  std::vector<std::size_t> counts;  // of levels
  std::vector<double> weights;
  std::size_t num_missing = 0;
  double missing_weight = 0;
  std::vector<double> weights_taken;
};

}  // namespace beadwork::table
