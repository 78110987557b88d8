#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace beadwork {

// Where texts stand in a list, which must outlive this; the first place counts.
class Places {
 public:
  explicit Places(const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) at_.try_emplace(texts[i], i);
  }
  std::optional<std::size_t> find(std::string_view text) const {
    const auto found = at_.find(text);
    return found == at_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::size_t> at_;
};

// The table's columns for a binarizer's inputs, by name and with the right type; `converted` holds those that had to be
// read the way of the training table first.
struct MatchedColumns {
  std::vector<const Column*> columns;
  std::deque<Column> converted;
};
Result<MatchedColumns> match_columns(const std::vector<InputColumn>& inputs, const Table& table);

// The table with those columns converted.
Result<Table> as_in_training(const std::vector<InputColumn>& inputs, const Table& table);

}  // namespace beadwork
