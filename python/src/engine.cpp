#include "columns.hpp"
#include "learned.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace beadwork::python {
namespace {

std::string text_of(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "true" : "false";
  if (nb::isinstance<nb::float_>(value)) return format_number(nb::cast<double>(value));
  return nb::cast<std::string>(nb::str(value));
}

Model model_with(const Binarizer& binarizer, const Dataset& dataset, const Learned& learned,
                 const std::string& thresholds) {
  if (!learned.outcome.diagram) throw nb::value_error("there is no diagram to make a model of");
  const Released released;
  return take(models_of(binarizer, dataset, learned.request, learned.outcome, {thresholds, {learned.rows_sha256, {}}}))
      .model;
}

Committee committee_with(const Binarizer& binarizer, const Dataset& dataset, const Learned& learned,
                         const std::string& thresholds) {
  if (!learned.outcome.diagram) throw nb::value_error("there is no diagram to make a model of");
  const Released released;
  Outcome outcome = learned.outcome;
  if (!outcome.committee) {  // a limit came before any diagram
    CommitteeClaim claim;
    outcome.committee = CommitteeAnswer{claim, {{outcome.features, *outcome.diagram, *outcome.claim.upper_bound}}};
  }
  return *take(models_of(binarizer, dataset, learned.request, outcome, {thresholds, {learned.rows_sha256, {}}}))
              .committee;
}

// Each point of the front as an outcome of its own, to make a model of.
std::vector<Learned> front_of(const Learned& l) {
  std::vector<Learned> out;
  if (!l.outcome.front) return out;
  for (const SetAnswer& p : l.outcome.front->sets) {
    Learned point{l.request, {}, {}, {}};
    Outcome& o = point.outcome;
    o.claim = claim_of_point(l.outcome, p);
    o.features = p.features;
    o.table = p.table;
    o.diagram = diagram_of(*p.table);
    o.seconds = l.outcome.seconds;
    out.push_back(std::move(point));
  }
  return out;
}

nb::object size_proof(const Learned& l) {
  if (!l.outcome.size) return nb::none();
  return nb::make_tuple(std::string(to_string(l.outcome.size->status)), l.outcome.size->lower_bound);
}

std::string type_name(OptionType type) {
  constexpr std::array kNames{"int", "number", "flag", "text", "list"};
  return kNames[static_cast<std::size_t>(type)];
}

nb::list option_list() {
  nb::list out;
  for (const OptionInfo& o : option_table())
    out.append(
        nb::make_tuple(std::string(o.name), type_name(o.type), o.default_value, o.low, o.high, std::string(o.help)));
  return out;
}

std::vector<std::string> options_with(Use use) {
  std::vector<std::string> out;
  for (const OptionInfo& o : option_table())
    if (has(o.uses, use)) out.emplace_back(o.name);
  return out;
}

nb::list engine_list() {
  nb::list out;
  for (const Engine& e : engines()) {
    std::vector<std::string> taken;
    for (const OptionInfo& o : option_table())
      if (takes(e, o.name)) taken.emplace_back(o.name);
    out.append(nb::make_tuple(std::string(e.name), std::string(e.summary), e.exact(), taken));
  }
  return out;
}

std::size_t default_depth(const nb::dict& given, const std::string& thresholds) {
  Request request;
  for (const auto& [name, value] : given) take(set_option(request, nb::cast<std::string>(name), text_of(value)));
  if (thresholds == "auto") return settled(std::move(request), {}).depth();
  return settled(std::move(request), take(parse_threshold_rule(thresholds))).depth();
}

}  // namespace

Request request_of(const nb::dict& given) {
  Request request;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
      for (const nb::handle item : value) take(set_option(request, name, text_of(item)));
    } else {
      take(set_option(request, name, text_of(value)));
    }
  }
  take(check_request(request));
  return take(read_named_features(std::move(request)));
}

Learned learn_from(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                   const nb::object& callback, bool keep, const OpenExchange& open) {
  GilWait waiting(callback, static_cast<double>(dataset.weight_scale()), keep);
  auto [outcome, bounds] = take(waiting.run([&](const Control& control) -> Result<Learnt> {
    auto learnt = learn_rows(binarizer, dataset, request, {control, open});
    if (!learnt) return learnt;
    if (auto ok = write_proofs(request, learnt->outcome); !ok) return ok.error();
    return learnt;
  }));
  if (!outcome.diagram && outcome.status() == SolveStatus::unknown) take(fall_back(outcome, dataset, request));
  Learned out{request, std::move(outcome), std::move(waiting.waiting()), std::move(bounds)};
  if (request.least_depth) out.request.run.depth = {out.outcome.claim.scope.depth, {}};  // which makes it again
  return out;
}

namespace {

// In increasing order.
std::vector<Row> rows_of(const Dataset& dataset, const Array& numbers) {
  std::vector<Row> out;
  for (const std::int64_t row : integers(numbers)) {
    if (row < 0 || static_cast<std::size_t>(row) >= dataset.num_rows()) throw nb::index_error("a fold has other rows");
    out.emplace_back(static_cast<std::size_t>(row));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void bind_progress(nb::module_& m) {
  nb::class_<Moment>(m, "Progress", "A moment of a fit. Bounds are weighted errors, memory is in bytes.")
      .def(
          "__init__",
          [](Moment* p, std::string phase, double share, double lower_bound, std::optional<double> upper_bound,
             double seconds) {
            new (p) Moment{std::move(phase), share, lower_bound, upper_bound, seconds, current_memory()};
          },
          nb::arg("phase"), nb::arg("share"), nb::arg("lower_bound"), nb::arg("upper_bound").none(), nb::arg("seconds"))
      .def_ro("phase", &Moment::phase)
      .def_ro("share", &Moment::share)
      .def_ro("lower_bound", &Moment::lower_bound)
      .def_ro("upper_bound", &Moment::upper_bound)
      .def_ro("seconds", &Moment::seconds)
      .def_ro("memory", &Moment::memory)
      .def("__repr__", [](const Moment& p) {
        return "Progress(" + p.phase + ", " + format_number(100 * p.share) + " %, bounds " +
               format_number(p.lower_bound) + ".." + (p.upper_bound ? format_number(*p.upper_bound) : "?") + ")";
      });
}

void bind_outcome(nb::module_& m) {
  nb::class_<Learned>(m, "Outcome", "What an engine found, checked on the rows.")
      .def_prop_ro("status", [](const Learned& l) { return std::string(to_string(l.outcome.status())); })
      .def_prop_ro("optimal", [](const Learned& l) { return is_proven(l.outcome.claim); })
      .def_prop_ro(
          "light_left_out", [](const Learned& l) { return l.outcome.claim.light_left_out; },
          "The proof is that of the answer before drop_light.")
      .def_prop_ro(
          "sentence", [](const Learned& l) { return to_words(l.outcome.claim); }, "What is proven, in words.")
      .def(
          "to_json",
          [](const Learned& l, const Dataset& dataset) { return outcome_json(dataset, l.request, l.outcome); },
          nb::arg("dataset"), "What the command line's --json prints.")
      .def_prop_ro(
          "parts", [](const Learned& l) { return l.outcome.claim.prover.parts; }, "In which the search was run.")
      .def_prop_ro("lower_bound", [](const Learned& l) { return l.outcome.claim.lower_bound; })
      .def_prop_ro("upper_bound", [](const Learned& l) { return l.outcome.claim.upper_bound; })
      .def_prop_ro(
          "scale", [](const Learned& l) { return l.outcome.claim.scale; },
          "Divide bounds by this for the user's units.")
      .def_prop_ro(
          "rounding", [](const Learned& l) { return l.outcome.claim.rounding; },
          "How far rounded weights may move the bounds, in the same units.")
      .def_prop_ro("depth", [](const Learned& l) { return l.outcome.claim.scope.depth; })
      .def_prop_ro("costs", [](const Learned& l) { return l.outcome.claim.objective.costs; })
      .def_prop_ro("features", [](const Learned& l) { return numbers_of(l.outcome.features); })
      .def_prop_ro("table", [](const Learned& l) { return l.outcome.table; })
      .def_prop_ro("diagram", [](const Learned& l) { return l.outcome.diagram; })
      .def_prop_ro("certificate", [](const Learned& l) { return l.outcome.certificate; })
      .def_prop_rw(
          "seconds", [](const Learned& l) { return l.outcome.seconds; },
          [](Learned& l, double seconds) { l.outcome.seconds = seconds; })
      .def_prop_rw(
          "interrupted", [](const Learned& l) { return l.waiting.interrupted; },
          [](Learned& l, bool yes) { l.waiting.interrupted = yes; })
      .def_prop_rw(
          "stopped", [](const Learned& l) { return l.waiting.stopped; },
          [](Learned& l, bool yes) { l.waiting.stopped = yes; })
      .def_prop_ro("notes", [](const Learned& l) { return l.waiting.notes; })
      .def_prop_ro("warnings", [](const Learned& l) { return l.waiting.warnings; })
      .def(
          "drop_light",
          [](Learned& l, const Binarizer& binarizer, const Dataset& dataset, std::int64_t least) {
            take(leave_out_light(l.outcome, binarizer, dataset, l.request, least));
          },
          nb::arg("binarizer"), nb::arg("dataset"), nb::arg("least"),
          "Leave out tests that send less weight one way; status and upper bound follow.")
      .def_prop_ro("front", &front_of, "An outcome for each point, with option front.")
      .def_prop_ro("front_complete", [](const Learned& l) { return l.outcome.front && l.outcome.front->complete; })
      .def_prop_ro("size_proof", &size_proof, "(status, least nodes), with bias size.");
}

}  // namespace

void bind_engine(nb::module_& m) {
  bind_progress(m);
  bind_outcome(m);
  m.def(
      "learn",
      [](const Binarizer& binarizer, const Dataset& dataset, const nb::dict& options, const nb::object& callback,
         bool keep, const std::vector<std::pair<Array, Array>>& folds, bool least_depth) {
        Request asked = request_of(options);
        asked.least_depth = least_depth;
        for (const auto& [train, test] : folds)
          asked.folds.push_back({rows_of(dataset, train), rows_of(dataset, test)});
        return learn_from(
            binarizer, dataset, asked, callback, keep,
            [](const Request& request, const Control& control) { return open_exchange(request, control); });
      },
      nb::arg("binarizer"), nb::arg("dataset"), nb::arg("options"), nb::arg("callback").none(), nb::arg("keep") = false,
      nb::arg("folds") = std::vector<std::pair<Array, Array>>{}, nb::arg("least_depth") = false,
      "Learn with options by name. A true answer of callback(progress) stops. Ctrl-C raises KeyboardInterrupt, or "
      "stops where `keep` is set. Folds are (train, test) rows; none: those of the command line. `least_depth`: of the "
      "depths up to the one asked for the least without avoidable errors.");
  m.def("make_model", &model_with, nb::arg("binarizer"), nb::arg("dataset"), nb::arg("outcome"), nb::arg("thresholds"));
  m.def("make_committee", &committee_with, nb::arg("binarizer"), nb::arg("dataset"), nb::arg("outcome"),
        nb::arg("thresholds"));
  m.def(
      "lasting_options", [] { return options_with(Use::lasting); },
      "Options whose runs have no time limit by default.");
  m.def("option_table", &option_list, "(name, type, default, least, most, help) of each option.");
  m.def("default_depth", &default_depth, nb::arg("options"), nb::arg("thresholds"),
        "The depth where nobody says one, by the other options and the rule for thresholds.");
  m.def("engines", &engine_list, "(name, summary, exact, options) of each engine.");
}

}  // namespace beadwork::python
