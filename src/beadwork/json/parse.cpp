#include <beadwork/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct Refused {
  std::string message;
};

// Looks at a text before it becomes a value. (The parser's own callback goes over a list again for each object in it.)
class SaxReader : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return start();
  }
  bool key(string_t& text) override {
    if (!keys_.back().insert(text).second)
      throw Refused{fmt::format("has the key \"{}\" twice in one object", printable(text))};
    return value();
  }
  bool end_object() override {
    keys_.pop_back();
    return end();
  }
  bool start_array(std::size_t) override { return start(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  bool value() const {
    constexpr std::size_t kMostNesting = 64;
    if (open_ > kMostNesting) throw Refused{fmt::format("is nested deeper than {} levels", kMostNesting)};
    return true;
  }
  bool start() {
    const bool fine = value();
    ++open_;
    return fine;
  }
  bool end() {
    --open_;
    return true;
  }

  std::vector<std::set<std::string>> keys_;
  std::size_t open_ = 0;
};

Json parse_strictly(std::string_view text) {
  SaxReader watch;
  Json::sax_parse(text, &watch);
  return Json::parse(text);  // which says what is wrong where the text is no JSON
}

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& name, std::string_view kind) {
  try {
    return parse_strictly(text);
  } catch (const Refused& refused) {
    return input_error(refused.message, name);
  } catch (const Json::parse_error& e) {
    return input_error(fmt::format("is not valid JSON at byte {} (is it truncated, or not {}?)", e.byte, kind), name);
  } catch (const Json::exception&) {
    return input_error("holds a number that is out of range", name);
  }
}

}  // namespace beadwork
