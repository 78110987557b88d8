#pragma once
// Where tables are looked for that are not part of the project (docs/data.md).
#include <beadwork/base.hpp>

#include <string>
#include <vector>

namespace beadwork {

// $BEADWORK_DATA alone, where it is set; else where `make data` puts them, then beside the checkout.
std::vector<std::string> data_places();

// The folder of the paper's tables in the first place that has some.
Result<std::string> paper_folder();
// The tables in it, by name.
Result<std::vector<std::string>> paper_tables();

}  // namespace beadwork
