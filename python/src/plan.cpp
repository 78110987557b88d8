#include "learned.hpp"

// A search in parts: plans, parts and what is made of them, as values that travel.

namespace beadwork::python {
namespace {

std::optional<Plan> plan_with(const Binarizer& /*binarizer*/, const Dataset& dataset, const nb::dict& given,
                              std::size_t num_parts, const nb::object& callback) {
  if (num_parts == 0) throw nb::value_error("a plan has one part or more");
  const Request request = request_of(given);
  GilWait waiting(callback, static_cast<double>(dataset.weight_scale()));
  auto plan = waiting.run([&](const Control& control) { return plan_search(dataset, request, num_parts, control); });
  if (!plan && plan.error().code == ErrorCode::limit) return {};
  return take(std::move(plan));
}

PlanBest best_in(const Part& part) {
  PlanBest out{error_of(part), {}, {}};
  if (const auto* over_cuts = std::get_if<OrderedState>(&part.state)) out.cuts = over_cuts->incumbent;
  if (const auto* over_features = std::get_if<SearchState>(&part.state)) out.features = over_features->incumbent;
  return out;
}

Part part_with(const Binarizer& /*binarizer*/, const Dataset& dataset, const nb::dict& given, const Plan& plan,
               std::size_t number, const std::optional<Part>& resume, const std::optional<Part>& best) {
  if (number >= plan.num_parts()) throw nb::index_error("the plan has no such part");
  const Request request = request_of(given);
  PartExchange exchange;
  exchange.resume = resume;
  if (best)
    exchange.share = [theirs = best_in(*best)](const PlanBest& mine) {
      return theirs.error < mine.error ? std::optional(theirs) : std::nullopt;
    };
  GilWait waiting(nb::none(), static_cast<double>(dataset.weight_scale()));
  return take(waiting.run(
      [&](const Control& control) { return search_part(dataset, request, plan, number, control, exchange); }));
}

Learned merge_with(const Binarizer& binarizer, const Dataset& dataset, const nb::dict& given, const Plan& plan,
                   const std::vector<Part>& parts, const nb::object& callback, bool keep) {
  return learn_from(binarizer, dataset, request_of(given), callback, keep,
                    [&](const Request& request, const Control&) -> Result<Exchange> {
                      if (auto ok = check_plan(plan, dataset, request); !ok) return ok.error();
                      const auto merged = merge_parts(plan, parts);
                      if (!merged) return merged.error();
                      return merged->exchange();
                    });
}

// (parts that are not done, lower bound, error of the best set or None) in the dataset's units.
nb::tuple standing(const Plan& plan, const std::vector<Part>& parts) {
  const auto merged = take(merge_parts(plan, parts));
  return std::visit(
      [&](const auto& state) {
        return nb::make_tuple(merged.missing, state.lower_bound, std::optional<std::int64_t>(state.error));
      },
      merged.state);
}

// What stands against dividing it, in words; nothing where it can be divided.
std::optional<std::string> indivisible(const Binarizer& /*binarizer*/, const nb::dict& given) {
  if (auto ok = check_divisible(request_of(given)); !ok) return ok.error().to_string();
  return {};
}

}  // namespace

void bind_plan(nb::module_& m) {
  nb::class_<Plan>(m, "Plan", "A search divided into ranges of about equal work.")
      .def_static(
          "from_text", [](const std::string& text) { return take(parse_plan(text)); }, nb::arg("text"))
      .def("to_text", [](const Plan& p) { return to_text(p); })
      .def("__getstate__", [](const Plan& p) { return to_text(p); })
      .def("__setstate__", [](Plan& p, const std::string& text) { new (&p) Plan(take(parse_plan(text))); })
      .def_prop_ro("num_parts", &Plan::num_parts)
      .def("is_empty", &Plan::is_empty, nb::arg("part"))
      .def("work", &Plan::work, nb::arg("part"), "Its estimated share.")
      .def("standing", &standing, nb::arg("parts"),
           "(parts that are not done, lower bound, errors of the best set), once these parts are put together.");
  nb::class_<Part>(m, "Part", "Where a part of a search stands.")
      .def_static(
          "from_text", [](const std::string& text) { return take(parse_part(text)); }, nb::arg("text"))
      .def("to_text", [](const Part& p) { return to_text(p); })
      .def("__getstate__", [](const Part& p) { return to_text(p); })
      .def("__setstate__", [](Part& p, const std::string& text) { new (&p) Part(take(parse_part(text))); })
      .def_ro("number", &Part::number)
      .def_ro("complete", &Part::complete)
      .def_prop_ro("error", &error_of, "Of its best set, in the dataset's units.");
  m.def("indivisible", &indivisible, nb::arg("binarizer"), nb::arg("options"),
        "Why such a search is not divided; None where it can be.");
  m.def("plan_search", &plan_with, nb::arg("binarizer"), nb::arg("dataset"), nb::arg("options"), nb::arg("num_parts"),
        nb::arg("callback").none(), "Divide a search; None where a limit came first.");
  m.def("search_part", &part_with, nb::arg("binarizer"), nb::arg("dataset"), nb::arg("options"), nb::arg("plan"),
        nb::arg("part"), nb::arg("resume").none(), nb::arg("best").none(),
        "Search one part, from where `resume` stands; `best` is the part that has found the best set so far.");
  m.def("learn_merged", &merge_with, nb::arg("binarizer"), nb::arg("dataset"), nb::arg("options"), nb::arg("plan"),
        nb::arg("parts"), nb::arg("callback").none(), nb::arg("keep") = false,
        "As learn, with these parts in place of the search; it searches what is missing.");
}

}  // namespace beadwork::python
