#include "benchmark_maker.hpp"

#include <beadwork/fit.hpp>
#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace beadwork {
namespace {

// Every row by itself, as the paper counts, or equal rows as one.
bool by_row(Encoding model) {
  return model == Encoding::bdd2 || model == Encoding::dt;
}

std::vector<std::size_t> from_one(const std::vector<Feature>& features) {
  std::vector<std::size_t> out;
  for (const Feature f : features) out.push_back(f() + 1);
  return out;
}

Error stopped() {
  return {ErrorCode::limit, "stopped by a signal", {}};
}

// The features and, in order, as many others as the formula wants.
std::vector<Feature> completed(std::vector<Feature> features, const Examples& examples, std::size_t depth) {
  for (const Feature f : examples.features)
    if (features.size() < depth && std::find(features.begin(), features.end(), f) == features.end())
      features.push_back(f);
  std::sort(features.begin(), features.end());
  return features;
}

}  // namespace

std::string benchmark_name(const std::string& table, Encoding model, std::size_t depth) {
  if (model == Encoding::bdd2)
    return fmt::format("optimizing-BDDs-{}-un-wcnf_incomplete_improved_1_2019_{}", table, depth);
  return fmt::format("optimizing-BDDs-{}-{}_{}", table, to_string(model), depth);
}

std::string benchmark_matrix(const std::string& table) {
  return "tables/" + table + ".txt";
}

std::vector<std::string> benchmark_files(const BenchmarkWork& work, const std::string& name) {
  std::vector<std::string> out;
  for (const std::string& ending :
       {work.ending, std::string(".sol"), std::string(".model.json"), std::string(".cert"), std::string(".json")})
    out.push_back(fmt::format("{}/{}{}", work.folder, name, ending));
  return out;
}

Result<BenchmarkTable> BenchmarkTable::open(const std::string& path, const BenchmarkWork& work) {
  InputFlags input;
  input.path = path;
  TRY(auto data, load_data(input));
  if (data.dataset.num_classes() != 2)
    return input_error(fmt::format("these formulas need two classes, the table has {}", data.dataset.num_classes()),
                       path);
  BenchmarkTable table(std::filesystem::path(path).stem().string(), std::move(data), work);
  const std::string matrix = work.folder + "/" + table.matrix_name();
  const std::string text = matrix_text(table.data_.dataset);
  const auto there = read_file(matrix);
  if (!there || *there != text) TRY_DONE(write_file(matrix, text));
  TRY(table.matrix_sha256_, file_sha256(matrix));
  TRY(table.rows_, faithful_examples(table.data_.dataset));
  table.merged_ = merged_examples(table.data_.dataset);
  return table;
}

std::string BenchmarkTable::refusal(Encoding model, std::size_t depth) const {
  const std::size_t features = (by_row(model) ? *rows_ : *merged_).num_features();
  if (features >= depth) return {};
  return fmt::format("{}: left out at H = {}, it has {} for {}", printable(name_), depth,
                     console::counted(features, "feature"), to_string(model));
}

std::optional<BenchmarkRecord> BenchmarkTable::kept(Encoding model, std::size_t depth) const {
  const std::string name = benchmark_name(name_, model, depth);
  const auto record = read_benchmark_record(work_->folder + "/" + name + ".json");
  if (!record || record->name != name || record->table != name_ || record->depth != depth) return std::nullopt;
  const bool done = record->proven() && (record->certified || model == Encoding::dt);
  if (!done && record->time_limit < work_->time_limit) return std::nullopt;
  const auto& files = record->files;
  if (!files.contains(name + work_->ending) || !files.contains(matrix_name()) ||
      files.at(matrix_name()) != matrix_sha256_)
    return std::nullopt;
  for (const auto& [file, hash] : files) {
    if (file.find("..") != std::string::npos || file.starts_with('/')) return std::nullopt;
    const auto now = file_sha256(work_->folder + "/" + file);
    if (!now || *now != hash) return std::nullopt;
  }
  return *record;
}

Request BenchmarkTable::request_for(std::size_t depth) const {
  Request request;
  request.run.depth.most = depth;
  request.run.depth.asked = true;
  request.run.time_limit = work_->time_limit;
  request.run.threads = work_->threads;
  return request;
}

Result<const BenchmarkTable::Answer*> BenchmarkTable::ask(const std::string& key, const Request& request,
                                                          std::size_t depth) {
  const std::string place = fmt::format("{} {}", key, depth);
  if (const auto known = answers_.find(place); known != answers_.end()) return &known->second;
  Control control = console::control(1);
  control.log = console::warnings_alone(std::move(control.log));
  auto outcome = learn(data_.dataset, request, control);
  console::end_progress_line();
  if (control.interrupted()) return stopped();
  if (!outcome) return outcome.error();
  return &answers_.emplace(place, Answer{request, *std::move(outcome)}).first->second;
}

Result<const BenchmarkTable::Answer*> BenchmarkTable::answer_for(Encoding model, std::size_t depth) {
  Request request = request_for(depth);
  if (model == Encoding::bdd2) {
    request.reading.faithful = true;
    request.shape.bias = Bias::majority;
    return ask("faithful", request, depth);
  }
  if (model != Encoding::dt) return certified(depth);
  request.run.engine.chosen = find_engine("maxsat-dt");
  return ask("tree", request, depth);
}

Result<const BenchmarkTable::Answer*> BenchmarkTable::certified(std::size_t depth) {
  Request request = request_for(depth);
  request.ask<ForSearch>().certificate.path = "-";
  return ask("certified", request, depth);
}

// The diagram as an assignment, and in the record.
Result<std::optional<Assignment>> BenchmarkTable::fill_in(const Instance& instance, const Answer& answer,
                                                          BenchmarkRecord& record) {
  const Outcome& found = answer.outcome;
  const Control control = console::control(1);
  if (!found.diagram) return std::optional<Assignment>();
  if (instance.encoding == Encoding::dt) return assignment_of(instance, *found.diagram, control);
  TruthTable table = truth_of(*found.diagram, found.features, 2);
  if (instance.encoding != Encoding::bdd2) {
    const auto features = completed(found.features, instance.examples, instance.depth);
    table = truth_of(*found.diagram, features, 2);
  }
  record.order = from_one(table.order());
  record.cells = table.to_string();
  return assignment_of(instance, table, control);
}

Status BenchmarkTable::write(const BenchmarkRecord& record, const std::string& ending, const std::string& text) const {
  return write_file(work_->folder + "/" + record.name + ending, text, console::control(1));
}

// Bounds, and the model with its cost, which is asked of the formula and not of the search.
Status BenchmarkTable::add_solution(const Instance& instance, const Answer& answer, BenchmarkRecord& record) {
  const Claim& claim = answer.outcome.claim;
  record.claim = to_words(claim);
  record.seconds = answer.outcome.seconds;
  const std::int64_t bound = std::max(claim.lower_bound, record.certified.value_or(0));
  record.lower = std::max<std::int64_t>(0, bound - record.base);
  TRY(const auto model, fill_in(instance, answer, record));
  if (!model) return Done{};
  TRY(const auto cost, cost_of(instance, *model, console::control(1)));
  if (!cost || static_cast<std::int64_t>(*cost) + record.base != claim.upper_bound)
    return Error{ErrorCode::internal, "the diagram does not satisfy the formula at the cost that was claimed",
                 record.name};
  record.upper = static_cast<std::int64_t>(*cost);
  TRY_DONE(write(
      record, ".sol",
      fmt::format("c {}\no {}\n{}\n{}", printable(record.name, 1000), *cost,
                  record.proven() ? "s OPTIMUM FOUND" : "s SATISFIABLE", value_bits(*model, record.size.variables))));
  record.files[record.name + ".sol"];
  TRY(const auto made, models_of(data_.binarizer, data_.dataset, answer.request, answer.outcome,
                                 {to_string(data_.thresholds), {}, data_.reading}));
  TRY_DONE(write(record, ".model.json", to_json(made.model)));
  record.files[record.name + ".model.json"];
  return Done{};
}

Status BenchmarkTable::add_certificate(BenchmarkRecord& record) {
  TRY(const Answer* answer, certified(record.depth));
  if (answer->outcome.certificate.empty()) return Done{};
  record.certified = answer->outcome.claim.lower_bound;
  record.certificate_seconds = answer->outcome.seconds;
  TRY_DONE(write(record, ".cert", answer->outcome.certificate));
  record.files[record.name + ".cert"];
  return Done{};
}

Status BenchmarkTable::seal(BenchmarkRecord& record) const {
  for (auto& [file, hash] : record.files) {
    TRY(auto now, file_sha256(work_->folder + "/" + file, console::control(1)));
    hash = std::move(now);
  }
  return write(record, ".json", to_json(record));
}

Result<std::optional<BenchmarkRecord>> BenchmarkTable::make(Encoding model, std::size_t depth) {
  const Examples& examples = by_row(model) ? *rows_ : *merged_;
  const Instance instance{model, examples, depth};
  BenchmarkRecord record;
  TRY(const auto size, measure(instance, work_->most_literals, console::control(1)));
  if (!size) return std::optional<BenchmarkRecord>();
  record.version = BEADWORK_VERSION;
  record.name = benchmark_name(name_, model, depth);
  record.table = name_;
  record.model = to_string(model);
  record.depth = depth;
  record.rows = data_.dataset.num_rows();
  record.features = data_.dataset.num_features();
  record.size = *size;
  record.base = examples.base_errors;
  record.time_limit = work_->time_limit;
  TRY(const Answer* answer, answer_for(model, depth));
  for (const std::string& file : benchmark_files(*work_, record.name)) {  // the record first: nothing half old
    std::error_code none;
    if (file.ends_with(record.name + ".json")) std::filesystem::remove(file, none);
  }
  if (model != Encoding::dt) TRY_DONE(add_certificate(record));
  TRY_DONE(add_solution(instance, *answer, record));
  const std::string formula = record.name + work_->ending;
  const std::vector<std::string> comments = {
      record.name,
      fmt::format("table {}: {} rows, {} features; {}, H = {}", printable(name_), record.rows, record.features,
                  record.model, depth),
      fmt::format("not counted: {}",
                  console::counted(static_cast<std::size_t>(record.base), "error") + " that no diagram can avoid")};
  TRY_DONE(write_instance(instance, work_->folder + "/" + formula, comments, console::control(1)));
  record.files[formula];
  record.files[matrix_name()];
  TRY_DONE(seal(record));
  return std::optional(record);
}

}  // namespace beadwork
