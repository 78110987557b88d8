#include <beadwork/engine/names.hpp>
#include <beadwork/engine/task.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

namespace beadwork {
namespace {

TruthTable renamed(const TruthTable& table, const std::vector<Feature>& names) {
  std::vector<Feature> order;
  for (const Feature f : table.order()) order.push_back(names[f()]);
  TruthTable out(std::move(order), table.num_classes());
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    std::vector<Class> allowed;
    for (std::size_t k = 0; k < table.num_classes(); ++k)
      if (table.allows(cell, Class{k})) allowed.emplace_back(k);
    out.restrict_to(cell, allowed);
  }
  return out;
}

Diagram renamed(const Diagram& diagram, const std::vector<Feature>& names) {
  std::vector<DiagramNode> nodes = diagram.nodes();
  for (DiagramNode& n : nodes)
    if (!n.sink) n.feature = names[n.feature()];
  return *Diagram::make(std::move(nodes));
}

// The features of a dataset by name; looked through once.
class FeatureNames final : public Names {
 public:
  explicit FeatureNames(const Dataset& dataset) : dataset_(dataset) {
    for (std::size_t f = 0; f < dataset.num_features(); ++f) {
      tests_[dataset.feature_name(Feature{f})].push_back(f);
      of_input_[dataset.input_of(Feature{f})].push_back(f);
    }
    for (const auto& [input, _] : of_input_) columns_[dataset.input_name(input)].push_back(input);
  }
  std::vector<One> tests_named(const std::string& name) const override {
    std::vector<One> out;
    if (const auto at = tests_.find(name); at != tests_.end())
      for (const std::size_t f : at->second) out.push_back({f, dataset_.input_of(Feature{f})});
    return out;
  }
  std::vector<std::size_t> columns_named(const std::string& name) const override {
    const auto at = columns_.find(name);
    return at == columns_.end() ? std::vector<std::size_t>{} : at->second;
  }
  std::string column_name(std::size_t column) const override { return dataset_.input_name(column); }
  std::vector<std::string> known() const override {
    std::vector<std::string> out = dataset_.feature_names();
    for (const auto& [name, _] : columns_) out.push_back(name);
    return out;
  }
  std::vector<std::string> without_tests() const override {
    std::vector<std::string> out;
    for (std::size_t input = 0; input < dataset_.num_inputs(); ++input)
      if (!of_input_.contains(input)) out.push_back(dataset_.input_name(input));
    return out;
  }
  const std::vector<std::size_t>& features_of(std::size_t column) const { return of_input_.at(column); }

 private:
  const Dataset& dataset_;
  std::map<std::string, std::vector<std::size_t>> tests_, columns_;
  std::map<std::size_t, std::vector<std::size_t>> of_input_;
};

// Features by the names of features or columns, increasing.
Result<std::vector<Feature>> features_named(const Dataset& dataset, const std::vector<std::string>& names,
                                            const char* option) {
  std::vector<Feature> out;
  if (names.empty()) return out;
  const FeatureNames known(dataset);
  for (const std::string& name : names) {
    if (std::string_view(option) == "forbid" && bans_nothing(known, name)) continue;
    TRY(const auto meaning, meaning_of(known, name, option));
    if (meaning.test)
      out.emplace_back(*meaning.test);
    else
      for (const std::size_t f : known.features_of(meaning.column)) out.emplace_back(f);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// What may not be selected, increasing.
Result<std::vector<Feature>> forbidden_by(const Dataset& dataset, const Request& request) {
  auto out = features_named(dataset, request.pin.forbid, "forbid");
  if (!out || request.without_inputs.empty()) return out;
  const auto& without = request.without_inputs;
  for (std::size_t f = 0; f < dataset.num_features(); ++f)
    if (std::find(without.begin(), without.end(), dataset.input_of(Feature{f})) != without.end()) out->emplace_back(f);
  std::sort(out->begin(), out->end());
  out->erase(std::unique(out->begin(), out->end()), out->end());
  return out;
}

Result<std::vector<Feature>> candidates_of(const Dataset& dataset, const Request& request, const Control& control) {
  const ChoiceOptions& choice = request.choice;
  require(choice.features_from.file.empty(), "learn: the caller has read the names of the candidates");
  if (!choice.candidate.empty()) return features_named(dataset, choice.candidate, "candidate");
  if (choice.features_from.cart) {
    Control quiet = control;  // its progress is not that of the search
    quiet.progress = {};
    auto used = cart(dataset, cart_options(request), quiet).diagram.used_features();
    std::sort(used.begin(), used.end());
    return used;
  }
  std::vector<Feature> all;
  for (std::size_t f = 0; f < dataset.num_features(); ++f) all.emplace_back(f);
  return all;
}

// What is required, of what may be selected.
struct Required {
  std::vector<Feature> features;             // increasing
  std::vector<std::vector<Feature>> one_of;  // of each at least one
  Requirements asked;
};

// Both increasing; the group may be large.
bool meets(const std::vector<Feature>& set, const std::vector<Feature>& group) {
  return std::any_of(set.begin(), set.end(),
                     [&](Feature f) { return std::binary_search(group.begin(), group.end(), f); });
}

Status require_column(const Dataset& dataset, const std::vector<Feature>& of_column, const std::string& name,
                      const std::vector<Feature>& allowed, Required& out) {
  std::vector<Feature> some;
  std::set_intersection(of_column.begin(), of_column.end(), allowed.begin(), allowed.end(), std::back_inserter(some));
  if (some.empty()) return nothing_of(name);
  if (some.size() == 1) {
    out.features.push_back(some[0]);
    out.asked.features.push_back(dataset.feature_name(some[0]));
  } else if (std::find(out.one_of.begin(), out.one_of.end(), some) == out.one_of.end()) {
    out.one_of.push_back(std::move(some));
    out.asked.columns.push_back(name);
  }
  return Done{};
}

Result<Required> required_by(const Dataset& dataset, const Request& request, const std::vector<Feature>& allowed) {
  Required out;
  if (request.pin.require.empty()) return out;
  const FeatureNames known(dataset);
  for (const std::string& name : request.pin.require) {
    TRY(const auto meaning, meaning_of(known, name, "require"));
    if (!meaning.test) {
      std::vector<Feature> of_column;
      for (const std::size_t f : known.features_of(meaning.column)) of_column.emplace_back(f);
      TRY_DONE(require_column(dataset, of_column, name, allowed, out));
      continue;
    }
    if (!std::binary_search(allowed.begin(), allowed.end(), Feature{*meaning.test}))
      return option_error(fmt::format("'{}' is not among the features that may be selected", printable(name)),
                          "require");
    out.features.emplace_back(*meaning.test);
    out.asked.features.push_back(name);
  }
  std::sort(out.features.begin(), out.features.end());
  out.features.erase(std::unique(out.features.begin(), out.features.end()), out.features.end());
  for (std::size_t g = out.one_of.size(); g-- > 0;)  // a required feature of the column is more
    if (meets(out.features, out.one_of[g])) {
      out.one_of.erase(out.one_of.begin() + static_cast<std::ptrdiff_t>(g));
      out.asked.columns.erase(out.asked.columns.begin() + static_cast<std::ptrdiff_t>(g));
    }
  return out;
}

}  // namespace

std::vector<Feature> Task::forbidden() const {
  std::vector<Feature> out;
  for (std::size_t f = 0; f < dataset.num_features(); ++f)
    if (!std::binary_search(allowed.begin(), allowed.end(), Feature{f})) out.emplace_back(f);
  return out;
}

bool Task::may_answer(const std::vector<Feature>& set) const {
  const auto within = [](const std::vector<Feature>& some, const std::vector<Feature>& all) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  };
  return set.size() <= depth() && std::is_sorted(set.begin(), set.end()) && within(set, allowed) && has_required(set);
}

bool Task::has_required(const std::vector<Feature>& increasing) const {
  return std::includes(increasing.begin(), increasing.end(), required.begin(), required.end()) &&
         std::all_of(one_of.begin(), one_of.end(), [&](const auto& group) { return meets(increasing, group); });
}

std::vector<Feature> Task::least_answer() const {
  std::vector<Feature> out = required;
  for (const auto& group : one_of) out.push_back(group.front());
  std::sort(out.begin(), out.end());
  return out;
}

Result<Task> make_task(const Dataset& dataset, const Request& request, const Exchange& exchange,
                       const Control& control) {
  TRY(const auto forbidden, forbidden_by(dataset, request));
  TRY(const auto candidates, candidates_of(dataset, request, control));
  std::vector<Feature> allowed;
  std::set_difference(candidates.begin(), candidates.end(), forbidden.begin(), forbidden.end(),
                      std::back_inserter(allowed));
  TRY(auto required, required_by(dataset, request, allowed));
  if (required.features.size() + required.one_of.size() > request.depth())
    return too_many_required(required.features.size(), required.one_of.size(), request.depth());
  const auto& search = request.only_of<ForSearch>();
  if (!required.one_of.empty() && search.certificate) return option_error(kNoCertificate, "certificate");
  // A copy of a feature in the column and one outside are two choices there, and lists would have both.
  if (!required.one_of.empty() && (search.top || search.within || search.committee))
    return option_error(
        "a column with several features cannot be required where sets are listed; require one of them, or "
        "forbid the others",
        "require");
  TRY(auto cost, prices_of(class_totals(dataset), request.cost.costs));
  return Task{dataset,
              request,
              exchange,
              std::move(required.features),
              std::move(allowed),
              std::move(cost),
              std::move(required.one_of),
              std::move(required.asked)};
}

Result<std::vector<Feature>> left_out_by(const Dataset& dataset, const Request& request) {
  const Exchange nothing;
  TRY(const auto task, make_task(dataset, request, nothing, {}));
  return task.forbidden();
}

Result<EngineAnswer> learn_among_allowed(const Task& task, const Control& control,
                                         Result<EngineAnswer> (*learn)(const Task&, const Control&)) {
  const Dataset part = task.dataset.select(task.allowed);
  std::vector<Feature> all;
  for (std::size_t f = 0; f < part.num_features(); ++f) all.emplace_back(f);
  auto found = learn({part, task.request, task.exchange, {}, std::move(all), task.cost}, control);
  if (!found) return found;
  if (found->table) found->table = renamed(*found->table, task.allowed);
  if (found->decided) found->decided = renamed(*found->decided, task.allowed);
  if (found->diagram) found->diagram = renamed(*found->diagram, task.allowed);
  return found;
}

CartOptions cart_options(const Request& request) {
  return {request.depth(), request.cart.impurity, static_cast<std::size_t>(request.cart.min_split),
          static_cast<std::size_t>(request.cart.min_leaf), request.seed()};
}

std::optional<NearOptions> near_options(const ForSearch& asked, std::int64_t scale) {
  NearOptions near;
  if (!asked.top && !asked.within) return std::nullopt;
  if (asked.top)
    near.best = static_cast<std::size_t>(*asked.top);
  else
    near.within = whole_units(*asked.within, scale);
  return near;
}

SearchOptions search_options(const Task& task) {
  SearchOptions o;
  o.depth = task.depth();
  o.threads = static_cast<unsigned>(task.request.run.threads);
  o.seed = task.request.seed();
  o.require = task.required;
  o.require_any = task.one_of;
  o.forbid = task.forbidden();
  o.costs = task.cost.costs;
  o.kernel = task.request.kernels.kernel;
  return o;
}

Control limits_of(const Request& request, Control control) {
  if (request.run.time_limit) control.deadline = control.deadline.within(*request.run.time_limit);
  if (request.run.memory_limit) control.memory_limit = request.memory_limit();
  return control;
}

Control within(const Control& control, const std::optional<double>& limit) {
  Control c = control;
  if (limit) c.deadline = control.deadline.within(*limit);
  return c;
}

}  // namespace beadwork
