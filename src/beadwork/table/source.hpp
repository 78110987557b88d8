#pragma once
#include <beadwork/base.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwork::table {

// The text of one file (after its byte-order mark) and the name it has in messages. Positions are byte
// offsets until somebody has to read them: only a refusal pays for counting lines.
//
// A big file is first read through a window that moves over it, so that it need not fit in memory. Behind the window
// and before it the text is zeros, so a refusal may be wrong, or name a wrong place; but no table is, because rows()
// sees whether a row ends inside. Whoever gets a refusal reads the file again as a whole.
class Source {
 public:
  Source(std::string_view text, std::string name, const Control& control)
      : text_(text), name_(std::move(name)), control_(control), loaded_(text.size()) {}
  Source(const FileText& window, std::string name, const Control& control)
      : text_(window.text()), name_(std::move(name)), control_(control), window_(&window) {}

  // Refuses what is no UTF-8 text (UTF-16, archives, NUL bytes) and skips a byte-order mark, with a note.
  Status check(std::vector<std::string>& notes);

  // To be called now and then while reading: moves the window so that it starts at or before `offset`, and polls
  // control.
  Status advance(std::size_t offset);
  // The rows start here: what is before it stays in memory.
  void keep_until(std::size_t offset) { kept_ = offset + skipped_; }
  bool windowed() const { return window_ != nullptr; }
  bool inside(std::size_t offset) const { return offset + skipped_ <= loaded_; }

  std::string_view text() const { return text_; }
  const std::string& name() const { return name_; }
  std::size_t offset_of(const char* p) const { return static_cast<std::size_t>(p - text_.data()); }
  std::size_t line_at(std::size_t offset) const;

  Error refuse(std::string message) const { return input_error(std::move(message), name_); }
  Error refuse(std::size_t offset, std::string message) const;
  Error refuse(std::string_view place, std::string message) const {
    return refuse(offset_of(place.data()), std::move(message));
  }

 private:
  Status check_magic() const;
  Status check_bytes();

  std::string_view text_;
  std::string name_;
  const Control& control_;
  const FileText* window_ = nullptr;
  // In bytes of the file: up to where it is loaded, up to where it stays so, the byte-order mark.
  std::size_t loaded_ = 0;
  std::size_t kept_ = 0;
  std::size_t skipped_ = 0;
  std::size_t checked_ = 0;  // in bytes of the text
};

}  // namespace beadwork::table
