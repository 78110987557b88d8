#include "columns.hpp"
#include <beadwork/dataset.hpp>

namespace beadwork::python {
namespace {

// The distinct rows of a table in, as codes of columns whose tests are known; a dataset with their weights out.
class RowGroups {
 public:
  RowGroups(const Array& labels, const Array& weights, std::int64_t weight_scale, std::int64_t rounding,
            std::int64_t rows_of_table);
  // The next column: the code of each row, and the results of its tests for each code.
  void add(const Array& codes, const nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& bits);
  Dataset finish(const Binarizer& binarizer, const std::string& thresholds);

 private:
  Dataset::Parts data_;
};

RowGroups::RowGroups(const Array& labels, const Array& weights, std::int64_t weight_scale, std::int64_t rounding,
                     std::int64_t rows_of_table) {
  for (const std::int64_t k : integers(labels)) data_.labels.emplace_back(static_cast<std::size_t>(k));
  data_.weights = some(integers(weights), labels.shape(0), {});
  data_.weight_scale = weight_scale;
  data_.weight_rounding = rounding;
  data_.given_rows = static_cast<std::size_t>(rows_of_table);
}

void RowGroups::add(const Array& codes,
                    const nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& bits) {
  const auto of_row = some(integers(codes), data_.labels.size(), {});
  for (const std::int64_t code : of_row)
    if (code < 0 || code >= static_cast<std::int64_t>(bits.shape(0))) throw nb::value_error("a code without bits");
  const std::size_t features = bits.shape(1);
  for (std::size_t f = 0; f < features; ++f) {
    BitColumn column(words_for(of_row.size()));
    for (std::size_t r = 0; r < of_row.size(); ++r)
      if (bits.data()[static_cast<std::size_t>(of_row[r]) * features + f] != 0) set_bit(column, r);
    data_.columns.push_back(std::move(column));
  }
}

Dataset RowGroups::finish(const Binarizer& binarizer, const std::string& thresholds) {
  if (binarizer.num_features() != data_.columns.size()) throw nb::value_error("a column of bits for every test");
  data_.class_names = binarizer.class_names();
  binarizer.name_features(data_);
  for (const Test& test : binarizer.tests())
    if (test.kind == TestKind::at_most) data_.thresholds = thresholds;
  return Dataset(std::move(data_));
}

}  // namespace

void bind_groups(nb::module_& m) {
  nb::class_<RowGroups>(m, "RowGroups", "Distinct rows as codes of their columns in; a dataset out.")
      .def(nb::init<const Array&, const Array&, std::int64_t, std::int64_t, std::int64_t>(), nb::arg("labels"),
           nb::arg("weights"), nb::arg("weight_scale"), nb::arg("rounding"), nb::arg("rows_of_table"))
      .def("add", &RowGroups::add, nb::arg("codes"), nb::arg("bits"),
           "The next column: the code of each row, and the results of its tests for each code.")
      .def("finish", &RowGroups::finish, nb::arg("binarizer"), nb::arg("thresholds"),
           "The dataset of the binarizer's tests; the builder is empty after.");
}

}  // namespace beadwork::python
