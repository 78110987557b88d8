#pragma once
#include <beadwork/base.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork::table {

// The text of one file (after its byte-order mark) and the name it has in messages. Positions are byte
// offsets into the text until somebody has to read them: only a refusal pays for counting lines.
//
// A long file is read through a window that moves over it, so that it need not fit in memory: the text is then the part
// in the window, `complete` says whether that reaches to the end, and `move_on` moves it. Places are found in the
// window alone, so whoever wants to name one later keeps it in words (`place_of`).
class Source {
 public:
  Source(std::string_view text, std::string name, const Control& control)
      : text_(text), name_(std::move(name)), control_(control) {}
  Source(ByteStream& stream, std::string name, const Control& control)
      : name_(std::move(name)), control_(control), stream_(&stream), complete_(false) {}

  // Refuses what is no UTF-8 text (UTF-16, archives, NUL bytes) and skips a byte-order mark, with a note.
  Status check(std::vector<std::string>& notes);

  bool complete() const { return complete_; }
  // Forgets what is before `offset` and loads more behind: as much again where little is forgotten.
  Status move_on(std::size_t offset);
  // To the start, for another walk.
  Status rewind();
  // Checks the bytes up to the end of the file, whatever became of the rows.
  Status drain();
  Status poll() const;

  // Places in messages are this row, from 1, instead of lines.
  void at_row(std::size_t row) { row_ = row; }
  // Written by pyarrow, and not by a person (table/arrow.hpp).
  bool from_arrow() const { return from_arrow_; }
  void is_from_arrow() { from_arrow_ = true; }
  void was_encoded(std::string_view how) { encoding_ = how; }

  // Looking at the start of a file reaches this far; what is decided from it holds if the window reaches farther.
  void reach(std::size_t offset) const { reach_ = std::max(reach_, offset); }
  bool within(std::size_t offset) const { return complete_ || offset + kLookAhead <= text_.size(); }
  bool reached_inside() const { return within(reach_); }

  std::string_view text() const { return text_; }
  const std::string& name() const { return name_; }
  std::size_t offset_of(const char* p) const { return static_cast<std::size_t>(p - text_.data()); }
  std::size_t line_at(std::size_t offset) const;
  std::string place_of(std::size_t offset) const;  // "file:12:3"

  Error refuse(std::string message) const { return input_error(std::move(message), name_); }
  Error refuse(std::size_t offset, std::string message) const {
    return input_error(std::move(message), place_of(offset));
  }
  Error refuse_no_rows() const {
    return from_arrow_ ? refuse("a table without rows") : refuse(text().size(), "a header but no rows");
  }
  Error refuse(std::string_view place, std::string message) const {
    return refuse(offset_of(place.data()), std::move(message));
  }

 private:
  // More than the longest value: from a place so far from the end of the window, its row is read as in the whole file.
  static constexpr std::size_t kLookAhead = (std::size_t{1} << 20) + 64;

  Status load(std::size_t bytes);
  Status check_magic() const;
  Status check_bytes();

  std::string_view text_;
  std::string name_;
  const Control& control_;
  ByteStream* stream_ = nullptr;
  std::string buffer_;  // what text_ shows of a stream
  bool complete_ = true;
  bool marked_ = false;  // there is a byte-order mark
  bool moved_ = false;
  std::size_t lines_before_ = 0;  // the window
  std::size_t checked_ = 0;       // bytes of the window
  bool all_checked_ = false;      // in an earlier walk
  bool refused_bytes_ = false;
  mutable std::size_t reach_ = 0;
  std::size_t row_ = 0;
  bool from_arrow_ = false;
  std::string_view encoding_;  // before it was decoded, in words
};

}  // namespace beadwork::table
