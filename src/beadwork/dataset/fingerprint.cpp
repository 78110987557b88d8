#include <beadwork/dataset.hpp>
#include <beadwork/dataset/fingerprint.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <numeric>

namespace beadwork {
namespace {

// A name after its length: no name looks like the end of another.
std::string names_text(std::string_view what, const std::vector<std::string>& names) {
  std::string out = fmt::format("{} {}\n", what, names.size());
  for (const std::string& name : names) out += fmt::format("{} {}\n", name.size(), name);
  return out;
}

// Rows in ascending order of a key of digits, then by class: one stable counting sort for each digit, the last first.
class RowSorter {
 public:
  explicit RowSorter(std::span<const Class> labels, std::size_t classes) : order_(labels.size()), next_(labels.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    by([&](std::size_t r) { return labels[r](); }, classes);
  }
  template <class Digit>
  void by(const Digit& digit, std::size_t values) {
    starts_.assign(values + 1, 0);
    for (const std::uint32_t r : order_) ++starts_[digit(r) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    for (const std::uint32_t r : order_) next_[starts_[digit(r)]++] = r;
    order_.swap(next_);
  }
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  std::vector<std::uint32_t> order_, next_;
  std::vector<std::size_t> starts_;
};

// Eight features at a time: the byte of every row.
std::vector<std::uint8_t> bytes_of(const Dataset& dataset, std::size_t place) {
  std::vector<std::uint8_t> out(words_for(dataset.num_rows()) * 64);
  for (std::size_t i = 0; i < 8 && 8 * place + i < dataset.num_features(); ++i) {
    const BitColumn& column = dataset.column(Feature{8 * place + i});
    for (std::size_t w = 0; w < column.size(); ++w)
      for (std::size_t r = 0; r < 64; ++r)
        out[64 * w + r] = static_cast<std::uint8_t>(out[64 * w + r] | (column[w] >> r & 1) << (7 - i));
  }
  return out;
}

void update_in_blocks(Sha256& hash, std::string& block) {
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  if (block.size() < kBlock) return;
  hash.update(block);
  block.clear();
}

// Of sorted columns: names and values of each, then the different rows as ranks.
std::string ranked_sha256(const RankedData& data) {
  Sha256 hash;
  hash.update(fmt::format("beadwork ranked rows 1\nscale {}\n", data.weight_scale));
  hash.update(names_text("classes", data.class_names));
  hash.update(fmt::format("columns {}\n", data.columns.size()));
  const Binarizer namer = *Binarizer::make({data.inputs, {}, data.target, data.class_names, "all"});
  RowSorter sorter(data.labels, data.num_classes());
  for (std::size_t i = data.columns.size(); i-- > 0;)
    sorter.by([&](std::size_t r) { return data.columns[i].ranks[r]; }, data.columns[i].num_ranks);
  std::string block;
  for (const RankedColumn& c : data.columns) {
    const std::string name = c.test ? namer.feature_name(*c.test) : data.inputs[c.input].name;
    block += fmt::format("{} {} {}", name.size(), name, c.test ? "test" : "number");
    for (const double value : c.values) block += ' ' + format_number(value);
    block += '\n';
    update_in_blocks(hash, block);
  }
  block += "rows\n";
  const auto& order = sorter.order();
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return data.labels[a] == data.labels[b] &&
           std::all_of(data.columns.begin(), data.columns.end(),
                       [&](const RankedColumn& c) { return c.ranks[a] == c.ranks[b]; });
  };
  for (std::size_t i = 0; i < order.size();) {
    const std::uint32_t first = order[i];
    std::int64_t weight = 0;
    for (; i < order.size() && same(first, order[i]); ++i) weight += data.weight(order[i]);
    if (weight == 0) continue;
    fmt::format_to(std::back_inserter(block), "{} {}", data.labels[first](), weight);
    for (const RankedColumn& c : data.columns) fmt::format_to(std::back_inserter(block), " {}", c.ranks[first]);
    block += '\n';
    update_in_blocks(hash, block);
  }
  hash.update(block);
  return hash.hex_digest();
}

}  // namespace

void RowsHash::Run::put(std::string_view key, std::uint32_t label, std::int64_t weight) {
  keys += key;
  classes.push_back(label);
  weights.push_back(weight);
}

RowsHash::Run RowsHash::run_of(const Dataset& dataset) const {
  std::vector<std::vector<std::uint8_t>> bytes;
  for (std::size_t i = 0; i < width_; ++i) bytes.push_back(bytes_of(dataset, i));
  std::vector<Class> labels;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) labels.push_back(dataset.label(Row{r}));
  RowSorter sorter(labels, dataset.num_classes());
  for (std::size_t i = width_; i-- > 0;) sorter.by([&](std::size_t r) { return bytes[i][r]; }, 256);
  Run out;
  std::string key(width_, '\0'), before;
  for (const std::uint32_t r : sorter.order()) {
    const std::int64_t weight = dataset.weight(Row{r});
    if (weight == 0) continue;
    for (std::size_t i = 0; i < width_; ++i) key[i] = static_cast<char>(bytes[i][r]);
    const auto label = static_cast<std::uint32_t>(labels[r]());
    if (out.size() > 0 && out.classes.back() == label && key == before)
      out.weights.back() += weight;
    else
      out.put(key, label, weight);
    before = key;
  }
  return out;
}

RowsHash::Run RowsHash::merged(const Run& a, const Run& b) const {
  Run out;
  const auto key = [&](const Run& run, std::size_t i) { return std::string_view(run.keys).substr(i * width_, width_); };
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    int order = i == a.size() ? 1 : j == b.size() ? -1 : key(a, i).compare(key(b, j));
    if (order == 0) order = a.classes[i] < b.classes[j] ? -1 : a.classes[i] > b.classes[j] ? 1 : 0;
    const Run& from = order <= 0 ? a : b;
    const std::size_t at = order <= 0 ? i : j;
    out.put(key(from, at), from.classes[at], from.weights[at] + (order == 0 ? b.weights[j] : 0));
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  return out;
}

void RowsHash::add(const Dataset& dataset) {
  if (head_.empty()) {
    head_ = fmt::format("beadwork rows 1\nscale {}\n", dataset.weight_scale()) +
            names_text("classes", dataset.class_names()) + names_text("features", dataset.feature_names()) + "rows\n";
    width_ = (dataset.num_features() + 7) / 8;
    digits_ = (dataset.num_features() + 3) / 4;
  }
  runs_.push_back(run_of(dataset));
  while (runs_.size() > 1 && runs_[runs_.size() - 2].size() < 2 * runs_.back().size()) merge_runs();
  std::size_t rows = 0;
  for (const Run& run : runs_) rows += run.size();
  if (rows * (width_ + sizeof(std::uint32_t) + sizeof(std::int64_t)) > most_) spill();
}

// The last two.
void RowsHash::merge_runs() {
  Run both = merged(runs_[runs_.size() - 2], runs_.back());
  runs_.pop_back();
  runs_.back() = std::move(both);
}

// Where the next row of a run stands: in memory or in a file.
struct RowsHash::Cursor {
  const Run* run = nullptr;
  SpilledRecords* file = nullptr;
  std::size_t width = 0;
  std::size_t at = 0;
  bool done = false;
  std::string_view key = {};
  std::uint32_t label = 0;
  std::int64_t weight = 0;

  Status next() {
    if (run != nullptr) {
      done = at == run->size();
      if (done) return Done{};
      key = std::string_view(run->keys).substr(at * width, width);
      label = run->classes[at];
      weight = run->weights[at++];
      return Done{};
    }
    TRY(const auto record, file->next());
    done = record.empty();
    if (done) return Done{};
    key = record.substr(0, width);
    std::memcpy(&label, record.data() + width, sizeof label);
    std::memcpy(&weight, record.data() + width + sizeof label, sizeof weight);
    return Done{};
  }
  bool before(const Cursor& other) const {
    const int order = key.compare(other.key);
    return order < 0 || (order == 0 && label < other.label);
  }
};

template <class Take>
Status RowsHash::merge_all(Take take) {
  while (runs_.size() > 1) merge_runs();
  std::vector<Cursor> open;
  for (const Run& run : runs_) open.push_back({&run, nullptr, width_});
  for (SpilledRecords& file : files_) open.push_back({nullptr, &file, width_});
  for (Cursor& c : open) TRY_DONE(c.next());
  std::string key;
  for (;;) {
    const Cursor* least = nullptr;
    for (const Cursor& c : open)
      if (!c.done && (least == nullptr || c.before(*least))) least = &c;
    if (least == nullptr) return Done{};
    key = least->key;
    const std::uint32_t label = least->label;
    std::int64_t weight = 0;
    for (Cursor& c : open) {
      if (c.done || c.label != label || c.key != key) continue;
      weight += c.weight;
      TRY_DONE(c.next());
    }
    take(std::string_view(key), label, weight);
  }
}

// Where that is not possible, all stays in memory.
void RowsHash::spill() {
  SpilledRecords file(width_ + sizeof(std::uint32_t) + sizeof(std::int64_t));
  std::string record;
  while (runs_.size() > 1) merge_runs();
  bool good = true;
  const Run& run = runs_.front();
  for (std::size_t i = 0; good && i < run.size(); ++i) {
    record.assign(run.keys, i * width_, width_);
    record.append(reinterpret_cast<const char*>(&run.classes[i]), sizeof(std::uint32_t));
    record.append(reinterpret_cast<const char*>(&run.weights[i]), sizeof(std::int64_t));
    good = file.write(record);
  }
  if (!good || !file.rewind()) {
    most_ = SIZE_MAX;
    return;
  }
  runs_.clear();
  files_.push_back(std::move(file));
  most_ = std::max(most_, files_.size() << 23);  // a moderate number of files
}

Result<std::string> RowsHash::hex() {
  Sha256 hash;
  std::string block = head_;
  constexpr std::string_view kDigits = "0123456789abcdef";
  TRY_DONE(merge_all([&](std::string_view key, std::uint32_t label, std::int64_t weight) {
    fmt::format_to(std::back_inserter(block), "{} {} ", label, weight);
    for (std::size_t d = 0; d < digits_; ++d) {
      const auto byte = static_cast<unsigned char>(key[d / 2]);
      block += kDigits[d % 2 == 0 ? byte >> 4 : byte & 15];
    }
    block += '\n';
    update_in_blocks(hash, block);
  }));
  hash.update(block);
  return hash.hex_digest();
}

std::string rows_sha256(const Dataset& dataset) {
  if (dataset.ranks()) return ranked_sha256(*dataset.ranks());
  RowsHash all(SIZE_MAX);
  all.add(dataset);
  return *all.hex();  // of one part, which stays in memory
}

namespace {

// The lowest word first.
using WideSum = std::array<std::uint64_t, 4>;

void add_times(WideSum& sum, const std::string& digest, std::uint64_t times) {
  __extension__ using Wide = unsigned __int128;
  Wide carry = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    std::uint64_t word = 0;
    const char* digits = digest.data() + digest.size() - 16 * (i + 1);
    std::from_chars(digits, digits + 16, word, 16);
    carry += Wide{word} * times + sum[i];
    sum[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

}  // namespace

std::string data_sha256(const Dataset& dataset) {
  if (dataset.ranks()) return sha256(*dataset.ranks());
  const DistinctRows distinct = distinct_rows(dataset);
  const std::size_t classes = dataset.num_classes();
  WideSum sum{};
  std::string bits(dataset.num_features(), '0');
  for (std::size_t i = 0; i < distinct.first.size(); ++i) {
    for (std::size_t f = 0; f < bits.size(); ++f)
      bits[f] = dataset.value(Feature{f}, Row{distinct.first[i]}) ? '1' : '0';
    for (std::size_t k = 0; k < classes; ++k)
      if (const std::int64_t weight = distinct.class_weights[i * classes + k]; weight != 0)
        add_times(sum, Sha256::of(fmt::format("{} {}", k, bits)), static_cast<std::uint64_t>(weight));
  }
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", sum[3], sum[2], sum[1], sum[0]);
}

}  // namespace beadwork
