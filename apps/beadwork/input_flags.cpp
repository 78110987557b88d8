#include "input_flags.hpp"

#include "fit_limits.hpp"
#include "passes.hpp"
#include <beadwork/fit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

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

std::string ignored_words(const std::vector<std::string>& names) {
  return fmt::format("ignored {}: {}", console::counted(names.size(), "constant column"), first_names(names));
}

}  // namespace

void show_findings(const TableFile& file) {
  show_notes(file.notes);
  for (const TableWarning& warning : file.warnings) {
    std::string flags;
    for (const auto& [option, value] : warning.options) {
      std::string flag = "--" + option;
      std::replace(flag.begin(), flag.end(), '_', '-');
      flags += (flags.empty() ? "" : " or ") +
               console::shell_words(value.empty() ? std::vector{flag} : std::vector{flag, printable(value)});
    }
    console::warn(flags.empty() ? warning.message
                                : fmt::format("{}; give {} to {}", warning.message, flags, warning.to));
  }
}

namespace {

// The table and the rule; features are yet to be made.
Result<LoadedData> read_data(const InputFlags& flags, std::size_t depth, double patience = kNoEnd) {
  TRY(auto options, flags.read_options());
  const bool automatic = flags.thresholds == "auto";
  auto rule = automatic ? ThresholdRule{} : parse_threshold_rule(flags.thresholds);
  if (!rule) return rule.error();
  TRY(auto file, read_input(flags.path, options, patience));
  if (automatic) rule = automatic_thresholds(file.table, depth);
  if (file.quotes_mean_text) options.quotes_mean_text = file.quotes_mean_text;
  return LoadedData{std::move(file), std::move(options), *rule, {}, {}};
}

Result<LoadedData> with_features(LoadedData data, const InputFlags& flags, const Control& control) {
  auto binarizer = Binarizer::fit(data.file.table, {data.thresholds}, control);
  if (!binarizer) return in_file(binarizer.error(), flags.path);
  auto dataset = binarizer->apply(data.file.table, control);
  if (!dataset) return in_file(dataset.error(), flags.path);
  data.binarizer = *std::move(binarizer);
  data.dataset = *std::move(dataset);
  return data;
}

Result<LoadedData> with_ranks(LoadedData data, const InputFlags& flags, const Control& control) {
  auto ranked = rank(data.file.table, control);
  if (!ranked) return in_file(ranked.error(), flags.path);
  const auto sorted = std::make_shared<const RankedData>(*std::move(ranked));
  data.binarizer = Binarizer::of(sorted);
  data.dataset = ranked_dataset(sorted);
  return data;
}
}  // namespace

namespace {

// Seconds in which a child that reads for us must say something; Python begins in some of them.
double patience_of(const Request& request) {
  return request.run.time_limit ? *request.run.time_limit + 3 : kNoEnd;
}

}  // namespace

Result<LoadedData> load_data(const InputFlags& flags, std::size_t depth) {
  const console::SignalGuard guard;
  const Control control = console::control(1);  // signals alone: a time limit is for learning
  auto data = read_data(flags, depth);
  return data ? with_features(*std::move(data), flags, control) : data;
}

Result<LoadedData> load_within(const InputFlags& flags, const Request& request, std::size_t depth) {
  const console::SignalGuard guard;
  auto data = read_data(flags, depth, patience_of(request));
  if (!data) return data;
  Control control = limits_of(request, console::control(1));
  data->deadline = control.deadline;
  return with_features(*std::move(data), flags, control);
}

Result<LoadedData> load_sorted(const InputFlags& flags) {
  const console::SignalGuard guard;
  auto data = read_data(flags, Request{}.depth());
  if (!data) return data;
  data->thresholds = {ThresholdRule::Kind::all};
  auto sorted = with_ranks(*std::move(data), flags, console::control(1));
  if (sorted && !sorted->dataset.ranks()->complete)
    return Error{ErrorCode::limit, "stopped while sorting its columns", flags.path};
  return sorted;
}

Result<LoadedData> load_data(const InputFlags& flags, const Request& request, bool needs_rows) {
  const console::SignalGuard guard;
  Control control = console::control(1);
  control.patience = patience_of(request);
  if (flags.in_passes || long_table(flags.path)) {
    TRY(auto merged, load_in_passes(flags, request, needs_rows, control));
    if (merged) return *std::move(merged);
  }
  auto data = read_data(flags, request.depth(), control.patience);
  if (!data) return data;
  auto made = learnable(data->file.table, data->thresholds, request, control);
  if (!made) return in_file(made.error(), flags.path);
  data->binarizer = std::move(made->binarizer);
  data->dataset = std::move(made->dataset);
  data->deadline = made->deadline;
  return data;
}

Result<TrainingRows> training_rows(LoadedData data, const InputFlags& flags, bool faithful, const Control& control) {
  std::vector<Feature> kept;
  const auto zero = faithful ? all_zero_features(data.dataset) : std::vector<Feature>{};
  for (std::size_t f = 0; f < data.dataset.num_features(); ++f)
    if (!std::binary_search(zero.begin(), zero.end(), Feature{f})) kept.emplace_back(f);
  auto some = zero.empty() ? Result<Dataset>(std::move(data.dataset)) : data.dataset.select(kept, control);
  if (!some) return in_file(some.error(), flags.path);
  Dataset whole = *std::move(some);
  if (flags.train_share == 1) return TrainingRows{std::move(whole), std::nullopt};
  if (data.thresholds.kind == ThresholdRule::Kind::mdlp)
    return usage_error("mdlp would use the classes of the held-out rows; use quantiles or all", "--thresholds");
  std::vector<Class> labels;
  for (std::size_t r = 0; r < whole.num_rows(); ++r) labels.push_back(whole.label(Row{r}));
  auto split = flags.stratified ? stratified_hold_out(labels, flags.train_share, flags.split_seed)
                                : hold_out(whole.num_rows(), flags.train_share, flags.split_seed);
  if (!split) return in_file(split.error(), "--train-share");
  auto train = whole.subset(split->train, control);
  auto test = whole.subset(split->test, control);
  for (const auto* rows : {&train, &test})
    if (!*rows) return in_file(rows->error(), flags.path);
  return TrainingRows{*std::move(train), *std::move(test)};
}

namespace {
void describe_sorted(const LoadedData& data) {
  const RankedData& ranks = *data.dataset.ranks();
  console::note(fmt::format("{}, {}, {} over all thresholds, {} class{}: {}; target '{}'",
                            console::counted(ranks.num_rows(), "row"), console::counted(ranks.inputs.size(), "column"),
                            console::counted(ranks.num_features(), "feature"), ranks.num_classes(),
                            ranks.num_classes() == 1 ? "" : "es", first_names(ranks.class_names),
                            printable(ranks.target)));
  std::vector<bool> tested(ranks.inputs.size());
  for (const RankedColumn& c : ranks.columns) tested[c.input] = tested[c.input] || c.num_cuts() > 0;
  std::vector<std::string> dropped;
  for (std::size_t i = 0; i < tested.size(); ++i)
    if (!tested[i]) dropped.push_back(ranks.inputs[i].name);
  if (ranks.complete && !dropped.empty()) console::note(ignored_words(dropped));
}

void warn_of_copies(const Dataset& dataset) {  // of the target
  for (const Feature f : features_equal_to_label(dataset))
    console::warn(fmt::format("'{}' alone predicts the class of every row: is it a copy of the target?",
                              printable(dataset.feature_name(f))));
}

}  // namespace

void describe(const LoadedData& data, const Control& control) {
  show_findings(data.file);
  if (data.dataset.ranks()) {
    describe_sorted(data);
    return warn_of_copies(data.dataset);
  }
  const Dataset& d = data.dataset;
  if (d.lacks_features())
    return console::note(fmt::format("{}, {} class{}: {}; target '{}'", console::counted(d.num_given_rows(), "row"),
                                     d.num_classes(), d.num_classes() == 1 ? "" : "es", first_names(d.class_names()),
                                     printable(data.binarizer.target())));
  const auto c = condense(d, control);  // nothing: a limit came first
  const auto distinct = [&](std::size_t n) { return c ? fmt::format(" ({} distinct)", n) : std::string(); };
  console::note(fmt::format("{}{}, {}{}, {} class{}: {}; target '{}'", console::counted(d.num_given_rows(), "row"),
                            distinct(c ? c->num_rows : 0), console::counted(d.num_features(), "feature"),
                            distinct(c ? c->features.size() : 0), d.num_classes(), d.num_classes() == 1 ? "" : "es",
                            first_names(d.class_names()), printable(data.binarizer.target())));
  if (control.stopping()) return;
  const auto constants = c ? c->constants : std::vector<Feature>{};
  if (const auto dropped = dropped_names(data, constants); !dropped.empty()) console::note(ignored_words(dropped));
  if (c && c->unavoidable_errors > 0)
    console::note(fmt::format("some rows have equal features but different classes: every diagram makes at least {}",
                              console::counted(console::in_units(c->unavoidable_errors, d.weight_scale()), "error")));
  warn_of_copies(d);
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
  const console::SignalGuard guard;
  TRY(auto text, read_file(path, console::control(1)));
  return model_from_json(text, path);
}

Result<Predictor> load_predictor(const std::string& path) {
  const console::SignalGuard guard;
  TRY(auto text, read_file(path, console::control(1)));
  return predictor_from_json(text, path);
}

const Model& optimum_of(const Predictor& predictor) {
  const Committee* committee = std::get_if<Committee>(&predictor);
  return committee != nullptr ? committee->optimum() : std::get<Model>(predictor);
}

Result<std::string> input_text(const std::string& path) {
  const console::SignalGuard guard;
  const Control control = console::control(1);
  if (path != "-") return read_file(path, control);
  std::string text;
  std::array<char, 1 << 16> block;
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), stdin)) {
    text.append(block.data(), got);
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while reading", "standard input"};
  }
  if (std::ferror(stdin) != 0) return input_error("cannot read", "standard input");
  return text;
}

Result<TableFile> read_input(const std::string& path, const ReadOptions& options, double patience) {
  const console::SignalGuard guard;
  Control control = console::control(1);
  control.patience = patience;
  if (path != "-") return read_table(path, options, control);
  TRY(const auto text, input_text(path));
  return parse_table(text, "standard input", options, control);
}

Result<TableFile> parse_for_model(const Model& model, const std::string& path, const std::string& text,
                                  ReadOptions options) {
  const console::SignalGuard guard;
  auto file = parse_table(text, path, read_options(model, std::move(options)), console::control(1));
  if (file) show_findings(*file);
  return file;
}

Result<TableFile> read_for_model(const Predictor& model, const std::string& path, ReadOptions options, bool quiet) {
  auto file = read_input(path, std::visit([&](const auto& m) { return read_options(m, options); }, model));
  if (file && !quiet) show_findings(*file);
  return file;
}

void warn_of_unseen(const UnseenCounts& unseen) {
  for (const auto& [column, count] : unseen)
    console::warn(fmt::format("{} a value of '{}' that did not occur in training: every test on that column fails",
                              count == 1 ? "1 row has" : fmt::format("{} rows have", count), printable(column)));
}

}  // namespace beadwork
