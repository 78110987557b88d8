// Study files and records: refused in one line, or drawn and written out. An odd first byte: a record, which must read
// back as the same once written.
#include <cstdlib>
#include <study/study.hpp>

using namespace beadwork;

namespace {

void insist(bool holds) {
  if (!holds) std::abort();
}

void record(std::string_view text) {
  const auto read = parse_record(text, "r");
  if (!read) return insist(read.error().code == ErrorCode::input);
  std::string written;
  for (const StudyEntry& e : read->entries) written += to_line(e);
  const auto again = parse_record(written, "again");
  insist(again && again->entries.size() == read->entries.size() && again->torn == 0);
  (void)merge_records(std::vector{*read, *again});
}

void plan(std::string_view text) {
  const auto read = parse_plan(text, "p", "/nonexistent");
  if (!read) return insist(read.error().code == ErrorCode::input);
  std::vector<StudyEntry> entries;
  for (const StudyRun& run : runs_of(*read)) {
    if (entries.size() == 50) break;
    entries.push_back(entry_of(*read, run));
    entries.back().status = "optimal";
    for (const StudyTable& t : read->tables)
      for (const StudyColumn& c : t.columns)
        entries.back().measures[c.measure] = static_cast<double>(entries.size());
    for (const StudyFigure& f : read->figures)
      for (const StudySeries& s : f.series) entries.back().measures[s.measure] = 1e9;
  }
  for (const StudyTable& t : read->tables) {
    insist(t.name.find_first_of("/.") == std::string::npos);
    const FilledTable filled = fill(*read, t, {}, entries);
    insist(!to_markdown(filled).empty() && !to_csv(filled).empty() && !to_latex(filled).empty());
  }
  for (const StudyFigure& f : read->figures) insist(!draw(*read, f, {}, entries).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  data[0] % 2 == 1 ? record(text) : plan(text);
  return 0;
}
