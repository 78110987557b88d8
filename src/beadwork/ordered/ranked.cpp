#include <beadwork/ordered/ranked.hpp>

#include <algorithm>

namespace beadwork {
namespace {

struct Entry {  // value and row side by side, as in the Binarizer: sorting by a value elsewhere takes three times as
                // long
  double value;
  std::uint32_t row;
};

RankedColumn rank_numeric(const Column& column, std::size_t input) {
  std::vector<Entry> entries;
  entries.reserve(column.num_rows());
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    if (!column.missing(r)) entries.push_back({column.numbers[r], static_cast<std::uint32_t>(r)});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.value < b.value; });
  RankedColumn out{input, 0, entries.size() < column.num_rows(), {}, {}, {}};
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (i == 0 || entries[i - 1].value < entries[i].value) out.example.push_back(entries[i].row);
  const auto values = static_cast<std::uint32_t>(out.example.size());
  out.num_ranks = values + (out.missing ? 1 : 0);
  out.ranks.assign(column.num_rows(), values);
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && entries[i - 1].value < entries[i].value) ++rank;
    out.ranks[entries[i].row] = rank;
  }
  return out;
}

// The table without its numeric inputs: what a Binarizer makes of it are the classes and the tests of nominal columns.
Result<Binarizer> nominal_part(const Table& table, Table& part) {
  std::vector<Column> columns;
  std::optional<std::size_t> target, weight;
  for (std::size_t i = 0; i < table.num_columns(); ++i) {
    if (i == table.target()) target = columns.size();
    if (i == table.weight()) weight = columns.size();
    if (i == table.target() || i == table.weight() || table.column(i).type == ColumnType::nominal)
      columns.push_back(table.column(i));
  }
  auto made = Table::make(std::move(columns), target, weight);
  if (!made) return made.error();
  part = *std::move(made);
  return Binarizer::fit(part, {});
}

void add_nominal(const Binarizer& binarizer, const std::vector<BitColumn>& bits, std::size_t from, std::size_t input,
                 std::size_t rows, RankedData& out) {
  for (std::size_t t = 0; t < bits.size(); ++t) {
    if (binarizer.tests()[t].column != from) continue;
    RankedColumn c{input, 2, false, binarizer.tests()[t], std::vector<std::uint32_t>(rows), {}};
    c.test->column = input;
    for (std::size_t r = 0; r < rows; ++r) c.ranks[r] = bit(bits[t], r) ? 0 : 1;
    out.columns.push_back(std::move(c));
  }
}

}  // namespace

Result<RankedData> rank(const Table& table, const Control& control) {
  require(table.target().has_value(), "rank: the table has a target");
  Table part;
  auto binarizer = nominal_part(table, part);
  if (!binarizer) return binarizer.error();
  auto bits = binarizer->bits(part);
  if (!bits) return bits.error();
  auto labels = binarizer->labels(part);
  if (!labels) return labels.error();
  RankedData out;
  out.target = binarizer->target();
  out.class_names = binarizer->class_names();
  out.labels = *std::move(labels);
  if (table.weight()) {
    auto scaled = scale_weights(table.column(*table.weight()).numbers);
    if (!scaled) return scaled.error();
    out.weights = std::move(scaled->weights);
    out.weight_scale = scaled->scale;
  }
  std::size_t nominal = 0;  // inputs of the part
  for (std::size_t i = 0; i < table.num_columns(); ++i) {
    if (i == table.target() || i == table.weight()) continue;
    const Column& column = table.column(i);
    const bool numeric = column.type == ColumnType::numeric;
    out.inputs.push_back(numeric ? InputColumn{column.name, column.type, {}} : binarizer->inputs()[nominal]);
    if (control.stopping()) out.complete = false;
    if (numeric && out.complete) out.columns.push_back(rank_numeric(column, out.inputs.size() - 1));
    if (!numeric && out.complete) add_nominal(*binarizer, *bits, nominal, out.inputs.size() - 1, table.num_rows(), out);
    nominal += numeric ? 0 : 1;
  }
  return out;
}

Test to_test(const RankedData& data, const Table& table, Cut cut) {
  require(cut.column < data.columns.size() && cut.rank < data.columns[cut.column].num_cuts(),
          "to_test: a cut of the data");
  const RankedColumn& c = data.columns[cut.column];
  if (c.test) return *c.test;
  if (c.missing && cut.rank + 1 == c.example.size()) return {c.input, TestKind::missing, 0, {}};
  const auto at = table.find(data.inputs[c.input].name);
  require(at.has_value(), "to_test: the table that was ranked");
  const std::vector<double>& values = table.column(*at).numbers;
  return {c.input, TestKind::at_most, between(values[c.example[cut.rank]], values[c.example[cut.rank + 1]]), {}};
}

Result<Binarizer> binarizer_of(const RankedData& data, const Table& table, std::span<const Cut> cuts) {
  Binarizer::Parts parts{{}, {}, data.target, data.class_names};
  std::vector<std::optional<std::size_t>> renumbered(data.inputs.size());
  for (const Cut& cut : cuts) {
    Test test = to_test(data, table, cut);
    auto& input = renumbered[test.column];
    if (!input) {
      input = parts.inputs.size();
      parts.inputs.push_back(data.inputs[test.column]);
    }
    test.column = *input;
    parts.tests.push_back(std::move(test));
  }
  return Binarizer::make(std::move(parts));
}

}  // namespace beadwork
