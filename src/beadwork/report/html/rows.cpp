#include <beadwork/report/html/json.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace beadwork::report {
namespace {

constexpr std::size_t kMostRows = 10'000;     // of one table
constexpr std::size_t kMostText = 4'000'000;  // bytes of all columns
constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

std::string_view role_name(ReportRows::Role role) {
  return role == ReportRows::Role::training ? "training" : role == ReportRows::Role::test ? "test" : "other";
}

// One character a row while the codes fit, else numbers with commas; '.' and nothing are for what is missing.
std::string packed(const std::vector<std::uint32_t>& codes, std::size_t num_levels) {
  const bool narrow = num_levels <= kDigits.size();
  std::string out;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (narrow) {
      out += codes[i] == Codes::kMissing ? '.' : kDigits[codes[i]];
      continue;
    }
    if (i > 0) out += ',';
    if (codes[i] != Codes::kMissing) out += std::to_string(codes[i]);
  }
  return out;
}

// The levels that these rows have, in the column's order.
Json nominal_json(const Column& column, const std::vector<std::size_t>& rows) {
  std::vector<std::uint32_t> renamed(column.levels.size(), Codes::kMissing);
  for (const std::size_t r : rows)
    if (!column.missing(r)) renamed[column.codes[r]] = 0;
  Json levels = Json::array();
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < renamed.size(); ++i)
    if (renamed[i] == 0) {
      renamed[i] = next++;
      levels.push_back(column.levels[i]);
    }
  std::vector<std::uint32_t> codes;
  for (const std::size_t r : rows) codes.push_back(column.missing(r) ? Codes::kMissing : renamed[column.codes[r]]);
  return {{"name", column.name}, {"type", "nominal"}, {"levels", levels}, {"codes", packed(codes, next)}};
}

Json column_json(const Column& column, const std::vector<std::size_t>& rows) {
  if (column.type == ColumnType::nominal) return nominal_json(column, rows);
  std::string values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) values += ',';
    if (!column.missing(rows[i])) values += format_number(column.numbers[rows[i]]);
  }
  Json out{{"name", column.name}, {"type", "numeric"}, {"values", std::move(values)}};
  using enum Reading::Kind;
  const Reading& reading = column.reading;
  if (reading.calendar()) out["reading"] = {{"kind", reading.kind == date ? "date" : "moment"}};
  if (reading.kind == ordinal) out["reading"] = {{"kind", "ordinal"}, {"levels", reading.levels}};
  if (reading.kind == duration) out["reading"] = {{"kind", "duration"}, {"fields", reading.fields}};
  return out;
}

std::vector<std::size_t> sampled(std::size_t num_rows) {
  std::vector<std::size_t> rows(num_rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (num_rows <= kMostRows) return rows;
  Rng rng(0);
  for (std::size_t i = 0; i < kMostRows; ++i) std::swap(rows[i], rows[i + rng.below(num_rows - i)]);
  rows.resize(kMostRows);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Json evaluation_json(const Evaluation& e, double n) {
  const Interval i = wilson_interval(e.accuracy, n);
  Json j{{"total", e.total},         {"errors", e.errors},
         {"accuracy", e.accuracy},   {"low", i.low},
         {"high", i.high},           {"balanced_accuracy", e.balanced_accuracy},
         {"confusion", e.confusion}, {"per_class", Json::array()}};
  if (e.cost) j["cost"] = *e.cost;
  for (const Evaluation::PerClass& c : e.per_class)
    j["per_class"].push_back({{"support", c.support}, {"precision", c.precision}, {"recall", c.recall}, {"f1", c.f1}});
  return j;
}

// The one answer that does best on the training rows.
Class constant_class(const Model& model) {
  const auto at = node_counts(model.diagram(), model.counts()).at[0];
  return best_constant(std::vector<double>(at.begin(), at.end()), model.costs());
}

Json constant_json(const Model& model, const std::vector<Class>& truth, std::span<const double> weights,
                   const Judged& judged) {
  const Class most = constant_class(model);
  const std::vector<Class> always(truth.size(), most);
  Json j = evaluation_json(evaluate(truth, always, weights, model.class_names().size(), model.costs()), judged.rows);
  const bool unknown = model.claim().objective.costs && model.costs().empty();  // of older files
  if (!unknown) j["lift"] = lift_json(judged.lift);
  j["name"] = "always " + shown(model.class_names()[most()]);
  j["note"] = model.costs().empty() ? "the most frequent class of the training rows"
                                    : "the answer that costs least on the training rows";
  return j;
}

// Rows with their classes, the answers and the weights.
struct Answered {
  std::vector<Class> truth;
  Predictions answers;
  std::vector<double> weights;

  Judged judged(const Model& model, double n) const {
    const std::vector<Class> always(truth.size(), constant_class(model));
    return {evaluate(truth, answers.classes, weights, model.class_names().size(), model.costs()),
            lift_over(truth, answers.classes, always, weights, n, model.costs()), answers.unseen, n};
  }
};

Result<Answered> answered(const Model& model, const ReportRows& rows) {
  auto answers = predict(model, rows.table);
  if (!answers) return input_error(answers.error().message, rows.name);
  auto labels = model.binarizer().labels(rows.table);
  if (!labels) return input_error(labels.error().message, rows.name);
  Answered out{*std::move(labels), *std::move(answers), {}};
  if (const auto weight = rows.table.weight()) out.weights = rows.table.column(*weight).numbers;
  return out;
}

// The training rows as the model remembers them: how many of each class took each path.
Answered memory_of(const Model& model) {
  Answered out;
  const auto scale = static_cast<double>(std::max<std::int64_t>(1, model.training().weight_scale));
  const std::vector<Node> sinks = path_sinks(model.diagram());
  for (std::uint64_t p = 0; p < model.counts().num_paths(); ++p)
    for (std::size_t k = 0; k < model.counts().num_classes(); ++k) {
      if (model.counts().of(p)[k] == 0) continue;
      out.truth.emplace_back(k);
      out.answers.classes.push_back(model.diagram()[sinks[p]].answer.value_or(Class{0}));
      out.weights.push_back(static_cast<double>(model.counts().of(p)[k]) / scale);
    }
  return out;
}

Json memory_json(const Model& model) {
  const Training& t = model.training();
  const Answered rows = memory_of(model);
  const Judged judged = remembered(model);
  const bool weighted = !unweighted(model);
  Json j{{"role", "training"}, {"name", ""}, {"rows", t.rows}, {"shown", 0}, {"weighted", weighted}};
  j["evaluation"] = evaluation_json(judged.evaluation, judged.rows);
  j["baselines"] = Json::array({constant_json(model, rows.truth, rows.weights, judged)});
  if (weighted)  // how many rows they are worth, the model does not remember
    for (Json* figures : {&j["evaluation"], &j["baselines"][0]})
      for (const char* end : {"low", "high"}) (*figures)[end] = nullptr;
  j["baselines"][0].erase("lift");  // in rows that the model was chosen on it would flatter
  return j;
}

// The columns that the page's models test.
std::set<std::string> tested_columns(const Model& model, const ReportFacts& facts) {
  std::set<std::string> names;
  const auto add = [&](const Model& m) {
    for (const InputColumn& input : m.binarizer().inputs()) names.insert(input.name);
  };
  add(model);
  for (const ReportFacts::Alternative& other : facts.alternatives) add(other.model);
  return names;
}

// Those that the page's own model tests come first.
std::vector<std::size_t> column_order(const Model& model, const Table& table) {
  std::vector<bool> tested(table.num_columns());
  for (const Feature f : model.diagram().used_features()) {
    const std::string& name = model.binarizer().inputs()[model.binarizer().tests()[f()].column].name;
    if (const auto at = table.find(name)) tested[*at] = true;
  }
  std::vector<std::size_t> order;
  for (const bool first : {true, false})
    for (std::size_t c = 0; c < table.num_columns(); ++c)
      if (tested[c] == first && table.column(c).name != model.binarizer().target()) order.push_back(c);
  return order;
}

// Tested columns are never left out; of the others as many as there is room for.
void add_columns(Json& j, const std::vector<std::size_t>& order, const std::set<std::string>& tested,
                 const Table& table, const std::vector<std::size_t>& rows, std::size_t& text_left) {
  j["columns"] = Json::array();
  std::size_t left_out = 0;
  for (const bool first : {true, false})
    for (const std::size_t c : order) {
      if (tested.contains(table.column(c).name) != first) continue;
      Json column = first || text_left > 0 ? column_json(table.column(c), rows) : Json();
      const std::size_t size = column.dump(-1, ' ', false, Json::error_handler_t::replace).size();
      if (!first && (text_left == 0 || size > text_left)) {
        ++left_out;
        continue;
      }
      text_left -= std::min(text_left, size);
      j["columns"].push_back(std::move(column));
    }
  j["columns_left_out"] = left_out;
}

Result<Json> set_json(const Model& model, const ReportFacts& facts, std::size_t at, const std::set<std::string>& tested,
                      std::size_t& text_left) {
  const ReportRows& set = facts.rows[at];
  TRY(auto all, answered(model, set));
  const Judged judged = all.judged(model, effective_rows(all.weights, set.table.num_rows()));
  const std::vector<std::size_t> rows = sampled(set.table.num_rows());

  Json j{{"role", role_name(set.role)}, {"name", set.name}};
  j["rows"] = set.table.num_rows();
  j["shown"] = rows.size();
  j["weighted"] = set.table.weight().has_value();
  j["evaluation"] = evaluation_json(judged.evaluation, judged.rows);
  j["baselines"] = Json::array({constant_json(model, all.truth, all.weights, judged)});
  for (const ReportFacts::Rival& rival : facts.rivals) {
    if (at >= rival.on.size()) continue;
    Json r = evaluation_json(rival.on[at], judged.rows);
    r["name"] = rival.name;
    r["note"] = rival.note;
    j["baselines"].push_back(std::move(r));
  }
  j["unseen"] = Json::array();
  for (const auto& [column, count] : judged.unseen) j["unseen"].push_back({column, count});

  std::vector<std::uint32_t> truth;
  std::vector<std::uint64_t> paths;
  for (const std::size_t r : rows) {
    truth.push_back(static_cast<std::uint32_t>(all.truth[r]()));
    paths.push_back(all.answers.paths[r]);
  }
  j["truth"] = packed(truth, model.class_names().size());
  j["paths"] = fmt::format("{}", fmt::join(paths, ","));
  if (rows.size() < set.table.num_rows()) j["numbers"] = fmt::format("{}", fmt::join(rows, ","));
  add_columns(j, column_order(model, set.table), tested, set.table, rows, text_left);
  return j;
}

}  // namespace

Json lift_json(const Lift& lift) {
  Json j{{"points", lift.points}, {"low", lift.interval.low}, {"high", lift.interval.high}};
  if (lift.cost) j["cost"] = true;
  return j;
}

Json figures_json(const Judged& judged) {
  Json j{{"evaluation", evaluation_json(judged.evaluation, judged.rows)}, {"lift", lift_json(judged.lift)}};
  j["unseen"] = Json::array();
  for (const auto& [column, count] : judged.unseen) j["unseen"].push_back({column, count});
  return j;
}

bool trained_rows(const ReportFacts& facts) {
  return std::any_of(facts.rows.begin(), facts.rows.end(),
                     [](const ReportRows& r) { return r.role == ReportRows::Role::training; });
}

Judged remembered(const Model& model) {
  return memory_of(model).judged(model, static_cast<double>(model.training().rows));
}

Result<Json> rows_json(const Model& model, const ReportFacts& facts) {
  Json sets = Json::array();
  if (!trained_rows(facts)) sets.push_back(memory_json(model));
  const std::set<std::string> tested = tested_columns(model, facts);
  std::size_t text_left = kMostText;
  for (std::size_t i = 0; i < facts.rows.size(); ++i) {
    TRY(auto set, set_json(model, facts, i, tested, text_left));
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace beadwork::report

namespace beadwork {

Result<Judged> judge(const Model& model, const ReportRows& rows) {
  TRY(auto all, report::answered(model, rows));
  return all.judged(model, effective_rows(all.weights, rows.table.num_rows()));
}

}  // namespace beadwork
