#pragma once
// For harnesses that read JSON: half of the changes are made to values instead of bytes, so that they get past the
// parser.
#ifdef BEADWORK_LIBFUZZER
#include <nlohmann/json.hpp>

#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(unsigned char* data, std::size_t size, std::size_t most);

namespace fuzz {

using Json = nlohmann::ordered_json;

inline void collect(Json& at, std::vector<Json*>& out) {
  out.push_back(&at);
  if (!at.is_structured()) return;
  for (Json& child : at) collect(child, out);
}

inline Json strange(std::mt19937& rng) {
  static const Json values = {nullptr,
                              true,
                              false,
                              -1,
                              0,
                              1,
                              2,
                              255,
                              1e308,
                              0.5,
                              "",
                              "a",
                              "0",
                              "1",
                              "</script>",
                              "9007199254740993",
                              9007199254740993,
                              Json::array(),
                              Json::object()};
  return values[rng() % values.size()];
}

// One value becomes another one, is left out, is given twice, or is one off.
inline void change(Json& root, std::mt19937& rng) {
  std::vector<Json*> all;
  collect(root, all);
  Json& at = *all[rng() % all.size()];
  const std::size_t kind = rng() % 6;
  if (kind <= 1 && at.is_structured() && !at.empty()) {
    const std::size_t i = rng() % at.size();
    if (kind == 0)
      at.erase(std::next(at.begin(), static_cast<std::ptrdiff_t>(i)));
    else if (at.is_array())
      at.push_back(Json(at[i]));
  } else if (kind <= 3 && at.is_number_integer()) {
    at = at.get<std::int64_t>() + (kind == 2 ? 1 : -1);
  } else {
    Json other = kind == 4 ? Json(*all[rng() % all.size()]) : strange(rng);
    at = std::move(other);
  }
}

// The text from `skip` on is one value, or has one on each line.
inline std::size_t mutate_json(unsigned char* data, std::size_t size, std::size_t most, unsigned seed,
                               std::size_t skip) {
  std::mt19937 rng(seed);
  if (size <= skip || rng() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::size_t from = skip, to = size;
  Json json = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), nullptr, false);
  if (json.is_discarded()) {
    const std::size_t middle = skip + rng() % (size - skip);
    from = std::max(skip, text.rfind('\n', middle) + 1);
    to = std::min(size, text.find('\n', middle));
    if (from < to) json = Json::parse(text.substr(from, to - from), nullptr, false);
  }
  if (json.is_discarded()) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t i = rng() % 3 + 1; i > 0; --i) change(json, rng);
  const std::string changed =
      text.substr(0, from) + json.dump(-1, ' ', false, Json::error_handler_t::replace) + text.substr(to);
  if (changed.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

}  // namespace fuzz

// The first byte of the input chooses between kinds where `skip` is 1.
#define BEADWORK_MUTATES_JSON(skip)                                                                       \
  extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size, std::size_t most, \
                                                 unsigned seed) {                                         \
    return fuzz::mutate_json(data, size, most, seed, skip);                                               \
  }
#else
#define BEADWORK_MUTATES_JSON(skip)
#endif
