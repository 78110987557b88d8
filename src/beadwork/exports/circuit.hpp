#pragma once
// Raw columns as wires: a number is a signed integer and a bit that says whether it is missing, a text is its code.
#include <beadwork/exports/plan.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace beadwork::exports {

struct Wires {
  std::vector<std::string> ids;      // of the values
  std::vector<std::string> missing;  // of the bits beside numbers; empty for texts and binary features
  std::vector<std::size_t> width;    // of the values; 0 for binary features
};
Wires wires_of(const Plan& plan);

// Comment lines: what describe says, the numbers of the texts, and the output.
std::vector<std::string> describe_circuit(const Plan& plan, const Wires& wires);

std::size_t class_width(const Plan& plan);

// The tests in a hardware language: {0} the value, {1} its missing bit, {2} a constant of the value's width.
struct WireTests {
  std::string missing, present, at_most, equals, between, never, bit, either;  // between {2} and {3}
  std::string (*number)(std::int64_t value, std::size_t width);
  std::string (*code)(std::size_t value, std::size_t width);
};
std::string wire_condition(const Plan& plan, const Wires& wires, const WireTests& tests, Feature f);

}  // namespace beadwork::exports
