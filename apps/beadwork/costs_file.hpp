#pragma once
#include <beadwork/dataset.hpp>

#include <string>
#include <vector>

namespace beadwork {

// A csv file with the names of the classes as header and as first column, in any order; the entry of row j and column k
// is the cost of predicting k for class j. Or in place of the file's name the costs themselves, as a model file has
// them (are_costs). Row by row, in the dataset's order of classes.
bool are_costs(const std::string& text);
Result<std::vector<double>> read_costs(const std::string& path, const Dataset& dataset);

}  // namespace beadwork
