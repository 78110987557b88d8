#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace beadwork {

// A 32-bit index with a meaning: Feature{3} and Row{3} do not convert into each other, nor from a plain int.
template <class Tag>
struct Index {
  std::uint32_t value = 0;

  constexpr Index() = default;
  constexpr explicit Index(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr std::size_t operator()() const { return value; }
  friend constexpr auto operator<=>(const Index&, const Index&) = default;
};

using Feature = Index<struct FeatureTag>;  // a binary feature of a dataset
using Row = Index<struct RowTag>;          // a row of a table or dataset
using Class = Index<struct ClassTag>;      // a class label of a dataset

}  // namespace beadwork

template <class Tag>
struct std::hash<beadwork::Index<Tag>> {
  std::size_t operator()(const beadwork::Index<Tag>& i) const noexcept { return i.value; }
};
