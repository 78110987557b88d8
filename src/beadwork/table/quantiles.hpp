#pragma once
#include <beadwork/table/tally.hpp>

namespace beadwork::table {

// Which numbers decide the quantiles of a column, found by counting numbers in lumps and looking into the few lumps
// that matter in another walk over the file, until each number next to a quantile stands alone.
class QuantileLumps final : public NumberSink {
 public:
  QuantileLumps(std::vector<Lump> lumps, std::size_t quantiles) : lumps_(std::move(lumps)), quantiles_(quantiles) {}

  // The lumps to look into; `room` numbers may be kept for that, else they are cut into smaller lumps. False: none.
  bool look_closer(std::size_t room);
  void add(std::uint64_t key, double weight) override;
  void looked();

  // Numbers, increasing, with weights: as the whole column for these quantiles. Of a lump its least number has no
  // weight and its greatest has all.
  std::vector<std::pair<double, double>> values() const;

 private:
  struct Inside {
    std::size_t lump = 0;
    std::vector<std::pair<std::uint64_t, double>> numbers;
    std::vector<Lump> parts;  // in place of numbers
  };
  std::vector<std::size_t> undecided() const;

  std::vector<Lump> lumps_;
  std::size_t quantiles_;
  std::vector<Inside> inside_;
};

}  // namespace beadwork::table
