#include <fmt/format.h>

#include <algorithm>
#include <beadwork/study.hpp>
#include <nlohmann/json.hpp>
#include <set>

namespace beadwork {
namespace {

using Json = nlohmann::json;

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
  std::uint64_t number(const std::string& key, std::uint64_t otherwise) {
    const Json* j = find(key);
    if (j == nullptr) return otherwise;
    if (!j->is_number_unsigned()) throw BadPlan{fmt::format("{}: '{}' is not a whole number", where_, key)};
    return j->get<std::uint64_t>();
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
      if (!j.is_string()) throw BadPlan{fmt::format("{}: '{}' is a list of texts", where_, key)};
      out.push_back(j.get<std::string>());
    }
    return out;
  }
  std::vector<std::uint64_t> numbers(const std::string& key, bool needed = true) {
    std::vector<std::uint64_t> out;
    for (const Json& j : list(key, needed)) {
      if (!j.is_number_unsigned())
        throw BadPlan{fmt::format("{}: '{}' is a list of whole numbers", where_, key)};
      out.push_back(j.get<std::uint64_t>());
    }
    return out;
  }
  // Whatever was not asked for is a mistake of the writer.
  void finish() const {
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key)) throw BadPlan{fmt::format("{}: there is no '{}'", where_, printable(key))};
  }
  const std::string& where() const { return where_; }

 private:
  const Json& json_;
  std::string where_;
  std::set<std::string> known_;
};

void set(StudyLearner& learner, const std::string& name, const Json& value, const std::string& where) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  learner.settings.emplace_back(name, text);
  if (learner.task == StudyLearner::Task::min_depth && (name == "start" || name == "floor")) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 || value.get<std::uint64_t>() > 20)
      throw BadPlan{fmt::format("{}: {} is a depth from 1 to 20", where, name)};
    (name == "start" ? learner.start : learner.floor) = value.get<std::size_t>();
    return;
  }
  std::string option = name;
  std::replace(option.begin(), option.end(), '-', '_');
  if (auto ok = set_option(learner.options, option, text); !ok)
    throw BadPlan{where + ": " + ok.error().to_string()};
}

StudyLearner read_learner(const Json& json, const std::string& where) {
  Reader r(json, where);
  StudyLearner learner;
  learner.name = r.text("name");
  const std::string task = r.text("task", "learn");
  using Task = StudyLearner::Task;
  if (task != "learn" && task != "min-depth" && task != "describe")
    throw BadPlan{
        fmt::format("{}: a task is learn, min-depth or describe, not '{}'", where, printable(task))};
  learner.task = task == "learn" ? Task::learn : task == "describe" ? Task::describe : Task::min_depth;
  learner.by_depth = learner.task == Task::learn;
  if (learner.task == Task::learn) learner.options.engine = r.text("engine");
  if (learner.task == Task::min_depth) learner.options.encoding = "bdd2";
  if (const Json* options = r.find("options"); options != nullptr) {
    if (!options->is_object()) throw BadPlan{where + ": options are an object"};
    for (const auto& [name, value] : options->items()) set(learner, name, value, where);
  }
  learner.literals = r.text("literals", "");
  if (!learner.literals.empty() && learner.literals != "bdd1" && learner.literals != "bdd2" &&
      learner.literals != "dt")
    throw BadPlan{where + ": literals are those of bdd1, bdd2 or dt"};
  r.finish();
  if (learner.task == Task::learn)
    if (auto ok = check_options(learner.options); !ok) throw BadPlan{where + ": " + ok.error().to_string()};
  return learner;
}

std::string joined(const std::string& folder, const std::string& path) {
  return path.empty() || path[0] == '/' || folder.empty() ? path : folder + "/" + path;
}

StudyTable read_table_plan(const Json& json, const std::string& where, const std::string& data) {
  Reader r(json, where);
  StudyTable t;
  t.name = r.text("name");
  t.caption = r.text("caption", "");
  t.published = joined(data, r.text("published", ""));
  t.keys = r.texts("rows");
  for (const Json& c : r.list("columns")) {
    Reader column(c, where + ", a column");
    StudyColumn out;
    out.title = column.text("title");
    out.learner = column.text("learner");
    out.measure = column.text("measure");
    out.published = column.text("published", "");
    out.digits = static_cast<int>(std::min<std::uint64_t>(column.number("digits", 2), 9));
    column.finish();
    t.columns.push_back(std::move(out));
  }
  r.finish();
  return t;
}

StudyFigure read_figure(const Json& json, const std::string& where, const std::string& data) {
  Reader r(json, where);
  StudyFigure f;
  f.name = r.text("name");
  f.caption = r.text("caption", "");
  const std::string kind = r.text("kind");
  if (kind != "scatter" && kind != "boxes" && kind != "race")
    throw BadPlan{fmt::format("{}: a figure is scatter, boxes or race, not '{}'", where, printable(kind))};
  using Kind = StudyFigure::Kind;
  f.kind = kind == "scatter" ? Kind::scatter : kind == "boxes" ? Kind::boxes : Kind::race;
  f.published = joined(data, r.text("published", ""));
  f.timeout = static_cast<double>(r.number("timeout", 0));
  for (const Json& s : r.list("series")) {
    Reader series(s, where + ", a series");
    StudySeries out;
    out.title = series.text("title");
    out.learner = series.text("learner", "");
    out.measure = series.text("measure", "");
    out.published = series.text("published", "");
    out.share = series.text("share", "");
    series.finish();
    f.series.push_back(std::move(out));
  }
  r.finish();
  if (f.kind == Kind::scatter && f.series.size() != 2)
    throw BadPlan{where + ": a scatter has two series, x and y"};
  return f;
}

void check_shares(const std::vector<std::string>& shares, const std::string& where) {
  for (const std::string& share : shares)
    if (const auto value = parse_number(share); !value || *value <= 0 || *value >= 1)
      throw BadPlan{fmt::format("{}: '{}' is not a share between 0 and 1", where, printable(share))};
}

// A name, or a name with shares of its own.
StudySet read_set(const Json& json, const std::string& where) {
  StudySet set;
  if (json.is_string()) {
    set.name = json.get<std::string>();
    return set;
  }
  if (!json.is_object()) throw BadPlan{where + ": a set is a text or an object"};
  Reader r(json, where);
  set.name = r.text("name");
  set.shares = r.texts("shares");
  r.finish();
  check_shares(set.shares, where);
  return set;
}

StudyPlan read_all(const Json& json, const std::string& name, const std::string& data) {
  Reader r(json, name);
  StudyPlan plan;
  plan.name = r.text("name");
  const std::string below = r.text("folder", "");
  const std::string folder = below.empty() ? data : joined(data, below);
  const std::string suffix = r.text("suffix", "");
  for (const Json& set : r.list("sets")) {
    plan.sets.push_back(read_set(set, fmt::format("{}, set {}", name, plan.sets.size() + 1)));
    plan.sets.back().path = joined(folder, plan.sets.back().name + suffix);
  }
  for (const std::uint64_t depth : r.numbers("depths", false)) plan.depths.push_back(depth);
  plan.seeds = r.numbers("seeds", false);
  if (plan.seeds.empty()) plan.seeds = {1};
  plan.folds = r.number("folds", 0);
  plan.shares = r.texts("shares", false);
  plan.stratified = r.flag("stratified");
  const bool own_shares = std::any_of(plan.sets.begin(), plan.sets.end(),
                                      [](const StudySet& set) { return !set.shares.empty(); });
  if (plan.folds > 0 && (own_shares || !plan.shares.empty()))
    throw BadPlan{name + ": either folds or shares"};
  check_shares(plan.shares, name);
  std::set<std::string> names;
  for (const Json& l : r.list("learners")) {
    plan.learners.push_back(read_learner(l, fmt::format("{}, learner {}", name, plan.learners.size() + 1)));
    if (!names.insert(plan.learners.back().name).second)
      throw BadPlan{fmt::format("{}: two learners '{}'", name, printable(plan.learners.back().name))};
    if (plan.learners.back().by_depth && plan.depths.empty()) throw BadPlan{name + ": depths are needed"};
  }
  for (const Json& t : r.list("tables", false))
    plan.tables.push_back(
        read_table_plan(t, fmt::format("{}, table {}", name, plan.tables.size() + 1), data));
  for (const Json& f : r.list("figures", false))
    plan.figures.push_back(read_figure(f, fmt::format("{}, figure {}", name, plan.figures.size() + 1), data));
  r.finish();
  for (const StudyTable& t : plan.tables)
    for (const StudyColumn& c : t.columns)
      if (!names.contains(c.learner))
        throw BadPlan{fmt::format("{}: table {} names no learner: '{}'", name, t.name, printable(c.learner))};
  return plan;
}

}  // namespace

Result<StudyPlan> parse_plan(std::string_view text, const std::string& name, const std::string& data) {
  const Json json = Json::parse(text, nullptr, false, true);
  if (json.is_discarded()) return input_error("not JSON", name);
  try {
    return read_all(json, name, data);
  } catch (const BadPlan& bad) {
    return input_error(bad.message);
  }
}

Result<StudyPlan> read_plan(const std::string& path, const std::string& data) {
  auto text = read_file(path);
  if (!text) return text.error();
  return parse_plan(*text, path, data);
}

std::string key_of(const StudyPlan& plan, const StudyRun& run) {
  StudyEntry entry;
  entry.set = plan.sets[run.set].name;
  entry.learner = plan.learners[run.learner].name;
  entry.part = run.part;
  entry.seed = run.seed;
  entry.depth = run.depth;
  return entry.key();
}

namespace {

std::vector<std::string> parts_of(const StudyPlan& plan, const StudySet& set) {
  std::vector<std::string> parts;
  for (std::size_t fold = 0; fold < plan.folds; ++fold)
    parts.push_back(fmt::format("fold {} of {}", fold, plan.folds));
  for (const std::string& share : set.shares.empty() ? plan.shares : set.shares)
    parts.push_back("share " + share);
  if (parts.empty()) parts.emplace_back("whole");
  return parts;
}

}  // namespace

std::vector<StudyRun> runs_of(const StudyPlan& plan) {
  std::vector<StudyRun> runs;
  for (std::size_t set = 0; set < plan.sets.size(); ++set)
    for (std::size_t d = 0; d < std::max<std::size_t>(plan.depths.size(), 1); ++d)
      for (const std::uint64_t seed : plan.seeds)
        for (const std::string& part : parts_of(plan, plan.sets[set]))
          for (std::size_t l = 0; l < plan.learners.size(); ++l) {
            if (d > 0 && !plan.learners[l].by_depth) continue;
            StudyRun run{set, l, part, seed, {}};
            if (plan.learners[l].by_depth) run.depth = plan.depths[d];
            runs.push_back(std::move(run));
          }
  return runs;
}

}  // namespace beadwork
