#include "fitting.hpp"
#include <beadwork/model.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;
using fixtures::fitted;
using fixtures::small_model;

std::string refusal(const std::string& text) {
  const auto m = model_from_json(text, "m.json");
  if (m) return "accepted";
  EXPECT_EQ(m.error().code, ErrorCode::input);
  const std::string line = m.error().to_string();
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  EXPECT_EQ(line.find("json.exception"), std::string::npos) << line;
  EXPECT_TRUE(line.starts_with("m.json: ")) << line;
  return line.substr(8);
}

// The small model as a person would write it, without a checksum, after a change.
std::string changed(const std::function<void(Json&)>& change) {
  Json j = Json::parse(to_json(small_model()));
  j.erase("sha256");
  change(j);
  return refusal(j.dump());
}

std::string replaced(const std::string& from, const std::string& to) {
  Json j = Json::parse(to_json(small_model()));
  j.erase("sha256");
  std::string text = j.dump();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return refusal(text.replace(at, from.size(), to));
}

TEST(ModelJson, RoundTripIsByteIdentical) {
  for (std::int64_t depth = 0; depth <= 4; ++depth) {
    const Model m = fitted(fixtures::kShop, depth).model;
    const std::string text = to_json(m);
    const auto back = model_from_json(text);
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_EQ(*back, m);
    EXPECT_EQ(to_json(*back), text);
  }
}

TEST(ModelJson, EditsAreKept) {
  Json j = Json::parse(to_json(small_model()));
  j.erase("sha256");
  j["claim"]["status"] = "feasible";
  j["claim"]["proven_by"] = "hand";
  j["edits"] = {"again", "again", "</script>"};
  const auto edited = model_from_json(j.dump());
  ASSERT_TRUE(edited) << edited.error().to_string();
  EXPECT_EQ(edited->edits(), (std::vector<std::string>{"again", "again", "</script>"}));
  EXPECT_EQ(*model_from_json(to_json(*edited)), *edited);
  EXPECT_FALSE(*edited == small_model());
  EXPECT_EQ(changed([](Json& x) {
              x["claim"]["status"] = "optimal";
              x["claim"]["proven_by"] = "search";
              x["claim"]["lower_bound"] = x["claim"]["upper_bound"];
              x["edits"] = {"proven all the same"};
            }),
            "a model with edits is not proven optimal");
  EXPECT_EQ(changed([](Json& x) { x["edits"] = {1}; }), "the edits hold more than texts");
}

TEST(ModelJson, HostileNamesSurvive) {
  const std::string name = "a \"b\" \\ </script> \u202e\u00e9 \U0001F600";
  const Model m = fitted("x,\"a \"\"b\"\" \\ </script> \u202e\u00e9 \U0001F600\"\n1,'; DROP\n2,=1+1\n3,*/\n", 2).model;
  EXPECT_EQ(m.binarizer().target(), name);
  const auto back = model_from_json(to_json(m));
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(*back, m);
}

TEST(ModelJson, TruncatedAnywhereIsRefused) {
  const Model m = small_model();
  const std::string text = to_json(m);
  ASSERT_EQ(text.back(), '\n');
  for (std::size_t n = 0; n + 1 < text.size(); ++n) {
    const auto cut = model_from_json(text.substr(0, n));
    ASSERT_FALSE(cut) << "cut at " << n;
    EXPECT_EQ(cut.error().message.find('\n'), std::string::npos);
  }
  const auto whole = model_from_json(text.substr(0, text.size() - 1));  // only the last line break is gone
  ASSERT_TRUE(whole);
  EXPECT_EQ(*whole, m);
}

TEST(ModelJson, AFlippedBitIsRefusedOrChangesNothing) {
  const Model m = small_model();
  const std::string text = to_json(m);
  std::size_t harmless = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      const auto got = model_from_json(flipped);
      if (!got) continue;
      ++harmless;
      EXPECT_EQ(*got, m) << "byte " << i << " bit " << bit;
    }
  EXPECT_LT(harmless, text.size() / 4);  // blanks only
}

TEST(ModelJson, AChangedByteIsRefusedOrChangesNothing) {
  const Model m = small_model();
  const std::string text = to_json(m);
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char c : {'0', '9', ' ', '"', '}', '\0', '\xff', 'x'}) {
      std::string changed_text = text;
      changed_text[i] = c;
      const auto got = model_from_json(changed_text);
      if (got) {
        EXPECT_EQ(*got, m) << "byte " << i << " to " << static_cast<int>(c);
      }
    }
}

TEST(ModelJson, Checksum) {
  std::string text = to_json(small_model());
  const std::string whole = text;
  text.replace(text.find("[3,1]"), 5, "[1,3]");
  EXPECT_EQ(refusal(text), "its checksum does not match: the file was altered");
  EXPECT_EQ(*model_from_json(Json::parse(whole).dump()), small_model());  // indentation is free
  EXPECT_EQ(*model_from_json(Json::parse(whole).dump(4) + "\n\n"), small_model());
}

TEST(ModelJson, WithoutAChecksumItIsWrittenByHand) {
  Json j = Json::parse(to_json(small_model()));
  j.erase("sha256");
  const auto m = model_from_json(j.dump());
  ASSERT_TRUE(m) << m.error().to_string();
  EXPECT_EQ(*m, small_model());
}

TEST(ModelJson, WhatIsNoModel) {
  EXPECT_EQ(refusal(""), "is not valid JSON at byte 1 (is it truncated, or not a model file?)");
  EXPECT_EQ(refusal("a,b\n1,2\n"), "is not valid JSON at byte 1 (is it truncated, or not a model file?)");
  EXPECT_EQ(refusal("{}"), "is not a beadwork model");
  EXPECT_EQ(refusal("[]"), "is not a beadwork model");
  EXPECT_EQ(refusal("7"), "is not a beadwork model");
  EXPECT_EQ(refusal("{\"format\": \"other\"}"), "is not a beadwork model");
  EXPECT_EQ(refusal("{\"format\": 7}"), "is not a beadwork model");
}

TEST(ModelJson, VersionsAreBothNamed) {
  EXPECT_EQ(changed([](Json& j) { j["version"] = 5; }), "is a model of version 5, this program reads up to version 4");
  EXPECT_EQ(changed([](Json& j) { j["version"] = 3; }), "a committee has \"committee\" and \"members\"");
  EXPECT_NE(changed([](Json& j) { j["version"] = 0; }), "accepted");
  EXPECT_NE(changed([](Json& j) { j["version"] = "1"; }), "accepted");
}

TEST(ModelJson, Graphs) {
  const auto node = [](Json& j, std::size_t i) -> Json& { return j["diagram"]["nodes"][i]; };
  EXPECT_NE(changed([&](Json& j) { node(j, 1)["low"] = 0; }), "accepted");   // a cycle
  EXPECT_NE(changed([&](Json& j) { node(j, 1)["high"] = 1; }), "accepted");  // onto itself
  EXPECT_EQ(changed([&](Json& j) { node(j, 1)["high"] = 4; }), "\"high\" of node 1 is not a whole number from 0 to 3");
  EXPECT_EQ(changed([&](Json& j) { node(j, 0)["feature"] = 2; }),
            "\"feature\" of node 0 is not a whole number from 0 to 1");
  EXPECT_EQ(changed([&](Json& j) { node(j, 2)["class"] = 2; }),
            "\"class\" of node 2 is not a whole number from 0 to 1");
  EXPECT_NE(changed([&](Json& j) { node(j, 1)["high"] = 2; }), "accepted");  // 3 is out of reach
  EXPECT_NE(changed([&](Json& j) { j["diagram"]["nodes"].push_back({{"class", 0}}); }), "accepted");
  EXPECT_NE(changed([&](Json& j) { j["diagram"]["nodes"] = Json::array(); }), "accepted");
  EXPECT_NE(changed([&](Json& j) { node(j, 2) = 5; }), "accepted");
}

TEST(ModelJson, MorePathsThanAnybodyReads) {
  // A ladder of 40 nodes, each with two edges to the next: 2^40 paths in a small file.
  EXPECT_NE(changed([](Json& j) {
              Json nodes = Json::array();
              for (int i = 0; i < 40; ++i) nodes.push_back({{"feature", 0}, {"low", i + 1}, {"high", i + 1}});
              nodes.push_back({{"class", 0}});
              j["diagram"]["nodes"] = nodes;
            }),
            "accepted");
}

TEST(ModelJson, Numbers) {
  for (const char* number :
       {"9223372036854775808", "18446744073709551616", "-1", "1.5", "1.0", "1e3", "\"3\"", "null", "true", "[]"})
    EXPECT_EQ(replaced("[3,1]", std::string("[") + number + ",1]"),
              "a count of path 1 is not a whole number from 0 to 9223372036854775807")
        << number;
  EXPECT_EQ(replaced("[3,1]", "[1e400,1]"), "holds a number that is out of range");
  EXPECT_EQ(replaced("\"threshold\":30.0", "\"threshold\":1e400"), "holds a number that is out of range");
  EXPECT_EQ(replaced("\"threshold\":30.0", "\"threshold\":-1e999"), "holds a number that is out of range");
  EXPECT_NE(replaced("\"threshold\":30.0", "\"threshold\":NaN"), "accepted");
  EXPECT_EQ(replaced("\"threshold\":30.0", "\"threshold\":null"), "\"threshold\" of feature 0 is not a number");
  EXPECT_EQ(changed([](Json& j) {
              j["paths"][0] = {INT64_MAX, 0};
              j["paths"][1] = {INT64_MAX, 0};
            }),
            "the counts of all paths sum to more than 2^63");
  for (const char* key : {"rows", "total_weight", "weight_scale", "errors", "seed", "num_features"})
    for (const Json& value : {Json(-1), Json(0.5), Json("1"), Json(9223372036854775808U)})
      EXPECT_NE(changed([&](Json& j) { j["training"][key] = value; }), "accepted") << key << value;
  for (const char* key : {"depth", "lower_bound", "upper_bound", "scale", "num_features", "rounding"})
    for (const Json& value : {Json(-1), Json(0.5), Json("1"), Json(9223372036854775808U)})
      EXPECT_NE(changed([&](Json& j) { j["claim"][key] = value; }), "accepted") << key << value;
}

TEST(ModelJson, KeysGivenTwice) {
  EXPECT_EQ(replaced("\"version\":4", "\"version\":4,\"version\":4"), "has the key \"version\" twice in one object");
  EXPECT_EQ(replaced("\"class\":0", "\"class\":0,\"class\":0"), "has the key \"class\" twice in one object");
}

TEST(ModelJson, DeepNesting) {
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_EQ(refusal(nested(64)), "is not a beadwork model");
  EXPECT_EQ(refusal(nested(66)), "is nested deeper than 64 levels");
  EXPECT_EQ(refusal(std::string(1 << 20, '[')), "is nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refusal(objects), "is nested deeper than 64 levels");
}

TEST(ModelJson, Lengths) {
  EXPECT_EQ(changed([](Json& j) { j["paths"].erase(2); }), "\"paths\" has 2 entries, the diagram has 3 paths");
  EXPECT_EQ(changed([](Json& j) { j["paths"].push_back({0, 0}); }), "\"paths\" has 4 entries, the diagram has 3 paths");
  EXPECT_EQ(changed([](Json& j) { j["paths"][0] = {0}; }), "path 0 does not have a count for each of 2 classes");
  EXPECT_EQ(changed([](Json& j) { j["paths"][0] = {0, 0, 0}; }), "path 0 does not have a count for each of 2 classes");
  EXPECT_NE(changed([](Json& j) { j["classes"] = {"no"}; }), "accepted");
  EXPECT_NE(changed([](Json& j) { j["classes"] = Json::array(); }), "accepted");
  EXPECT_NE(changed([](Json& j) { j["features"].erase(1); }), "accepted");
  EXPECT_NE(changed([](Json& j) { j["columns"].erase(1); }), "accepted");
}

// Every entry is needed, and none besides those that are known.
TEST(ModelJson, MissingAndUnknownKeys) {
  const Json whole = Json::parse(to_json(small_model()));
  const auto without_each_key = [&](const std::string& at) {
    const Json::json_pointer pointer(at);
    for (const auto& item : whole[pointer].items()) {
      const std::string& key = item.key();
      if (key == "sha256") continue;
      EXPECT_NE(changed([&](Json& j) { j[pointer].erase(key); }), "accepted") << at << " " << key;
    }
    EXPECT_NE(changed([&](Json& j) { j[pointer]["extra"] = 1; }).find("unknown key \"extra\""), std::string::npos)
        << at;
  };
  for (const char* at : {"", "/columns/1", "/features/0", "/features/1", "/diagram", "/diagram/nodes/0",
                         "/diagram/nodes/2", "/training"})
    without_each_key(at);
}

TEST(ModelJson, NamesTwiceOrWrong) {
  EXPECT_EQ(changed([](Json& j) { j["classes"] = {"no", "no"}; }), "the classes hold 'no' twice");
  EXPECT_EQ(changed([](Json& j) { j["columns"][1]["name"] = "age"; }), "the column 'age' appears twice");
  EXPECT_EQ(changed([](Json& j) {
              j["columns"][1]["levels"] = {"red", "red"};
            }),
            "the levels of column 1 hold 'red' twice");
  EXPECT_EQ(changed([](Json& j) { j["features"][1]["level"] = "pink"; }), "column 'color' has no value 'pink'");
  EXPECT_EQ(changed([](Json& j) { j["features"][1]["name"] = "color = blue"; }),
            "\"name\" of feature 1 is not 'color = red', which its test says");
  EXPECT_EQ(changed([](Json& j) { j["features"][0]["column"] = 1; }), "a threshold on the nominal column 'color'");
  EXPECT_EQ(changed([](Json& j) { j["features"][0]["test"] = "greater"; }), "\"test\" of feature 0 is 'greater'");
  EXPECT_EQ(changed([](Json& j) { j["columns"][0]["type"] = "text"; }), "\"type\" of column 0 is 'text'");
}

// As version 0.1.0 wrote it: parts of the claim stood among the training.
TEST(ModelJson, ReadsVersion1) {
  Json j = Json::parse(to_json(fixtures::small_model()));
  const auto now = model_from_json(j.dump());
  ASSERT_TRUE(now);
  j["version"] = 1;
  j.erase("sha256");
  j.erase("claim");
  j["training"].erase("rows_sha256");
  j["training"].update(
      {{"status", "optimal"}, {"lower_bound", 1}, {"depth", 2}, {"faithful", false}, {"data_sha256", "12ab"}});
  const auto old = model_from_json(j.dump());
  ASSERT_TRUE(old) << old.error().to_string();
  EXPECT_EQ(old->diagram(), now->diagram());
  EXPECT_EQ(old->counts(), now->counts());
  EXPECT_EQ(old->standing(), Standing::claimed);
  EXPECT_EQ(headline(old->claim(), old->standing()), "claimed optimal");
  EXPECT_EQ(old->claim().prover.kind, Prover::Kind::enumeration);
  EXPECT_EQ(old->claim().scope.depth, 2U);
  j["training"]["lower_bound"] = 0;
  EXPECT_FALSE(model_from_json(j.dump()));
}

TEST(ModelJson, ReadsVersion2AndSaysWhatItLacks) {
  Json j = Json::parse(to_json(fixtures::small_model()));
  j["version"] = 2;
  j.erase("sha256");
  j["training"].erase("rows_sha256");
  j["training"]["data_sha256"] = "12ab";
  const auto old = model_from_json(j.dump());
  ASSERT_TRUE(old) << old.error().to_string();
  EXPECT_FALSE(old->sealed());
  EXPECT_FALSE(old->training().asked);
  EXPECT_EQ(old->training().hashes, DataHashes{});
  EXPECT_EQ(old->training().data_sha256, "12ab");
  const auto again = model_from_json(to_json(*old));  // as version 4, with the old hash under its own name
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(*again, *old);
  EXPECT_TRUE(again->sealed());
  for (const char* key : {"rows_sha256", "file_sha256"}) {
    Json with = j;
    with["training"][key] = "00";
    EXPECT_FALSE(model_from_json(with.dump())) << key;
  }
  j["request"] = Json::object();
  EXPECT_EQ(refusal(j.dump()), "version 2 has no \"request\"");
}

TEST(ModelJson, TheRequestIsKeptAsData) {
  Model::Parts parts;
  const Model small = fixtures::small_model();
  Training training = small.training();
  training.asked = AskedFor{{{"depth", std::string("2..3")},
                             {"faithful", true},
                             {"max_nodes", std::int64_t{7}},
                             {"node_penalty", 0.1},
                             {"forbid", std::vector<std::string>{"a <= 1", "b, \"c\"", ""}}},
                            {0, 1.5, 1e15, 0.25}};
  training.hashes = {"00", "11"};
  const auto model = Model::make({small.binarizer(), small.matrix_columns(), small.diagram(), small.counts(), training,
                                  small.claim(), small.reading()});
  ASSERT_TRUE(model) << model.error().to_string();
  const auto back = model_from_json(to_json(*model));
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(*back, *model);
  EXPECT_EQ(back->training(), training);
  const Json j = Json::parse(to_json(*model));
  EXPECT_EQ(j["request"]["costs"]["rows"][0][1], 1.5);
  const auto with = [&](const std::function<void(Json&)>& change) {
    Json x = j;
    x.erase("sha256");
    change(x["request"]);
    return refusal(x.dump());
  };
  EXPECT_EQ(with([](Json& r) { r["costs"]["rows"].erase(0); }),
            "\"costs\" of the request does not have a row for each class");
  EXPECT_EQ(with([](Json& r) { r["costs"]["rows"][0][1] = -1; }), "a cost of the request is out of range");
  EXPECT_EQ(with([](Json& r) { r["costs"]["rows"][0][1] = "1"; }), "\"costs\" of the request holds more than numbers");
  EXPECT_EQ(with([](Json& r) {
              r["costs"]["classes"] = {"yes", "no"};
            }),
            "the classes of \"costs\" of the request are not the model's");
  EXPECT_EQ(with([](Json& r) { r["forbid"] = {1}; }), "\"forbid\" of the request holds more than texts");
  EXPECT_EQ(with([](Json& r) { r["x"] = nullptr; }),
            "\"x\" of the request is none of true, false, a number, a text and a list of texts");
}

TEST(ModelJson, TrainingMustAgreeWithThePaths) {
  EXPECT_EQ(changed([](Json& j) { j["training"]["errors"] = 0; }), "training has 0 errors, the paths have 1");
  EXPECT_EQ(changed([](Json& j) { j["training"]["total_weight"] = 5; }),
            "training has a total weight of 5, the paths sum to 4");
  EXPECT_EQ(changed([](Json& j) { j["claim"]["lower_bound"] = 2; }), "the bounds of the claim cross");
  EXPECT_EQ(changed([](Json& j) { j["claim"]["status"] = "optimal"; }), "the bounds of the claim do not prove it");
  EXPECT_EQ(changed([](Json& j) { j["claim"]["status"] = "best"; }), "\"status\" of the claim is 'best'");
  EXPECT_EQ(changed([](Json& j) { j["claim"]["upper_bound"] = 2; }), "the claim has 2 errors, training has 1");
  EXPECT_EQ(changed([](Json& j) {
              j["claim"]["status"] = "optimal";
              j["claim"]["lower_bound"] = 1;
            }),
            "the claim names no proof");
  EXPECT_EQ(changed([](Json& j) { j.erase("claim"); }), "the model has no \"claim\"");
}

}  // namespace
}  // namespace beadwork
