#pragma once
// json: reads untrusted JSON: models, study files, records.
//
//   auto json = parse_json(text, "tree.json", "a model file");
//   if (!json) complain(json.error());      // tree.json: is not valid JSON at byte 12 (is it truncated, ...)
//
// Refuses two things that the parser itself accepts: nesting deeper than 64 levels, which could overflow the stack of
// code that walks the value, and a repeated key, of which the parser would keep the last.

#include <beadwork/base.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace beadwork {

// `name` is where the text comes from and `kind` what it should be; both go into the message.
Result<nlohmann::ordered_json> parse_json(std::string_view text, const std::string& name, std::string_view kind);

}  // namespace beadwork
