#include <beadwork/engine.hpp>

#include <fmt/format.h>

#include <algorithm>

// Bans and demands on columns that a table left out by itself.
namespace beadwork {
namespace {

Result<Request> without(Request request, const std::vector<std::string>& columns,
                        const std::vector<std::string>& there) {
  const auto absent = [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end() &&
           std::none_of(there.begin(), there.end(), [&](const std::string& c) { return name.starts_with(c); });
  };
  for (const std::string& name : request.pin.require)
    if (absent(name))
      return option_error(fmt::format("column '{}' was left out: nothing of it can be tested", printable(name)),
                          "require");
  std::erase_if(request.pin.forbid, absent);
  return request;
}

}  // namespace

// A feature's name begins with that of its column, so a name that no column begins is no feature's.
Result<Request> without_bans_on(Request request, const std::vector<std::string>& left_out, const Table& table) {
  std::vector<std::string> there;
  for (const Column& column : table.columns()) there.push_back(column.name);
  return without(std::move(request), left_out, there);
}

Result<Request> without_bans_on(Request request, const std::vector<std::string>& left_out, const Binarizer& binarizer) {
  std::vector<std::string> there;
  for (const InputColumn& input : binarizer.inputs()) there.push_back(input.name);
  return without(std::move(request), left_out, there);
}

}  // namespace beadwork
