#include <beadwork/report/html/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace beadwork::report {
namespace {

using Label = ReportFacts::Label;

// Column and value to label; an empty value stands for the column itself.
class Names {
 public:
  explicit Names(const std::vector<Label>& labels) {
    for (const Label& l : labels) labels_[{l.column, l.value}] = l.text;
  }
  std::string of(const std::string& column, const std::string& value = {}) const {
    const auto it = labels_.find({column, value});
    return it != labels_.end() ? it->second : value.empty() ? column : value;
  }
  std::vector<std::string> of(const std::string& column, std::vector<std::string> values) const {
    for (std::string& v : values) v = of(column, v);
    return values;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::string> labels_;
};

// Columns with their categories; the target's are the classes.
class Known {
 public:
  void add(const Binarizer& binarizer) {
    for (const InputColumn& i : binarizer.inputs()) add(i.name, i.levels, i.reading);
  }
  void add(const Table& rows) {
    for (const Column& c : rows.columns()) add(c.name, c.levels, c.reading);
  }
  void target(const Binarizer& binarizer) {
    target_ = binarizer.target();
    columns_[target_] = {binarizer.class_names().begin(), binarizer.class_names().end()};
  }
  const std::map<std::string, std::set<std::string>>& columns() const { return columns_; }
  const std::string& target() const { return target_; }

 private:
  void add(const std::string& name, const std::vector<std::string>& levels, const Reading& reading) {
    columns_[name].insert(levels.begin(), levels.end());
    columns_[name].insert(reading.levels.begin(), reading.levels.end());
  }
  std::map<std::string, std::set<std::string>> columns_;
  std::string target_;
};

// Those that a page may show.
Known known_columns(const Model& model, const ReportFacts& facts) {
  Known out;
  out.add(model.binarizer());
  if (facts.binarizer) out.add(*facts.binarizer);
  for (const ReportRows& rows : facts.rows) out.add(rows.table);
  out.target(model.binarizer());
  return out;
}

// Everything that is named is there, once, and no two things of a kind end up with one name. Where not all columns or
// values are known, other names may stand for something.
Status check(const std::vector<Label>& labels, const Known& all_known, bool all_columns, bool all_values) {
  const auto& known = all_known.columns();
  std::set<std::pair<std::string, std::string>> said;
  for (const Label& l : labels) {
    const auto refuse = [&](const std::string& what) { return input_error(what, "labels"); };
    if (!said.insert({l.column, l.value}).second)
      return refuse(fmt::format("{}column '{}' has two labels",
                                l.value.empty() ? "" : fmt::format("'{}' of ", printable(l.value)),
                                printable(l.column)));
    if (l.text.empty()) return refuse(fmt::format("a label of column '{}' is empty", printable(l.column)));
    const auto at = known.find(l.column);
    if (at == known.end() && all_columns) return refuse(fmt::format("there is no column '{}'", printable(l.column)));
    if (at == known.end() || l.value.empty() || at->second.contains(l.value)) continue;
    if (at->second.empty())
      return refuse(
          fmt::format("column '{}' holds numbers: only categories and classes have labels", printable(l.column)));
    if (all_values || l.column == all_known.target())
      return refuse(fmt::format("'{}' is not a value of column '{}'", printable(l.value), printable(l.column)));
  }
  const Names names(labels);
  std::set<std::string> columns;
  for (const auto& [column, values] : known) {
    if (!columns.insert(names.of(column)).second)
      return input_error(fmt::format("two columns would be called '{}'", printable(names.of(column))), "labels");
    std::set<std::string> shown_values;
    for (const std::string& v : values)
      if (!shown_values.insert(names.of(column, v)).second)
        return input_error(fmt::format("two values of column '{}' would be called '{}'", printable(column),
                                       printable(names.of(column, v))),
                           "labels");
  }
  return Done{};
}

Reading renamed(Reading reading, const std::string& column, const Names& names) {
  reading.levels = names.of(column, std::move(reading.levels));
  return reading;
}

Result<Binarizer> renamed(const Binarizer& b, const Names& names) {
  Binarizer::Parts parts{b.inputs(), b.tests(),      names.of(b.target()), names.of(b.target(), b.class_names()),
                         {},         b.target_cuts()};
  for (Test& t : parts.tests)
    if (t.kind == TestKind::equals) t.level = names.of(b.inputs()[t.column].name, t.level);
  for (InputColumn& i : parts.inputs)
    i = {names.of(i.name), i.type, names.of(i.name, i.levels), renamed(i.reading, i.name, names)};
  return Binarizer::make(std::move(parts));
}

Result<Table> renamed(const Table& table, const Names& names) {
  std::vector<Column> columns = table.columns();
  for (Column& c : columns) {
    c.levels = names.of(c.name, std::move(c.levels));
    c.reading = renamed(std::move(c.reading), c.name, names);
    c.name = names.of(c.name);
  }
  return Table::make(std::move(columns), table.target(), table.weight());
}

// Names of features and columns in the JSON of a fit.
void rename(Json& j, const std::map<std::string, std::string>& features, const Names& names) {
  static const std::set<std::string> kFeatures{"features", "used_features", "feature", "required"};
  const auto feature = [&](Json& name) {
    if (!name.is_string()) return;
    if (const auto it = features.find(name.get<std::string>()); it != features.end()) name = it->second;
  };
  if (j.is_array())
    for (Json& entry : j) rename(entry, features, names);
  if (!j.is_object()) return;
  for (auto& [key, value] : j.items())
    if (key == "column" && value.is_string())
      value = names.of(value.get<std::string>());
    else if (key == "required_columns" && value.is_array())
      for (Json& name : value) name = names.of(name.get<std::string>());
    else if (kFeatures.contains(key) && value.is_array())
      for (Json& name : value) feature(name);
    else
      rename(value, features, names);
}

using Features = std::map<std::string, std::string>;  // names before and after

void add_names(const Binarizer& from, const Binarizer& to, Features& features) {
  for (std::size_t f = 0; f < from.num_features(); ++f)
    features[from.feature_name(Feature{f})] = to.feature_name(Feature{f});
}

Result<Model> renamed(const Model& model, const Names& names, Features& features) {
  TRY(auto binarizer, renamed(model.binarizer(), names));
  add_names(model.binarizer(), binarizer, features);
  Claim claim = model.claim();
  for (std::string& f : claim.scope.required)
    if (const auto it = features.find(f); it != features.end()) f = it->second;
  for (std::string& column : claim.scope.required_columns) column = names.of(column);
  return Model::make({std::move(binarizer), model.matrix_columns(), model.diagram(), model.counts(), model.training(),
                      std::move(claim), model.reading(), model.edits(), model.standing()});
}

// Tables, features of the whole table and other models.
Status rename(ReportFacts& facts, const Names& names, Features& features) {
  if (facts.binarizer) {
    TRY(auto all, renamed(*facts.binarizer, names));
    add_names(*facts.binarizer, all, features);
    facts.binarizer = std::move(all);
  }
  for (ReportRows& rows : facts.rows) {
    TRY(auto table, renamed(rows.table, names));
    rows.table = std::move(table);
  }
  for (ReportFacts::Alternative& other : facts.alternatives) {
    TRY(auto model, renamed(other.model, names, features));
    other.model = std::move(model);
    for (Judged& judged : other.on)
      for (auto& [column, count] : judged.unseen) column = names.of(column);
  }
  return Done{};
}

}  // namespace

Result<Labelled> labelled(const Model& model, ReportFacts facts) {
  if (facts.labels.empty()) return Labelled{model, std::move(facts)};
  const bool all = !facts.rows.empty() || facts.binarizer;  // without rows a page knows its model's columns alone
  TRY_DONE(check(facts.labels, known_columns(model, facts), all, all));
  const Names names(facts.labels);
  Features features;
  TRY_DONE(rename(facts, names, features));
  TRY(auto shown, renamed(model, names, features));
  if (!facts.outcome.empty()) {
    Json outcome = Json::parse(facts.outcome);
    rename(outcome, features, names);
    facts.outcome = outcome.dump();
  }
  if (!facts.positive.empty()) facts.positive = names.of(model.binarizer().target(), facts.positive);
  return Labelled{std::move(shown), std::move(facts)};
}

}  // namespace beadwork::report

namespace beadwork {

Status check_labels(const std::vector<ReportFacts::Label>& labels, const Binarizer& binarizer, const Table& rows,
                    bool more_rows) {
  report::Known known;
  known.add(binarizer);
  known.add(rows);
  known.target(binarizer);
  return report::check(labels, known, true, !more_rows);
}

}  // namespace beadwork
