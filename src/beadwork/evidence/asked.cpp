#include <beadwork/evidence.hpp>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

constexpr std::array kLimits = {"time_limit", "memory_limit", "encode_limit", "solve_limit"};

// May another limit give another model?
bool limits_decide(const Outcome& o) {
  return !is_proven(o.claim) || !o.claim.canonical || o.choice || (o.size && o.size->status != SolveStatus::optimal) ||
         (o.committee && o.committee->claim.extent == CommitteeClaim::Extent::stopped);
}

std::vector<std::string> texts_of(const AskedFor::Value& value) {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return *list;
  if (const auto* text = std::get_if<std::string>(&value)) return {*text};
  if (const auto* on = std::get_if<bool>(&value)) return {*on ? "true" : "false"};
  if (const auto* n = std::get_if<std::int64_t>(&value)) return {std::to_string(*n)};
  return {format_number(std::get<double>(value))};
}

}  // namespace

AskedFor asked_for(const Request& request, const Outcome& outcome) {
  AskedFor out{options_deciding(request), request.cost.costs};
  if (!limits_decide(outcome))
    std::erase_if(out.options, [](const auto& option) {
      return std::find(kLimits.begin(), kLimits.end(), option.first) != kLimits.end();
    });
  return out;
}

std::vector<std::pair<std::string, std::vector<std::string>>> option_texts(const AskedFor& asked) {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (const auto& [name, value] : asked.options) out.emplace_back(name, texts_of(value));
  return out;
}

}  // namespace beadwork
