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
  TRY(const auto json, parse_json(line, where, "a line of a record"));
  if (!json.is_object()) return input_error("not a JSON object", where);
  StudyEntry e;
  try {
    for (const auto& [name, value] : json.items()) take(e, name, value);
  } catch (const Json::exception&) {
    return input_error("a field of the wrong type", where);
  }
  if (e.set.empty() || e.learner.empty() || e.status.empty()) return input_error("no set, learner or status", where);
  return e;
}

namespace {

// A record as it comes in.
class RecordReader {
 public:
  explicit RecordReader(std::string name) : name_(std::move(name)) {}

  Status take(std::string_view text) {
    for (;;) {
      const std::size_t end = text.find('\n');
      const std::string_view part = text.substr(0, end);
      if (open_.size() + part.size() > kMostOfLine)
        return input_error(fmt::format("a line of more than {} bytes", kMostOfLine), where());
      open_ += part;
      if (end == std::string_view::npos) return Done{};
      TRY(auto entry, parse_line(open_, where()));
      keep(std::move(entry));
      open_.clear();
      text.remove_prefix(end + 1);
    }
  }

  Result<StudyRecord> finish() {
    const std::string_view start = std::string_view(open_).substr(0, kStart.size());
    if (record_.entries.empty() && !kStart.starts_with(start))
      return input_error("is there and is no record of a study", name_);
    record_.torn = open_.size();
    return std::move(record_);
  }

 private:
  static constexpr std::size_t kMostOfLine = std::size_t{1} << 20;
  static constexpr std::string_view kStart = "{\"set\":";

  std::string where() const { return fmt::format("{}:{}", name_, line_ + 1); }
  // The same line again tells nothing new, and costs nothing.
  void keep(StudyEntry entry) {
    ++line_;
    const auto [at, fresh] = known_.try_emplace(entry.key(), record_.entries.size());
    if (fresh || record_.entries[at->second] != entry) record_.entries.push_back(std::move(entry));
  }

  std::string name_, open_;
  std::size_t line_ = 0;
  std::map<std::string, std::size_t> known_;
  StudyRecord record_;
};

}  // namespace

Result<StudyRecord> parse_record(std::string_view text, const std::string& name) {
  RecordReader reader(name);
  TRY_DONE(reader.take(text));
  return reader.finish();
}

Result<StudyRecord> read_record(ByteStream& stream, const std::string& name, const Control& control) {
  RecordReader reader(name);
  for (std::string block(std::size_t{1} << 16, '\0');;) {
    TRY(const auto got, stream.read(block.data(), block.size(), control));
    if (got == 0) return reader.finish();
    TRY_DONE(reader.take(std::string_view(block).substr(0, got)));
  }
}

Result<StudyRecord> read_record(const std::string& path, const Control& control) {
  if (access(path.c_str(), F_OK) != 0 && errno == ENOENT) return StudyRecord{};
  TRY(const auto stream, open_stream(path));
  return read_record(*stream, path, control);
}

StudyEntry without_times(StudyEntry entry) {
  for (const char* name : {"seconds", "peak_mib"}) entry.measures.erase(name);
  return entry;
}

Result<std::map<std::string, std::string>> tables_of(std::span<const StudyEntry> entries) {
  std::map<std::string, std::string> out;
  for (const StudyEntry& e : entries)
    if (!e.data_sha256.empty() && out.try_emplace(e.set, e.data_sha256).first->second != e.data_sha256)
      return input_error("has runs on two tables of this name: the file changed between them", printable(e.set));
  return out;
}

Result<std::vector<StudyEntry>> merge_records(std::span<const StudyRecord> records) {
  std::vector<StudyEntry> all;
  for (const StudyRecord& record : records) all.insert(all.end(), record.entries.begin(), record.entries.end());
  TRY_DONE(tables_of(all));
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
