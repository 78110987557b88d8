#include <beadwork/model.hpp>
#include <beadwork/model/asked_json.hpp>
#include <beadwork/model/parse.hpp>
#include <beadwork/model/reading_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace beadwork {
namespace {

using model::Json;

Json input_json(const InputColumn& input) {
  Json j{{"name", input.name}, {"type", input.type == ColumnType::numeric ? "numeric" : "nominal"}};
  if (input.type == ColumnType::nominal) j["levels"] = input.levels;
  if (input.reading != Reading{}) j["reading"] = model::reading_json(input.reading);
  return j;
}

Json test_json(const Model& model, std::size_t f) {
  const Test& test = model.binarizer().tests()[f];
  Json j{{"name", model.feature_name(Feature{f})}, {"index", model.matrix_columns()[f]}, {"column", test.column}};
  switch (test.kind) {
    case TestKind::at_most:
      j["test"] = "at_most";
      j["threshold"] = test.threshold;
      break;
    case TestKind::equals:
      j["test"] = "equals";
      j["level"] = test.level;
      break;
    case TestKind::missing:
      j["test"] = "missing";
      break;
  }
  return j;
}

Json training_json(const Training& t) {
  Json j{{"engine", t.engine},
         {"rows", t.rows},
         {"total_weight", t.total_weight},
         {"weight_scale", t.weight_scale},
         {"errors", t.errors},
         {"seed", t.seed},
         {"thresholds", t.thresholds},
         {"num_features", t.num_features},
         {"rows_sha256", t.hashes.rows}};
  if (!t.hashes.file.empty()) j["file_sha256"] = t.hashes.file;
  if (!t.data_sha256.empty()) j["data_sha256"] = t.data_sha256;
  return j;
}

Json body_json(const Model& model) {
  Json j{{"format", "beadwork-model"}, {"version", kModelVersion}};
  j["target"] = model.binarizer().target();
  j["classes"] = model.class_names();
  if (!model.binarizer().target_cuts().empty()) j["target_cuts"] = model.binarizer().target_cuts();
  if (const Json reading = model::reading_json(model.reading()); !reading.empty()) j["reading"] = reading;
  j["columns"] = Json::array();
  for (const InputColumn& input : model.binarizer().inputs()) j["columns"].push_back(input_json(input));
  j["features"] = Json::array();
  for (std::size_t f = 0; f < model.num_features(); ++f) j["features"].push_back(test_json(model, f));
  j["diagram"]["nodes"] = model::nodes_json(model.diagram());
  j["paths"] = Json::array();
  for (std::uint64_t p = 0; p < model.counts().num_paths(); ++p) j["paths"].push_back(model.counts().of(p));
  j["claim"] = Json::parse(claim_json(model.claim()));
  if (model.training().asked) j["request"] = model::asked_json(*model.training().asked, model.class_names());
  j["training"] = training_json(model.training());
  if (!model.edits().empty()) j["edits"] = model.edits();
  return j;
}

// One line an entry, and one line for each element of a list: readable, and short diffs.
std::string written(Json body) {
  body["sha256"] = Sha256::of(body.dump());
  const auto list = [](const Json& values) {
    std::string out = "[";
    for (const Json& v : values) out += fmt::format("{}\n  {}", out.size() == 1 ? "" : ",", v.dump());
    return out + "\n ]";
  };
  std::string out = "{";
  for (const auto& [key, value] : body.items()) {
    const bool lines = value.is_array() && !value.empty() && value.front().is_structured();
    const std::string text = key == "diagram" ? fmt::format("{{\"nodes\": {}}}", list(value["nodes"]))
                             : lines          ? list(value)
                                              : value.dump();
    out += fmt::format("{}\n {}: {}", out.size() == 1 ? "" : ",", Json(key).dump(), text);
  }
  return out + "\n}\n";
}

}  // namespace

std::string to_json(const InputColumn& input) {
  return input_json(input).dump();
}

std::string to_json(const Model& model) {
  return written(body_json(model));
}

std::string to_json(const Committee& committee) {
  const CommitteeClaim& claim = committee.claim();
  Json body = body_json(committee.optimum());
  body["committee"] = {{"within", claim.within}, {"extent", to_string(claim.extent)}, {"num_sets", claim.num_sets}};
  body["members"] = Json::array();
  for (const Committee::Member& m : committee.members())
    body["members"].push_back({{"cost", m.cost}, {"nodes", model::nodes_json(m.diagram)}});
  return written(std::move(body));
}

}  // namespace beadwork
