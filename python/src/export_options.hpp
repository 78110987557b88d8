#pragma once
// The options of an export, as the package hands them over.
#include "bindings.hpp"
#include <beadwork/exports.hpp>

namespace beadwork::python {

using OptionTexts = std::vector<std::pair<std::string, std::string>>;  // name, text

inline ExportOptions export_options(const OptionTexts& texts) {
  ExportOptions out;
  for (const auto& [name, text] : texts) take(set_export_option(out, name, text));
  return out;
}

}  // namespace beadwork::python
