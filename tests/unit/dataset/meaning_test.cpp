#include <beadwork/dataset.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

TEST(Meaning, PlainDecimals) {
  for (const auto& [text, shortest] : std::vector<std::pair<std::string, std::string>>{{"1", "1"},
                                                                                       {"1.0", "1"},
                                                                                       {"1.", "1"},
                                                                                       {"-0.0", "0"},
                                                                                       {"-0", "0"},
                                                                                       {"100", "100"},
                                                                                       {"100.00", "100"},
                                                                                       {"2.50", "2.5"},
                                                                                       {"-0.50", "-0.5"},
                                                                                       {"0.05", "0.05"}})
    EXPECT_EQ(plain_decimal(text), shortest) << text;
  for (const char* text : {"", "-", ".", ".5", "01", "+1", "1e0", "1.0.0", " 1", "1 ", "--1", "1,0", "x", "1x", "00"})
    EXPECT_EQ(plain_decimal(text), std::nullopt) << text;
}

std::string level_of(const InputColumn& column, const std::string& text) {
  const Meanings meanings(column);
  if (meanings.missing(text)) return "missing";
  const auto level = meanings.level_of(text);
  return level ? meanings.levels()[*level] : "nothing";
}

// Every spelling agrees with what the exports are told of the level.
void expect_level(const InputColumn& column, const std::string& text, const std::string& level) {
  EXPECT_EQ(level_of(column, text), level) << text;
  const Meanings meanings(column);
  for (std::size_t i = 0; i < meanings.levels().size(); ++i) {
    if (meanings.rest() == i || meanings.missing(text)) continue;
    const std::string& name = meanings.levels()[i];
    EXPECT_EQ(spells(meanings.spelling(i), text), name == level) << text << " as " << name;
  }
}

TEST(Meaning, Truths) {
  const InputColumn words{"a", ColumnType::nominal, {"No", "Yes"}}, bits{"a", ColumnType::nominal, {"0", "1"}};
  for (const char* yes : {"Yes", "YES", "true", "T", "y", "on", "1", "1.0", "1.00"}) expect_level(words, yes, "Yes");
  for (const char* no : {"No", "nO", "FALSE", "off", "0", "0.0", "-0.0", "-0"}) expect_level(words, no, "No");
  for (const char* none : {"", "2", "1e0", "01", "+1", "yess", "-1", "0.5"}) expect_level(words, none, "nothing");
  for (const char* yes : {"1", "1.0", "TRUE", "yes"}) expect_level(bits, yes, "1");
  for (const char* no : {"0", "-0.0", "False", "no"}) expect_level(bits, no, "0");
}

TEST(Meaning, NumbersWordsAndTheRest) {
  const InputColumn numbers{"a", ColumnType::nominal, {"1", "2.50", "10"}};
  expect_level(numbers, "10.0", "10");
  expect_level(numbers, "2.5", "2.50");
  expect_level(numbers, "1.00", "1");
  for (const char* none : {"100", "yes", "true", "010", "1e1", "2.05"}) expect_level(numbers, none, "nothing");
  const InputColumn versions{"a", ColumnType::nominal, {"1.1", "1.10", "2"}};  // one number, two names: to the letter
  expect_level(versions, "1.10", "1.10");
  expect_level(versions, "1.1", "1.1");
  expect_level(versions, "1.100", "nothing");
  const InputColumn mixed{"a", ColumnType::nominal, {"True", "maybe", "1"}};
  expect_level(mixed, "TRUE", "True");
  expect_level(mixed, "MAYBE", "nothing");
  expect_level(mixed, "1.0", "1");
  const InputColumn rest{"a", ColumnType::nominal, {"x", "7", "other"}, {.missing = {"-"}, .other = "other"}};
  expect_level(rest, "rare", "other");
  expect_level(rest, "7.0", "7");
  expect_level(rest, "other", "other");
  expect_level(rest, "-", "missing");
  const InputColumn ordered{
      "a", ColumnType::numeric, {}, {.kind = Reading::Kind::ordinal, .levels = {"3", "1", "true", "low"}}};
  expect_level(ordered, "3.0", "3");
  expect_level(ordered, "TRUE", "true");
  expect_level(ordered, "Low", "nothing");
}

}  // namespace
}  // namespace beadwork
