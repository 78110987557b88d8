// Any bytes as a checkpoint, sealed here so that the content is reached: refused in one line, or a state that its own
// text gives back and from which the search goes on to a set whose errors are as it says. The word PROBLEM stands for
// the hash of the problem. The first byte chooses between a table with few optimal sets and one in which very many tie,
// or sorted columns.
#include "fuzz.hpp"
#include <beadwork/dataset.hpp>
#include <beadwork/ordered.hpp>
#include <beadwork/search.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace {

using namespace beadwork;
using fuzz::insist;

struct World {
  Dataset data;
  SearchProblem problem;
  SearchOptions options;
  SearchOutcome best;
};

// Features by a congruential generator; the label is one of them in 3 rows of 4, or the parity of two that all others
// copy.
Dataset make_dataset(bool ties) {
  constexpr std::size_t kRows = 40;
  const std::size_t features = ties ? 12 : 8;
  Dataset::Parts parts;
  parts.columns.assign(features, BitColumn(words_for(kRows)));
  parts.class_names = {"a", "b"};
  unsigned state = 7;
  const auto coin = [&] { return (state = state * 1103515245U + 12345U) >> 16 & 1U; };
  for (std::size_t f = 0; f < features; ++f) parts.feature_names.push_back("f" + std::to_string(f));
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t f = 0; f < features; ++f)
      if (ties ? row == f : coin() != 0U) set_bit(parts.columns[f], row);
    parts.labels.emplace_back(ties ? (row < features ? 1U : 0U) : coin());
  }
  return Dataset(std::move(parts));
}

World make_world(bool ties) {
  World w{make_dataset(ties), {}, {}, {}};
  w.options.depth = 3;
  w.problem = *prepare(w.data, w.options, {});
  if (ties) w.options.effort.max_ties = 10;
  w.best = *search(w.problem, w.options, {});
  return w;
}

const World& world(bool ties) {
  static const World few = make_world(false);
  static const World many = make_world(true);
  return ties ? many : few;
}

struct SortedWorld {
  RankedData data;
  OrderedOptions options;
  OrderedOutcome best;
  std::string problem;
};

// Two columns, one of which must have a cut; the label is a threshold of each, and a coin now and then.
SortedWorld make_sorted_world() {
  SortedWorld w;
  w.data.class_names = {"a", "b"};
  constexpr std::uint32_t kRows = 30;
  for (const std::uint32_t step : {7U, 11U}) {
    RankedColumn column;
    column.num_ranks = kRows;
    for (std::uint32_t r = 0; r < kRows; ++r) column.ranks.push_back(r * step % kRows);
    w.data.columns.push_back(std::move(column));
  }
  for (std::uint32_t r = 0; r < kRows; ++r)
    w.data.labels.emplace_back(
        (w.data.columns[0].ranks[r] < 12) != (w.data.columns[1].ranks[r] < 20 || r % 7 == 0) ? 1U : 0U);
  w.options.depth = 3;
  w.options.require_columns = {1};
  w.options.checkpoint = [&](const OrderedState& s) { w.problem = s.problem; };
  w.best = *search_ordered(w.data, w.options, {});
  w.options.checkpoint = nullptr;
  return w;
}

const SortedWorld& sorted_world() {
  static const SortedWorld w = make_sorted_world();
  return w;
}

std::string sealed(std::string text, const std::string& problem) {
  const std::string mark = "PROBLEM";
  if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), problem);
  return text + "sha256 " + Sha256::of(text) + "\n";
}

std::int64_t errors_of(const Dataset& data, const std::vector<Feature>& features) {
  std::map<std::vector<bool>, std::array<std::int64_t, 2>> cells;
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    std::vector<bool> cell;
    for (const Feature f : features) cell.push_back(data.value(f, Row{r}));
    ++cells[cell][data.label(Row{r})()];
  }
  std::int64_t errors = 0;
  for (const auto& [_, count] : cells) errors += std::min(count[0], count[1]);
  return errors;
}

void go_on(const World& w, const SearchState& state) {
  SearchOptions options = w.options;
  options.resume = &state;
  const auto outcome = search(w.problem, options, {});
  if (!outcome) return fuzz::insist_one_line(outcome.error());
  if (outcome->status == SolveStatus::unknown) return;
  insist(errors_of(w.data, outcome->features) == outcome->error, "the set has the errors that the outcome says");
  insist(outcome->error >= w.best.error, "no set is better than the best");
}

void try_sorted(const std::string& text) {
  const SortedWorld& w = sorted_world();
  const auto state = parse_ordered_state(sealed(text, w.problem));
  if (!state) return fuzz::insist_one_line(state.error());
  const auto again = parse_ordered_state(to_text(*state));
  insist(again && *again == *state, "our own text gives the state back");
  OrderedOptions options = w.options;
  options.resume = &*state;
  const auto outcome = search_ordered(w.data, options, {});
  if (!outcome) return fuzz::insist_one_line(outcome.error());
  const auto error = cuts_error(w.data, w.options, outcome->cuts);
  insist(error && *error == outcome->error, "the set has the errors that the outcome says");
  insist(outcome->error >= w.best.error, "no set is better than the best");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(fuzz::text_of(data + 1, size - 1));
  if ((data[0] & 6U) == 6U) return try_sorted(text), 0;
  const World& w = world((data[0] & 1U) != 0);
  const auto state = parse_state(sealed(text, w.best.state.problem));
  if (!state) return fuzz::insist_one_line(state.error()), 0;
  const auto again = parse_state(to_text(*state));
  insist(again && *again == *state, "our own text gives the state back");
  if (const auto ok = check_state(w.problem, w.options, *state); !ok)
    fuzz::insist_one_line(ok.error());
  else
    go_on(w, *state);
  return 0;
}
