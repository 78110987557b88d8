#include <beadwork/dataset/merged.hpp>
#include <beadwork/dataset/row_merger.hpp>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

// The columns that the features need, as texts where training read them as something else: binarizing reads them the
// way of training.
ReadOptions options_for_rows(ReadOptions options, const Survey& survey, const Binarizer& tested) {
  options.needs_target = false;
  options.learning = true;
  options.only_named = true;
  options.quotes_mean_text = survey.file.quotes_mean_text.value_or(true);
  options.target = survey.columns[survey.target].column.name;
  options.weight = survey.weight ? survey.columns[*survey.weight].column.name : "";
  options.numeric.clear();
  options.nominal.clear();
  options.ordered.clear();
  options.ignore.clear();
  options.keep.clear();
  options.target_bins = 0;
  for (const InputColumn& input : tested.inputs()) {
    const bool plainly = input.type == ColumnType::numeric && input.reading == Reading{};
    (plainly ? options.numeric : options.nominal).push_back(input.name);
  }
  return options;
}

std::size_t rows_at_once(std::size_t columns) {
  constexpr std::size_t kCells = std::size_t{1} << 21;
  return std::clamp<std::size_t>(kCells / (columns + 1) / 64 * 64, 64, 65536);
}

Status merge_rows(const std::string& path, const ReadOptions& options, const Binarizer& tested, std::size_t rows,
                  RowMerger& merger, const Control& control) {
  TRY(auto parts, TableParts::open(path, options, control));
  for (std::size_t seen = 0;;) {
    TRY(const auto part, parts.next(rows_at_once(tested.inputs().size())));
    if (!part) return seen == rows ? Status(Done{}) : input_error("changed while it was read", path);
    const Table& table = *part;
    TRY(const auto bits, tested.bits(table, nullptr, control));
    TRY(const auto labels, tested.labels(table));
    merger.add(bits, labels, table.weight() ? table.column(*table.weight()).numbers : std::vector<double>());
    seen += table.num_rows();
  }
}

}  // namespace

Result<std::optional<MergedData>> read_merged(const std::string& path, const ReadOptions& options,
                                              const std::function<ThresholdRule(std::size_t, std::size_t)>& rule,
                                              const Control& control) {
  MergedData out;
  TRY(const auto before, stamp_of(path));
  TRY(auto survey, survey_table(
                       path, options,
                       [&](std::size_t rows, std::size_t inputs) {
                         out.thresholds = rule(rows, inputs);
                         require(out.thresholds.kind == ThresholdRule::Kind::quantiles, "read_merged: quantiles");
                         return out.thresholds.count;
                       },
                       control));
  if (!survey) return std::optional<MergedData>{};
  TRY(auto binarizer, Binarizer::fit(*survey, {out.thresholds}));
  std::vector<Feature> all;
  for (std::size_t f = 0; f < binarizer.num_features(); ++f) all.emplace_back(f);
  const Binarizer tested = binarizer.select(all);
  RowMerger merger(all.size(), binarizer.class_names().size());
  if (auto ok = merge_rows(path, options_for_rows(options, *survey, tested), tested, survey->num_rows, merger, control);
      !ok)
    return ok.error();
  TRY_DONE(same_file(path, before));
  Dataset::Parts parts;
  merger.take(parts);
  parts.class_names = binarizer.class_names();
  const auto cuts = [](const Test& test) { return test.kind == TestKind::at_most; };
  if (std::any_of(binarizer.tests().begin(), binarizer.tests().end(), cuts))
    parts.thresholds = to_string(out.thresholds);
  binarizer.name_features(parts);
  out.file = std::move(survey->file);
  out.binarizer = std::move(binarizer);
  out.dataset = Dataset(std::move(parts));
  return std::optional(std::move(out));
}

}  // namespace beadwork
