#include <beadwork/evidence.hpp>

namespace beadwork {
namespace {

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
  return {options_deciding(request, limits_decide(outcome) ? Use::nowhere : Use::limit), request.cost.costs};
}

std::vector<std::pair<std::string, std::vector<std::string>>> option_texts(const AskedFor& asked) {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (const auto& [name, value] : asked.options) out.emplace_back(name, texts_of(value));
  return out;
}

}  // namespace beadwork
