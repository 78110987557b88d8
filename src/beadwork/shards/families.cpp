#include <beadwork/shards/families.hpp>

#include <algorithm>

namespace beadwork::detail {

LocalFamilies families_of(const Dataset& dataset, const Condensed& condensed) {
  LocalFamilies out;
  out.of.resize(dataset.num_features());
  for (std::size_t i = 0; i < condensed.features.size(); ++i) {
    const auto family = static_cast<std::uint32_t>(i);
    out.of[condensed.features[i]()] = {family, false};
    for (const Alias& alias : condensed.aliases[i]) out.of[alias.feature()] = {family, alias.complemented};
  }
  for (const Feature f : condensed.constants)
    out.of[f()] = {LocalFamilies::kConstant, dataset.value(f, Row{std::size_t{0}})};
  return out;
}

void WholeFamilies::add(const Dataset& dataset, const LocalFamilies& local) {
  const std::size_t features = dataset.num_features();
  if (family_.empty()) {
    family_.assign(features + 1, 0);
    for (std::size_t f = 0; f < features; ++f) sign_.push_back(dataset.value(Feature{f}, Row{std::size_t{0}}));
    sign_.push_back(false);
  }
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> parts;
  for (std::size_t f = 0; f <= features; ++f) {
    const LocalFamilies::Place place = f < features ? local.of[f] : LocalFamilies::Place{};
    const std::tuple key(family_[f], place.family, place.flipped != sign_[f]);
    family_[f] = parts.try_emplace(key, static_cast<std::uint32_t>(parts.size())).first->second;
  }
}

std::vector<Feature> WholeFamilies::representatives(const std::vector<Feature>& required,
                                                    const std::vector<Feature>& forbidden) const {
  if (family_.empty()) return {};
  std::vector<bool> taken(family_.size());  // by family
  taken[family_.back()] = true;
  for (const Feature f : required) taken[family_[f()]] = true;
  std::vector<Feature> out;
  for (std::size_t f = 0; f + 1 < family_.size(); ++f) {
    if (taken[family_[f]] || std::find(forbidden.begin(), forbidden.end(), Feature{f}) != forbidden.end()) continue;
    taken[family_[f]] = true;
    out.emplace_back(f);
  }
  return out;
}

}  // namespace beadwork::detail
