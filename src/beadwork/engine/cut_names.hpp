#pragma once
// Names of features and columns as cuts of sorted columns: what require, forbid and candidate mean there.
#include <beadwork/engine/names.hpp>
#include <beadwork/engine/task.hpp>
#include <beadwork/ordered.hpp>

#include <map>
#include <string_view>

namespace beadwork {

class CutNames final : public Names {
 public:
  explicit CutNames(const RankedData& data);

  // Fills in what the request restricts; the Error names the option.
  struct Restricted {
    std::size_t num_allowed = 0;  // features that may be selected
    Requirements asked;
  };
  Result<Restricted> restrict(const Request& request, OrderedOptions& options) const;
  // Is a column required that the search over sorted columns cannot require in this request: one that is several sorted
  // columns, or, where sets are listed, any that has several features?
  bool requires_in_vain(const Request& request) const;
  // Does the request name a column without any value? Its only feature is no cut.
  bool any_constant(const Request& request) const;

  // Tests are numbered as the features of the data, columns as its inputs.
  std::vector<One> tests_named(const std::string& name) const override;
  std::vector<std::size_t> columns_named(const std::string& name) const override;
  std::string column_name(std::size_t column) const override { return data_.inputs[column].name; }
  std::vector<std::string> known() const override;
  std::vector<std::string> without_tests() const override;

 private:
  struct Named {
    std::vector<std::uint32_t> columns;
    std::vector<Cut> cuts;
  };
  std::vector<std::uint32_t> columns_of(std::size_t input) const;
  Result<Named> named(const std::vector<std::string>& names, const char* option) const;
  std::string name_of(Cut cut) const { return namer_.feature_name(to_test(data_, cut)); }

  const RankedData& data_;
  Binarizer namer_;                                                 // has the inputs
  std::map<std::string_view, std::vector<std::uint32_t>> of_name_;  // columns that have tests, by their input's name
};

}  // namespace beadwork
