#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

// An engine's table made a diagram by options.bias.
struct Shaped {
  TruthTable table;  // with its free cells, in the diagram's order
  Diagram diagram;
  std::optional<SizeProof> size;
};
Result<Shaped> shape(const Dataset& dataset, const Options& options, const std::vector<std::int64_t>& costs,
                     const Found& found, const Control& control);

}  // namespace beadwork
