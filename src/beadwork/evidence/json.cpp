#include <beadwork/evidence.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

// Numbers and names as users know them.
struct Context {
  const Dataset& dataset;
  const Claim& claim;

  Json number(std::int64_t value, std::int64_t scale) const {
    return scale == 1 ? Json(value) : Json(static_cast<double>(value) / static_cast<double>(scale));
  }
  Json amount(std::int64_t value) const { return number(value, claim.scale); }
  Json names(const std::vector<Feature>& features) const {
    Json out = Json::array();
    for (const Feature f : features) out.push_back(dataset.feature_name(f));
    return out;
  }
  // The values between which each threshold lies; null for other tests.
  Json intervals(const std::vector<Feature>& features) const {
    Json out = Json::array();
    for (const Feature f : features) {
      const auto interval = dataset.ranks()->interval_of(f());
      out.push_back(interval ? Json{interval->first, interval->second} : Json());
    }
    return out;
  }
  const char* cost_key() const { return claim.objective.costs ? "training_cost" : "training_errors"; }
};

Json depths_json(const Context& in, const std::vector<SetAnswer>& answers) {
  Json list = Json::array();
  for (const SetAnswer& a : answers)
    list.push_back({{"depth", a.depth},
                    {"status", to_string(a.status)},
                    {in.cost_key(), in.amount(a.cost)},
                    {"lower_bound", in.amount(a.lower_bound)},
                    {"features", in.names(a.features)},
                    {"time_s", a.seconds}});
  return list;
}

Json near_json(const Context& in, const SetList& near) {
  Json j{{"complete", near.complete},
         {"num_sets", near.num_sets},
         {"num_sets_with_copies", near.num_copies},
         {"sets", Json::array()}};
  for (const SetAnswer& s : near.sets) {
    Json& set = j["sets"].emplace_back(
        Json{{in.cost_key(), in.amount(s.cost)}, {"copies", s.copies}, {"features", in.names(s.features)}});
    if (in.dataset.ranks()) set["intervals"] = in.intervals(s.features);
  }
  if (!near.busy) return j;
  j["without_idle"] = Json::array();
  for (const SetAnswer& s : *near.busy)
    j["without_idle"].push_back({{in.cost_key(), in.amount(s.cost)}, {"features", in.names(s.features)}});
  return j;
}

Json front_json(const Context& in, const SetList& front) {
  Json j{{"complete", front.complete}, {"points", Json::array()}};
  for (const SetAnswer& p : front.sets)
    j["points"].push_back({{"num_features", p.depth},
                           {"size", p.nodes},
                           {in.cost_key(), in.amount(p.cost)},
                           {"lower_bound", in.amount(p.lower_bound)},
                           {"status", to_string(p.status)},
                           {"features", in.names(p.features)}});
  return j;
}

Json committee_json(const Context& in, const CommitteeAnswer& c) {
  Json j{{"sentence", to_words(c.claim, in.claim)},
         {"within", in.amount(c.claim.within)},
         {"extent", to_string(c.claim.extent)},
         {"num_sets", c.claim.num_sets == 0 ? Json() : Json(c.claim.num_sets)},
         {"members", Json::array()}};
  for (const CommitteeAnswer::Member& m : c.members)
    j["members"].push_back({{in.cost_key(), in.amount(m.cost)}, {"features", in.names(m.diagram.used_features())}});
  return j;
}

Json choice_json(const SizeChoice& choice) {
  Json j{{"folds", choice.folds}, {"complete", choice.complete}, {"chosen", nullptr}, {"curve", Json::array()}};
  for (const SizeChoice::Point& p : choice.curve) {
    Json point{{"depth", p.depth}};
    if (p.nodes > 0) point["nodes"] = p.nodes;
    point["mean"] = p.mean;
    point["standard_error"] = p.standard_error;
    j["curve"].push_back(std::move(point));
  }
  if (!choice.curve.empty()) j["chosen"] = j["curve"][choice.chosen];
  return j;
}

Json columns_json(const Context& in, const std::vector<ColumnWorth>& columns) {
  Json list = Json::array();
  for (const ColumnWorth& c : columns) {
    Json j{{"column", c.name}, {"turns", in.number(c.turns, in.dataset.weight_scale())}};
    if (c.price) {
      j["price"] = {{"status", c.price->required                 ? "required"
                               : c.price->least == c.price->most ? "optimal"
                                                                 : "feasible"}};
      if (!c.price->required)
        j["price"].update({{"least", in.amount(c.price->least)}, {"most", in.amount(c.price->most)}});
    }
    list.push_back(std::move(j));
  }
  return list;
}

void add_answer(Json& j, const Context& in, const Outcome& o) {
  const Dataset& d = in.dataset;
  const Claim& c = o.claim;
  const std::int64_t errors = o.diagram ? training_errors(d, *o.diagram) : 0;
  j["training_errors"] = o.diagram ? in.number(errors, d.weight_scale()) : Json();
  if (c.objective.costs) j["training_cost"] = c.upper_bound ? in.amount(*c.upper_bound) : Json();
  j["rows"] = d.num_given_rows();
  j["total_weight"] = in.number(d.total_weight(), d.weight_scale());
  j["lower_bound"] = in.amount(c.lower_bound);
  j["upper_bound"] = c.upper_bound ? in.amount(*c.upper_bound) : Json();
  j["gap"] = c.upper_bound ? in.amount(*c.upper_bound - c.lower_bound) : Json();
  j["training_accuracy"] =
      o.diagram ? Json(1 - static_cast<double>(errors) / static_cast<double>(d.total_weight())) : Json();
  j["features"] = in.names(o.features);
  j["used_features"] = o.diagram ? in.names(o.diagram->used_features()) : Json::array();
  j["size"] = o.diagram ? Json(o.diagram->size()) : Json();
  j["inner_nodes"] = o.diagram ? Json(o.diagram->inner_nodes()) : Json();
  if (!o.size) return;
  j["size_status"] = to_string(o.size->status);
  j["size_lower_bound"] = o.size->lower_bound;
}

}  // namespace

std::vector<std::string> idle_requirements(const Dataset& dataset, const Outcome& o) {
  std::vector<std::string> out;
  if (!o.diagram) return out;
  std::set<std::string> features, columns;
  for (const Feature f : o.diagram->used_features()) {
    features.insert(dataset.feature_name(f));
    columns.insert(dataset.input_name(dataset.input_of(f)));
  }
  std::ranges::copy_if(o.claim.scope.required, std::back_inserter(out),
                       [&](const auto& n) { return !features.contains(n); });
  std::ranges::copy_if(o.claim.scope.required_columns, std::back_inserter(out),
                       [&](const auto& n) { return !columns.contains(n); });
  return out;
}

std::string outcome_json(const Dataset& dataset, const Request& request, const Outcome& o) {
  const Context in{dataset, o.claim};
  const auto& search = request.only_of<ForSearch>();
  Json j{{"status", to_string(o.claim.status)}, {"sentence", to_words(o.claim)}};
  add_answer(j, in, o);
  j["depth"] = request.depth();
  j["bias"] = to_string(request.shape.bias);
  if (search.max_nodes) j["max_nodes"] = *search.max_nodes;
  if (search.node_penalty) j["node_penalty"] = *search.node_penalty;
  j["engine"] = engine_of(request).name;
  j["classes"] = dataset.class_names();
  j["num_features"] = dataset.num_features();
  j["thresholds"] = dataset.thresholds();
  j["seed"] = request.run.seed;
  j["faithful"] = request.reading.faithful || o.claim.scope.exactly;
  j["claim"] = Json::parse(claim_json(o.claim));
  j["claim"]["parts"] = o.claim.prover.parts;
  j["time_s"] = o.seconds;
  if (o.cut_short) j["cut_short"] = true;
  if (const auto idle = idle_requirements(dataset, o); !idle.empty()) j["idle_requirements"] = idle;
  if (request.run.depth.from && !request.run.depth.chosen) j["by_depth"] = depths_json(in, o.by_depth);
  if (o.diagram) j["columns"] = columns_json(in, o.columns);
  if (o.choice) j["size_choice"] = choice_json(*o.choice);
  if (o.near) j["near_sets"] = near_json(in, *o.near);
  if (o.committee) j["committee"] = committee_json(in, *o.committee);
  if (o.front) j["front"] = front_json(in, *o.front);
  return j.dump(1) + "\n";
}

std::vector<PlotPoint> plot_points(const Outcome& o) {
  std::vector<PlotPoint> points;
  if (o.front)
    for (const SetAnswer& p : o.front->sets)
      points.push_back({p.depth, p.nodes, in_units(o.claim, p.cost), in_units(o.claim, p.lower_bound),
                        p.status == SolveStatus::optimal});
  return points;
}

}  // namespace beadwork
