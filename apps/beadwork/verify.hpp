#pragma once
#include <beadwork/dataset.hpp>

#include <string>

namespace beadwork {

struct Verdict {
  bool verified = false;
  std::string line;  // what the checker said, or why it was not asked
};

// Is the text a certificate over all thresholds, about the values of a table?
bool over_values(const std::string& certificate);

inline const std::string kNoModel = "-";  // in place of a model: is the bound alone proven?
// Asks the installed beadcheck whether it accepts the certificate for this model and these rows. A checker that is not
// there, or does not finish within `limit` seconds, has not checked.
Verdict verify(const Dataset& dataset, const std::string& model, const std::string& certificate, double limit,
               const Control& control);

}  // namespace beadwork
