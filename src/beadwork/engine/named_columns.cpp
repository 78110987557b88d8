#include <beadwork/engine.hpp>

#include <algorithm>

// Bans on columns that cannot be tested anyway.
namespace beadwork {
namespace {

Request without(Request request, const std::vector<std::string>& columns, const std::vector<std::string>& tested) {
  std::erase_if(request.pin.forbid, [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end() &&
           std::none_of(tested.begin(), tested.end(), [&](const std::string& c) { return name.starts_with(c); });
  });
  return request;
}

}  // namespace

// A feature's name begins with that of its column, so a name that no column begins is no feature's.
Request without_bans_on(Request request, const std::vector<std::string>& left_out, const Table& table) {
  std::vector<std::string> there;
  for (const Column& column : table.columns()) there.push_back(column.name);
  return without(std::move(request), left_out, there);
}

Request without_bans_on(Request request, const std::vector<std::string>& left_out, const Binarizer& binarizer) {
  const auto& inputs = binarizer.inputs();
  std::vector<bool> has_tests(inputs.size(), binarizer.tests().empty());  // none: sorted columns, which know theirs
  for (const Test& test : binarizer.tests()) has_tests[test.column] = true;
  std::vector<std::string> untested = left_out, tested;
  for (std::size_t i = 0; i < inputs.size(); ++i) (has_tests[i] ? tested : untested).push_back(inputs[i].name);
  return without(std::move(request), untested, tested);
}

}  // namespace beadwork
