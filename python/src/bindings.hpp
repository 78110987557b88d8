#pragma once
// The extension module, one file a group of objects; each adds itself to the module.
#include <beadwork/base.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace beadwork::python {

namespace nb = nanobind;

void bind_columns(nb::module_& m);
void bind_dataset(nb::module_& m);
void bind_groups(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_diagram(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_model(nb::module_& m);
void bind_committee(nb::module_& m);
void bind_page(nb::module_& m);
void bind_plan(nb::module_& m);
void bind_shards(nb::module_& m);
void bind_encoding(nb::module_& m);

// Bad input is a ValueError, our own bug a RuntimeError. A flag is named as the parameter is.
[[noreturn]] void raise(const Error& error);
template <class T>
T take(Result<T> result) {
  if (!result) raise(result.error());
  return *std::move(result);
}

// Pickles of values that only one version understands: the version comes first, and any other is refused. What is to
// last is a model's text.
template <class... T>
std::tuple<std::string, T...> with_version(std::tuple<T...> state) {
  return std::tuple_cat(std::tuple<std::string>(BEADWORK_VERSION), std::move(state));
}
// The state behind the version; `what` is pickled.
nb::tuple check_version(const nb::tuple& pickled, const char* what);
template <class State>
State state_in(const nb::tuple& pickled, const char* what) {
  State state;
  if (!nb::try_cast(check_version(pickled, what), state))
    throw nb::value_error((std::string("the state of a ") + what + " is damaged").c_str());
  return state;
}

template <class T>
using Vector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Matrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// NumPy arrays that own what was computed here.
template <class T>
Vector<T> to_numpy(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Vector<T>(data, {size}, owner);
}
template <class T>
Matrix<T> to_numpy(std::vector<T> values, std::size_t rows, std::size_t columns) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Matrix<T>(data, {rows, columns}, owner);
}

template <class I>
std::vector<std::size_t> numbers_of(const std::vector<I>& indices) {
  std::vector<std::size_t> out;
  out.reserve(indices.size());
  for (const I i : indices) out.push_back(i());
  return out;
}

}  // namespace beadwork::python
