#include <beadwork/dataset/spilled.hpp>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace beadwork {

SpilledRecords::SpilledRecords(std::size_t size) : record_(size, '\0') {
  std::error_code failed;
  std::string path = (std::filesystem::temp_directory_path(failed) / "beadwork.XXXXXX").string();
  const int fd = failed ? -1 : ::mkstemp(path.data());
  if (fd < 0) return;
  ::unlink(path.c_str());
  file_.reset(::fdopen(fd, "w+b"));
  if (!file_) ::close(fd);
}

bool SpilledRecords::write(std::string_view record) {
  return file_ && std::fwrite(record.data(), 1, record.size(), file_.get()) == record.size();
}

bool SpilledRecords::rewind() {
  return file_ && std::fflush(file_.get()) == 0 && std::fseek(file_.get(), 0, SEEK_SET) == 0;
}

Result<std::string_view> SpilledRecords::next() {
  const std::size_t n = std::fread(record_.data(), 1, record_.size(), file_.get());
  if (n == record_.size()) return std::string_view(record_);
  if (n == 0 && std::feof(file_.get()) != 0) return std::string_view();
  return input_error("a temporary file cannot be read back", std::filesystem::temp_directory_path().string());
}

}  // namespace beadwork
