#include <beadwork/evidence.hpp>
#include <utility>

#include "waiting.hpp"

namespace beadwork::python {
namespace {

std::string text_of(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "true" : "false";
  if (nb::isinstance<nb::float_>(value)) return format_number(nb::cast<double>(value));
  return nb::cast<std::string>(nb::str(value));
}

Options options_of(const nb::dict& given) {
  Options options;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
      for (const nb::handle item : value) take(set_option(options, name, text_of(item)));
    } else {
      take(set_option(options, name, text_of(value)));
    }
  }
  return options;
}

// What learn found, with what happened meanwhile.
struct Learned {
  Options options;
  Outcome outcome;
  Waiting waiting;
};

// What is left when a limit comes before any diagram: the class of most weight for every row.
void fall_back(const Dataset& dataset, Outcome& outcome) {
  const auto counts = count_cells(dataset, {});
  outcome.diagram =
      diagram_of(fill_by_branch(TruthTable::from_counts({}, dataset.num_classes(), counts), counts));
  outcome.upper_bound = training_errors(dataset, *outcome.diagram);
  outcome.features.clear();
}

Learned learn_with(const Dataset& dataset, const nb::dict& given, const nb::object& callback) {
  const Options options = options_of(given);
  take(check_options(options));
  Watch watch(callback, static_cast<double>(dataset.weight_scale()));
  auto outcome = take(watch.run([&](const Control& control) { return learn(dataset, options, control); }));
  if (!outcome.diagram && outcome.status == SolveStatus::unknown) fall_back(dataset, outcome);
  return {options, std::move(outcome), std::move(watch.waiting())};
}

// No path of less weight. The bound still holds; the proof of optimality may not.
void drop_light(Learned& learned, const Dataset& dataset, std::int64_t least) {
  Outcome& o = learned.outcome;
  if (!o.diagram) return;
  PathCounts counts(o.diagram->num_paths(), dataset.num_classes());
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    counts.add(o.diagram->path_of([&](Feature f) { return dataset.value(f, Row{r}); }), dataset.label(Row{r}),
               dataset.weight(Row{r}));
  o.diagram = without_light_branches(*o.diagram, counts, least);
  o.upper_bound = training_errors(dataset, *o.diagram);
  if (o.status == SolveStatus::optimal && *o.upper_bound != o.lower_bound) o.status = SolveStatus::feasible;
}

Model model_of(const Binarizer& binarizer, const Dataset& dataset, const Learned& learned,
               const std::string& thresholds) {
  if (!learned.outcome.diagram) throw nb::value_error("there is no diagram to make a model of");
  nb::gil_scoped_release release;
  const auto rule = take(parse_threshold_rule(thresholds));
  return take(make_model(binarizer, dataset, learned.outcome.features, *learned.outcome.diagram,
                         training_of(dataset, learned.options, learned.outcome, rule)));
}

nb::list depths_of(const Learned& l) {
  nb::list out;
  for (const DepthAnswer& a : l.outcome.by_depth) {
    nb::dict d;
    d["depth"] = a.depth;
    d["status"] = std::string(to_string(a.status));
    d["lower_bound"] = a.lower_bound;
    d["errors"] = a.errors;
    d["features"] = numbers_of(a.features);
    d["seconds"] = a.seconds;
    out.append(d);
  }
  return out;
}

nb::object near_of(const Learned& l) {
  if (!l.outcome.near) return nb::none();
  const NearOutcome& near = *l.outcome.near;
  nb::dict out;
  nb::list sets;
  for (const NearSet& s : near.sets) sets.append(nb::make_tuple(numbers_of(s.features), s.error, s.copies));
  out["complete"] = near.status == SearchStatus::optimal;
  out["num_sets"] = near.num_sets;
  out["num_copies"] = near.num_copies;
  out["sets"] = sets;
  return out;
}

// Each point of the front as an outcome of its own, to make a model of.
std::vector<Learned> front_of(const Learned& l) {
  std::vector<Learned> out;
  if (!l.outcome.front) return out;
  for (const FrontPoint& p : l.outcome.front->points) {
    Learned point{l.options, {}, {}};
    point.options.max_nodes = static_cast<std::int64_t>(p.nodes);
    Outcome& o = point.outcome;
    o.status = p.proven ? SolveStatus::optimal : SolveStatus::feasible;
    o.lower_bound = p.lower_bound;
    o.upper_bound = p.errors;
    o.features = p.table.order();
    o.table = p.table;
    o.diagram = diagram_of(p.table);
    o.cost_scale = l.outcome.cost_scale;
    o.seconds = l.outcome.seconds;
    out.push_back(std::move(point));
  }
  return out;
}

nb::object size_proof(const Learned& l) {
  if (!l.outcome.size) return nb::none();
  return nb::make_tuple(std::string(to_string(l.outcome.size->status)), l.outcome.size->lower_bound);
}

nb::list option_list() {
  nb::list out;
  for (const OptionInfo& o : option_table())
    out.append(nb::make_tuple(std::string(o.name), std::string(o.type), o.default_value, o.low, o.high,
                              std::string(o.help)));
  return out;
}

nb::list engine_list() {
  nb::list out;
  for (const Engine& e : engines()) {
    std::vector<std::string> taken;
    for (const OptionInfo& o : option_table())
      if (takes(e, o.name)) taken.emplace_back(o.name);
    out.append(nb::make_tuple(std::string(e.name), std::string(e.summary), e.exact, taken));
  }
  return out;
}

}  // namespace

void bind_engine(nb::module_& m) {
  nb::class_<Moment>(m, "Progress", "A moment of a fit. Bounds are weighted errors, memory is in bytes.")
      .def_ro("phase", &Moment::phase)
      .def_ro("share", &Moment::share)
      .def_ro("lower_bound", &Moment::lower_bound)
      .def_ro("upper_bound", &Moment::upper_bound)
      .def_ro("seconds", &Moment::seconds)
      .def_ro("memory", &Moment::memory)
      .def("__repr__", [](const Moment& p) {
        return "Progress(" + p.phase + ", " + format_number(100 * p.share) + " %, bounds " +
               format_number(p.lower_bound) + ".." + (p.upper_bound ? format_number(*p.upper_bound) : "?") +
               ")";
      });
  nb::class_<Learned>(m, "Outcome", "What an engine found, checked on the rows.")
      .def_prop_ro("status", [](const Learned& l) { return std::string(to_string(l.outcome.status)); })
      .def_prop_ro("lower_bound", [](const Learned& l) { return l.outcome.lower_bound; })
      .def_prop_ro("upper_bound", [](const Learned& l) { return l.outcome.upper_bound; })
      .def_prop_ro("features", [](const Learned& l) { return numbers_of(l.outcome.features); })
      .def_prop_ro("table", [](const Learned& l) { return l.outcome.table; })
      .def_prop_ro("diagram", [](const Learned& l) { return l.outcome.diagram; })
      .def_prop_ro("cost_scale", [](const Learned& l) { return l.outcome.cost_scale; })
      .def_prop_ro("seconds", [](const Learned& l) { return l.outcome.seconds; })
      .def_prop_ro("interrupted", [](const Learned& l) { return l.waiting.interrupted; })
      .def_prop_ro("stopped", [](const Learned& l) { return l.waiting.stopped; })
      .def_prop_ro("notes", [](const Learned& l) { return l.waiting.notes; })
      .def_prop_ro("warnings", [](const Learned& l) { return l.waiting.warnings; })
      .def("drop_light", &drop_light, nb::arg("dataset"), nb::arg("least"),
           "Leave out tests that send less weight one way; status and upper bound follow.")
      .def_prop_ro("by_depth", &depths_of)
      .def_prop_ro("near", &near_of)
      .def_prop_ro("front", &front_of, "An outcome for each point, with option front.")
      .def_prop_ro("front_complete",
                   [](const Learned& l) { return l.outcome.front && l.outcome.front->proven; })
      .def_prop_ro("size_proof", &size_proof, "(status, least nodes), with bias size.");
  m.def("learn", &learn_with, nb::arg("dataset"), nb::arg("options"), nb::arg("callback").none(),
        "Learn with options by name. A true answer of callback(progress) stops, as does Ctrl-C.");
  m.def("make_model", &model_of, nb::arg("binarizer"), nb::arg("dataset"), nb::arg("outcome"),
        nb::arg("thresholds"));
  m.def("option_table", &option_list, "(name, type, default, least, most, help) of each option.");
  m.def("engines", &engine_list, "(name, summary, exact, options) of each engine.");
}

}  // namespace beadwork::python
