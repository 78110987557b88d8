#include <beadwork/json.hpp>
#include <beadwork/model.hpp>
#include <beadwork/model/asked_json.hpp>
#include <beadwork/model/parse.hpp>
#include <beadwork/model/reading_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace beadwork {
namespace {

using namespace model;

constexpr std::int64_t kCommittees = 3;  // the version of committees alone

// The checksum is over the file's content without it, in the compact form: indentation may change, values may not.
std::string checksum(const Json& body) {
  return Sha256::of(body.dump());
}

InputColumn read_input(const Json& j, std::size_t i) {
  const std::string where = fmt::format("column {}", i);
  only(j, {"name", "type", "levels", "reading"}, where);
  InputColumn input{text(j, "name", where), ColumnType::numeric, {}};
  const std::string type = text(j, "type", where);
  if (type != "numeric" && type != "nominal")
    throw Fault{fmt::format("\"type\" of {} is '{}'", where, printable(type))};
  if (type == "nominal") {
    input.type = ColumnType::nominal;
    input.levels = texts(array(j, "levels", where), "the levels of " + where);
  }
  if (j.contains("reading")) input.reading = read_reading(j["reading"], "the reading of " + where);
  return input;
}

Test read_test(const Json& j, std::size_t i, std::size_t num_columns) {
  const std::string where = fmt::format("feature {}", i);
  only(j, {"name", "index", "column", "test", "threshold", "level"}, where);
  if (num_columns == 0) throw Fault{fmt::format("{} has no column to test", where)};
  Test test;
  test.column = static_cast<std::size_t>(whole(j, "column", where, 0, static_cast<std::int64_t>(num_columns) - 1));
  const std::string kind = text(j, "test", where);
  if (kind == "at_most") {
    const Json& t = member(j, "threshold", where);
    if (!t.is_number()) throw Fault{fmt::format("\"threshold\" of {} is not a number", where)};
    test.threshold = t.get<double>();
  } else if (kind == "equals") {
    test.kind = TestKind::equals;
    test.level = text(j, "level", where);
  } else if (kind == "missing") {
    test.kind = TestKind::missing;
  } else {
    throw Fault{fmt::format("\"test\" of {} is '{}'", where, printable(kind))};
  }
  return test;
}

PathCounts read_counts(const Json& list, const Diagram& diagram, std::size_t classes) {
  if (list.size() != diagram.num_paths())
    throw Fault{fmt::format("\"paths\" has {} entries, the diagram has {} paths", list.size(), diagram.num_paths())};
  PathCounts counts(diagram.num_paths(), classes);
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < list.size(); ++p) {
    if (!list[p].is_array() || list[p].size() != classes)
      throw Fault{fmt::format("path {} does not have a count for each of {} classes", p, classes)};
    for (std::size_t k = 0; k < classes; ++k) {
      const std::int64_t n = whole(list[p][k], fmt::format("a count of path {}", p), 0, INT64_MAX);
      if (__builtin_add_overflow(sum, n, &sum)) throw Fault{"the counts of all paths sum to more than 2^63"};
      counts.add(p, Class{k}, n);
    }
  }
  return counts;
}

Training read_training(const Json& j, std::int64_t version) {
  const char* where = "training";
  const auto number = [&](const char* key, std::int64_t low = 0) { return whole(j, key, where, low, INT64_MAX); };
  Training t;
  t.engine = text(j, "engine", where);
  t.rows = number("rows");
  t.total_weight = number("total_weight");
  t.weight_scale = number("weight_scale", 1);
  t.errors = number("errors");
  t.seed = number("seed");
  t.thresholds = text(j, "thresholds", where);
  t.num_features = number("num_features");
  if (version < kModelVersion || j.contains("data_sha256")) t.data_sha256 = text(j, "data_sha256", where);
  if (version < kModelVersion) return t;
  t.hashes.rows = text(j, "rows_sha256", where);
  if (j.contains("file_sha256")) t.hashes.file = text(j, "file_sha256", where);
  return t;
}

// Files of version 1 have parts of the claim among the training, and stay silent about the rest.
Claim claim_of_version_1(const Json& j, const Training& t, const Binarizer& binarizer) {
  const char* where = "training";
  const Json& faithful = member(j, "faithful", where);
  if (!faithful.is_boolean()) throw Fault{"\"faithful\" of training is not true or false"};
  const auto status = parse_status(text(j, "status", where));
  if (status != SolveStatus::optimal && status != SolveStatus::feasible)
    throw Fault{fmt::format("\"status\" of training is '{}'", printable(text(j, "status", where)))};
  Claim c;
  c.status = *status;
  c.lower_bound = whole(j, "lower_bound", where, 0, INT64_MAX);
  c.upper_bound = t.errors;
  c.scale = t.weight_scale;
  const bool tree = t.engine == "maxsat-dt" || t.engine == "cart";
  c.scope.family = tree ? Scope::Family::trees : Scope::Family::diagrams;
  c.scope.depth = static_cast<std::size_t>(whole(j, "depth", where, 0, INT64_MAX));
  c.scope.exactly = faithful.get<bool>();
  c.scope.num_features = c.scope.num_allowed = static_cast<std::size_t>(t.num_features);
  for (const InputColumn& input : binarizer.inputs())
    if (input.type == ColumnType::numeric) c.scope.thresholds = t.thresholds;
  c.prover.kind = t.engine == "search"             ? Prover::Kind::search
                  : t.engine == "enumerate"        ? Prover::Kind::enumeration
                  : t.engine.starts_with("maxsat") ? Prover::Kind::maxsat
                                                   : Prover::Kind::nobody;
  if (c.prover.kind == Prover::Kind::nobody) c.status = SolveStatus::feasible;
  if (c.lower_bound > t.errors || (is_proven(c) && c.lower_bound != t.errors))
    throw Fault{fmt::format("a lower bound of {} does not fit \"errors\" {} of status {}", c.lower_bound, t.errors,
                            to_string(c.status))};
  return c;
}

Claim read_claim(const Json& j, const Training& t, const Binarizer& binarizer) {
  if (!j.contains("claim")) return claim_of_version_1(j["training"], t, binarizer);
  auto claim = claim_from_json(j["claim"].dump());
  if (!claim) throw Fault{claim.error().message};
  return *std::move(claim);
}

void check_head(const Json& j) {
  const bool named = j.is_object() && j.contains("format") && j["format"].is_string();
  if (!named || j["format"].get_ref<const std::string&>() != "beadwork-model") throw Fault{"is not a beadwork model"};
  const std::int64_t version = whole(j, "version", "the model", 1, INT64_MAX);
  if (version > kModelVersion)
    throw Fault{fmt::format("is a model of version {}, this program reads up to version {}", version, kModelVersion)};
  const bool votes = version == kCommittees || j.contains("committee");
  if (votes != j.contains("members") || votes != j.contains("committee"))
    throw Fault{"a committee has \"committee\" and \"members\""};
  if (votes && version < kCommittees) throw Fault{fmt::format("a committee has version {} or more", kCommittees)};
  if (!j.contains("sha256")) return;  // written by hand
  Json body = j;
  body.erase("sha256");
  if (text(j, "sha256", "the model") != checksum(body))
    throw Fault{"its checksum does not match: the file was altered"};
}

std::vector<std::string> read_edits(const Json& j) {
  std::vector<std::string> edits;
  if (!j.contains("edits")) return edits;
  for (const Json& edit : array(j, "edits", "the model")) {
    if (!edit.is_string()) throw Fault{"the edits hold more than texts"};
    edits.push_back(edit.get<std::string>());
  }
  return edits;
}

Model read_model(const Json& j) {
  check_head(j);
  only(j,
       {"format", "version", "target", "classes", "target_cuts", "reading", "columns", "features", "diagram", "paths",
        "claim", "request", "training", "edits", "committee", "members", "sha256"},
       "the model");
  const std::int64_t version = whole(j, "version", "the model", 1, INT64_MAX);
  const bool first = version == 1;
  if (version < kModelVersion && j.contains("request"))
    throw Fault{fmt::format("version {} has no \"request\"", version)};
  const Json& training = member(j, "training", "the model");
  only(training,
       {"engine", "rows", "total_weight", "weight_scale", "errors", "seed", "thresholds", "num_features", "data_sha256",
        version < kModelVersion ? "engine" : "rows_sha256", version < kModelVersion ? "engine" : "file_sha256",
        first ? "status" : "engine", first ? "depth" : "engine", first ? "lower_bound" : "engine",
        first ? "faithful" : "engine"},
       "training");
  if (first == j.contains("claim")) throw Fault{first ? "version 1 has no \"claim\"" : "the model has no \"claim\""};
  Binarizer::Parts b;
  b.target = text(j, "target", "the model");
  b.class_names = texts(array(j, "classes", "the model"), "the classes");
  if (j.contains("target_cuts")) {
    b.target_cuts = read_reading(Json{{"cuts", j["target_cuts"]}}, "the target").cuts;
    if (b.target_cuts.size() + 1 != b.class_names.size()) throw Fault{"the target's cuts do not make its classes"};
  }
  const Json& columns = array(j, "columns", "the model");
  for (std::size_t i = 0; i < columns.size(); ++i) b.inputs.push_back(read_input(columns[i], i));
  Model::Parts parts;
  const Json& features = array(j, "features", "the model");
  for (std::size_t i = 0; i < features.size(); ++i) {
    b.tests.push_back(read_test(features[i], i, b.inputs.size()));
    parts.matrix_columns.push_back(
        static_cast<std::size_t>(whole(features[i], "index", fmt::format("feature {}", i), 0, UINT32_MAX)));
  }
  const std::size_t classes = b.class_names.size();
  auto binarizer = Binarizer::make(std::move(b));
  if (!binarizer) throw Fault{binarizer.error().message};
  parts.binarizer = *std::move(binarizer);
  if (j.contains("reading")) parts.reading = model::read_options(j["reading"]);
  const Json& diagram = member(j, "diagram", "the model");
  only(diagram, {"nodes"}, "the diagram");
  parts.diagram = read_nodes(array(diagram, "nodes", "the diagram"), features.size(), classes);
  parts.counts = read_counts(array(j, "paths", "the model"), parts.diagram, classes);
  parts.training = read_training(training, version);
  if (j.contains("request")) parts.training.asked = read_asked(j["request"], parts.binarizer.class_names());
  parts.claim = read_claim(j, parts.training, parts.binarizer);
  parts.edits = read_edits(j);
  parts.standing = Standing::claimed;
  parts.sealed = j.contains("sha256") || !parts.edits.empty();  // one with edits says that it was changed
  auto model = Model::make(std::move(parts));
  if (!model) throw Fault{model.error().message};
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::string where = fmt::format("feature {}", i);
    if (const std::string name = model->feature_name(Feature{i}); text(features[i], "name", where) != name)
      throw Fault{fmt::format("\"name\" of {} is not '{}', which its test says", where, printable(name))};
  }
  return *std::move(model);
}

// The claim of the vote, and the members with the optimum's diagram first.
Committee read_committee(const Json& j, Model optimum) {
  const Json& head = j["committee"];
  only(head, {"within", "extent", "num_sets"}, "the committee");
  CommitteeClaim claim;
  claim.within = whole(head, "within", "the committee", 0, INT64_MAX);
  const auto extent = parse_extent(text(head, "extent", "the committee"));
  if (!extent) throw Fault{"\"extent\" of the committee is not complete, first or stopped"};
  claim.extent = *extent;
  claim.num_sets = static_cast<std::uint64_t>(whole(head, "num_sets", "the committee", 0, INT64_MAX));
  std::vector<Committee::Member> members;
  for (const Json& entry : array(j, "members", "the committee")) {
    const std::string where = fmt::format("member {}", members.size());
    only(entry, {"cost", "nodes"}, where);
    members.push_back({read_nodes(array(entry, "nodes", where), optimum.num_features(), optimum.class_names().size()),
                       whole(entry, "cost", where, 0, INT64_MAX)});
  }
  claim.members = members.size();
  auto committee = Committee::make(std::move(optimum), std::move(members), claim);
  if (!committee) throw Fault{committee.error().message};
  return *std::move(committee);
}

}  // namespace

Result<Predictor> predictor_from_json(std::string_view text, const std::string& name) {
  TRY(const auto json, parse_json(text, name, "a model file"));
  try {
    Model model = read_model(json);
    if (!json.contains("committee")) return Predictor(std::move(model));
    return Predictor(read_committee(json, std::move(model)));
  } catch (const Fault& fault) {
    return input_error(fault.message, name);
  } catch (const std::invalid_argument& e) {
    return input_error(e.what(), name);
  } catch (const Json::exception& e) {
    return input_error(fmt::format("is not a valid model: {}", e.what()), name);
  }
}

Result<Model> model_from_json(std::string_view text, const std::string& name) {
  TRY(auto read, predictor_from_json(text, name));
  if (Model* model = std::get_if<Model>(&read)) return std::move(*model);
  return input_error("is a committee; a single model is needed here", name);
}

}  // namespace beadwork
