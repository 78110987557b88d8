#pragma once
// What the checker reads: the 0/1 table, the certificate, JSON. Whatever is not exactly as expected is refused.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadcheck {

using Weight = std::int64_t;
using Columns = std::vector<std::size_t>;  // or positions in the certificate's order

using Rejected = std::runtime_error;
template <class... Parts>
void require(bool holds, const Parts&... otherwise) {
  if (holds) return;
  std::ostringstream reason;
  (reason << ... << otherwise);
  throw Rejected(reason.str());
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
    if (line == "# weights" || line == "# weights\r") {
      require(table.bits.empty(), where + ": weights after the first row");
      weighted = true;
    }
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
  auto expect = [&](bool holds) { require(holds, "model: not JSON, ", rest.size(), " bytes from the end"); };
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
  auto one = [&](const std::string& key, std::uint64_t limit) {
    return number(next(key)[0], limit, "certificate, " + key);
  };
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
  const bool sealed = seal > 0 && text.size() == seal + 72 && text.back() == '\n';
  require(sealed, "certificate: truncated, a sha256 line must end it");
  const bool unaltered = text.substr(seal + 7, 64) == sha256(text.substr(0, seal));
  require(unaltered, "certificate: altered, it does not have the sha256 that it ends with");
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

}  // namespace beadcheck
