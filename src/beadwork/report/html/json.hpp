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
Json figures_json(const Judged& judged);
Json diagram_json(const Model& model);  // positions, words of the tests
double rounded(double x);               // a tenth of a pixel is enough
std::string path_data(const std::vector<Layout::Point>& points);
Result<Json> rows_json(const Model& model,
                       const ReportFacts& facts);  // tables and how the model does on them
bool trained_rows(const ReportFacts& facts);       // else the model's memory stands for them
Judged remembered(const Model& model);
Json history_json(const Model& model, const ReportFacts& facts);  // proof, bounds, features, options, command
// Other models, in as few bytes as it takes: what they share stands once.
Json alternatives_json(const ReportFacts& facts, const ReportFacts& files);  // files: with the names of model files

}  // namespace beadwork::report
