#include <beadwork/engine/cut_names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace beadwork {
namespace {

template <class T>
bool contains(const std::vector<T>& list, const T& x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

// The cut of a column that `rest`, what follows the column's name, may stand for.
std::optional<std::uint32_t> rank_meant(const RankedColumn& column, const Reading& reading, std::string_view rest) {
  constexpr std::string_view kAtMost = " <= ";
  if (column.test) return 0;
  if (rest == " is missing") return column.missing ? std::optional(column.num_features() - 1) : std::nullopt;
  if (!rest.starts_with(kAtMost)) return std::nullopt;
  rest.remove_prefix(kAtMost.size());
  const bool spelled = reading.kind != Reading::Kind::plain && reading.kind != Reading::Kind::number;
  const auto number = spelled ? number_of(reading, rest) : parse_number(rest);
  if (!number) return std::nullopt;
  const auto above = std::upper_bound(column.values.begin(), column.values.end(), *number);
  if (above == column.values.begin() || above == column.values.end()) return std::nullopt;
  return static_cast<std::uint32_t>(above - column.values.begin()) - 1;
}

// How many features the options allow; required ones are among them.
struct Allowed {
  const RankedData& data;
  const OrderedOptions& options;
  const std::set<Cut> candidates{options.candidates.begin(), options.candidates.end()};
  const std::set<Cut> forbidden{options.forbid.begin(), options.forbid.end()};

  bool whole_column(std::uint32_t c) const {
    return (options.candidates.empty() && options.candidate_columns.empty()) || contains(options.candidate_columns, c);
  }
  bool operator()(Cut cut) const {
    return (whole_column(cut.column) || candidates.contains(cut)) && !forbidden.contains(cut) &&
           !contains(options.forbid_columns, cut.column);
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (std::uint32_t c = 0; c < data.columns.size(); ++c)
      if (whole_column(c) && !contains(options.forbid_columns, c)) sum += data.columns[c].num_features();
    for (const Cut& cut : forbidden)
      if (whole_column(cut.column) && !contains(options.forbid_columns, cut.column)) --sum;
    for (const Cut& cut : candidates)
      if (!whole_column(cut.column) && (*this)(cut)) ++sum;
    return sum;
  }
};

}  // namespace

CutNames::CutNames(const RankedData& data)
    : data_(data), namer_(*Binarizer::make({data.inputs, {}, data.target, data.class_names, "all"})) {}

std::vector<Cut> CutNames::cuts_named(const std::string& name) const {
  std::vector<Cut> out;
  for (std::uint32_t c = 0; c < data_.columns.size(); ++c) {
    const InputColumn& input = data_.inputs[data_.columns[c].input];
    if (!name.starts_with(input.name)) continue;
    const auto rank = rank_meant(data_.columns[c], input.reading, std::string_view(name).substr(input.name.size()));
    if (rank && name_of({c, *rank}) == name) out.push_back({c, *rank});
  }
  return out;
}

std::vector<std::uint32_t> CutNames::columns_named(const std::string& name) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = 0; c < data_.columns.size(); ++c)
    if (data_.inputs[data_.columns[c].input].name == name && data_.columns[c].num_features() > 0) out.push_back(c);
  return out;
}

Result<CutNames::Named> CutNames::named(const std::vector<std::string>& names, const char* option) const {
  Named out;
  for (const std::string& name : names) {
    const auto cuts = cuts_named(name);
    const auto columns = cuts.empty() ? columns_named(name) : std::vector<std::uint32_t>{};
    if (cuts.empty() && columns.empty())
      return option_error(fmt::format("unknown feature '{}'", printable(name)), option);
    out.cuts.insert(out.cuts.end(), cuts.begin(), cuts.end());
    out.columns.insert(out.columns.end(), columns.begin(), columns.end());
  }
  return out;
}

bool CutNames::any_constant(const Request& request) const {
  const auto constant = [&](std::uint32_t c) { return data_.columns[c].num_features() > data_.columns[c].num_cuts(); };
  for (const auto* list : {&request.pin.require, &request.pin.forbid, &request.choice.candidate})
    for (const std::string& name : *list) {
      for (const Cut& cut : cuts_named(name))
        if (constant(cut.column)) return true;
      for (const std::uint32_t c : columns_named(name))
        if (constant(c)) return true;
    }
  return false;
}

Result<std::size_t> CutNames::restrict(const Request& request, OrderedOptions& options) const {
  auto forbidden = named(request.pin.forbid, "forbid");
  if (!forbidden) return forbidden.error();
  auto candidates = named(request.choice.candidate, "candidate");
  if (!candidates) return candidates.error();
  options.forbid = std::move(forbidden->cuts);
  options.forbid_columns = std::move(forbidden->columns);
  options.candidates = std::move(candidates->cuts);
  options.candidate_columns = std::move(candidates->columns);
  const Allowed allowed{data_, options};
  for (const std::string& name : request.pin.require) {
    const auto cuts = cuts_named(name);
    if (cuts.empty()) return option_error(fmt::format("unknown feature '{}'", printable(name)), "require");
    if (cuts.size() > 1)
      return option_error(fmt::format("several features have the name '{}'", printable(name)), "require");
    if (!allowed(cuts[0]))
      return option_error(fmt::format("'{}' is not among the features that may be selected", printable(name)),
                          "require");
    if (!contains(options.require, cuts[0])) options.require.push_back(cuts[0]);
  }
  std::sort(options.require.begin(), options.require.end());
  if (options.require.size() > options.depth)
    return option_error(
        fmt::format("{} features are required, but the depth is {}", options.require.size(), options.depth), "require");
  return allowed.count();
}

}  // namespace beadwork
