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
  // The first two that are allowed of a sorted column.
  std::vector<Cut> some_of(std::uint32_t c) const {
    std::vector<Cut> out;
    for (std::uint32_t k = 0; k < data.columns[c].num_features() && out.size() < 2; ++k)
      if ((*this)({c, k})) out.push_back({c, k});
    return out;
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
    : data_(data), namer_(*Binarizer::make({data.inputs, {}, data.target, data.class_names, "all"})) {
  for (std::uint32_t c = 0; c < data.columns.size(); ++c)
    if (data.columns[c].num_features() > 0) of_name_[data.inputs[data.columns[c].input].name].push_back(c);
}

// The name of a test begins with that of its column.
std::vector<Names::One> CutNames::tests_named(const std::string& name) const {
  std::vector<One> out;
  for (std::size_t end = 0; end <= name.size(); ++end) {
    if (end < name.size() && name[end] != ' ') continue;
    const auto columns = of_name_.find(std::string_view(name).substr(0, end));
    if (columns == of_name_.end()) continue;
    for (const std::uint32_t c : columns->second) {
      const std::size_t input = data_.columns[c].input;
      const auto rank = rank_meant(data_.columns[c], data_.inputs[input].reading, std::string_view(name).substr(end));
      if (rank && name_of({c, *rank}) == name) out.push_back({data_.feature_number({c, *rank}), input});
    }
  }
  return out;
}

std::vector<std::size_t> CutNames::columns_named(const std::string& name) const {
  std::vector<std::size_t> out;
  if (const auto columns = of_name_.find(name); columns != of_name_.end())
    for (const std::uint32_t c : columns->second) out.push_back(data_.columns[c].input);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::uint32_t> CutNames::columns_of(std::size_t input) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t c : of_name_.at(data_.inputs[input].name))
    if (data_.columns[c].input == input) out.push_back(c);
  return out;
}

std::vector<std::string> CutNames::known() const {
  std::vector<std::string> out;
  for (const auto& [name, _] : of_name_) out.emplace_back(name);
  return out;
}

std::vector<std::string> CutNames::without_tests() const {
  std::vector<bool> tested(data_.inputs.size());
  for (const auto& [_, columns] : of_name_)
    for (const std::uint32_t c : columns) tested[data_.columns[c].input] = true;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < tested.size(); ++i)
    if (!tested[i]) out.push_back(data_.inputs[i].name);
  return out;
}

Result<CutNames::Named> CutNames::named(const std::vector<std::string>& names, const char* option) const {
  Named out;
  for (const std::string& name : names) {
    if (std::string_view(option) == "forbid" && bans_nothing(*this, name)) continue;
    TRY(const auto meaning, meaning_of(*this, name, option));
    if (meaning.test) {
      out.cuts.push_back(data_.cut_of(*meaning.test));
      continue;
    }
    const auto columns = columns_of(meaning.column);
    out.columns.insert(out.columns.end(), columns.begin(), columns.end());
  }
  return out;
}

bool CutNames::any_constant(const Request& request) const {
  const auto constant = [&](std::uint32_t c) { return data_.columns[c].num_features() > data_.columns[c].num_cuts(); };
  const auto& without = request.without_inputs;
  std::set<std::size_t> meant(without.begin(), without.end());
  for (const auto* list : {&request.pin.require, &request.pin.forbid, &request.choice.candidate})
    for (const std::string& name : *list) {
      for (const One& one : tests_named(name)) meant.insert(one.column);
      for (const std::size_t input : columns_named(name)) meant.insert(input);
    }
  for (std::uint32_t c = 0; c < data_.columns.size(); ++c)
    if (constant(c) && meant.contains(data_.columns[c].input)) return true;
  return false;
}

bool CutNames::requires_in_vain(const Request& request) const {
  const bool listed = request.only_of<ForSearch>().top || request.only_of<ForSearch>().within;
  return std::any_of(request.pin.require.begin(), request.pin.require.end(), [&](const std::string& name) {
    const auto inputs = columns_named(name);
    if (inputs.size() != 1) return false;
    const auto columns = columns_of(inputs[0]);
    return columns.size() > 1 || (listed && data_.columns[columns[0]].num_features() > 1);
  });
}

Result<CutNames::Restricted> CutNames::restrict(const Request& request, OrderedOptions& options) const {
  TRY(auto forbidden, named(request.pin.forbid, "forbid"));
  TRY(auto candidates, named(request.choice.candidate, "candidate"));
  options.forbid = std::move(forbidden.cuts);
  options.forbid_columns = std::move(forbidden.columns);
  for (std::uint32_t c = 0; c < data_.columns.size(); ++c)
    if (contains(request.without_inputs, data_.columns[c].input)) options.forbid_columns.push_back(c);
  options.candidates = std::move(candidates.cuts);
  options.candidate_columns = std::move(candidates.columns);
  require(!requires_in_vain(request), "CutNames: these columns can be required");
  const Allowed allowed{data_, options};
  Restricted out;
  for (const std::string& name : request.pin.require) {
    TRY(const auto meaning, meaning_of(*this, name, "require"));
    if (meaning.test) {
      const Cut cut = data_.cut_of(*meaning.test);
      if (!allowed(cut))
        return option_error(fmt::format("'{}' is not among the features that may be selected", printable(name)),
                            "require");
      if (!contains(options.require, cut)) options.require.push_back(cut);
      out.asked.features.push_back(name);
      continue;
    }
    const std::uint32_t column = columns_of(meaning.column).front();
    const auto some = allowed.some_of(column);
    if (some.empty()) return nothing_of(name);
    if (some.size() == 1) {
      if (!contains(options.require, some[0])) options.require.push_back(some[0]);
      out.asked.features.push_back(name_of(some[0]));
    } else if (!contains(options.require_columns, column)) {
      options.require_columns.push_back(column);
      out.asked.columns.push_back(name);
    }
  }
  std::sort(options.require.begin(), options.require.end());
  for (std::size_t i = options.require_columns.size(); i-- > 0;) {  // a required feature of the column is more
    const auto of_it = [c = options.require_columns[i]](const Cut& cut) { return cut.column == c; };
    if (std::none_of(options.require.begin(), options.require.end(), of_it)) continue;
    options.require_columns.erase(options.require_columns.begin() + static_cast<std::ptrdiff_t>(i));
    out.asked.columns.erase(out.asked.columns.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (const std::size_t least = num_required(options); least > options.depth)
    return too_many_required(options.require.size(), least - options.require.size(), options.depth);
  if (!options.require_columns.empty() && request.only_of<ForSearch>().certificate)
    return option_error(kNoCertificate, "certificate");
  out.num_allowed = allowed.count();
  return out;
}

}  // namespace beadwork
