#pragma once
#include <beadwork/base.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork::table {

// The text of one file (after its byte-order mark) and the name it has in messages. Positions are byte
// offsets until somebody has to read them: only a refusal pays for counting lines.
class Source {
 public:
  Source(std::string_view text, std::string name, const MappedFile* file = nullptr)
      : text_(text), name_(std::move(name)), file_(file) {}

  // Refuses what is no UTF-8 text (UTF-16, archives, NUL bytes) and skips a byte-order mark, with a note.
  Status check(std::vector<std::string>& notes);

  std::string_view text() const { return text_; }
  std::size_t offset_of(const char* p) const { return static_cast<std::size_t>(p - text_.data()); }
  std::size_t line_at(std::size_t offset) const;

  Error refuse(std::string message) const { return input_error(std::move(message), name_); }
  Error refuse(std::size_t offset, std::string message) const;
  Error refuse(std::string_view place, std::string message) const {
    return refuse(offset_of(place.data()), std::move(message));
  }

  // The text before `offset` is read: its pages may go.
  void release(std::size_t offset) const {
    if (file_ != nullptr) file_->release(offset);
  }

 private:
  Status check_magic() const;
  Status check_bytes() const;

  std::string_view text_;
  std::string name_;
  const MappedFile* file_;
};

}  // namespace beadwork::table
