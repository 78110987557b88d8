#include "columns.hpp"
#include "export_options.hpp"
#include <beadwork/report.hpp>

namespace beadwork::python {
namespace {

Committee committee_from(const std::string& text, const std::string& name) {
  Predictor read = take(predictor_from_json(text, name));
  if (Committee* committee = std::get_if<Committee>(&read)) return std::move(*committee);
  raise(input_error("is a single model, not a committee", name));
}

nb::tuple vote_on(const Committee& committee, const Frame& frame) {
  std::vector<std::int64_t> classes;
  std::vector<std::int64_t> votes;
  UnseenCounts unseen;
  {
    const Released released;
    auto v = take(vote(committee, take(frame.table())));
    for (const Class k : v.classes) classes.push_back(static_cast<std::int64_t>(k()));
    for (const auto& row : v.votes) votes.insert(votes.end(), row.begin(), row.end());
    unseen = std::move(v.unseen);
  }
  const std::size_t rows = classes.size();
  return nb::make_tuple(to_numpy(std::move(classes)), to_numpy(std::move(votes), rows, committee.class_names().size()),
                        unseen);
}

nb::list members_of(const Committee& committee) {
  nb::list out;
  for (const Committee::Member& m : committee.members())
    out.append(nb::make_tuple(m.cost, committee.features_of(m), m.diagram));
  return out;
}

nb::bytes export_committee(const Committee& committee, const std::string& format, const OptionTexts& options) {
  const std::string text = take(export_model(committee, format, export_options(options)));
  return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_committee(nb::module_& m) {
  nb::class_<Committee>(m, "Committee", "Diagrams that vote, over the tests of the optimum's model.")
      .def_static("from_json", &committee_from, nb::arg("text"), nb::arg("name") = "model")
      .def("to_json", [](const Committee& c) { return to_json(c); })
      .def("__getstate__", [](const Committee& c) { return to_json(c); })
      .def("__setstate__",
           [](Committee& c, const std::string& text) { new (&c) Committee(committee_from(text, "model")); })
      .def_prop_ro("optimum", &Committee::optimum)
      .def_prop_ro("feature_names", [](const Committee& c) { return c.optimum().feature_names(); })
      .def_prop_ro("members", &members_of, "(cost, features, diagram) of each, the optimum first.")
      .def_prop_ro("extent", [](const Committee& c) { return std::string(to_string(c.claim().extent)); })
      .def_prop_ro("within", [](const Committee& c) { return c.claim().within; })
      .def(
          "sentence", [](const Committee& c, std::size_t parts) { return to_words(c, parts); }, nb::arg("parts") = 1,
          "Who votes and what is proven, in words, by a search in so many parts.")
      .def("vote", &vote_on, nb::arg("frame"),
           "Winner and votes of each row, and (column, rows) with unseen categories.")
      .def("text_report", [](const Committee& c) { return text_report(c); })
      .def("export_as", &export_committee, nb::arg("format"), nb::arg("options"),
           "The committee for other programs, as bytes.");
}

}  // namespace beadwork::python
