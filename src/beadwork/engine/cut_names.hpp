#pragma once
// Names of features and columns as cuts of sorted columns: what require, forbid and candidate mean there.
#include <beadwork/engine/request.hpp>
#include <beadwork/ordered.hpp>

namespace beadwork {

class CutNames {
 public:
  explicit CutNames(const RankedData& data);

  // Fills in what the request restricts. Returns how many features may be selected; the Error names the option.
  Result<std::size_t> restrict(const Request& request, OrderedOptions& options) const;
  // Does the request name a column without any value? Its only feature is no cut.
  bool any_constant(const Request& request) const;

 private:
  struct Named {
    std::vector<std::uint32_t> columns;
    std::vector<Cut> cuts;
  };
  std::vector<Cut> cuts_named(const std::string& name) const;
  std::vector<std::uint32_t> columns_named(const std::string& name) const;
  Result<Named> named(const std::vector<std::string>& names, const char* option) const;
  std::string name_of(Cut cut) const { return namer_.feature_name(to_test(data_, cut)); }

  const RankedData& data_;
  Binarizer namer_;  // has the inputs
};

}  // namespace beadwork
