#include "input_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

Error in_file(Error error, const std::string& path) {
  if (error.where.empty()) error.where = path;
  return error;
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", printable(names[i], 40));
  return names.size() > kShown ? fmt::format("{} and {} more", out, names.size() - kShown) : out;
}

// Raw columns that gave no feature, and features with one value in all rows.
std::vector<std::string> dropped_names(const LoadedData& data, const std::vector<Feature>& constants) {
  std::vector<std::string> names;
  std::vector<bool> tested(data.binarizer.inputs().size());
  for (const Test& test : data.binarizer.tests()) tested[test.column] = true;
  for (std::size_t i = 0; i < tested.size(); ++i)
    if (!tested[i]) names.push_back(data.binarizer.inputs()[i].name);
  for (const Feature f : constants) names.push_back(data.dataset.feature_name(f));
  return names;
}

}  // namespace

void InputFlags::add_reading(const Arguments& command, bool typed) {
  command.add_option("--format", format, "csv, arff, matrix (0/1 numbers, class first) or auto (detect)")
      .show_default();
  command.add_option("--delimiter", delimiter, "delimiter of a CSV file: , ; or tab (default: detect)");
  command.add_flag("--no-header", no_header, "the CSV file has no header; name the columns c1, c2, ...");
  command.add_list("--missing", missing, "text that stands for a missing value (default: empty, ?, NA, NaN)");
  command.add_option("--weight", weight, "column of row weights");
  if (!typed) return;
  command.add_option("--target", target,
                     "target column, by name or number (-1 = last; default: the last of CSV and ARFF, the first of a "
                     "matrix)");
  command.add_list("--numeric", numeric, "column to read as numbers");
  command.add_list("--nominal", nominal, "column to read as categories");
  command.add_list("--ignore", ignore, "column to leave out");
}

void InputFlags::add_binarizing(const Arguments& command) {
  command
      .add_option("--thresholds", thresholds,
                  "thresholds for numeric columns: all (every midpoint), quantiles:N or mdlp (supervised)")
      .show_default();
}

void InputFlags::add_splitting(const Arguments& command) {
  command.add_option("--train-share", train_share, "learn from this random share of the rows and hold out the rest")
      .between(0, 1)
      .show_default();
  command.add_flag("--stratified", stratified, "draw that share from each class separately, rounded down");
  command.add_option("--split-seed", split_seed, "random seed of that draw").show_default();
}

Result<ReadOptions> InputFlags::read_options() const {
  ReadOptions o;
  static constexpr std::array kFormats = {std::pair{"auto", TableFormat::detect}, std::pair{"csv", TableFormat::csv},
                                          std::pair{"arff", TableFormat::arff},
                                          std::pair{"matrix", TableFormat::matrix}};
  const auto* known = std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& f) { return f.first == format; });
  if (known == kFormats.end())
    return usage_error(fmt::format("expected auto, csv, arff or matrix, got '{}'", printable(format)), "--format");
  o.format = known->second;
  if (!delimiter.empty()) {
    const std::string d = delimiter == "tab" || delimiter == "\\t" ? "\t" : delimiter;
    if (d != "," && d != ";" && d != "\t")
      return usage_error(fmt::format("expected , ; or tab, got '{}'", printable(delimiter)), "--delimiter");
    o.delimiter = d[0];
  }
  o.header = !no_header;
  if (!missing.empty()) o.missing = missing;
  o.target = target;
  o.weight = weight;
  o.numeric = numeric;
  o.nominal = nominal;
  o.ignore = ignore;
  return o;
}

Result<LoadedData> load_data(const InputFlags& flags) {
  auto options = flags.read_options();
  if (!options) return options.error();
  auto rule = parse_threshold_rule(flags.thresholds);
  if (!rule) return rule.error();
  const console::Watch watch;
  const Control control = console::control(1);  // signals alone: a time limit is for learning
  auto file = read_table(flags.path, *options, control);
  if (!file) return file.error();
  auto binarizer = Binarizer::fit(file->table, {*rule}, control);
  if (!binarizer) return in_file(binarizer.error(), flags.path);
  auto dataset = binarizer->apply(file->table, control);
  if (!dataset) return in_file(dataset.error(), flags.path);
  return LoadedData{*std::move(file), *rule, *std::move(binarizer), *std::move(dataset)};
}

Result<TrainingRows> training_rows(const LoadedData& data, const InputFlags& flags, bool faithful) {
  std::vector<Feature> kept;
  const auto zero = faithful ? all_zero_features(data.dataset) : std::vector<Feature>{};
  for (std::size_t f = 0; f < data.dataset.num_features(); ++f)
    if (!std::binary_search(zero.begin(), zero.end(), Feature{f})) kept.emplace_back(f);
  Dataset whole = data.dataset.select(kept);
  if (flags.train_share == 1) return TrainingRows{std::move(whole), std::nullopt};
  std::vector<Class> labels;
  for (std::size_t r = 0; r < whole.num_rows(); ++r) labels.push_back(whole.label(Row{r}));
  auto split = flags.stratified ? stratified_hold_out(labels, flags.train_share, flags.split_seed)
                                : hold_out(whole.num_rows(), flags.train_share, flags.split_seed);
  if (!split) return in_file(split.error(), "--train-share");
  return TrainingRows{whole.subset(split->train), whole.subset(split->test)};
}

void describe(const LoadedData& data, const Control& control) {
  for (const std::string& text : data.file.notes) console::note(text);
  const Dataset& d = data.dataset;
  const auto c = condense(d, control);  // nothing: a limit came first
  const auto distinct = [&](std::size_t n) { return c ? fmt::format(" ({} distinct)", n) : std::string(); };
  console::note(fmt::format("{} rows{}, {} features{}, {} class{}: {}; target '{}'", d.num_rows(),
                            distinct(c ? c->num_rows : 0), d.num_features(), distinct(c ? c->features.size() : 0),
                            d.num_classes(), d.num_classes() == 1 ? "" : "es", first_names(d.class_names()),
                            printable(data.binarizer.target())));
  if (control.stopping()) return;
  const auto constants = c ? c->constants : std::vector<Feature>{};
  if (const auto dropped = dropped_names(data, constants); !dropped.empty())
    console::note(fmt::format("dropped {} constant: {}", dropped.size(), first_names(dropped)));
  if (c && c->unavoidable_errors > 0)
    console::note(fmt::format("some rows have equal features but different classes: every diagram makes at least {}",
                              console::counted(console::in_units(c->unavoidable_errors, d.weight_scale()), "error")));
  for (const Feature f : features_equal_to_label(d))
    console::warn(fmt::format("'{}' alone predicts the class of every row: is it a copy of the target?",
                              printable(d.feature_name(f))));
}

void model_first(std::string& model, std::string& data) {
  const auto is_json = [](const std::string& path) {
    constexpr std::size_t kEnough = 4096;
    const auto file = FileText::open(path);
    if (!file) return false;
    const std::string_view start = file->text().substr(0, kEnough);
    if (auto loaded = file->load(0, start.size()); !loaded) return false;
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && start[first] == '{';
  };
  if (!data.empty() && !is_json(model) && is_json(data)) std::swap(model, data);
}

Result<Model> load_model(const std::string& path) {
  const console::Watch watch;
  auto text = read_file(path, console::control(1));
  if (!text) return text.error();
  return model_from_json(*text, path);
}

Result<TableFile> read_for_model(const Model& model, const std::string& path, ReadOptions options) {
  const console::Watch watch;
  auto file = read_table(path, read_options(model, std::move(options)), console::control(1));
  if (file)
    for (const std::string& text : file->notes) console::note(text);
  return file;
}

void warn_of_unseen(const UnseenCounts& unseen) {
  for (const auto& [column, count] : unseen)
    console::warn(fmt::format("{} a value of '{}' that did not occur in training: every test on that column fails",
                              count == 1 ? "1 row has" : fmt::format("{} rows have", count), printable(column)));
}

}  // namespace beadwork
