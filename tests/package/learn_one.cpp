// Learns a diagram with an installed beadwork and prints it.
#include <beadwork/engine.hpp>
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>
#include <beadwork/samples.hpp>

#include <cstdio>

using namespace beadwork;

int main() {
  const auto table = make_sample("multiplexer-6");
  if (!table) return 1;
  const auto binarizer = Binarizer::fit(*table, {});
  if (!binarizer) return 1;
  const auto dataset = binarizer->apply(*table);
  if (!dataset) return 1;
  Request options;
  options.run.depth.most = 6;
  const auto outcome = learn(*dataset, options);
  if (!outcome || outcome->status() != SolveStatus::optimal || outcome->claim.upper_bound != 0) return 1;
  const auto model = make_model(*binarizer, *dataset, outcome->features, *outcome->diagram,
                                {"search", 0, "quantiles:8"}, outcome->claim);
  if (!model) return 1;
  std::fputs(text_diagram(*model).c_str(), stdout);
  const auto again = model_from_json(to_json(*model));
  return again && *again == *model ? 0 : 1;
}
