#include "columns.hpp"
#include <beadwork/dataset.hpp>

namespace beadwork::python {

void bind_rules(nb::module_& m) {
  m.attr("MOST_TOTAL") = kMostTotal;
  m.def(
      "automatic_thresholds",
      [](std::size_t rows, std::size_t columns, std::size_t depth) {
        return to_string(automatic_thresholds(rows, columns, depth));
      },
      nb::arg("rows"), nb::arg("columns"), nb::arg("depth"), "The rule for thresholds where nobody names one.");
  m.def(
      "round_weights",
      [](const nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& weights,
         const std::optional<Array>& times) {
        const auto rows = times ? some(integers(*times), weights.size(), {}) : std::vector<std::int64_t>();
        auto scaled = take(round_weights(std::span(weights.data(), weights.size()), rows));
        return std::tuple(to_numpy(std::move(scaled.weights)), scaled.scale, scaled.rounding);
      },
      nb::arg("weights"), nb::arg("times").none() = nb::none(),
      "Integers and a scale with weight = integer / scale, exactly where that is possible; rounding / scale is how far "
      "all are away together.");
}

}  // namespace beadwork::python
