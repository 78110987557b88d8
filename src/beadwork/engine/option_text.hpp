#pragma once
// How the values of options are written, one overload a type.
#include <beadwork/engine.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <span>

namespace beadwork {

template <class E>
using Word = std::pair<std::string_view, E>;
template <class E>
inline constexpr int kWords = 0;  // of an enumeration: the words that stand for its values
template <>
inline constexpr std::array<Word<Bias>, 5> kWords<Bias>{
    {{"P", Bias::majority}, {"C", Bias::merging}, {"S", Bias::solver}, {"N", Bias::neighbours}, {"size", Bias::size}}};
template <>
inline constexpr std::array<Word<SizeRule>, 3> kWords<SizeRule>{
    {{"none", SizeRule::as_asked}, {"auto", SizeRule::best}, {"auto-1se", SizeRule::one_error}}};
template <>
inline constexpr std::array<Word<EncodingChoice>, 5> kWords<EncodingChoice>{{{"auto", EncodingChoice::automatic},
                                                                             {"bdd1", EncodingChoice::bdd1},
                                                                             {"bdd2", EncodingChoice::bdd2},
                                                                             {"bdd3", EncodingChoice::bdd3},
                                                                             {"pair", EncodingChoice::pair}}};
template <>
inline constexpr std::array<Word<Impurity>, 2> kWords<Impurity>{
    {{"gini", Impurity::gini}, {"entropy", Impurity::entropy}}};
template <>
inline constexpr std::array<Word<Kernel>, 4> kWords<Kernel>{
    {{"auto", Kernel::automatic}, {"avx512", Kernel::avx512}, {"avx2", Kernel::avx2}, {"portable", Kernel::portable}}};
template <>
inline constexpr std::array<Word<WcnfForm>, 2> kWords<WcnfForm>{
    {{"new", WcnfForm::modern}, {"old", WcnfForm::classic}}};
template <class E>
concept Worded = requires {
  kWords<E>.size();
};

// "auto, avx2 or portable"
template <class List>
std::string any_of_these(const List& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i].first);
  return out;
}

// Reads a value; the Error says what was expected.
struct TextReader {
  const OptionInfo& info;
  std::string_view text;

  Error refusal(std::string_view expected) const {
    return option_error(fmt::format("expected {}, got '{}'{}", expected, printable(text),
                                    info.name == "depth" && text.find("..") == std::string_view::npos
                                        ? " (a truth table has 2^depth cells)"
                                        : ""),
                        std::string(info.name));
  }
  Error out_of_range(bool whole) const {
    return refusal(whole ? fmt::format("a whole number from {:.0f} to {:.0f}", info.low, info.high)
                         : fmt::format("a number from {} to {}", format_number(info.low), format_number(info.high)));
  }
  Result<double> number(std::string_view from, bool whole) const {
    const auto n = parse_number(from);
    if (!n || *n < info.low || *n > info.high) return out_of_range(whole);
    if (whole && *n != static_cast<double>(static_cast<std::int64_t>(*n))) return out_of_range(whole);
    return *n;
  }
  template <class T>
  Status put(T& value, Result<double> n) const {
    if (!n) return n.error();
    value = static_cast<T>(*n);
    return Done{};
  }

  Status read(bool& value) const {
    if (text != "true" && text != "false") return refusal("true or false");
    value = text == "true";
    return Done{};
  }
  Status read(std::int64_t& value) const { return put(value, number(text, true)); }
  Status read(double& value) const { return put(value, number(text, false)); }
  template <class T>
  Status read(std::optional<T>& value) const {
    if (text == "none") {
      value.reset();
      return Done{};
    }
    T number{};
    if (auto ok = read(number); !ok) return ok;
    value = number;
    return Done{};
  }
  // Nobody means the empty text: it is what a variable leaves that was not set.
  Error nothing() const { return option_error("needs a value", std::string(info.name)); }
  Status read(std::string& value) const {
    if (text.empty()) return nothing();
    value = text;
    return Done{};
  }
  Status read(std::vector<std::string>& value) const {  // one more
    if (text.empty()) return nothing();
    value.emplace_back(text);
    return Done{};
  }
  Status read(std::vector<double>& value) const {
    if (text.empty()) return nothing();
    const auto n = number(text, false);
    if (!n) return n.error();
    value.push_back(*n);
    return Done{};
  }
  template <Worded E>
  Status read(E& value) const {
    for (const auto& [word, known] : kWords<E>)
      if (word == text) {
        value = known;
        return Done{};
      }
    return refusal(any_of_these(kWords<E>));
  }
  Status read(OutFile& value) const { return read(value.path); }
  Status read(InFile& value) const { return read(value.path); }
  Status read(FeatureSource& value) const {
    if (text.empty()) return nothing();
    value = text == "cart" ? FeatureSource{true, {}} : FeatureSource{false, std::string(text)};
    return Done{};
  }
  Status read(Margin& value) const;
  Status read(DepthRange& value) const;
  Status read(EngineRef& value) const;
};

inline std::string to_text(bool value) {
  return value ? "true" : "false";
}
inline std::string to_text(std::int64_t value) {
  return fmt::format("{}", value);
}
inline std::string to_text(double value) {
  return format_number(value);
}
inline std::string to_text(const Margin& value) {
  return format_number(value.amount) + (value.percent ? "%" : "");
}
template <class T>
std::string to_text(const std::optional<T>& value) {
  return value ? to_text(*value) : "none";
}
inline std::string to_text(const std::string& value) {
  return value;
}
inline std::string to_text(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ", "));
}
inline std::string to_text(const std::vector<double>& value) {
  return fmt::format("{}", fmt::join(value, ", "));
}
template <Worded E>
std::string to_text(E value) {
  for (const auto& [word, known] : kWords<E>)
    if (known == value) return std::string(word);
  return "";
}
inline std::string to_text(const OutFile& value) {
  return value.path;
}
inline std::string to_text(const InFile& value) {
  return value.path;
}
inline std::string to_text(const FeatureSource& value) {
  return value.cart ? "cart" : value.file;
}
inline std::string to_text(const DepthRange& value) {
  const std::string range = value.from ? fmt::format("{}..", *value.from) : "";
  return fmt::format("{}{}{}", value.chosen ? "cv:" : "", range, value.most);
}
std::string to_text(const EngineRef& value);

// As data; of an optional value that is there.
template <class T>
OptionValue to_value(const T& value) {
  if constexpr (requires { OptionValue(std::in_place_type<T>, value); })
    return OptionValue(std::in_place_type<T>, value);
  else
    return to_text(value);
}
template <class T>
OptionValue to_value(const std::optional<T>& value) {
  return value ? to_value(*value) : OptionValue(std::string("none"));
}

template <class T>
constexpr OptionType type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return OptionType::flag;
  else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::optional<std::int64_t>>)
    return OptionType::whole;
  else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>)
    return OptionType::number;
  else if constexpr (std::is_same_v<T, std::vector<std::string>> || std::is_same_v<T, std::vector<double>>)
    return OptionType::list;
  else
    return OptionType::text;
}

}  // namespace beadwork
