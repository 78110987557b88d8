#pragma once
#include <beadwork/dataset.hpp>

#include <string>
#include <vector>

namespace beadwork {

// A csv file with the names of the classes as header and as first column, in any order; the entry of row j and column k
// is the cost of predicting k for class j. Returned as text, row by row, in the dataset's order of classes.
Result<std::vector<double>> read_costs(const std::string& path, const Dataset& dataset);

}  // namespace beadwork
