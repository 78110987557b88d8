#include "plan.hpp"
#include <beadwork/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <set>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

// What is wrong, with the place in the file; caught in parse_plan.
struct BadPlan {
  std::string message;
};

class Reader {
 public:
  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json_.is_object()) throw BadPlan{where_ + ": expected an object"};
  }
  const Json* find(const std::string& key) {
    known_.insert(key);
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  std::string text(const std::string& key, std::optional<std::string> otherwise = {}) {
    const Json* j = find(key);
    if (j == nullptr && otherwise) return *otherwise;
    if (j == nullptr || !j->is_string()) throw BadPlan{fmt::format("{}: expected a text '{}'", where_, key)};
    return j->get<std::string>();
  }
  std::uint64_t number(const std::string& key, std::uint64_t otherwise, std::uint64_t most) {
    const Json* j = find(key);
    if (j == nullptr) return otherwise;
    return checked(*j, key, most, "'{}' is not a whole number");
  }
  bool flag(const std::string& key, bool otherwise = false) {
    const Json* j = find(key);
    if (j == nullptr) return otherwise;
    if (!j->is_boolean()) throw BadPlan{fmt::format("{}: '{}' is not true or false", where_, key)};
    return j->get<bool>();
  }
  const Json& list(const std::string& key, bool needed = true) {
    static const Json kNone = Json::array();
    const Json* j = find(key);
    if (j == nullptr && !needed) return kNone;
    if (j == nullptr || !j->is_array()) throw BadPlan{fmt::format("{}: expected a list '{}'", where_, key)};
    return *j;
  }
  std::vector<std::string> texts(const std::string& key, bool needed = true) {
    std::vector<std::string> out;
    for (const Json& j : list(key, needed)) {
      if (!j.is_string()) throw BadPlan{fmt::format("{}: '{}' is not a list of texts", where_, key)};
      out.push_back(j.get<std::string>());
    }
    return out;
  }
  std::vector<std::uint64_t> numbers(const std::string& key, std::uint64_t most) {
    std::vector<std::uint64_t> out;
    for (const Json& j : list(key, false)) out.push_back(checked(j, key, most, "'{}' is not a list of whole numbers"));
    return out;
  }
  // A name that becomes the name of a file: no folder, no dot, nothing that a shell or a file system would mind.
  std::string file_name(const std::string& key) {
    const std::string name = text(key);
    const bool plain =
        !name.empty() && name.size() <= 100 && name[0] != '-' && std::all_of(name.begin(), name.end(), [](char c) {
          return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
        });
    if (!plain)
      throw BadPlan{
          fmt::format("{}: a file name may have only letters, digits, - and _, got '{}'", where_, printable(name))};
    return name;
  }
  // Whatever was not asked for is a mistake of the writer.
  void finish() const {
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key)) throw BadPlan{fmt::format("{}: unknown key '{}'", where_, printable(key))};
  }

 private:
  std::uint64_t checked(const Json& j, const std::string& key, std::uint64_t most,
                        fmt::format_string<const std::string&> complaint) const {
    if (!j.is_number_unsigned()) throw BadPlan{where_ + ": " + fmt::format(complaint, key)};
    const auto value = j.get<std::uint64_t>();
    if (value > most)
      throw BadPlan{fmt::format("{}: {} in '{}' is more than the {} allowed", where_, value, key, most)};
    return value;
  }
  const Json& json_;
  std::string where_;
  std::set<std::string> known_;
};

StudyLearner::Task read_task(const std::string& task, const std::string& where) {
  using Task = StudyLearner::Task;
  if (task == "learn") return Task::learn;
  if (task == "min-depth") return Task::min_depth;
  if (task == "describe") return Task::describe;
  throw BadPlan{fmt::format("{}: expected the task learn, min-depth or describe, got '{}'", where, printable(task))};
}

bool is_file(std::string_view option) {
  const auto all = option_table();
  return std::any_of(all.begin(), all.end(), [&](const OptionInfo& o) { return o.name == option && o.is_file; });
}

// By name, as records have them.
Settings read_settings(const Json* options, const std::string& where) {
  Settings settings;
  if (options == nullptr) return settings;
  if (!options->is_object()) throw BadPlan{where + ": expected an object 'options'"};
  for (const auto& [name, value] : options->items()) {
    if (is_file(name))
      throw BadPlan{fmt::format("{}: a study file may not set '{}', which names a file to write", where, name)};
    settings.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  std::sort(settings.begin(), settings.end());
  return settings;
}

StudyLearner read_learner(const Json& json, const std::string& where) {
  Reader r(json, where);
  const std::string name = r.text("name");
  const auto task = read_task(r.text("task", "learn"), where);
  const std::string engine = task == StudyLearner::Task::learn ? r.text("engine") : "";
  auto learner = make_learner(name, task, engine, read_settings(r.find("options"), where));
  if (!learner) throw BadPlan{where + ": " + learner.error().to_string()};
  learner->literals = r.text("literals", "");
  constexpr std::array kFormulas = {"", "bdd1", "bdd2", "dt"};
  if (std::find(kFormulas.begin(), kFormulas.end(), learner->literals) == kFormulas.end())
    throw BadPlan{where + ": expected literals of bdd1, bdd2 or dt"};
  learner->biases = r.texts("biases", false);
  if (const auto ok = check_biases(*learner); !ok) throw BadPlan{where + ": " + ok.error().to_string()};
  r.finish();
  return *std::move(learner);
}

std::string joined(const std::string& folder, const std::string& path) {
  return path.empty() || path[0] == '/' || folder.empty() ? path : folder + "/" + path;
}

// Where paths in a study file start: those of tables of rows, those of published values.
struct Folders {
  std::string data, study;
};

// Published values are beside the study file, or else with the data.
std::string published_path(const Folders& folders, const std::string& path) {
  const std::string beside = joined(folders.study, path);
  std::error_code none;
  return std::filesystem::exists(beside, none) ? beside : joined(folders.data, path);
}

StudyTable read_table_plan(const Json& json, const std::string& where, const Folders& folders) {
  Reader r(json, where);
  StudyTable t;
  t.name = r.file_name("name");
  t.caption = r.text("caption", "");
  t.published = published_path(folders, r.text("published", ""));
  t.keys = r.texts("rows");
  constexpr std::array kKeys = {"dataset", "depth", "ratio"};
  for (const std::string& key : t.keys)
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      throw BadPlan{fmt::format("{}: expected rows by dataset, depth or ratio, got '{}'", where, printable(key))};
  for (const Json& c : r.list("columns")) {
    Reader column(c, where + ", a column");
    t.columns.push_back({column.text("title"), column.text("learner"), column.text("measure"),
                         column.text("published", ""), static_cast<int>(column.number("digits", 2, 9)),
                         column.texts("solved-by", false)});
    column.finish();
  }
  r.finish();
  return t;
}

StudyFigure read_figure(const Json& json, const std::string& where, const Folders& folders) {
  Reader r(json, where);
  StudyFigure f;
  f.name = r.file_name("name");
  f.caption = r.text("caption", "");
  const std::string kind = r.text("kind");
  if (kind != "scatter" && kind != "boxes" && kind != "race")
    throw BadPlan{fmt::format("{}: expected a scatter, boxes or race, got '{}'", where, printable(kind))};
  using Kind = StudyFigure::Kind;
  f.kind = kind == "scatter" ? Kind::scatter : kind == "boxes" ? Kind::boxes : Kind::race;
  f.published = published_path(folders, r.text("published", ""));
  f.timeout = static_cast<double>(r.number("timeout", 0, 1'000'000'000));
  for (const Json& s : r.list("series")) {
    Reader series(s, where + ", a series");
    f.series.push_back({series.text("title"), series.text("learner", ""), series.text("measure", ""),
                        series.text("published", ""), series.text("share", "")});
    series.finish();
  }
  r.finish();
  if (f.kind == Kind::scatter && f.series.size() != 2) throw BadPlan{where + ": a scatter needs two series, x and y"};
  return f;
}

// Runs are told apart by these.
template <class T>
void check_distinct(std::vector<T> values, std::string_view key, const std::string& where) {
  std::sort(values.begin(), values.end());
  if (std::adjacent_find(values.begin(), values.end()) != values.end())
    throw BadPlan{fmt::format("{}: '{}' says the same twice", where, key)};
}

void check_shares(const std::vector<std::string>& shares, const std::string& where) {
  for (const std::string& share : shares)
    if (const auto value = parse_number(share); !value || *value <= 0 || *value >= 1)
      throw BadPlan{fmt::format("{}: '{}' is not a share between 0 and 1", where, printable(share))};
  check_distinct(shares, "shares", where);
}

// A name, or a name with shares of its own.
StudySet read_set(const Json& json, const std::string& where) {
  StudySet set;
  if (json.is_string()) {
    set.name = json.get<std::string>();
    return set;
  }
  if (!json.is_object()) throw BadPlan{where + ": expected a text or an object for a set"};
  Reader r(json, where);
  set.name = r.text("name");
  set.shares = r.texts("shares");
  r.finish();
  check_shares(set.shares, where);
  return set;
}

void read_grid(StudyPlan& plan, Reader& r, const std::string& name, const std::string& data) {
  const std::string folder = joined(data, r.text("folder", ""));
  const std::string suffix = r.text("suffix", "");
  for (const Json& set : r.list("sets")) {
    plan.sets.push_back(read_set(set, fmt::format("{}, set {}", name, plan.sets.size() + 1)));
    plan.sets.back().path = joined(folder.empty() ? data : folder, plan.sets.back().name + suffix);
  }
  for (const std::uint64_t depth : r.numbers("depths", 20)) plan.depths.push_back(depth);
  plan.seeds = r.numbers("seeds", std::numeric_limits<std::uint64_t>::max());
  if (plan.seeds.empty()) plan.seeds = {1};
  plan.folds = r.number("folds", 0, 1'000'000);
  plan.shares = r.texts("shares", false);
  plan.stratified = r.flag("stratified");
  const bool own_shares =
      std::any_of(plan.sets.begin(), plan.sets.end(), [](const StudySet& set) { return !set.shares.empty(); });
  if (plan.folds > 0 && (own_shares || !plan.shares.empty()))
    throw BadPlan{name + ": folds and shares exclude each other"};
  check_shares(plan.shares, name);
  std::vector<std::string> sets;
  for (const StudySet& set : plan.sets) sets.push_back(set.name);
  check_distinct(std::move(sets), "sets", name);
  check_distinct(plan.depths, "depths", name);
  check_distinct(plan.seeds, "seeds", name);
}

void check_size(const StudyPlan& plan, const std::string& name) {
  constexpr double kMostRuns = 1e7;
  double parts = 0;
  for (const StudySet& set : plan.sets)
    parts += static_cast<double>(
        std::max({std::size_t{1}, plan.folds, set.shares.empty() ? plan.shares.size() : set.shares.size()}));
  const auto depths = static_cast<double>(std::max<std::size_t>(plan.depths.size(), 1));
  if (parts * depths * static_cast<double>(plan.seeds.size()) * static_cast<double>(plan.learners.size()) > kMostRuns)
    throw BadPlan{fmt::format("{}: more than {} runs", name, kMostRuns)};
}

StudyPlan read_all(const Json& json, const std::string& name, const std::string& data) {
  Reader r(json, name);
  StudyPlan plan;
  const Folders folders{data, std::filesystem::path(name).parent_path().string()};
  plan.name = r.text("name");
  read_grid(plan, r, name, data);
  std::set<std::string> names;
  for (const Json& l : r.list("learners")) {
    plan.learners.push_back(read_learner(l, fmt::format("{}, learner {}", name, plan.learners.size() + 1)));
    if (!names.insert(plan.learners.back().name).second)
      throw BadPlan{fmt::format("{}: two learners have the name '{}'", name, printable(plan.learners.back().name))};
    if (plan.learners.back().by_depth && plan.depths.empty()) throw BadPlan{name + ": no depths"};
  }
  check_size(plan, name);
  for (const Json& t : r.list("tables", false))
    plan.tables.push_back(read_table_plan(t, fmt::format("{}, table {}", name, plan.tables.size() + 1), folders));
  for (const Json& f : r.list("figures", false))
    plan.figures.push_back(read_figure(f, fmt::format("{}, figure {}", name, plan.figures.size() + 1), folders));
  r.finish();
  for (const StudyTable& t : plan.tables)
    for (const StudyColumn& c : t.columns)
      if (!names.contains(c.learner))
        throw BadPlan{fmt::format("{}: table {} names an unknown learner '{}'", name, t.name, printable(c.learner))};
  return plan;
}

}  // namespace

Result<StudyPlan> parse_plan(std::string_view text, const std::string& name, const std::string& data) {
  TRY(const auto json, parse_json(text, name, "a study file"));
  try {
    return read_all(json, name, data);
  } catch (const BadPlan& bad) {
    return input_error(bad.message);
  }
}

Result<StudyPlan> read_plan(const std::string& path, const std::string& data) {
  TRY(auto text, read_file(path));
  return parse_plan(text, path, data);
}

}  // namespace beadwork
