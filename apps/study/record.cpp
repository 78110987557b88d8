#include "record.hpp"

#include <beadwork/engine.hpp>
#include <beadwork/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace beadwork {

using Json = nlohmann::ordered_json;

std::string StudyEntry::key() const {
  return fmt::format("{}/{}/{}/seed {}/{}", set, depth ? fmt::format("depth {}", *depth) : "any depth", part, seed,
                     learner);
}

std::string to_line(const StudyEntry& e) {
  Json j{{"set", e.set}, {"part", e.part}, {"seed", e.seed}};
  if (e.depth) j["depth"] = *e.depth;
  j["learner"] = e.learner;
  if (!e.engine.empty()) j["engine"] = e.engine;
  if (!e.settings.empty()) {
    Json settings = Json::object();
    for (const auto& [name, value] : e.settings) settings[name] = value;
    j["options"] = std::move(settings);
  }
  j["data_sha256"] = e.data_sha256;
  j["version"] = e.version;
  j["status"] = e.status;
  if (!e.note.empty()) j["note"] = e.note;
  for (const auto& [name, value] : e.measures) j[name] = value;
  return j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

void take(StudyEntry& e, const std::string& name, const Json& value) {
  const std::map<std::string_view, std::string*> texts = {{"set", &e.set},         {"part", &e.part},
                                                          {"learner", &e.learner}, {"engine", &e.engine},
                                                          {"version", &e.version}, {"data_sha256", &e.data_sha256},
                                                          {"status", &e.status},   {"note", &e.note}};
  if (const auto text = texts.find(name); text != texts.end())
    *text->second = value.get<std::string>();
  else if (name == "seed")
    e.seed = value.get_ref<const std::uint64_t&>();
  else if (name == "depth")
    e.depth = value.get_ref<const std::uint64_t&>();
  else if (name == "options")
    for (const auto& [option, setting] : value.items()) e.settings.emplace_back(option, setting.get<std::string>());
  else
    e.measures[name] = value.get<double>();
}

}  // namespace

bool StudyEntry::proven() const {
  return status == to_string(SolveStatus::optimal);
}

Result<StudyEntry> parse_line(std::string_view line, const std::string& where) {
  const auto json = parse_json(line, where, "a line of a record");
  if (!json) return json.error();
  if (!json->is_object()) return input_error("not a JSON object", where);
  StudyEntry e;
  try {
    for (const auto& [name, value] : json->items()) take(e, name, value);
  } catch (const Json::exception&) {
    return input_error("a field of the wrong type", where);
  }
  if (e.set.empty() || e.learner.empty() || e.status.empty()) return input_error("no set, learner or status", where);
  return e;
}

Result<StudyRecord> parse_record(std::string_view text, const std::string& name) {
  StudyRecord record;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      record.torn = text.size();
      break;
    }
    ++line;
    auto entry = parse_line(text.substr(0, end), fmt::format("{}:{}", name, line));
    if (!entry) return entry.error();
    record.entries.push_back(*std::move(entry));
    text.remove_prefix(end + 1);
  }
  return record;
}

Result<StudyRecord> read_record(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0 && errno == ENOENT) return StudyRecord{};
  auto text = read_file(path);
  if (!text) return text.error();
  return parse_record(*text, path);
}

StudyEntry without_times(StudyEntry entry) {
  for (const char* name : {"seconds", "peak_mib"}) entry.measures.erase(name);
  return entry;
}

Result<std::vector<StudyEntry>> merge_records(std::span<const StudyRecord> records) {
  std::vector<StudyEntry> all;
  for (const StudyRecord& record : records) all.insert(all.end(), record.entries.begin(), record.entries.end());
  std::stable_sort(all.begin(), all.end(), [](const StudyEntry& a, const StudyEntry& b) { return a.key() < b.key(); });
  std::vector<StudyEntry> out;
  for (StudyEntry& entry : all) {
    if (out.empty() || out.back().key() != entry.key())
      out.push_back(std::move(entry));
    else if (without_times(out.back()) != without_times(entry))
      return input_error("recorded twice with different results", entry.key());
  }
  return out;
}

}  // namespace beadwork
