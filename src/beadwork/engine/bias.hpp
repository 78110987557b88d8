#pragma once
#include <beadwork/engine/task.hpp>

namespace beadwork {

// An engine's table made a diagram by the bias asked for.
struct Shaped {
  TruthTable table;  // with its free cells, in the diagram's order
  Diagram diagram;
  std::optional<SizeProof> size;
  bool settled = true;  // false: a limit came first, and with more time it might be another
};
Result<Shaped> shape(const Task& task, const EngineAnswer& found, const Control& control);

}  // namespace beadwork
