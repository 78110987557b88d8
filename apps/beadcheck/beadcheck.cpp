// beadcheck DATA MODEL CERTIFICATE: is the model of least training error among all sets of so many columns?
// Independent of the engine: plain C++20, no code in common with it. Proven is, for the 0/1 table DATA itself,
//   (1) no set of at most `depth` columns with all required and no forbidden ones has a training error below `claim`,
//   (2) the diagram in MODEL tests columns of such a set only and errs by exactly `claim`.
// In this order: numbers and hashes, the files (whatever is not exactly as expected is refused), the search that proves
// (1) again with one simple bound, the verdict. docs/certificates.md has the formats and the proofs.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadcheck {

using Weight = std::int64_t;
using Columns = std::vector<std::size_t>;  // or positions in the certificate's order

template <class... Parts>
void require(bool holds, const Parts&... otherwise) {
  if (holds) return;
  std::ostringstream reason;
  (reason << ... << otherwise);
  throw std::runtime_error(reason.str());
}
// A number from 0 to limit - 1, of digits only.
inline std::size_t number(const std::string& text, std::uint64_t limit, const std::string& what) {
  std::uint64_t value = limit;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc{} && end == text.data() + text.size() && value < limit;
  require(good, what, ": '", text.substr(0, 40), "' is not a number from 0 to ", limit - 1);
  return value;
}
inline std::vector<std::string> words_of(const std::string& line) {
  require(line.find_first_of("\v\f") == line.npos, "a line with odd blanks");
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

inline std::string sha256(std::string text) {  // FIPS 180-4
  std::uint32_t h[8], roots[64];  // fractional parts of the square and cube roots of the first primes
  for (unsigned i = 0, p = 2, q; i < 64; ++p) {
    for (q = 2; p % q != 0;) ++q;
    if (q < p) continue;
    if (i < 8) h[i] = static_cast<std::uint32_t>(std::fmod(std::sqrt(p), 1) * 0x1p32);
    roots[i++] = static_cast<std::uint32_t>(std::fmod(std::cbrt(p), 1) * 0x1p32);
  }
  const std::uint64_t length = text.size() * 8;
  text.append(1, '\x80').append((119 - length / 8 % 64) % 64, '\0');
  for (int i = 56; i >= 0; i -= 8) text += static_cast<char>(length >> i);
  auto turned = [](std::uint32_t x, int i, int j) { return std::rotr(x, i) ^ std::rotr(x, j); };
  for (std::size_t block = 0; block < text.size(); block += 64) {
    std::uint32_t w[64] = {}, v[8];
    for (std::size_t i = 0; i < 64; ++i)
      w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(text[block + i]);
    for (std::size_t i = 16; i < 64; ++i)
      w[i] = w[i - 16] + (turned(w[i - 15], 7, 18) ^ w[i - 15] >> 3) + w[i - 7] +
             (turned(w[i - 2], 17, 19) ^ w[i - 2] >> 10);
    std::copy(h, h + 8, v);
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t x = v[7] + (turned(v[4], 6, 11) ^ std::rotr(v[4], 25)) +
                              ((v[4] & v[5]) ^ (~v[4] & v[6])) + roots[i] + w[i];
      const std::uint32_t y =
          (turned(v[0], 2, 13) ^ std::rotr(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      std::copy_backward(v, v + 7, v + 8);
      v[4] += x, v[0] = x + y;
    }
    for (std::size_t i = 0; i < 8; ++i) h[i] += v[i];
  }
  std::string hex;
  for (std::uint32_t v : h)
    for (int i = 28; i >= 0; i -= 4) hex += "0123456789abcdef"[v >> i & 15];
  return hex;
}

// The unmerged table, a row a line: "class bit bit ..."; after the line "# weights", "class weight bit bit ...".
struct Table {
  Columns label;
  std::vector<Weight> weight;
  std::vector<std::string> bits;  // a '0' or '1' for each column
  std::string sha256;             // of the rows as "class weight bits\n", bits without blanks
};
inline Table read_table(const std::string& text) {
  Table table;
  bool weighted = false;
  std::istringstream lines(text);
  std::ostringstream canonical;
  std::string line;
  for (int at = 1; std::getline(lines, line); ++at) {
    const std::string where = "data line " + std::to_string(at);
    std::vector<std::string> words = words_of(line);
    const bool weights = line == "# weights" || line == "# weights\r";
    require(!weights || table.bits.empty(), where + ": weights after the first row");
    weighted = weighted || weights;
    if (words.empty() || line[0] == '#') continue;
    if (!weighted) words.insert(words.begin() + 1, "1");
    require(words.size() > 1, where + ", weight: there is none");
    table.label.push_back(number(words[0], 65536, where + ", class"));
    table.weight.push_back(static_cast<Weight>(number(words[1], 1ULL << 63, where + ", weight")));
    std::string& bits = table.bits.emplace_back();
    for (std::size_t i = 2; i < words.size(); bits += words[i++])
      require(words[i] == "0" || words[i] == "1", where + ": a value that is neither 0 nor 1");
    require(bits.size() == table.bits[0].size(), where + ": not as many columns as in the first row");
    canonical << table.label.back() << ' ' << table.weight.back() << ' ' << bits << '\n';
  }
  require(!table.bits.empty(), "data: no rows");
  table.sha256 = beadcheck::sha256(canonical.str());
  return table;
}

// JSON, nested up to 64 deep. Text is kept undecoded, strings with their quotes; a key with a backslash is refused.
struct Json : std::map<std::string, Json> {  // members by key, or by "0", "1", ..., with quotes
  std::string text;                          // "{" of an object, "[" of an array
};
inline const Json& member(const Json& json, const std::string& key, bool array = false) {
  const auto found = json.find('"' + key + '"');
  const bool good = found != json.end() && (!array || found->second.text == "[");
  require(good, "model: no '", key, "' where one is needed");
  return found->second;
}
inline Json read_json(std::string_view& rest, int depth = 0) {
  auto expect = [&](bool good) { require(good, "model: not JSON, ", rest.size(), " bytes from the end"); };
  auto skip = [&](char c) {  // and blanks before it
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    return rest.starts_with(c) && (rest.remove_prefix(1), true);
  };
  require(depth <= 64, "model: nested deeper than 64");
  Json json;
  const bool object = skip('{'), array = !object && skip('[');
  json.text = object ? "{" : "[";
  while ((object || array) && !skip(object ? '}' : ']')) {
    expect(json.empty() || skip(','));
    const std::string key =
        object ? read_json(rest, depth + 1).text : '"' + std::to_string(json.size()) + '"';
    expect(key[0] == '"' && key.find('\\') == key.npos && (!object || skip(':')));
    require(json.emplace(key, read_json(rest, depth + 1)).second, "model: duplicate key ", key);
  }
  if (!object && !array) {
    const std::size_t quoted = rest.starts_with('"');
    std::size_t size = quoted ? 1 : std::min(rest.find_first_of(" \t\r\n,:]}"), rest.size());
    while (quoted && size < rest.size() && rest[size] != '"') size += rest[size] == '\\' ? 2u : 1u;
    expect(size + quoted <= rest.size());
    json.text = rest.substr(0, size + quoted);
    static const std::regex scalar(R"(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)");
    expect(quoted || (size <= 64 && std::regex_match(json.text, scalar)));
    rest.remove_prefix(json.text.size());
  }
  expect(depth > 0 || (!skip('\0') && rest.empty()));
  return json;
}

struct Certificate {
  std::string data_sha256;
  std::size_t rows = 0, columns = 0, classes = 0, depth = 0;
  Weight claim = 0;
  Columns forbidden, required, model, order;
  static bool holds(const Columns& all, std::size_t f) { return std::ranges::count(all, f) > 0; }
  std::size_t choices() const { return std::min(depth - required.size(), order.size()); }  // h
};
// An end of a range: "-", or the first positions of a set in increasing order, as in "14" or "30,45".
inline Columns read_end(const std::string& text, const Certificate& c) {
  Columns end;
  std::istringstream parts(text == "-" ? "" : text + ',');
  for (std::string part; std::getline(parts, part, ',');)
    end.push_back(number(part, c.order.size(), "range end " + text));
  const bool increasing = std::adjacent_find(end.begin(), end.end(), std::greater_equal<>()) == end.end();
  require(increasing && end.size() <= c.choices(), "range end ", text, ": not the beginning of a set");
  return end;
}
inline Certificate read_certificate(const std::string& text) {
  Certificate c;
  std::istringstream lines(text);
  auto next = [&](const std::string& key, bool list = false) {  // the words of the next line, after its key
    std::string line;
    std::getline(lines, line);
    std::vector<std::string> words = words_of(line);
    const bool good = !words.empty() && words[0] == key && line.ends_with(words.back());
    require(good, "certificate: '", key, "' expected, not '", line.substr(0, 40), "'");
    words.erase(words.begin());
    require(list || words.size() == 1, "certificate: ", key, " takes one number");
    return words;
  };
  auto one = [&](const char* key, std::uint64_t limit) { return number(next(key)[0], limit, key); };
  auto list = [&](const std::string& key) {  // how many columns, then the columns
    const auto words = next(key, true);
    Columns all;
    for (std::size_t i = 1; i < words.size(); ++i) all.push_back(number(words[i], c.columns, key));
    const bool good = !words.empty() && words[0] == std::to_string(all.size());
    require(good, "certificate: ", key, " is not as long as it says");
    require(std::set(all.begin(), all.end()).size() == all.size(), "certificate: ", key, " repeats a column");
    return all;
  };
  const std::size_t version = one("beadwork-certificate", 1ULL << 63), seal = text.rfind("\nsha256 ") + 1;
  require(version == 1, "certificate of version ", version, ", and this checker reads version 1");
  const bool sealed = text.substr(seal) == "sha256 " + sha256(text.substr(0, seal)) + "\n";
  require(sealed, "certificate: truncated or altered, it must end with the sha256 of all above that line");
  c.data_sha256 = next("data-sha256")[0];
  c.rows = one("rows", 1ULL << 31);
  c.columns = one("columns", 1ULL << 31);
  c.classes = one("classes", 65537);
  c.depth = one("depth", 65);
  c.claim = static_cast<Weight>(one("claim", 1ULL << 63));
  c.forbidden = list("forbidden");
  if (lines.peek() == 'r') c.required = list("required");
  c.model = list("model");
  c.order = list("order");
  require(c.required.size() <= c.depth, "certificate: more columns required than the depth");
  require(c.model.size() <= c.depth, "certificate: more columns in the model than the depth");
  // The ranges must tile: the first begins at the start, each ends where the next begins, the last ends at the end.
  std::vector<std::pair<Columns, Columns>> done(one("ranges", (1 << 20) + 1));
  for (auto& [from, to] : done) {
    const auto words = next("done", true);
    require(words.size() == 2, "certificate: done takes two ends");
    from = read_end(words[0], c), to = read_end(words[1], c);
  }
  std::sort(done.begin(), done.end());
  Columns at;
  for (std::size_t i = 0; i < done.size(); at = done[i++].second)
    require(done[i].first == at && (i == 0) == at.empty(), "certificate: the ranges do not tile");
  require(at.empty() && !done.empty(), "certificate: the ranges do not reach the end, a shard is missing");
  next("end", true), next("sha256");
  require(lines.peek() == EOF, "certificate: text after its end");
  return c;
}

// THE SEARCH shows that every set of h positions has error >= target, or names one that has less.
// A node is a set T of features already chosen. It splits the rows into cells; a cell with weight n_k of class k and n in
// total errs by a = n - max n_k, and E is the sum of a over the cells. Below a node, r more features R are to be chosen.
// THE BOUND. Let b = max n_k, d_k = b - n_k; let a side of feature g in the cell have weight s_k of class k, s in total:
//     v(side) = max over k of (s - s_k - floor(d_k / r)),      w(g) = min(a, v(side 0), v(side 1));
// for r = 1 instead w(g) = a - (error of the cell after splitting by g). With W(g) the sum of w(g) over the cells,
//     error(T + R) >= E - sum over g in R of W(g), with equality for r = 1.                                         (*)
// docs/certificates.md has the proof. The search leaves out sets that (*) puts at or above the target, and no others.
using Word = std::uint64_t;
struct Block {  // up to 64 rows of one class, each of weight 1 << shift
  std::size_t k;
  int shift;
  Word rows;               // which bits are rows: the lowest ones
  std::vector<Word> bits;  // [j]: candidate j in these rows
  Word on_side(bool side, std::size_t t) const { return side ? bits[t] : rows & ~bits[t]; }
};
using Cell = std::vector<Block>;  // by class
struct Node {
  Columns position;  // of each candidate
  std::vector<Cell> cells;
};

// Adds a row, the highest of the block returned, where all of n candidates are 0.
inline Block& add_row(Cell& cell, std::size_t k, int shift, std::size_t n) {
  if (cell.empty() || cell.back().k != k || cell.back().shift != shift || cell.back().rows == ~Word{0})
    cell.push_back({k, shift, 0, std::vector<Word>(n)});
  cell.back().rows = cell.back().rows * 2 + 1;
  return cell.back();
}

// The node split by t, for the candidates `keep`. Cells of one class err by nothing, however split, and are left out.
inline Node split(const Node& node, std::size_t t, const Columns& keep) {
  Node child;
  for (std::size_t f : keep) child.position.push_back(node.position[f]);
  for (const Cell& cell : node.cells)
    for (bool side : {true, false}) {
      Cell part;
      for (const Block& from : cell)
        for (Word left = from.on_side(side, t); left != 0; left &= left - 1) {
          Block& to = add_row(part, from.k, from.shift, keep.size());
          const int i = std::countr_zero(left), shift = std::popcount(to.rows) - 1;
          for (std::size_t j = 0; j < keep.size(); ++j) to.bits[j] |= (from.bits[keep[j]] >> i & 1) << shift;
        }
      if (!part.empty() && part.front().k != part.back().k) child.cells.push_back(std::move(part));
    }
  return child;
}

struct Search {
  std::size_t num_classes;
  Weight target;
  Columns path{};  // the positions chosen so far
  std::optional<Columns> found{};

  // E of the node split by t, and cap[f] = W(f) for the candidates f from t + 1 to the end of cap, with r to be chosen.
  Weight count(const Node& node, std::size_t t, Weight r, std::vector<Weight>& cap) {
    std::vector<Weight> weight(num_classes), share(num_classes), ones(num_classes * cap.size());
    Weight error = 0;
    for (const Cell& cell : node.cells)
      for (bool side : {true, false}) {
        std::fill(weight.begin(), weight.end(), 0);  // n_k
        for (const Block& block : cell)
          weight[block.k] += Weight{std::popcount(block.on_side(side, t))} << block.shift;
        const Weight n = std::accumulate(weight.begin(), weight.end(), Weight{0});
        const Weight b = *std::max_element(weight.begin(), weight.end());
        if (n == b) continue;
        error += n - b;
        std::fill(ones.begin(), ones.end(), 0);  // s_k of side 1
        for (const Block& block : cell) {
          Weight* one = &ones[block.k * cap.size()];
          const Word rows = block.on_side(side, t), *bits = block.bits.data();
          for (std::size_t f = t + 1; f < cap.size(); ++f)
            one[f] += Weight{std::popcount(bits[f] & rows)} << block.shift;
        }
        for (std::size_t k = 0; k < num_classes; ++k) share[k] = (b - weight[k]) / r;
        for (std::size_t f = t + 1; f < cap.size(); ++f) {
          Weight s = 0, most0 = 0, most1 = 0;             // most: of s_k on each side
          Weight least0 = INT64_MAX, least1 = INT64_MAX;  // least: of s_k + floor(d_k / r)
          for (std::size_t k = 0; k < num_classes; ++k) {
            const Weight one = ones[k * cap.size() + f], zero = weight[k] - one;
            s += one;
            most0 = std::max(most0, zero), least0 = std::min(least0, zero + share[k]);
            most1 = std::max(most1, one), least1 = std::min(least1, one + share[k]);
          }
          cap[f] += r == 1 ? most0 + most1 - b : std::min({n - b, s - least1, n - s - least0});
        }
      }
    return error;
  }

  // Looks at all sets T + t + (r of the candidates after t and before end) until one is below the target.
  void descend(const Node& node, std::size_t t, std::size_t end, std::size_t r) {
    std::vector<Weight> cap(end), sum{0};
    const Weight spare = count(node, t, static_cast<Weight>(std::max<std::size_t>(r, 1)), cap) - target;
    if (r == 0 && spare < 0) found = path;
    Columns keep(end - t - 1);
    std::iota(keep.begin(), keep.end(), t + 1);
    std::stable_sort(keep.begin(), keep.end(), [&](std::size_t f, std::size_t g) { return cap[f] > cap[g]; });
    for (std::size_t f : keep) sum.push_back(sum.back() + cap[f]);  // sum[i]: W of the first i
    std::optional<Node> child;
    for (std::size_t u = 0; r > 0 && u + r <= keep.size() && !found; ++u) {
      // By (*) a set of u, r - 2 others after u and f errs by at least E - (W of the r - 1 from u on) - W(f). As W falls,
      // the f that may still be below the target, for this and all later u, come first; the others are dropped.
      while (keep.size() >= u + r && spare - (sum[u + r - 1] - sum[u]) >= cap[keep.back()]) keep.pop_back();
      if (keep.size() < u + r) break;
      path.push_back(node.position[keep[u]]);
      if (r == 1) found = path;
      if (!child && r > 1) child = split(node, t, keep);
      if (r > 1) descend(*child, u, keep.size(), r - 1);
      path.pop_back();
    }
  }
};

inline std::string text_of(const Columns& columns) {
  std::string text;
  for (std::size_t f : columns) text += ' ' + std::to_string(f);
  return text;
}
inline std::string values_of(const std::string& bits, const Columns& columns) {
  std::string values;
  for (std::size_t f : columns) values += bits[f];
  return values;
}

// Refuses unless the diagram tests columns of the certificate's model only and errs by exactly the claim.
inline void check_diagram(std::string_view text, const Table& table, const Certificate& c) {
  const Json model = read_json(text);
  require(member(model, "format").text == "\"beadwork-model\"", "model: not a beadwork-model");
  const std::string version = member(model, "version").text;
  require(version == "1", "model of version ", version, ", and this checker reads version 1");
  const Json &classes = member(model, "classes", true), &features = member(model, "features", true);
  require(classes.size() == c.classes, "model: not as many classes as in the certificate");
  const Json& nodes = member(member(model, "diagram"), "nodes", true);
  require(!nodes.empty(), "model: no nodes");
  // Column, low and high; high = 0 is a sink that answers `column`, as no edge leads to node 0.
  std::vector<std::array<std::size_t, 3>> tests(nodes.size());
  std::set<std::size_t> reached{0};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json& node = member(nodes, std::to_string(i));
    const std::string where = "model, node " + std::to_string(i);
    auto index = [&](const Json& json, const std::string& key, std::size_t limit) {
      return number(member(json, key).text, limit, where + ", " + key);
    };
    auto& [column, low, high] = tests[i];
    require(reached.contains(i), where, ": reached from no earlier node, so from none or by a cycle");
    const bool sink = node.contains("\"class\"");
    require(sink != node.contains("\"feature\""), where, ": needs either a class or a feature");
    if (sink) {  // null: an answer for no row of the table
      column = member(node, "class").text == "null" ? c.classes : index(node, "class", c.classes);
      continue;
    }
    const Json& feature = member(features, std::to_string(index(node, "feature", features.size())));
    column = index(feature, "index", c.columns);
    low = index(node, "low", nodes.size()), high = index(node, "high", nodes.size());
    require(std::min(low, high) > i, where, ": leads to an earlier node, maybe in a cycle");
    require(c.holds(c.model, column), where, ": tests a column not of the model, ", column);
    reached.insert({low, high});
  }
  Weight error = 0;
  for (std::size_t i = 0, at = 0; i < c.rows; ++i, at = 0) {
    while (tests[at][2] != 0) at = tests[at][table.bits[i][tests[at][0]] == '1' ? 2 : 1];
    require(tests[at][0] < c.classes, "model: no class for row ", i + 1);
    if (tests[at][0] != table.label[i]) error += table.weight[i];
  }
  require(error == c.claim, "the model errs by ", error, ", the claim is ", c.claim);
}

// Refuses unless every column that may be chosen is constant, or equal up to complement to a required one or to one of
// the order: then sets of required columns and exactly h of the order speak for all, see docs/certificates.md, Columns.
inline void check_order(const Table& table, const Certificate& c) {
  auto pattern = [&](std::size_t f) {
    std::string text;
    for (const std::string& bits : table.bits) text += bits[f] == table.bits[0][f] ? '0' : '1';
    return text;
  };
  std::set<std::string> known{std::string(table.bits.size(), '0')};
  for (std::size_t f : c.required) known.insert(pattern(f));
  for (std::size_t f : c.order) known.insert(pattern(f));
  for (std::size_t f = 0; f < c.columns; ++f) {
    const bool used = c.holds(c.required, f) || c.holds(c.model, f) || c.holds(c.order, f);
    const bool forbidden = c.holds(c.forbidden, f);
    require(!forbidden || !used, "column ", f, " is forbidden, and used");
    require(forbidden || known.contains(pattern(f)), "the order does not cover column ", f);
  }
}

// The table as a node, a cell for each combination of required values; candidate 0 is a column of ones, then come those
// of the order. A weight is written in binary, one row a bit.
inline Node table_node(const Table& table, const Certificate& c) {
  Node node;
  for (std::size_t j = 0; j <= c.order.size(); ++j) node.position.push_back(j - 1);
  std::map<std::string, Cell> cells;
  for (std::size_t k = 0; k < c.classes; ++k)
    for (int shift = 0; shift < 63; ++shift)
      for (std::size_t i = 0; i < c.rows; ++i) {
        if (table.label[i] != k || (table.weight[i] >> shift & 1) == 0) continue;
        Block& block = add_row(cells[values_of(table.bits[i], c.required)], k, shift, node.position.size());
        const std::string bits = '1' + values_of(table.bits[i], c.order);
        for (std::size_t j = 0; j < bits.size(); ++j)
          if (bits[j] == '1') block.bits[j] |= block.rows - block.rows / 2;
      }
  for (const auto& [values, cell] : cells) node.cells.push_back(cell);
  return node;
}

// What has been verified; throws what is wrong. `model` is the text of the model file, or null to check the bound alone.
inline std::string verify(const std::string& data, const std::string* model, const std::string& certificate) {
  const Certificate c = read_certificate(certificate);
  const Table table = read_table(data);
  const bool same = table.sha256 == c.data_sha256;
  require(same, "the data are not those of the certificate, their sha256 is ", table.sha256);
  const bool fits = table.bits.size() == c.rows && table.bits[0].size() == c.columns;
  require(fits, "the data are not of the size certified");
  // The search adds up at most depth + 2 weights or errors, none above the total weight.
  const Weight limit = INT64_MAX / static_cast<Weight>(c.depth + 3);
  Weight total = 0;
  for (std::size_t i = 0; i < c.rows; total += table.weight[i++]) {
    require(table.label[i] < c.classes, "data: class ", table.label[i], " is not among those certified");
    require(table.weight[i] <= limit - total, "data: the weights are too large to be added");
  }
  check_order(table, c);
  for (std::size_t f : c.required)
    require(!model || c.holds(c.model, f), "the model lacks the required column ", f);
  if (model) check_diagram(*model, table, c);
  const Node node = table_node(table, c);
  Search search{c.classes, std::min(c.claim, total + 1)};  // nothing errs by more than the total
  if (search.target > 0) search.descend(node, 0, node.position.size(), c.choices());
  Columns better = c.required;
  for (std::size_t p : search.found.value_or(Columns{})) better.push_back(c.order[p]);
  require(!search.found, "the columns", text_of(better), " err by less than the claim ", c.claim);
  std::ostringstream out;
  out << "VERIFIED" << (model ? "" : " lower bound") << "\ndata: " << c.rows << " rows, " << c.columns
      << " columns, " << c.classes << " classes, sha256 " << table.sha256 << "\nno set of at most " << c.depth
      << " columns" << (c.forbidden.empty() ? "" : " without" + text_of(c.forbidden))
      << (c.required.empty() ? "" : " with" + text_of(c.required)) << " has training error below " << c.claim
      << (model ? "\nthe model errs by exactly that and tests no columns but" + text_of(c.model)
                : "\nno model is given: whether that is reached is not said");
  return out.str();
}

inline std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::ostringstream text;
  require(in && text << in.rdbuf(), "cannot read ", name, ", or it is empty");
  return text.str();
}

}  // namespace beadcheck

int main(int argc, char** argv) try {
  if (argc != 4) return std::cerr << "beadcheck DATA MODEL CERTIFICATE    MODEL -: the bound alone\n", 2;
  const bool alone = argv[2] == std::string("-");
  const std::string model = alone ? "" : beadcheck::read_file(argv[2]), data = beadcheck::read_file(argv[1]);
  std::cout << beadcheck::verify(data, alone ? nullptr : &model, beadcheck::read_file(argv[3])) << std::endl;
  return std::cout ? 0 : 1;
} catch (const std::exception& error) {
  std::string reason = error.what();  // may quote a hostile file
  for (char& c : reason) c = c < 0x20 || c > 0x7e ? '?' : c;
  std::cout << "REJECTED: " << reason << std::endl;
  return 1;
}
