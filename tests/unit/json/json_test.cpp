#include <beadwork/json.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace beadwork {
namespace {

std::string refusal(const std::string& text) {
  const auto json = parse_json(text, "x", "a model file");
  return json ? "none" : json.error().to_string();
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(Json, ReadsInOrder) {
  const auto json = parse_json(R"({"b": [1, 2.5, "x"], "a": {"c": null, "d": true}})", "x", "a list");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(), R"({"b":[1,2.5,"x"],"a":{"c":null,"d":true}})");
}

TEST(Json, RefusesWhatIsNone) {
  EXPECT_EQ(refusal(""), "x: is not valid JSON at byte 1 (is it truncated, or not a model file?)");
  EXPECT_EQ(refusal("{\"a\": 1"), "x: is not valid JSON at byte 8 (is it truncated, or not a model file?)");
  EXPECT_EQ(refusal("1e999"), "x: holds a number that is out of range");
}

TEST(Json, RefusesDeepNesting) {
  EXPECT_EQ(refusal(nested(64)), "none");
  EXPECT_EQ(refusal(nested(66)), "x: is nested deeper than 64 levels");
  EXPECT_EQ(refusal(nested(200'000)), "x: is nested deeper than 64 levels");
  EXPECT_EQ(refusal(std::string(200'000, '[')), "x: is nested deeper than 64 levels");
}

TEST(Json, RefusesAKeyGivenTwice) {
  EXPECT_EQ(refusal(R"({"a": 1, "b": {"a": 2}})"), "none");
  EXPECT_EQ(refusal(R"({"b": {"a": 1, "a": 2}})"), "x: has the key \"a\" twice in one object");
}

}  // namespace
}  // namespace beadwork
