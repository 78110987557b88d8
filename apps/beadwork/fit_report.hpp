#pragma once
// What `fit` tells: on standard output and on the page.
#include "input_flags.hpp"
#include <beadwork/evidence.hpp>

#include <string>

namespace beadwork {

// What was learnt, and from what.
struct Fitted {
  const LoadedData& data;
  const Request& request;
  const Outcome& outcome;
  const Model& model;
  const std::optional<Committee>& committee;
};

// For people: errors, claim, size, rules, diagram, lists.
std::string summary(const Fitted& fitted);
// What is proven of the size, with bias size.
std::string size_words(const Request& request, const SizeProof& size);

struct PageFiles {
  std::string data, test, certificate;
};
// The facts of the page beside the model; the rows of the test file are read here. After the deadline CART is compared
// with the model only where that is quick. Without test rows the folds of a cross-validation are answered in at most a
// fifth of the seconds that the fit took.
Result<ReportFacts> page_facts(const Fitted& fitted, const PageFiles& files, const ReadOptions& reading,
                               std::vector<ReportFacts::Moment> bounds, double seconds, Control control);

}  // namespace beadwork
