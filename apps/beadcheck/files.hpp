#pragma once
// What the checker reads: SHA-256, the 0/1 table, JSON, and the certificate. Whatever is not exactly as expected is refused.
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadcheck {

using Weight = std::int64_t;
using Positions = std::vector<int>;  // increasing positions in the certificate's order

struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline void require(bool holds, const std::string& otherwise) {
  if (!holds) throw Rejected(otherwise);
}
// A decimal number of digits only, at most `most`.
inline Weight number(std::string_view text, Weight most, const std::string& what) {
  Weight value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && text[0] != '-';
  require(whole && value <= most, what + ": '" + std::string(text.substr(0, 40)) + "' is not a number up to " + std::to_string(most));
  return value;
}

inline std::string sha256(std::string text) {  // FIPS 180-4
  // Fractional parts of the square roots of the first 8 primes and of the cube roots of the first 64.
  std::array<std::uint32_t, 8> h{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  static constexpr std::uint32_t kRoots[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  const std::uint64_t length = text.size() * 8;
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  for (int i = 7; i >= 0; --i) text += static_cast<char>(length >> (8 * i));
  for (std::size_t block = 0; block < text.size(); block += 64) {
    std::uint32_t w[64] = {};
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(text[block + i]);
    for (std::size_t i = 16; i < 64; ++i)
      w[i] = w[i - 16] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
             (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    auto [a, b, c, d, e, f, g, z] = h;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t x = z + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRoots[i] + w[i];
      const std::uint32_t y = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      z = g, g = f, f = e, e = d + x, d = c, c = b, b = a, a = x + y;
    }
    const std::uint32_t add[8] = {a, b, c, d, e, f, g, z};
    for (std::size_t i = 0; i < 8; ++i) h[i] += add[i];
  }
  std::string hex;
  for (std::uint32_t v : h)
    for (int i = 28; i >= 0; i -= 4) hex += "0123456789abcdef"[v >> i & 15];
  return hex;
}

// The unmerged table: "class bit bit ...", after a header line "# weights" "class weight bit bit ...".
struct Table {
  std::vector<std::size_t> label;
  std::vector<Weight> weight;
  std::vector<std::string> bits;  // one '0' or '1' a column
  std::size_t columns() const { return bits[0].size(); }
};
inline Table read_table(const std::string& text) {
  Table table;
  bool weighted = false;
  std::istringstream lines(text);
  std::string line, token;
  for (int at = 1; std::getline(lines, line); ++at) {
    const std::string where = "data line " + std::to_string(at);
    if (line.ends_with('\r')) line.pop_back();
    if (line == "# weights") require(table.bits.empty(), where + ": weights announced after the first row"), weighted = true;
    std::istringstream tokens(line);
    if (line.starts_with('#') || !(tokens >> token)) continue;
    table.label.push_back(static_cast<std::size_t>(number(token, 65535, where + ", class")));
    if (weighted) require(static_cast<bool>(tokens >> token), where + ": no weight");
    table.weight.push_back(weighted ? number(token, INT64_MAX, where + ", weight") : 1);
    std::string& bits = table.bits.emplace_back();
    for (; tokens >> token; bits += token) require(token == "0" || token == "1", where + ": '" + token.substr(0, 40) + "' is not 0 or 1");
    require(bits.size() == table.columns(), where + ": " + std::to_string(bits.size()) + " columns where the first row has " + std::to_string(table.columns()));
  }
  require(!table.bits.empty(), "data: no rows");
  return table;
}
// The hash of the rows as "class weight bits\n", bits without blanks.
inline std::string hash(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.bits.size(); ++i)
    text += std::to_string(table.label[i]) + ' ' + std::to_string(table.weight[i]) + ' ' + table.bits[i] + '\n';
  return sha256(std::move(text));
}

// JSON (RFC 8259), nested up to 64 deep, without duplicate keys. Strings are kept undecoded: none matters but keys, and a
// key with a backslash is refused.
struct Json {
  char kind = 0;     // { [ " or 0 for the rest
  std::string text;  // of a string, number or literal
  std::map<std::string, Json> members;
  std::vector<Json> items;
  const Json& operator[](const std::string& key) const {
    require(members.contains(key), "model: no '" + key + "' where one is needed");
    return members.at(key);
  }
  std::size_t index(std::size_t size, const std::string& what) const {
    return static_cast<std::size_t>(number(kind == '0' ? text : "?", static_cast<Weight>(size) - 1, "model, " + what));
  }
};
inline Json read_json(std::string_view& rest, int depth = 0) {
  const std::string broken = "model: not JSON, " + std::to_string(rest.size()) + " bytes before its end or after";
  auto skip = [&](std::string_view what) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    const bool is = !rest.empty() && what.find(rest[0]) != what.npos;
    if (is) rest.remove_prefix(1);
    return is;
  };
  auto string = [&] {
    std::size_t i = 0;
    for (; i < rest.size() && rest[i] != '"'; ++i) {
      require(static_cast<unsigned char>(rest[i]) >= 0x20, broken);
      if (rest[i] == '\\') ++i;
    }
    require(i < rest.size(), broken);
    const std::string text(rest.substr(0, i));
    rest.remove_prefix(i + 1);
    return text;
  };
  Json json;
  require(depth <= 64, "model: nested deeper than 64");
  if (skip("{")) {
    for (json.kind = '{'; !skip("}");) {
      require((json.members.empty() || skip(",")) && skip("\""), broken);
      const std::string key = string();
      require(skip(":") && key.find('\\') == key.npos, broken);
      require(json.members.emplace(key, read_json(rest, depth + 1)).second, "model: duplicate key '" + key + "'");
    }
  } else if (skip("[")) {
    for (json.kind = '['; !skip("]");) {
      require(json.items.empty() || skip(","), broken);
      json.items.push_back(read_json(rest, depth + 1));
    }
  } else if (skip("\"")) {
    json.kind = '"';
    json.text = string();
  } else {
    json.kind = '0';
    json.text = rest.substr(0, rest.find_first_not_of("+-.0123456789Eaeflnrstu"));
    rest.remove_prefix(json.text.size());
    static const std::regex scalar(R"(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)");
    require(json.text.size() <= 64 && std::regex_match(json.text, scalar), broken);
  }
  if (depth == 0) require(!skip("") && rest.empty(), broken);
  return json;
}

struct Certificate {
  std::string data_sha256, sha256;
  std::size_t rows = 0, columns = 0, classes = 0, depth = 0;
  Weight claim = 0;
  std::vector<std::size_t> forbidden, required, model, order;
  std::vector<std::pair<Positions, Positions>> done;
  std::size_t choices() const { return std::min(depth - required.size(), order.size()); }  // h
};
// The end of a range: "-" (the start, or the end of all), or the first positions of a set, as in "14" or "30,45".
inline Positions read_end(const std::string& text, const Certificate& c) {
  Positions end;
  std::istringstream parts(text == "-" ? "" : text + ',');
  for (std::string part; std::getline(parts, part, ',');) {
    end.push_back(static_cast<int>(number(part, static_cast<Weight>(c.order.size()) - 1, "range " + text)));
    require(end.size() < 2 || end[end.size() - 2] < end.back(), "range " + text + ": positions do not increase");
  }
  require(end.size() <= c.choices(), "range " + text + ": longer than a set");
  return end;
}
inline Certificate read_certificate(const std::string& text) {
  Certificate c;
  std::istringstream lines(text);
  std::string line;
  auto next = [&](const std::string& key, bool optional = false) -> std::vector<std::string> {
    const auto here = lines.tellg();
    std::vector<std::string> words;
    std::getline(lines, line);
    std::istringstream in(line);
    for (std::string word; in >> word;) words.push_back(word);
    if (optional && (words.empty() || words[0] != key)) return lines.seekg(here), std::vector<std::string>{key, "0"};
    require(!words.empty() && words[0] == key, "certificate: '" + key + "' expected, found '" + line.substr(0, 40) + "'");
    return words;
  };
  auto one = [&](const std::string& key, Weight most) {
    const auto words = next(key);
    require(words.size() == 2, "certificate: " + key + " takes one number");
    return number(words[1], most, "certificate, " + key);
  };
  auto list = [&](const std::string& key, bool optional = false) {
    const auto words = next(key, optional);
    std::vector<std::size_t> columns;
    for (std::size_t i = 2; i < words.size(); ++i)
      columns.push_back(static_cast<std::size_t>(number(words[i], static_cast<Weight>(c.columns) - 1, "certificate, " + key)));
    require(words.size() > 1 && words[1] == std::to_string(columns.size()), "certificate: " + key + " has not the length it declares");
    require(std::set(columns.begin(), columns.end()).size() == columns.size(), "certificate: " + key + " repeats a column");
    return columns;
  };
  const Weight version = one("beadwork-certificate", INT64_MAX);
  require(version == 1, "certificate version " + std::to_string(version) + "; this checker reads version 1");
  const std::size_t seal = text.rfind("\nsha256 ") + 1;
  require(seal > 0 && text.size() == seal + 72 && text.back() == '\n', "certificate: truncated, the sha256 line is not its end");
  c.sha256 = text.substr(seal + 7, 64);
  require(c.sha256 == sha256(text.substr(0, seal)), "certificate: altered, its sha256 differs");
  const auto hash = next("data-sha256");
  c.data_sha256 = hash.size() == 2 ? hash[1] : "";
  c.rows = static_cast<std::size_t>(one("rows", INT32_MAX));
  c.columns = static_cast<std::size_t>(one("columns", INT32_MAX));
  c.classes = static_cast<std::size_t>(one("classes", 65536));
  c.depth = static_cast<std::size_t>(one("depth", 64));
  c.claim = one("claim", INT64_MAX);
  c.forbidden = list("forbidden");
  c.required = list("required", true);
  c.model = list("model");
  c.order = list("order");
  require(c.required.size() <= c.depth && c.model.size() <= c.depth, "certificate: more required or model columns than the depth");
  for (Weight i = one("ranges", INT32_MAX); i > 0; --i) {
    const auto words = next("done");
    require(words.size() == 3, "certificate: done takes two ends");
    c.done.emplace_back(read_end(words[1], c), read_end(words[2], c));
  }
  next("end");
  require(lines.tellg() == static_cast<std::streamoff>(seal), "certificate: text between end and sha256");
  // The ranges must tile: the first begins at the start, each ends where the next begins, the last ends at the end.
  std::sort(c.done.begin(), c.done.end());
  for (std::size_t i = 0; i <= c.done.size(); ++i) {
    const Positions begin = i < c.done.size() ? c.done[i].first : Positions{}, end = i > 0 ? c.done[i - 1].second : Positions{};
    require(begin == end && !c.done.empty() && (begin.empty() == (i == 0 || i == c.done.size())), "certificate: the ranges do not tile: a shard is missing or overlaps");
  }
  return c;
}

}  // namespace beadcheck
