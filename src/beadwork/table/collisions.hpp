#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace beadwork::table {

// A plain decimal without what does not change it: "+010.50e1" and "105" are the same. As it is, if it is none.
std::string exact_number(std::string_view text);

// Looks for two different numbers that one double stands for, among texts with more digits than a double surely holds
// (those of a double written out in full, 17 with a point, are let pass).
class Collisions {
 public:
  static constexpr std::size_t kSure = 15;  // digits that a double always holds
  static bool worth_a_look(std::string_view text);
  void add(std::string_view text, double number);
  const std::optional<std::pair<std::string, std::string>>& found() const { return found_; }

 private:
  std::unordered_map<double, std::string> first_;
  std::optional<std::pair<std::string, std::string>> found_;
};

}  // namespace beadwork::table
