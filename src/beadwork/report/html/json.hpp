#pragma once
// The parts of the data that a page carries; web/src/data.ts is the other side.
#include <beadwork/report.hpp>

#include <nlohmann/json.hpp>

namespace beadwork::report {

using Json = nlohmann::ordered_json;

// Model and facts in the words of their labels. Both stay what they were in everything but names.
struct Labelled {
  Model model;
  ReportFacts facts;
};
Result<Labelled> labelled(const Model& model, ReportFacts facts);

Json lift_json(const Lift& lift);
Json diagram_json(const Model& model);  // positions, words of the tests
Result<Json> rows_json(const Model& model,
                       const ReportFacts& facts);                 // tables and how the model does on them
Json history_json(const Model& model, const ReportFacts& facts);  // proof, bounds, features, options, command

}  // namespace beadwork::report
