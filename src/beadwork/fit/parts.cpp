#include <beadwork/fit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace beadwork {
namespace {

// A file of the same table once more: the types are known, and nothing is detected.
ReadOptions reading_again(const Binarizer& types, ReadOptions reading) {
  reading.needs_target = false;
  reading.learning = true;
  reading.target = types.target();
  reading.ordered.clear();
  reading.numeric.clear();
  reading.nominal.clear();
  for (const InputColumn& input : types.inputs()) {
    const bool plainly = input.type == ColumnType::numeric && input.reading == Reading{};
    (plainly ? reading.numeric : reading.nominal).push_back(input.name);
  }
  return reading;
}

Error in_part(Error error, const ShardTables& parts, std::size_t part) {
  if (error.where.empty()) error.where = parts.name(part);
  return error;
}

Result<Table> part_of(const ShardTables& parts, std::size_t part, const Binarizer* types,
                      const std::vector<std::string>& as_found) {
  TRY(const auto table, parts.read(part, types, as_found));
  return table.rows_that_count();
}

// What a column is called decides whether its categories stay: numbers of columns are not enough.
Status check_names(const Table& table, const ReadOptions& reading) {
  for (const auto& [option, names] : {std::pair("nominal", &reading.nominal), std::pair("keep_column", &reading.keep)})
    for (const std::string& name : *names)
      if (!table.find(name) && parse_number(name))
        return option_error("name the column, where the rows come in shards", option);
  return Done{};
}

// The features and classes that every part has.
Dataset frame_of(const SurveyedParts& whole) {
  Dataset::Parts p;
  p.columns.resize(whole.binarizer.num_features());
  whole.binarizer.name_features(p);
  p.class_names = whole.binarizer.class_names();
  p.weight_scale = whole.scale.scale;
  p.weight_rounding = whole.scale.rounding;
  const auto& tests = whole.binarizer.tests();
  if (std::any_of(tests.begin(), tests.end(), [](const Test& test) { return test.kind == TestKind::at_most; }))
    p.thresholds = to_string(whole.thresholds);
  return Dataset(std::move(p));
}

// What quotes mean in all files together; nothing where each says so itself.
Result<std::optional<bool>> quotes_in(const std::vector<std::string>& files, const ReadOptions& reading,
                                      const Control& control) {
  if (reading.quotes_mean_text || reading.missing != ReadOptions{}.missing) return reading.quotes_mean_text;
  ReadOptions how = reading;
  how.part = true;
  for (const std::string& file : files) {
    TRY(const auto found, quotes_say_something(file, how, control));
    if (found) return std::optional(true);
  }
  return std::optional(false);
}

}  // namespace

ShardTables parts_of_files(const std::vector<std::string>& files, const ReadOptions& reading, const Control& control,
                           std::function<void(const TableFile&)> first) {
  ShardTables out;
  out.count = files.size();
  out.name = [files](std::size_t part) { return files[part]; };
  const auto stamps = std::make_shared<std::vector<std::optional<FileStamp>>>(files.size());
  const auto quotes = std::make_shared<std::optional<Result<std::optional<bool>>>>();
  out.quotes_mean_text = std::make_shared<std::optional<bool>>();
  out.read = [files, reading, control, stamps, quotes, mattered = out.quotes_mean_text, first = std::move(first)](
                 std::size_t part, const Binarizer* types, const std::vector<std::string>& as_found) -> Result<Table> {
    auto& stamp = (*stamps)[part];
    const bool unseen = !stamp;
    if (unseen) {
      TRY(const auto now, stamp_of(files[part]));
      stamp = now;
    }
    if (!*quotes) *quotes = quotes_in(files, reading, control);
    if (!**quotes) return (*quotes)->error();
    ReadOptions how = types != nullptr ? reading_again(*types, reading) : reading;
    how.quotes_mean_text = ***quotes;
    if (types == nullptr) how.max_categories = SIZE_MAX;  // which are frequent is seen in the whole
    how.part = true;
    how.as_found = as_found;
    TRY(auto file, read_table(files[part], how, control));
    TRY_DONE(same_file(files[part], *stamp));
    if (file.quotes_mean_text) *mattered = file.quotes_mean_text;
    if (first && unseen && part == 0) first(file);
    return std::move(file.table);
  };
  return out;
}

Shards SurveyedParts::shards(const ShardTables& parts) const {
  std::vector<std::size_t> filled;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] > 0) filled.push_back(i);
  Shards out;
  out.count = filled.size();
  out.open = [this, parts, filled](std::size_t shard) -> Result<Dataset> {
    const std::size_t part = filled[shard];
    const auto table = part_of(parts, part, &binarizer, {});
    if (!table) return in_part(table.error(), parts, part);
    if (table->num_rows() != rows[part])
      return in_part(input_error("it changed while it was being learnt from"), parts, part);
    auto dataset = binarizer.apply(*table, scale);
    if (!dataset) return in_part(dataset.error(), parts, part);
    return dataset;
  };
  return out;
}

Result<SurveyedParts> survey(const ShardTables& parts, const FitOptions& options, const Control& control) {
  if (options.thresholds && options.thresholds->kind == ThresholdRule::Kind::all)
    return option_error("all cannot be used with shards; give quantiles:N", "thresholds");
  if (options.reading.target_bins != 0) return option_error("cannot be used with shards", "target_bins");
  TableSurvey all(options.reading);
  SurveyedParts out;
  do {
    out.rows.clear();
    for (std::size_t i = 0; i < parts.count; ++i) {
      const auto table = part_of(parts, i, nullptr, all.as_found());
      if (!table) return in_part(table.error(), parts, i);
      TRY_DONE(check_names(*table, options.reading));
      out.rows.push_back(table->num_rows());
      if (table->num_rows() == 0) continue;
      if (auto ok = all.add(*table, parts.name(i)); !ok) return in_part(ok.error(), parts, i);
    }
  } while (all.begin_again());
  if (all.num_rows() == 0)
    return input_error(options.reading.weight.empty() ? "the table has no rows"
                                                      : "the table has no rows, or none whose weight is not 0");
  out.num_rows = all.num_rows();
  out.thresholds = options.thresholds ? *options.thresholds
                                      : automatic_thresholds(all.num_rows(), all.num_inputs(), options.request.depth());
  TRY(auto binarizer, all.fit({out.thresholds}, control));
  for (const std::string& column : all.left_out())
    control.warn(fmt::format("column '{}' is left out: nearly all its texts differ", printable(column, 40)));
  TRY(auto scale, all.weight_scale());
  out.binarizer = std::move(binarizer);
  out.findings = all.findings();
  out.reading = options.reading;
  if (parts.quotes_mean_text && *parts.quotes_mean_text) out.reading.quotes_mean_text = *parts.quotes_mean_text;
  out.scale = scale;
  out.frame = frame_of(out);
  return out;
}

Result<FittedModel> fit_parts(const ShardTables& parts, const FitOptions& options, const Control& control) {
  TRY_DONE(check_for_shards(options.request));
  TRY(const auto whole, survey(parts, options, control));
  const Request& request = options.request;
  TRY(auto learnt, learn_shards(whole.binarizer, whole.shards(parts), whole.frame, request, true, {control}));
  auto& [found, bounds] = learnt;
  if (!found.outcome.diagram) return Error{ErrorCode::limit, to_words(found.outcome.claim), {}};
  const Origin origin{to_string(whole.thresholds), {found.rows_sha256, {}}, whole.reading};
  TRY(auto models, models_of(whole.binarizer, found.dataset, request, found.outcome, origin));
  return FittedModel{std::move(models.model), std::move(found.outcome), whole.binarizer, std::move(found.dataset),
                     std::move(models.committee)};
}

}  // namespace beadwork
