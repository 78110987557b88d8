#pragma once
#include <beadwork/base.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// One finished run, one JSON line of a record.
struct StudyEntry {
  std::string set, data_sha256, part, learner, engine, version;
  std::vector<std::pair<std::string, std::string>> settings;
  std::uint64_t seed = 0;
  std::optional<std::size_t> depth;
  std::string status;                      // of the outcome; "failed": the learner refused or died, see `note`
  std::string note;                        // also of an optimal run that need not give the same answer again
  std::map<std::string, double> measures;  // train, test, size, features, literals, seconds, ...
  std::string key() const;                 // the name under which it is recorded
  bool proven() const;
  friend bool operator==(const StudyEntry&, const StudyEntry&) = default;
};
std::string to_line(const StudyEntry& entry);  // with its line break
Result<StudyEntry> parse_line(std::string_view line, const std::string& where);

// A record: lines in the order in which runs ended. A last line without its break is what a killed run left: `torn`
// bytes.
struct StudyRecord {
  std::vector<StudyEntry> entries;
  std::size_t torn = 0;
};
Result<StudyRecord> parse_record(std::string_view text, const std::string& name);
// Line by line, of at most a mebibyte each. An absent file is an empty record. Text that is no line and does not begin
// like one is an Error: the file is no record.
Result<StudyRecord> read_record(const std::string& path, const Control& control = {});  // also packed
Result<StudyRecord> read_record(ByteStream& stream, const std::string& name, const Control& control);

// The SHA-256 of the table that the runs on each set were on; an Error where there are two.
Result<std::map<std::string, std::string>> tables_of(std::span<const StudyEntry> entries);

// Records of one study, joined and sorted by key. The same run twice counts once if both tell the same up to times and
// memory, and is an Error otherwise.
Result<std::vector<StudyEntry>> merge_records(std::span<const StudyRecord> records);
// Everything that does not depend on the machine's pace: no times, no memory.
StudyEntry without_times(StudyEntry entry);

}  // namespace beadwork
