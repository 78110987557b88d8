#pragma once
// What the checker reads: the 0/1 table, the certificate, JSON. Whatever is not exactly as expected is refused.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace beadcheck {

using Weight = std::int64_t;
using Columns = std::vector<std::size_t>;
using Positions = std::vector<std::size_t>;  // in the certificate's order

struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline void require(bool holds, std::string_view otherwise) {
  if (!holds) throw Rejected(std::string(otherwise));
}
// A number from 0 to `most`, of digits only.
inline Weight number(std::string_view text, Weight most, std::string_view what) {
  Weight value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && text[0] != '-' && value <= most)
    return value;
  const std::string quoted(text.substr(0, 40));
  throw Rejected(std::string(what) + ": '" + quoted + "' is not a number from 0 to " + std::to_string(most));
}
inline std::size_t index(std::string_view text, std::size_t size, std::string_view what) {
  return static_cast<std::size_t>(number(text, static_cast<Weight>(size) - 1, what));
}

// Takes the next word, up to a blank, off the text; empty at the end.
inline std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r"));
  text.remove_prefix(word.size());
  return word;
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
    for (std::size_t i = 0; i < 64; ++i)
      w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(text[block + i]);
    for (std::size_t i = 16; i < 64; ++i)
      w[i] = w[i - 16] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
             (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    auto [a, b, c, d, e, f, g, z] = h;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t sum = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t x = z + sum + ((e & f) ^ (~e & g)) + kRoots[i] + w[i];
      const std::uint32_t y =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
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

// The unmerged table, a row a line: "class bit bit ..."; after the header line "# weights", "class weight bit bit ...".
struct Table {
  std::vector<std::size_t> label;
  std::vector<Weight> weight;
  std::vector<std::string> bits;  // a '0' or '1' for each column
  std::string sha256;             // of the rows as "class weight bits\n", bits without blanks
};
inline Table read_table(const std::string& text) {
  Table table;
  bool weighted = false;
  std::istringstream lines(text);
  std::string line, canonical;
  for (int at = 1; std::getline(lines, line); ++at) {
    auto where = [&](const char* what) { return "data line " + std::to_string(at) + what; };
    if (line.starts_with("# weights") && line.find_first_not_of('\r', 9) == line.npos) {
      require(table.bits.empty(), where(": weights after the first row"));
      weighted = true;
    }
    std::string_view rest = line, word = next_word(rest);
    if (word.empty() || line[0] == '#') continue;
    table.label.push_back(index(word, 65536, where(", class")));
    table.weight.push_back(weighted ? number(next_word(rest), INT64_MAX, where(", weight")) : 1);
    std::string& bits = table.bits.emplace_back();
    while (!(word = next_word(rest)).empty()) {
      require(word == "0" || word == "1", where(": a value that is neither 0 nor 1"));
      bits += word;
    }
    require(bits.size() == table.bits[0].size(), where(": not as many columns as in the first row"));
    canonical +=
        std::to_string(table.label.back()) + ' ' + std::to_string(table.weight.back()) + ' ' + bits + '\n';
  }
  require(!table.bits.empty(), "data: no rows");
  table.sha256 = beadcheck::sha256(std::move(canonical));
  return table;
}

// JSON, nested up to 64 deep, without duplicate keys. Text is kept undecoded, strings with their quotes; none matters
// but numbers and keys, and a key with a backslash is refused.
struct Json {
  std::string text;
  std::map<std::string, Json> members;
  std::vector<Json> items;
  bool has(const std::string& key) const { return members.contains('"' + key + '"'); }
  const Json& operator[](const std::string& key) const {
    require(has(key), "model: no '" + key + "' where one is needed");
    return members.at('"' + key + '"');
  }
};
inline Json read_json(std::string_view& rest, int depth = 0) {
  auto expect = [&](bool holds) {
    require(holds, "model: not JSON, " + std::to_string(rest.size()) + " bytes before its end");
  };
  auto take = [&](std::size_t size) {
    expect(size <= rest.size());
    std::string text(rest.substr(0, size));
    rest.remove_prefix(size);
    return text;
  };
  auto skip = [&](char c) {  // and blanks before it
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    return rest.starts_with(c) && !take(1).empty();
  };
  auto string = [&] {  // after its first quote
    std::size_t i = 0;
    while (i < rest.size() && rest[i] != '"') i += rest[i] == '\\' ? 2 : 1;
    return '"' + take(i + 1);
  };
  Json json;
  require(depth <= 64, "model: nested deeper than 64");
  if (skip('{')) {
    while (!skip('}')) {
      expect((json.members.empty() || skip(',')) && skip('"'));
      const std::string key = string();
      expect(key.find('\\') == key.npos && skip(':'));
      require(json.members.emplace(key, read_json(rest, depth + 1)).second, "model: duplicate key " + key);
    }
  } else if (skip('[')) {
    while (!skip(']')) {
      expect(json.items.empty() || skip(','));
      json.items.push_back(read_json(rest, depth + 1));
    }
  } else if (skip('"')) {
    json.text = string();
  } else {
    json.text = take(std::min(rest.find_first_of(" \t\r\n,]}"), rest.size()));
    static const std::regex scalar(R"(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)");
    expect(json.text.size() <= 64 && std::regex_match(json.text, scalar));
  }
  if (depth == 0) expect(!skip('\0') && rest.empty());
  return json;
}

struct Certificate {
  std::string data_sha256, sha256;
  std::size_t rows = 0, columns = 0, classes = 0, depth = 0;
  Weight claim = 0;
  Columns forbidden, required, model, order;
  std::size_t choices() const { return std::min(depth - required.size(), order.size()); }  // h
};
// An end of a range: "-", or the first positions of a set in increasing order, as in "14" or "30,45".
inline Positions read_end(const std::string& text, const Certificate& c) {
  Positions end;
  std::istringstream parts(text == "-" ? "" : text + ',');
  for (std::string part; std::getline(parts, part, ',');)
    end.push_back(index(part, c.order.size(), "range end " + text));
  const bool increasing = std::adjacent_find(end.begin(), end.end(), std::greater_equal<>()) == end.end();
  require(increasing && end.size() <= c.choices(), "range end " + text + ": not the beginning of a set");
  return end;
}
inline Certificate read_certificate(const std::string& text) {
  Certificate c;
  std::istringstream lines(text);
  auto words = [&](const std::string& key) {  // of the next line, which must begin with the key
    std::string line;
    std::getline(lines, line);
    std::string_view rest = line;
    std::vector<std::string> all;
    do all.emplace_back(next_word(rest));
    while (!rest.empty());
    require(all[0] == key, "certificate: '" + key + "' expected, not '" + line.substr(0, 40) + "'");
    return all;
  };
  auto one = [&](const std::string& key, Weight most) {
    const auto all = words(key);
    require(all.size() == 2, "certificate: " + key + " takes one number");
    return number(all[1], most, "certificate, " + key);
  };
  auto size = [&](const std::string& key, Weight most) { return static_cast<std::size_t>(one(key, most)); };
  auto list = [&](const std::string& key) {  // how many columns, then the columns
    const auto all = words(key);
    Columns columns;
    for (std::size_t i = 2; i < all.size(); ++i)
      columns.push_back(index(all[i], c.columns, "certificate, " + key));
    require(all.size() > 1 && all[1] == std::to_string(columns.size()),
            "certificate: " + key + " is not as long as it says");
    require(std::set(columns.begin(), columns.end()).size() == columns.size(),
            "certificate: " + key + " repeats a column");
    return columns;
  };
  const Weight version = one("beadwork-certificate", INT64_MAX);
  require(version == 1,
          "certificate of version " + std::to_string(version) + ", and this checker reads version 1");
  const std::size_t seal = text.rfind("\nsha256 ") + 1;
  require(seal > 0 && text.size() == seal + 72 && text.ends_with('\n'),
          "certificate: truncated, a sha256 line must end it");
  c.sha256 = text.substr(seal + 7, 64);
  require(c.sha256 == sha256(text.substr(0, seal)),
          "certificate: altered, it does not have the sha256 that it ends with");
  const auto data = words("data-sha256");
  c.data_sha256 = data.back();
  c.rows = size("rows", INT32_MAX);
  c.columns = size("columns", INT32_MAX);
  c.classes = size("classes", 65536);
  c.depth = size("depth", 64);
  c.claim = one("claim", INT64_MAX);
  c.forbidden = list("forbidden");
  if (lines.peek() == 'r') c.required = list("required");
  c.model = list("model");
  c.order = list("order");
  require(std::max(c.required.size(), c.model.size()) <= c.depth,
          "certificate: more columns required or in the model than the depth");
  // The ranges must tile: the first begins at the start, each ends where the next begins, the last ends at the end.
  std::vector<std::pair<Positions, Positions>> done(size("ranges", 1 << 20));
  for (auto& [from, to] : done) {
    const auto all = words("done");
    require(all.size() == 3, "certificate: done takes two ends");
    from = read_end(all[1], c), to = read_end(all[2], c);
  }
  std::sort(done.begin(), done.end());
  Positions at;
  for (std::size_t i = 0; i < done.size(); at = done[i++].second)
    require(done[i].first == at && (i == 0) == at.empty(),
            "certificate: the ranges do not tile, a shard is missing or twice there");
  require(at.empty() && !done.empty(), "certificate: the ranges do not reach the end, a shard is missing");
  words("end");
  words("sha256");
  require(lines.peek() == EOF, "certificate: text after its end");
  return c;
}

}  // namespace beadcheck
