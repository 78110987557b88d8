// beadcheck DATA MODEL CERTIFICATE: has the model the least training error among all sets of at most `depth` columns?
// Independent of the engine: plain C++20, no code in common with it. It proves, for the 0/1 table DATA itself,
//   (1) no set of at most `depth` columns with all required and no forbidden ones has a training error below `claim`,
//   (2) the diagram in MODEL tests columns of such a set only and errs by exactly `claim`,
//   (3) MODEL names its classes and features as DATA does, where DATA has names.
// A certificate of version 2 is about a table of numbers and says the same of cuts (every threshold of every column).
// In this order: `require` and `number`, hashes, `Progress` (limit, signals, progress); the files, of which whatever is
// not exactly as expected is refused: `Table`, `Json` and the model, `Certificate`; `Node` and `Search`, which prove
// (1) again with one simple bound; the names and the diagram; `Cuts` and `BoxSearch`, which prove (1) for cuts; the
// verdict and `main`. docs/certificates.md has the formats and the proofs.
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cfloat>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <poll.h>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace beadcheck {

using Weight = std::int64_t;
using Columns = std::vector<std::size_t>;  // or positions in the certificate's order

template <class... Parts>
void require(bool holds, const Parts&... otherwise) {
  if (holds) return;
  auto text = [](const auto& part) {
    if constexpr (requires { std::to_string(part); })
      return std::to_string(part);
    else
      return std::string(part);
  };
  throw std::runtime_error((text(otherwise) + ...));
}
// A number from 0 to limit - 1, of digits only.
template <class... Parts>
std::size_t number(std::string_view text, std::uint64_t limit, const Parts&... what) {
  std::uint64_t value = limit;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc{} && end == text.data() + text.size() && value < limit;
  require(good, what..., ": '", text.substr(0, 40), "' is not a number below ", limit);
  return value;
}
// Takes the next line off `rest`, with CR LF or LF at its end.
inline bool next_line(std::string_view& rest, std::string_view& line) {
  line = rest.substr(0, rest.find('\n'));
  const bool any = !rest.empty();
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return any;
}
inline std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != line.npos; at += words.back().size())
    words.push_back(line.substr(at, line.find_first_of(" \t", at) - at));
  return words;
}

// Ends a check that is not to go on, and shows on a terminal how far it is.
inline volatile std::sig_atomic_t interrupted = 0;
struct NotChecked : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Progress {
  double limit = HUGE_VAL;  // seconds
  bool showing = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  double next = 0.5;  // when to show more, in seconds
  void poll(double done = 0) {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (interrupted) throw NotChecked("it was interrupted");
    if (now > limit) throw NotChecked("the limit came first");
    if (!showing || now < next) return;
    std::fprintf(stderr, "\rchecked %.1f %% of the sets in %.0f s ", 100 * done, now);
    next = now + 0.2;
  }
};

// A part of the work, for checks that are spread over machines. Pieces are numbered as the search comes to them, which
// is the same in every part: by whole numbers alone. A piece is what no part but one looks at.
struct Share {
  std::uint64_t index = 0, parts = 1, pieces = 0;
  bool inside = false;  // of a piece of this part
  bool mine() { return pieces++ % parts == index; }
};

inline std::string sha256(std::string text) {  // FIPS 180-4
  std::uint32_t h[8], roots[64];               // fractional parts of the square and cube roots of the first primes
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
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(text[block + i]);
    for (std::size_t i = 16; i < 64; ++i)
      w[i] = w[i - 16] + (turned(w[i - 15], 7, 18) ^ w[i - 15] >> 3) + w[i - 7] +
             (turned(w[i - 2], 17, 19) ^ w[i - 2] >> 10);
    std::copy(h, h + 8, v);
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t x =
          v[7] + (turned(v[4], 6, 11) ^ std::rotr(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + roots[i] + w[i];
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

// The unmerged table, a row a line: "class bit bit ..."; after the line "# weights", "class weight bit bit ...". Before
// the first row, "# class 0 NAME" and "# feature 0 NAME" name classes and columns, numbered from 0 without a gap.
// For a certificate of version 2 "# column 0 number NAME" and "# column 1 test NAME" stand in place of features; a
// number column has numbers or ? in place of bits.
struct Table {
  Columns label;
  std::vector<Weight> weight;
  std::vector<std::string> bits;                        // a '0' or '1' for each column
  std::vector<std::string> classes, features, columns;  // their names, or nothing
  std::vector<std::vector<double>> values;  // with columns, in place of bits: one a row; missing is HUGE_VAL
  std::string sha256;                       // of the rows as "class weight bits\n", bits without blanks
};
inline void read_remark(std::string_view line, std::size_t at, Table& table) {
  const auto words = words_of(line.substr(1));
  if (words.empty() || (words[0] != "class" && words[0] != "feature" && words[0] != "column")) return;
  auto& names = words[0] == "class" ? table.classes : words[0] == "feature" ? table.features : table.columns;
  const bool numbered = words.size() > 1 && words[1] == std::to_string(names.size());
  require(numbered, "data line ", at, ": '# ", words[0], " ", names.size(), " NAME' expected");
  const auto name = static_cast<std::size_t>(words[1].data() - line.data()) + words[1].size() + 1;
  names.emplace_back(line.substr(std::min(name, line.size())));
}
// The values of a row, from its words after class and weight.
inline std::vector<double> read_values(const std::vector<std::string_view>& words, std::size_t at, const Table& table) {
  std::vector<double> values;
  require(words.size() == table.columns.size() + 2, "data line ", at, ": not a value for each column");
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string_view word = words[i];
    double value = HUGE_VAL;
    const bool number = table.columns[i - 2].starts_with("number ");
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool good = error == std::errc{} && rest == word.data() + word.size() && std::isfinite(value);
    if (number)
      require(good || word == "?", "data line ", at, ": a value that is neither a number nor ?");
    else
      require(word == "0" || word == "1", "data line ", at, ": a test that is neither 0 nor 1");
    values.push_back(good ? value : HUGE_VAL);
  }
  return values;
}
inline Table read_table(std::string_view text, Progress& progress) {
  Table table;
  bool weighted = false;
  std::string canonical;
  std::string_view line;
  for (std::size_t at = 1; next_line(text, line); ++at) {
    progress.poll();
    const bool weights = line == "# weights", remark = line.starts_with('#');
    require(!weights || table.label.empty(), "data line ", at, ": weights after the first row");
    weighted = weighted || weights;
    if (remark && table.label.empty()) read_remark(line, at, table);
    std::vector<std::string_view> words = words_of(line);
    if (words.empty() || remark) continue;
    if (!weighted) words.insert(words.begin() + 1, "1");
    require(words.size() > 1, "data line ", at, ", weight: there is none");
    table.label.push_back(number(words[0], 65536, "data line ", at, ", class"));
    table.weight.push_back(static_cast<Weight>(number(words[1], 1ULL << 63, "data line ", at, ", weight")));
    if (!table.columns.empty()) {
      table.values.push_back(read_values(words, at, table));
      continue;
    }
    std::string& bits = table.bits.emplace_back();
    for (std::size_t i = 2; i < words.size(); bits += words[i++])
      require(words[i] == "0" || words[i] == "1", "data line ", at, ": a value that is neither 0 nor 1");
    const bool even = bits.size() == table.bits[0].size();
    require(even, "data line ", at, ": not as many columns as in the first row");
    canonical += std::to_string(table.label.back()) + ' ' + std::to_string(table.weight.back()) + ' ';
    canonical += bits + '\n';
  }
  require(!table.label.empty(), "data: no rows");
  table.sha256 = beadcheck::sha256(std::move(canonical));
  return table;
}

// The code point that text begins with, and its bytes; the first byte and 0 where it is not UTF-8.
inline std::pair<std::uint32_t, std::size_t> decoded(std::string_view text) {
  const std::uint32_t lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  std::uint32_t code = lead & 0x7FU >> size;
  bool good = lead >= 0xC0 && lead <= 0xF4 && text.size() >= size;
  for (std::size_t i = 1; good && i < size; ++i) {
    good = (text[i] & 0xC0) == 0x80;
    code = code << 6 | (text[i] & 0x3F);
  }
  const std::uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
  good = good && code >= least && code <= 0x10FFFF && code >> 11 != 0x1B;
  return {good ? code : lead, good ? size : 0};
}
// A name with \u{HEX} for a backslash and all but visible ASCII, and \x{HEX} for bytes that are not UTF-8: different
// names are spelled differently. From a JSON string, or (`json` is false) as `binarize` writes it: there \u{HEX} is
// what it stands for, and another backslash stands for itself.
inline std::string spelled(std::string_view rest, bool json) {
  std::string name;
  auto digits = [&](std::size_t at) {  // the four after \u
    const std::string_view text = rest.substr(std::min(at, rest.size()), 4);
    std::uint32_t code = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), code, 16).ptr;
    require(text.size() == 4 && end == text.data() + 4 && rest.substr(at - 2, 2) == "\\u", "model: a wrong escape");
    return code;
  };
  for (std::size_t size = 1; !rest.empty(); rest.remove_prefix(size)) {
    auto [code, bytes] = decoded(rest);
    size = std::max<std::size_t>(bytes, 1);
    if (json && code == '\\') {
      const std::size_t plain = std::string_view("\"\\/bfnrt").find(rest.substr(1, 1));
      size = plain < 8 ? 2 : 6;
      code = plain < 8 ? static_cast<std::uint32_t>("\"\\/\b\f\n\r\t"[plain]) : digits(2);
      if (code >> 11 == 0x1B) {  // a surrogate, and there must be the other
        const std::uint32_t low = code >> 10 == 0x36 ? digits(8) : 0;
        require(low >> 10 == 0x37, "model: half a character");
        code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF), size = 12;
      }
    } else if (!json && rest.starts_with("\\u{")) {
      const std::size_t end = std::min(rest.find('}'), rest.size());
      std::uint32_t given = 0;
      const bool read = std::from_chars(rest.data() + 3, rest.data() + end, given, 16).ptr == rest.data() + end;
      if (read && end > 3 && end < rest.size() && given <= 0x10FFFF) code = given, size = end + 1;
    }
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), bytes == 0 ? "\\x{%x}" : "\\u{%x}", static_cast<unsigned>(code));
    const bool seen = bytes > 0 && code >= 0x20 && code <= 0x7E && code != '\\';
    name += seen ? std::string(1, static_cast<char>(code)) : hex.data();
  }
  return name;
}
inline bool is_json_number(std::string_view text) {
  auto skip = [&](std::string_view some) {
    const bool there = !text.empty() && some.find(text[0]) != some.npos;
    text.remove_prefix(there ? 1 : 0);
    return there;
  };
  auto digits = [&] {
    const std::size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(size);
    return size;
  };
  skip("-");
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  bool good = whole == 1 || (whole > 1 && !zero);
  if (skip(".")) good = digits() > 0 && good;
  if (skip("eE")) skip("+-"), good = digits() > 0 && good;
  return good && text.empty();
}
// Refuses what stands between two quotes and is no text: bytes that are not UTF-8, control characters, wrong escapes.
inline void check_json_text(std::string_view inside) {
  for (std::string_view rest = inside; !rest.empty();) {
    const auto [code, bytes] = decoded(rest);
    require(bytes > 0, "model: not JSON, a text that is not UTF-8");
    require(code >= 0x20, "model: not JSON, a control character in a text");
    rest.remove_prefix(bytes);
  }
  if (inside.find('\\') != inside.npos) spelled(inside, true);
}

// JSON, nested up to 64 deep. Text is kept undecoded, strings with their quotes; a key with a backslash is refused.
struct Json {
  std::string text{};               // "{" of an object, "[" of an array
  std::vector<std::string> keys{};  // of an object, with quotes
  std::vector<Json> items{};        // what these stand for, or the elements of an array
  const Json* find(const std::string& key) const {
    const auto found = std::find(keys.begin(), keys.end(), '"' + key + '"');
    return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
  }
};
inline const Json& member(const Json& json, const std::string& key, bool array = false) {
  const Json* found = json.find(key);
  require(found && (!array || found->text == "["), "model: no '", key, "' where one is needed");
  return *found;
}
// `keep` is false for what nobody will ask for: it is read, and not stored.
inline Json read_json(std::string_view& rest, int depth = 0, bool keep = true) {
  static const std::string needed = R"("format""version""classes""columns""features""diagram""members")";
  auto expect = [&](bool good) { require(good, "model: not JSON, ", rest.size(), " bytes from the end"); };
  auto skip = [&](char c) {  // and blanks before it
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    return rest.starts_with(c) && (rest.remove_prefix(1), true);
  };
  require(depth <= 64, "model: nested deeper than 64");
  Json json;
  std::set<std::string> seen;
  const bool object = skip('{'), array = !object && skip('[');
  json.text = object ? "{" : "[";
  for (bool first = true; (object || array) && !skip(object ? '}' : ']'); first = false) {
    expect(first || skip(','));
    std::string key = object ? read_json(rest, depth + 1).text : "";
    expect(!object || (key[0] == '"' && (!keep || key.find('\\') == key.npos) && skip(':')));
    require(!object || seen.insert(key).second, "model: duplicate key ", key.substr(0, 40));
    const bool wanted = keep && (depth > 0 || needed.find(key) != needed.npos);
    Json item = read_json(rest, depth + 1, wanted);
    if (!wanted) continue;
    if (object) json.keys.push_back(std::move(key));
    json.items.push_back(std::move(item));
  }
  if (!object && !array) {
    const std::size_t quoted = rest.starts_with('"');
    std::size_t size = quoted ? 1 : std::min(rest.find_first_of(" \t\r\n,:]}"), rest.size());
    while (quoted && size < rest.size() && rest[size] != '"') size += rest[size] == '\\' ? 2u : 1u;
    expect(size + quoted <= rest.size());
    json.text = rest.substr(0, size + quoted);
    if (quoted) check_json_text(std::string_view(json.text).substr(1, size - 1));
    expect(quoted || is_json_number(json.text) || json.text == "true" || json.text == "false" || json.text == "null");
    rest.remove_prefix(json.text.size());
  }
  expect(depth > 0 || (!skip('\0') && rest.empty()));
  return json;
}

// Cuts `first` to `last` of a column: cut k parts the rows of rank up to k from the others.
struct Interval {
  std::size_t column, first, last;
  bool operator==(const Interval&) const = default;
};
struct Certificate {
  std::size_t version = 1;
  std::string data_sha256;
  std::size_t rows = 0, columns = 0, classes = 0, depth = 0;
  Weight claim = 0;
  Columns forbidden, required, model, order;
  std::vector<Interval> forbidden_cuts{}, required_cuts{}, model_cuts{};  // of version 2, in place of these
  static bool holds(const Columns& all, std::size_t f) { return std::ranges::count(all, f) > 0; }
  std::size_t choices() const { return std::min(depth - required.size(), order.size()); }  // h
};
// An end of a range: "-", or the first positions of a set in increasing order, as in "14" or "30,45".
inline Columns read_end(std::string_view text, const Certificate& c) {
  Columns end;
  for (std::size_t at = 0; text != "-" && at <= text.size();) {
    const std::string_view part = text.substr(at, text.find(',', at) - at);
    end.push_back(number(part, c.order.size(), "range end ", text.substr(0, 40)));
    at += part.size() + 1;
  }
  const bool increasing = std::adjacent_find(end.begin(), end.end(), std::greater_equal<>()) == end.end();
  const bool good = increasing && end.size() <= c.choices();
  require(good, "range end ", text.substr(0, 40), ": not the beginning of a set");
  return end;
}
inline Certificate read_certificate(const std::string& text) {
  Certificate c;
  std::string_view rest = text, line;
  auto next = [&](std::string_view key, bool list = false) {  // the words of the next line, after its key
    next_line(rest, line);
    std::vector<std::string_view> words = words_of(line);
    const bool good = !words.empty() && words[0] == key && line.ends_with(words.back());
    require(good, "certificate: '", key, "' expected, not '", line.substr(0, 40), "'");
    words.erase(words.begin());
    require(list || words.size() == 1, "certificate: ", key, " takes one number");
    return words;
  };
  auto one = [&](const char* key, std::uint64_t limit) { return number(next(key)[0], limit, key); };
  auto list = [&](std::string_view key) {  // how many columns, then the columns
    const auto words = next(key, true);
    Columns all;
    for (std::size_t i = 1; i < words.size(); ++i) all.push_back(number(words[i], c.columns, key));
    const bool good = !words.empty() && words[0] == std::to_string(all.size());
    require(good, "certificate: ", key, " is not as long as it says");
    require(std::set(all.begin(), all.end()).size() == all.size(), "certificate: ", key, " repeats a column");
    return all;
  };
  auto cuts = [&](std::string_view key, bool single) {  // how many, then COLUMN:CUT or COLUMN:FIRST-LAST
    const auto words = next(key, true);
    std::vector<Interval> all;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t colon = std::min(words[i].find(':'), words[i].size() - 1), dash = words[i].find('-');
      const std::string_view first = words[i].substr(colon + 1, dash - colon - 1);
      const std::string_view last =
          single || dash == words[i].npos ? words[i].substr(colon + 1) : words[i].substr(dash + 1);
      all.push_back(
          {number(words[i].substr(0, colon), c.columns, key), number(first, c.rows, key), number(last, c.rows, key)});
    }
    const bool good = !words.empty() && words[0] == std::to_string(all.size());
    require(good, "certificate: ", key, " is not as long as it says");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool after = i == 0 || all[i - 1].column < all[i].column ||
                         (all[i - 1].column == all[i].column && all[i - 1].last < all[i].first);
      require(after && all[i].first <= all[i].last, "certificate: ", key, " is not in increasing order");
    }
    return all;
  };
  const std::size_t version = one("beadwork-certificate", 1ULL << 63), seal = text.rfind("\nsha256 ") + 1;
  require(version == 1 || version == 2, "certificate of version ", version,
          ", and this checker reads versions 1 and 2");
  c.version = version;
  const bool sealed = text.substr(seal) == "sha256 " + sha256(text.substr(0, seal)) + "\n";
  require(sealed, "certificate: truncated or altered, it must end with the sha256 of all above that line");
  c.data_sha256 = next("data-sha256")[0];
  c.rows = one("rows", 1ULL << 31);
  c.columns = one("columns", 1ULL << 31);
  c.classes = one("classes", 65537);
  c.depth = one("depth", 65);
  c.claim = static_cast<Weight>(one("claim", 1ULL << 63));
  auto finish = [&] {
    next("end", true), next("sha256");
    require(rest.empty(), "certificate: text after its end");
    return c;
  };
  if (version == 2) {
    c.forbidden_cuts = cuts("forbidden", false);
    c.required_cuts = cuts("required", true);
    c.model_cuts = cuts("model", true);
    require(c.required_cuts.size() <= c.depth, "certificate: more cuts required than the depth");
    require(c.model_cuts.size() <= c.depth, "certificate: more cuts in the model than the depth");
    return finish();
  }
  c.forbidden = list("forbidden");
  if (rest.starts_with('r')) c.required = list("required");
  c.model = list("model");
  c.order = list("order");
  require(c.required.size() <= c.depth, "certificate: more columns required than the depth");
  require(c.model.size() <= c.depth, "certificate: more columns in the model than the depth");
  // The ranges must tile: the first begins at the start, each ends where the next begins, the last ends at the end.
  std::vector<std::pair<Columns, Columns>> done;
  for (std::size_t left = one("ranges", (1 << 20) + 1); left > 0; --left) {
    const auto words = next("done", true);
    require(words.size() == 2, "certificate: done takes two ends");
    done.emplace_back(read_end(words[0], c), read_end(words[1], c));
  }
  std::sort(done.begin(), done.end());
  Columns at;
  for (std::size_t i = 0; i < done.size(); at = done[i++].second)
    require(done[i].first == at && (i == 0) == at.empty(), "certificate: the ranges do not tile");
  require(at.empty() && !done.empty(), "certificate: the ranges do not reach the end, a shard is missing");
  return finish();
}

// THE SEARCH shows that every set of h positions has error >= target, or names one that has less.
// A node is a set T of features already chosen. It splits the rows into cells; a cell with weight n_k of class k and n
// in total errs by a = n - max n_k, and E is the sum of a over the cells. Below a node, r more features R are to be
// chosen.
//
// THE BOUND. Let b = max n_k, d_k = b - n_k; let a side of feature g in the cell have weight s_k of class k, s in
// total:
//     v(side) = max over k of (s - s_k - floor(d_k / r)),      w(g) = min(a, v(side 0), v(side 1));
// for r = 1 instead w(g) = a - (error of the cell after splitting by g). With W(g) the sum of w(g) over the cells,
//     error(T + R) >= E - sum over g in R of W(g), with equality for r = 1.                                         (*)
// docs/certificates.md has the proof. The search leaves out sets that (*) puts at or above the target, and no others.
using Word = std::uint64_t;
struct Block {    // up to 64 rows of one class, each of weight 1 << shift
  std::size_t k;  // the class: classes of a cell are numbered from 0, leaving out those that it does not have
  int shift;
  Word rows;               // which bits are rows: the lowest ones
  std::vector<Word> bits;  // [j]: candidate j in these rows
  Word on_side(bool side, std::size_t t) const { return side ? bits[t] : rows & ~bits[t]; }
};
using Cell = std::vector<Block>;  // by class, not empty
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

// Numbers the classes of a cell afresh.
inline void renumber(Cell& cell) {
  std::size_t k = 0, last = cell[0].k;
  for (Block& block : cell) {
    if (block.k != last) ++k;
    last = std::exchange(block.k, k);
  }
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
      if (part.empty() || part.front().k == part.back().k) continue;
      renumber(part);
      child.cells.push_back(std::move(part));
    }
  return child;
}

struct Search {
  static constexpr std::uint64_t kAllSets = std::uint64_t{1} << 56;
  Weight target;
  Progress& progress;
  Share share{};
  Columns path{};  // the positions chosen so far
  std::optional<Columns> found{};

  // E of the node split by t, and cap[f] = W(f) for the candidates f from t + 1 to the end of cap, with r to be chosen.
  Weight count(const Node& node, std::size_t t, Weight r, std::vector<Weight>& cap) {
    std::vector<Weight> weight, share, ones;
    Weight error = 0;
    for (const Cell& cell : node.cells)
      for (bool side : {true, false}) {
        const std::size_t num_classes = cell.back().k + 1;
        weight.assign(num_classes, 0);  // n_k
        for (const Block& block : cell) weight[block.k] += Weight{std::popcount(block.on_side(side, t))} << block.shift;
        const Weight n = std::accumulate(weight.begin(), weight.end(), Weight{0});
        const Weight b = *std::max_element(weight.begin(), weight.end());
        if (n == b) continue;
        error += n - b;
        ones.assign(num_classes * cap.size(), 0);  // s_k of side 1
        for (const Block& block : cell) {
          Weight* one = &ones[block.k * cap.size()];
          const Word rows = block.on_side(side, t), *bits = block.bits.data();
          for (std::size_t f = t + 1; f < cap.size(); ++f)
            one[f] += Weight{std::popcount(bits[f] & rows)} << block.shift;
        }
        share.resize(num_classes);
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

  // Looks at all sets T + t + (r of the candidates after t and before end) until one is below the target. These sets
  // are the part from `from` to `to` of all, for show; `sets` is about the same of kAllSets, for the shares of parts.
  void descend(const Node& node, std::size_t t, std::size_t end, std::size_t r, double from = 0, double to = 1,
               std::uint64_t sets = kAllSets) {
    progress.poll(from);
    const bool piece = !share.inside && (share.parts == 1 || r <= 1 || sets <= kAllSets / (2 * share.parts));
    if (piece && !share.mine()) return;
    share.inside = share.inside || piece;
    std::vector<Weight> cap(end);
    std::vector<Word> sum{0};
    const Weight spare = count(node, t, static_cast<Weight>(std::max<std::size_t>(r, 1)), cap) - target;
    if (r == 0 && spare < 0) found = path;
    Columns keep(end - t - 1);
    std::iota(keep.begin(), keep.end(), t + 1);
    std::stable_sort(keep.begin(), keep.end(), [&](std::size_t f, std::size_t g) { return cap[f] > cap[g]; });
    // sum[i]: W of the first i, modulo 2^64; a difference over r of them is below 2^63 and so exact.
    for (std::size_t f : keep) sum.push_back(sum.back() + static_cast<Word>(cap[f]));
    auto part = [&, n = static_cast<double>(keep.size())](std::size_t u) {  // where the sets with first feature u begin
      double left = 1;
      for (std::size_t i = 0; i < r; ++i) left *= (n - static_cast<double>(u + i)) / (n - static_cast<double>(i));
      return to - (to - from) * left;
    };
    std::optional<Node> child;
    const std::size_t all = keep.size();
    for (std::size_t u = 0; r > 0 && u + r <= keep.size() && !found; ++u) {
      const std::uint64_t here = sets * r / (all - u);  // those with first feature u
      sets -= here;
      // By (*) a set of u, r - 2 others after u and f errs by at least E - (W of the r - 1 from u on) - W(f). As W
      // falls, the f that may still be below the target, for this and all later u, come first; the others are dropped.
      const Weight others = static_cast<Weight>(sum[u + r - 1] - sum[u]);
      while (keep.size() >= u + r && spare - others >= cap[keep.back()]) keep.pop_back();
      if (keep.size() < u + r) break;
      path.push_back(node.position[keep[u]]);
      if (r == 1) found = path;
      if (!child && r > 1) child = split(node, t, keep);
      if (r > 1) descend(*child, u, keep.size(), r - 1, part(u), part(u + 1), here);
      path.pop_back();
    }
    if (piece) share.inside = false;
  }
};

inline std::string text_of(const Columns& columns) {
  std::string text;
  for (std::size_t f : columns) text += ' ' + std::to_string(f);
  return text;
}
inline std::string text_of(const std::vector<Interval>& cuts) {
  std::string text;
  for (const Interval& cut : cuts)
    text += ' ' + std::to_string(cut.column) + ':' + std::to_string(cut.first) +
            (cut.last == cut.first ? "" : '-' + std::to_string(cut.last));
  return text;
}
inline std::string values_of(const std::string& bits, const Columns& columns) {
  std::string values;
  for (std::size_t f : columns) values += bits[f];
  return values;
}

// Refuses unless the model names classes and features as the data do, where these have names.
inline std::string name_in(const Json& json, const std::string& what) {
  require(json.text.size() > 1 && json.text[0] == '"', "model: ", what, " has no name");
  return spelled(std::string_view(json.text).substr(1, json.text.size() - 2), true);
}
inline void check_names(const Json& model, const Table& table, const Certificate& c) {
  auto same = [](const std::string& what, const Json& json, const std::string& name) {
    const std::string own = name_in(json, what), given = spelled(name, false);
    const bool agree = own == given;
    require(agree, what, " is '", own.substr(0, 40), "' in the model, '", given.substr(0, 40), "' in the data");
  };
  const Json &classes = member(model, "classes", true), &features = member(model, "features", true);
  require(classes.items.size() == c.classes, "model: not as many classes as in the certificate");
  for (std::size_t k = 0; k < table.classes.size(); ++k)
    same("class " + std::to_string(k), classes.items[k], table.classes[k]);
  if (c.version == 2) return;
  for (const Json& feature : features.items) {
    const std::size_t f = number(member(feature, "index").text, c.columns, "model, index");
    if (!table.features.empty()) same("feature " + std::to_string(f), member(feature, "name"), table.features[f]);
  }
}

// Refuses unless the diagram tests columns of the certificate's model only and errs by exactly the claim.
inline void check_diagram(const Json& model, const Table& table, const Certificate& c) {
  const auto& features = member(model, "features", true).items;
  const auto& nodes = member(member(model, "diagram"), "nodes", true).items;
  require(!nodes.empty(), "model: no nodes");
  // Column, low and high; high = 0 is a sink that answers `column`, as no edge leads to node 0.
  std::vector<std::array<std::size_t, 3>> tests(nodes.size());
  std::vector<bool> reached(nodes.size());
  reached[0] = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json& node = nodes[i];
    const std::string where = "model, node " + std::to_string(i);
    auto index = [&](const Json& json, const std::string& key, std::size_t limit) {
      return number(member(json, key).text, limit, where, ", ", key);
    };
    auto& [column, low, high] = tests[i];
    require(reached[i], where, ": reached from no earlier node, so from none or by a cycle");
    const bool sink = node.find("class") != nullptr;
    require(sink != (node.find("feature") != nullptr), where, ": needs either a class or a feature");
    if (sink) {  // null: an answer for no row of the table
      column = member(node, "class").text == "null" ? c.classes : index(node, "class", c.classes);
      continue;
    }
    column = index(features[index(node, "feature", features.size())], "index", c.columns);
    low = index(node, "low", nodes.size()), high = index(node, "high", nodes.size());
    require(std::min(low, high) > i, where, ": leads to an earlier node, maybe in a cycle");
    require(c.holds(c.model, column), where, ": tests a column not of the model, ", column);
    reached[low] = reached[high] = true;
  }
  Weight error = 0;
  for (std::size_t i = 0, at = 0; i < c.rows; ++i, at = 0) {
    while (tests[at][2] != 0) at = tests[at][table.bits[i][tests[at][0]] == '1' ? 2 : 1];
    require(tests[at][0] < c.classes, "model: no class for row ", i + 1);
    if (tests[at][0] != table.label[i]) error += table.weight[i];
  }
  require(error == c.claim, "the model errs by ", error, ", the claim is ", c.claim);
}

inline Json read_model(std::string_view text) {
  Json model = read_json(text);
  require(member(model, "format").text == "\"beadwork-model\"", "model: not a beadwork-model");
  const std::string version = member(model, "version").text.substr(0, 40);
  const bool known = version == "1" || version == "2" || version == "4";
  require(known, "model of version ", version, ", and this checker reads versions 1, 2 and 4");
  const bool votes = std::find(model.keys.begin(), model.keys.end(), "\"members\"") != model.keys.end();
  require(!votes, "model: a committee, whose members vote, and this checker reads single models");
  return model;
}
inline void check_model(const Json& model, const Table& table, const Certificate& c) {
  check_names(model, table, c);
  check_diagram(model, table, c);
}

// Refuses unless every column that may be chosen is constant, or equal up to complement to a required one or to one of
// the order: then sets of required columns and exactly h of the order speak for all, see docs/certificates.md, Columns.
inline void check_order(const Table& table, const Certificate& c, Progress& progress) {
  auto pattern = [&](std::size_t f) {
    progress.poll();
    std::string text;
    for (const std::string& bits : table.bits) text += bits[f] == table.bits[0][f] ? '0' : '1';
    return text;
  };
  std::set<std::string> known{std::string(table.bits.size(), '0')};
  std::vector<bool> covered(c.columns), forbidden(c.columns);
  for (const Columns& columns : {c.required, c.order})
    for (std::size_t f : columns) known.insert(pattern(f)), covered[f] = true;
  for (std::size_t f : c.forbidden) {
    require(!covered[f] && !c.holds(c.model, f), "column ", f, " is forbidden, and used");
    forbidden[f] = true;
  }
  for (std::size_t f = 0; f < c.columns; ++f)
    require(covered[f] || forbidden[f] || known.contains(pattern(f)), "the order does not cover column ", f);
}

// The table as a node, a cell for each combination of required values; candidate 0 is a column of ones, then come those
// of the order. A weight is written in binary, one row a bit.
inline Node table_node(const Table& table, const Certificate& c, Progress& progress) {
  Node node;
  for (std::size_t j = 0; j <= c.order.size(); ++j) node.position.push_back(j - 1);
  std::map<std::string, Cell> cells;
  std::map<std::size_t, Columns> rows;  // of each class
  for (std::size_t i = 0; i < c.rows; ++i) rows[table.label[i]].push_back(i);
  for (const auto& [k, those] : rows)
    for (int shift = 0; shift < 63; ++shift)
      for (std::size_t i : those) {
        if ((table.weight[i] >> shift & 1) == 0) continue;
        progress.poll();
        Block& block = add_row(cells[values_of(table.bits[i], c.required)], k, shift, node.position.size());
        const std::string bits = '1' + values_of(table.bits[i], c.order);
        for (std::size_t j = 0; j < bits.size(); ++j)
          if (bits[j] == '1') block.bits[j] |= block.rows - block.rows / 2;
      }
  for (auto& [values, cell] : cells) renumber(cell), node.cells.push_back(std::move(cell));
  return node;
}

// CUTS. A number column has a rank for each of its values, from 0 in increasing order, and missing values come last; a
// test column has rank 0 where the test holds, else 1. Cut k of a column parts the rows of rank up to k from the
// others.
struct Ranks {
  std::vector<std::vector<double>> values;      // by column: of each rank, HUGE_VAL for missing
  std::vector<std::vector<std::uint32_t>> row;  // by column: the rank of each row
  std::string sha256;                           // of classes, weights and ranks
  std::size_t num_cuts(std::size_t column) const { return values[column].size() - 1; }
};
inline Ranks rank_columns(const Table& table, Progress& progress) {
  Ranks ranks;
  std::string canonical = "beadwork ranks 1\n" + std::to_string(table.label.size()) + ' ';
  canonical += std::to_string(table.columns.size()) + '\n';
  auto add = [&](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) canonical += static_cast<char>(value >> 8 * i);
  };
  for (std::size_t i = 0; i < table.label.size(); ++i)
    add(table.label[i], 4), add(static_cast<std::uint64_t>(table.weight[i]), 8);
  for (std::size_t f = 0; f < table.columns.size(); ++f) {
    progress.poll();
    const bool test = table.columns[f].starts_with("test ");
    require(test || table.columns[f].starts_with("number "), "data: column ", f, " is neither a number nor a test");
    auto value = [&](const std::vector<double>& row) { return test ? 1 - row[f] : row[f]; };
    auto& values = ranks.values.emplace_back();
    if (test) values = {0, 1};
    for (const auto& row : table.values) values.push_back(value(row));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    auto& of_row = ranks.row.emplace_back();
    add(values.back() == HUGE_VAL, 4);
    for (const auto& row : table.values) {
      const auto at = std::lower_bound(values.begin(), values.end(), value(row));
      of_row.push_back(static_cast<std::uint32_t>(at - values.begin()));
      add(of_row.back(), 4);
    }
  }
  ranks.sha256 = beadcheck::sha256(std::move(canonical));
  return ranks;
}

// THE SEARCH OVER CUTS shows that no set of at most r allowed cuts has an error below the target, or names one that
// has. A node is some rows of the table in cells; `first` is the least cut of each column that may still be chosen,
// none where the column is done. A box is an interval of a column's cuts. All of them send the rows before it to the
// left and those after it to the right. Without the rows between, the box is a node itself: what errs by at least the
// target there, does so with any cut of the box, because fewer rows never err by more. A box that is not dead is
// halved. docs/certificates.md has the proof.
struct BoxSearch {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Row {
    std::uint32_t cell, k;  // its cell, kNone: it does not count; its class
    Weight weight;
  };
  struct Node {
    std::vector<Row> rows;                           // all of the table
    std::vector<std::vector<std::uint32_t>> sorted;  // by column: those that count, by rank
    std::vector<std::uint32_t> first;                // by column
    Columns columns;                                 // those that are not done
    std::vector<Weight> weight;                      // of class k in cell c at c * classes + k
    Weight error = 0;
  };
  struct Candidate {  // a cut, and the rows of the node to its left; other cuts of the column may part them alike
    std::uint32_t rows_left, cut;
  };
  const Ranks& ranks;
  Weight target;
  Progress& progress;
  Share share{};                                   // of the boxes of the root
  std::size_t classes = 0;                         // those that rows have
  std::vector<std::vector<std::uint32_t>> next{};  // by column and rank: the least allowed cut from there on, or kNone
  std::vector<Node> nodes{};                       // one a level: the last is a split of the one before, and so on
  Columns hot{};                                   // by level
  double done = 0, all = 0;                        // cuts of the root, for show
  std::vector<Interval> path{};
  std::optional<std::vector<Interval>> found{};
  std::vector<Weight> left{}, right{}, most_left{}, most_right{};
  std::vector<std::uint32_t> kept{}, number{};

  // `to` becomes `from` where the first rows_left rows of column f, and those from rows_right on, are apart. The others
  // do not count, nor do cells of one class, which err by nothing however they are split.
  void split(const Node& from, std::size_t f, std::size_t rows_left, std::size_t rows_right, Node& to, bool sort) {
    const auto& rows = from.sorted[f];
    const std::size_t cells = from.weight.size() / classes;
    right.assign(2 * cells * classes, 0), number.assign(2 * cells, kNone);
    to.rows = from.rows, to.first = from.first, to.columns = from.columns;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row& row = to.rows[rows[i]];
      row.cell = i < rows_left ? 2 * row.cell : i >= rows_right ? 2 * row.cell + 1 : kNone;
      if (row.cell != kNone) right[row.cell * classes + row.k] += row.weight;
    }
    to.weight.clear(), to.error = 0;
    for (std::size_t cell = 0; cell < 2 * cells; ++cell) {
      const auto begin = right.begin() + static_cast<std::ptrdiff_t>(cell * classes);
      const auto end = begin + static_cast<std::ptrdiff_t>(classes);
      const Weight errs = std::accumulate(begin, end, Weight{0}) - *std::max_element(begin, end);
      if (errs == 0) continue;
      number[cell] = static_cast<std::uint32_t>(to.weight.size() / classes);
      to.weight.insert(to.weight.end(), begin, end);
      to.error += errs;
    }
    for (std::uint32_t i : rows) {
      Row& row = to.rows[i];
      if (row.cell != kNone) row.cell = number[row.cell];
    }
    if (sort) to.sorted.resize(from.sorted.size());
    for (std::size_t g : sort ? to.columns : Columns{}) to.sorted[g] = rows_that_count(from, g, to);
  }
  const std::vector<std::uint32_t>& rows_that_count(const Node& from, std::size_t f, const Node& in) {
    kept.resize(from.sorted[f].size());
    std::size_t size = 0;
    for (std::uint32_t i : from.sorted[f]) {
      kept[size] = i;
      size += in.rows[i].cell != kNone;
    }
    kept.resize(size);
    return kept;
  }

  // The least allowed cut of column f between rows of these ranks, or kNone.
  std::uint32_t cut_between(const Node& node, std::size_t f, std::uint32_t before, std::uint32_t after) const {
    const std::uint32_t cut = next[f][std::max(before, node.first[f])];
    return cut < after ? cut : kNone;
  }
  std::vector<Candidate> candidates(const Node& node, std::size_t f) const {
    std::vector<Candidate> cuts;
    const auto &rows = node.sorted[f], &rank = ranks.row[f];
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
      const std::uint32_t before = rank[rows[i - 1]], after = rank[rows[i]];
      const std::uint32_t cut = before < after ? cut_between(node, f, before, after) : kNone;
      if (cut != kNone) cuts.push_back({i, cut});
    }
    return cuts;
  }

  // Does one cut of column f bring the node, which is a split of `from`, below the target? The gain of every cut, by
  // moving one row after the other to the left.
  bool sweep(const Node& from, const Node& node, std::size_t f, bool exact) {
    const auto& rows = rows_that_count(from, f, node);
    const auto& rank = ranks.row[f];
    left.assign(node.weight.size(), 0), right = node.weight;
    most_left.assign(node.weight.size() / classes, 0), most_right.clear();
    for (auto at = right.begin(); at != right.end(); at += static_cast<std::ptrdiff_t>(classes))
      most_right.push_back(*std::max_element(at, at + static_cast<std::ptrdiff_t>(classes)));
    const Weight needed = node.error - target;
    Weight gain = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      const Row& row = node.rows[rows[i]];
      Weight &most0 = most_left[row.cell], &most1 = most_right[row.cell];
      Weight* const right_k = &right[row.cell * classes];
      gain -= most0 + most1;
      most0 = std::max(most0, left[row.cell * classes + row.k] += row.weight);
      right_k[row.k] -= row.weight;
      if (right_k[row.k] + row.weight == most1 && std::find(right_k, right_k + classes, most1) == right_k + classes)
        most1 = *std::max_element(right_k, right_k + classes);
      gain += most0 + most1;
      if (gain <= needed) continue;
      const std::uint32_t cut = cut_between(node, f, rank[rows[i]], rank[rows[i + 1]]);
      if (cut == kNone) continue;
      if (exact) path.push_back({f, cut, cut}), found = path;
      return true;
    }
    return false;
  }

  // Is there a set of at most r further cuts with an error below the target? With grain 0 the node is exact, and what
  // there is has been found. In other nodes boxes of no more than `grain` rows count as alive without being halved.
  bool alive(std::size_t level, std::size_t r, std::size_t grain) {
    Node& node = nodes[level];
    if (node.error < target && grain == 0) found = path;
    if (node.error < target || r == 0) return node.error < target;
    while (!node.columns.empty()) {  // in any order: first the one that was alive the last time
      auto at = std::find(node.columns.begin(), node.columns.end(), hot[level]);
      if (at == node.columns.end()) at = node.columns.begin();
      const std::size_t f = *at;
      const auto cuts = r == 1 ? std::vector<Candidate>{} : candidates(node, f);
      const bool divided = level == 1 && share.parts > 1;  // the root: an exact node
      if (divided && r == 1 && !share.mine()) {
      } else if (r == 1    ? sweep(nodes[level - 1], node, f, grain == 0)
                 : divided ? boxes_alive(f, cuts, r)
                           : !cuts.empty() && box_alive(level, f, cuts, 0, cuts.size() - 1, r, grain)) {
        return hot[level] = f, true;
      }
      node.columns.erase(at);
    }
    return false;
  }
  // The boxes of the root's column f that are this part's.
  bool boxes_alive(std::size_t f, const std::vector<Candidate>& cuts, std::size_t r) {
    const std::size_t size = std::max<std::size_t>(1, static_cast<std::size_t>(all) / (8 * share.parts));
    for (std::size_t i = 0; i < cuts.size(); i += size)
      if (share.mine() && box_alive(1, f, cuts, i, std::min(i + size, cuts.size()) - 1, r, 0)) return true;
    return false;
  }
  // The same for sets with a cut of the box i to j of column f whose other cuts of that column are not before it.
  bool box_alive(std::size_t level, std::size_t f, const std::vector<Candidate>& cuts, std::size_t i, std::size_t j,
                 std::size_t r, std::size_t grain) {
    progress.poll(done / all);
    const std::size_t dropped = cuts[j].rows_left - cuts[i].rows_left;
    Node& child = nodes[level + 1];
    split(nodes[level], f, cuts[i].rows_left, cuts[j].rows_left, child, r > 2);
    child.first[f] = cuts[i].cut;
    if (i == j) path.push_back({f, cuts[i].cut, cuts[i].cut});
    const bool open = alive(level + 1, r - 1, grain > 0 ? grain : dropped);
    if (i == j) path.pop_back();
    if (level == 1 && (i == j || !open)) done += static_cast<double>(j - i + 1);
    if (i == j || !open || (grain > 0 && dropped <= grain)) return open;
    const std::size_t middle = (i + j) / 2;
    return box_alive(level, f, cuts, i, middle, r, grain) || box_alive(level, f, cuts, middle + 1, j, r, grain);
  }

  // All of it, for the table's rows and the cuts that the certificate leaves.
  void run(const Table& table, const Certificate& c) {
    const std::size_t n = ranks.row.size(), r = c.depth - c.required_cuts.size();
    nodes.resize(r + 2), hot.assign(r + 2, 0);
    Node& whole = nodes[0];
    std::map<std::size_t, std::uint32_t> k;  // classes, numbered afresh
    for (std::size_t label : table.label) k.emplace(label, static_cast<std::uint32_t>(k.size()));
    classes = k.size();
    for (std::size_t i = 0; i < c.rows; ++i)
      whole.rows.push_back({table.weight[i] > 0 ? 0 : kNone, k[table.label[i]], table.weight[i]});
    whole.sorted.resize(n), whole.first.assign(n, 0), whole.weight.assign(classes, 0);
    for (std::size_t f = 0; f < n; ++f) {
      progress.poll();
      for (std::uint32_t i = 0; i < c.rows; ++i)
        if (table.weight[i] > 0) whole.sorted[f].push_back(i);
      const auto& rank = ranks.row[f];
      std::stable_sort(whole.sorted[f].begin(), whole.sorted[f].end(),
                       [&](auto i, auto j) { return rank[i] < rank[j]; });
      whole.columns.push_back(f);
      auto& cuts = next.emplace_back(ranks.values[f].size(), kNone);
      for (std::size_t k = ranks.num_cuts(f); k-- > 0;) cuts[k] = static_cast<std::uint32_t>(k);
    }
    for (const Interval& cuts : c.forbidden_cuts)
      for (std::size_t k = cuts.first; k <= cuts.last; ++k) next[cuts.column][k] = kNone;
    for (auto& cuts : next)
      for (std::size_t k = cuts.size(); k-- > 0; all += cuts[k] == k)
        if (cuts[k] == kNone && k + 1 < cuts.size()) cuts[k] = cuts[k + 1];
    for (const Interval& cut : c.required_cuts) {
      const auto &rows = whole.sorted[cut.column], &rank = ranks.row[cut.column];
      const auto at = std::partition_point(rows.begin(), rows.end(), [&](auto i) { return rank[i] <= cut.first; });
      const auto left_rows = static_cast<std::size_t>(at - rows.begin());
      split(whole, cut.column, left_rows, left_rows, nodes[1], true);
      std::swap(nodes[0], nodes[1]);
    }
    split(whole, 0, 0, 0, nodes[1], true);
    path = c.required_cuts;
    alive(1, r, 0);
  }
};

// The tests of the model as columns of bits, a feature each, bound to the cuts of the certificate's model: the model's
// own thresholds and names of columns count, not its names of features. `c` and `model` then number features so.
inline Table bind_cuts(Json& model, const Table& table, const Ranks& ranks, Certificate& c) {
  Table bits;
  bits.label = table.label, bits.weight = table.weight, bits.bits.resize(c.rows);
  const Json& columns = member(model, "columns", true);
  const auto at = std::find(model.keys.begin(), model.keys.end(), "\"features\"");
  require(at != model.keys.end(), "model: no 'features' where one is needed");
  auto& features = model.items[static_cast<std::size_t>(at - model.keys.begin())].items;
  for (std::size_t j = 0; j < features.size(); ++j) {
    const std::string where = "feature " + std::to_string(j), test = member(features[j], "test").text;
    const Json& column =
        columns.items[number(member(features[j], "column").text, columns.items.size(), "model, column")];
    const bool numeric = member(column, "type").text == "\"numeric\"", missing = test == "\"missing\"";
    const std::string name = numeric ? "number " + name_in(member(column, "name"), where)
                                     : "test " + name_in(member(features[j], "name"), where);
    auto same = [&](const std::string& given) { return spelled(given, false) == name; };
    const auto named = std::find_if(table.columns.begin(), table.columns.end(), same);
    require(named != table.columns.end() && std::find_if(named + 1, table.columns.end(), same) == table.columns.end(),
            "model, ", where, ": the data have no column '", name.substr(0, 60), "', or several");
    const auto f = static_cast<std::size_t>(named - table.columns.begin());
    double most = numeric ? DBL_MAX : 0.5;  // of values up to this one
    if (numeric && !missing) {
      const std::string text = member(features[j], "threshold").text;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), most);
      const bool good = test == "\"at_most\"" && error == std::errc{} && end == text.data() + text.size();
      require(good && std::isfinite(most), "model, ", where, ": no threshold");
    }
    const bool inverted = numeric ? missing : true;
    for (std::size_t i = 0; i < c.rows; ++i) bits.bits[i] += "01"[(table.values[i][f] <= most) != inverted];
    const auto& values = ranks.values[f];
    const auto passed = static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), most) - values.begin());
    const Interval cut{f, passed - 1, passed - 1};
    const bool listed = passed > 0 && std::ranges::count(c.model_cuts, cut) > 0;
    require(listed, "model, ", where, ": tests a cut not of the model");
    c.model.push_back(j);
    features[j] = {"{", {"\"index\""}, {{std::to_string(j)}}};
  }
  c.columns = features.size();
  return bits;
}

// Refuses cuts that do not exist, and a model without required cuts or with forbidden ones.
inline void check_cuts(const Ranks& ranks, const Certificate& c, bool model) {
  for (const auto* cuts : {&c.forbidden_cuts, &c.required_cuts, &c.model_cuts})
    for (const Interval& cut : *cuts)
      require(cut.last < ranks.num_cuts(cut.column), "certificate: column ", cut.column, " has no cut ", cut.last);
  for (const auto* cuts : {&c.required_cuts, &c.model_cuts})
    for (const Interval& cut : *cuts)
      for (const Interval& never : c.forbidden_cuts)
        require(cut.column != never.column || cut.last < never.first || cut.first > never.last, "cut ", cut.column, ":",
                cut.first, " is forbidden, and used");
  for (const Interval& cut : c.required_cuts)
    require(!model || std::ranges::count(c.model_cuts, cut) > 0, "the model lacks the required cut ", cut.column, ":",
            cut.first);
}

// What is verified and what is not, in words.
inline std::string verdict(const Table& table, const Certificate& c, bool model) {
  const std::string claim = std::to_string(c.claim), columns = std::to_string(c.columns);
  const bool cuts = c.version == 2;
  const std::string required = cuts ? text_of(c.required_cuts) : text_of(c.required);
  const std::string forbidden = cuts ? text_of(c.forbidden_cuts) : text_of(c.forbidden);
  const std::string sets = "no set of at most " + std::to_string(c.depth) + (cuts ? " cuts" : "") + " of the " +
                           columns + " columns" + (required.empty() ? "" : " with" + required) +
                           (forbidden.empty() ? "" : " without" + forbidden) + " has less";
  auto compared = [](bool named) { return named ? " agree" : " were not compared, the data have none"; };
  const std::string names = std::string("class names") + compared(!table.classes.empty()) +
                            (cuts ? ", columns and thresholds agree" : ", feature names") +
                            (cuts ? "" : compared(!table.features.empty()));
  return std::string("VERIFIED") + (model ? "" : " lower bound") + "\ncovered: " +
         (model ? "the model has training error " + claim + " on these rows, and " + sets + "; " + names
                : sets + " training error than " + claim + " on these rows") +
         ". Not covered: " + (model ? "what else the model file says, and " : "whether a model reaches that, and ") +
         (cuts ? "how the data were made from the raw table.\ndata: "
               : "how the 0/1 columns were made from the raw table.\ndata: ") +
         std::to_string(c.rows) + " rows, " + columns + " columns, " + std::to_string(c.classes) + " classes, sha256 " +
         table.sha256 +
         (model ? cuts ? "\nmodel: tests no cuts but" + text_of(c.model_cuts)
                       : "\nmodel: tests no columns but" + text_of(c.model)
                : "");
}

// What has been verified; throws what is wrong. `model` is the text of the model file, or null to check the bound
// alone.
inline void check_columns(const std::string* model, const Table& table, const Certificate& c, Weight target,
                          Progress& progress, const Share& share) {
  check_order(table, c, progress);
  for (std::size_t f : c.required) require(!model || c.holds(c.model, f), "the model lacks the required column ", f);
  if (model) check_model(read_model(*model), table, c);
  const Node node = table_node(table, c, progress);
  Search search{target, progress, share};
  if (search.target > 0) search.descend(node, 0, node.position.size(), c.choices());
  Columns better = c.required;
  for (std::size_t p : search.found.value_or(Columns{})) better.push_back(c.order[p]);
  require(!search.found, "the columns", text_of(better), " err by less than the claim ", c.claim);
}
inline void check_ranks(const std::string* model, const Table& table, const Ranks& ranks, const Certificate& c,
                        Weight target, Progress& progress, const Share& share) {
  check_cuts(ranks, c, model != nullptr);
  if (model) {
    Json json = read_model(*model);
    Certificate bound = c;
    const Table tests = bind_cuts(json, table, ranks, bound);
    check_names(json, table, c);
    check_diagram(json, tests, bound);
  }
  BoxSearch search{ranks, target, progress, share};
  if (target > 0) search.run(table, c);
  require(!search.found, "the cuts", text_of(search.found.value_or(std::vector<Interval>{})),
          " err by less than the claim ", c.claim);
}
inline std::string verify(std::string_view data, const std::string* model, const std::string& certificate,
                          Progress progress = {}, const Share& share = {}) {
  const Certificate c = read_certificate(certificate);
  const bool cuts = c.version == 2;
  Table table = read_table(data, progress);
  require(cuts == !table.columns.empty(), "a certificate of version ", c.version,
          " is about data that 'beadwork binarize", cuts ? " --values" : "", "' writes");
  const Ranks ranks = cuts ? rank_columns(table, progress) : Ranks{};
  if (cuts) table.sha256 = ranks.sha256;
  const bool same = table.sha256 == c.data_sha256;
  const std::size_t columns = cuts ? table.columns.size() : table.bits[0].size();
  const bool fits = table.label.size() == c.rows && columns == c.columns;
  require(
      same || fits, "the data are not those of the certificate: ", table.label.size(), " rows and ", columns,
      " columns, and it is about ", c.rows, " and ", c.columns,
      "; were they cut at other thresholds, or read otherwise? 'beadwork binarize --like MODEL' does it as fit did");
  require(same, "the data are not those of the certificate, their sha256 is ", table.sha256);
  require(fits, "the data are not of the size certified");
  auto all = [](std::size_t named, std::size_t there) { return named == 0 || named == there; };
  const bool named = all(table.classes.size(), c.classes) && all(table.features.size(), c.columns);
  require(named, "the data do not name each class and each feature");
  // The search adds up at most depth + 2 weights or errors, none above the total weight.
  const Weight limit = INT64_MAX / static_cast<Weight>(c.depth + 3);
  Weight total = 0;
  for (std::size_t i = 0; i < c.rows; total += table.weight[i++]) {
    require(table.label[i] < c.classes, "data: class ", table.label[i], " is not among those certified");
    require(table.weight[i] <= limit - total, "data: the weights are too large to be added");
  }
  const Weight target = std::min(c.claim, total + 1);  // nothing errs by more than the total
  if (cuts)
    check_ranks(model, table, ranks, c, target, progress, share);
  else
    check_columns(model, table, c, target, progress, share);
  return verdict(table, c, model != nullptr);
}

// What a check of one range says: the verdict on the whole, which holds once all ranges say the same, under a first
// line that names the range and above the hashes of what was checked.
inline std::string range_log(const std::string& verdict, const std::string* model, const std::string& certificate,
                             const Share& share) {
  const std::string log = "VERIFIED range " + std::to_string(share.index) + "/" + std::to_string(share.parts) +
                          "\nif all ranges are verified: " + verdict + "\nfiles: certificate " + sha256(certificate) +
                          " model " + (model ? sha256(*model) : "-") + "\n";
  return log + "sha256 " + sha256(log);
}
// "3, 7-12": the numbers below n that are not in the set.
inline std::string missing_text(const std::set<std::size_t>& there, std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    if (there.contains(i)) continue;
    std::size_t last = i;
    while (last + 1 < n && !there.contains(last + 1)) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(i) + (last > i ? "-" + std::to_string(last) : "");
    i = last;
  }
  return text;
}
// The verdict that the logs of all ranges agree on.
inline std::string combine(const std::vector<std::string>& logs) {
  std::set<std::size_t> there;
  std::string agreed, parts;
  for (const std::string& log : logs) {
    const std::size_t seal = log.rfind("\nsha256 ") + 1;
    const bool whole = seal > 0 && log.substr(seal) == "sha256 " + sha256(log.substr(0, seal)) + "\n";
    require(whole, "a log is truncated or altered, or the check of its range did not end well");
    std::string_view rest = std::string_view(log).substr(0, seal), line;
    next_line(rest, line);
    const std::string_view kind = "VERIFIED range ";
    const std::size_t slash = line.find('/');
    require(line.starts_with(kind) && slash != line.npos, "a log does not begin with '", kind, "'");
    const std::string_view index = line.substr(kind.size(), slash - kind.size()), of = line.substr(slash + 1);
    require(parts.empty() || (parts == of && agreed == rest), "the logs are not of one check: files or ranges differ");
    parts = of, agreed = rest;
    there.insert(number(index, number(of, 1u << 24, "ranges"), "range"));
  }
  const std::size_t n = number(parts, 1u << 24, "ranges");
  if (there.size() < n) throw NotChecked("of " + parts + " ranges these are missing: " + missing_text(there, n));
  const std::string_view begin = "if all ranges are verified: ";
  require(agreed.starts_with(begin), "the logs do not say what they are about");
  return agreed.substr(begin.size()) + "combined: " + parts + (n == 1 ? " range" : " ranges") +
         ", on the word of their logs";
}

inline std::string read_file(const char* name, Progress& progress) {
  struct File {
    int fd;
    ~File() { close(fd); }
  };
  const File file{open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};  // a pipe may wait for its writer: the limit goes on
  require(file.fd >= 0, "cannot read ", name);
  std::string text;
  std::array<char, 1 << 16> part;
  for (ssize_t n = 1; n != 0;) {
    progress.poll();
    pollfd ready{file.fd, POLLIN, 0};
    if (poll(&ready, 1, 50) <= 0) continue;
    n = read(file.fd, part.data(), part.size());
    require(n >= 0 || errno == EAGAIN || errno == EINTR, "cannot read ", name);
    if (n > 0) text.append(part.data(), static_cast<std::size_t>(n));
  }
  require(!text.empty(), name, " is empty");
  return text;
}

// One line of what can be seen: a reason may quote a hostile file.
inline std::string one_line(std::string text) {
  for (char& c : text) c = c < 0x20 || c > 0x7e ? '?' : c;
  return text;
}

}  // namespace beadcheck

#ifndef BEADCHECK_NO_MAIN
namespace {

constexpr const char* kUsage =
    "usage: beadcheck [--limit SECONDS] [--range I/N] DATA MODEL CERTIFICATE, or beadcheck --combine LOG...";
constexpr const char* kHelp = R"(
Checks a certificate of "beadwork fit --certificate" without any code of beadwork.
  DATA         the 0/1 matrix that "beadwork binarize" writes, with the options of the fit; for a certificate of
               version 2, over all thresholds, what "beadwork binarize --values" writes
  MODEL        the model file, or - to check the lower bound alone
  CERTIFICATE  the certificate
  --limit S    give up after S seconds
  --range I/N  check the I-th of N ranges alone, I from 0 to N - 1: keep the output of each as its log, and put them
               together by --combine LOG..., which names ranges that are missing
First line of the output and exit code:
  VERIFIED, VERIFIED lower bound   0   then what is covered and what is not
  VERIFIED range I/N               0   nothing below the claim in that range
  REJECTED: reason                 1   something is wrong, or a file cannot be read
  (usage, on standard error)       2
  NOT CHECKED: reason              3   the limit, an interrupt or the end of memory came first, or ranges are missing
On a terminal, standard error shows how far it is. docs/certificates.md has formats and proofs.
)";

int say(const std::string& text, int code) {
  return std::puts(text.c_str()) < 0 || std::fflush(stdout) != 0 ? std::max(code, 1) : code;
}
int refuse_usage(const std::string& why) {
  return std::fprintf(stderr, "beadcheck: %s; %s\n", beadcheck::one_line(why).c_str(), kUsage), 2;
}
std::string combine(const std::vector<char*>& files, beadcheck::Progress progress) {
  std::vector<std::string> logs;
  for (const char* file : files) logs.push_back(beadcheck::read_file(file, progress));
  return beadcheck::combine(logs);
}
std::string check(const std::vector<char*>& files, beadcheck::Progress progress, const beadcheck::Share& share,
                  bool ranged) {
  const bool alone = files[1] == std::string("-");
  const std::string model = alone ? "" : beadcheck::read_file(files[1], progress);
  const std::string data = beadcheck::read_file(files[0], progress),
                    certificate = beadcheck::read_file(files[2], progress);
  for (int signal : {SIGINT, SIGTERM})  // the second one ends the program
    if (std::signal(signal, [](int s) { beadcheck::interrupted = 1, std::signal(s, SIG_DFL); }) == SIG_IGN)
      std::signal(signal, SIG_IGN);
  const std::string verdict = beadcheck::verify(data, alone ? nullptr : &model, certificate, progress, share);
  const std::string hashes = "files: sha256 of data " + beadcheck::sha256(data) +
                             (alone ? "" : ", of model " + beadcheck::sha256(model)) + ", of certificate " +
                             beadcheck::sha256(certificate);
  return !ranged ? verdict + '\n' + hashes
                 : beadcheck::range_log(verdict, alone ? nullptr : &model, certificate, share);
}
// I/N with I below N; false for anything else.
bool read_range(const std::string& text, beadcheck::Share& share) {
  const std::size_t slash = text.find('/');
  try {
    share.parts = beadcheck::number(text.substr(std::min(slash, text.size() - 1) + 1), 1u << 20, "ranges");
    share.index = beadcheck::number(text.substr(0, slash), share.parts, "range");
    return slash != text.npos;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> files;
  beadcheck::Progress progress;
  beadcheck::Share share;
  bool combining = false, ranged = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") return say(std::string(kUsage) + "\n" + kHelp, 0);
    if (argument == "--limit" && i + 1 < argc) {
      char* end = argv[++i];
      progress.limit = std::strtod(argv[i], &end);
      if (end == argv[i] || *end != '\0' || !(progress.limit >= 0)) return refuse_usage("--limit takes seconds");
    } else if (argument == "--range" && i + 1 < argc) {
      ranged = read_range(argv[++i], share);
      if (!ranged) return refuse_usage("--range takes I/N with I from 0 to N - 1");
    } else if (argument == "--combine") {
      combining = true;
    } else if (argument.starts_with("--")) {
      return refuse_usage("no option '" + argument + "', or nothing after it");
    } else {
      files.push_back(argv[i]);
    }
  }
  if (combining ? files.empty() || ranged : files.size() != 3)
    return refuse_usage(combining ? "--combine takes logs, and no range" : "three files are needed");
  progress.showing = isatty(2) != 0;
  std::pair<std::string, int> result;
  try {
    result = {combining ? combine(files, progress) : check(files, progress, share, ranged), 0};
  } catch (const beadcheck::NotChecked& stopped) {
    result = {std::string("NOT CHECKED: ") + stopped.what(), 3};
  } catch (const std::bad_alloc&) {
    result = {"NOT CHECKED: out of memory", 3};
  } catch (const std::exception& error) {
    result = {"REJECTED: " + beadcheck::one_line(error.what()), 1};
  }
  if (progress.showing) std::fputs("\r\033[K", stderr);
  return say(result.first, result.second);
}
#endif
