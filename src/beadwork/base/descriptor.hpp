#pragma once
#include <beadwork/base/result.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>

namespace beadwork {

inline Error system_error(std::string_view what, const std::string& path) {
  return input_error(fmt::format("{}: {}", what, std::strerror(errno)), path);
}

// Closes on every way out, and keeps errno; a failed close matters only after writing, where it is called by hand.
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int f) : fd(f) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    const int reason = errno;
    if (fd >= 0) ::close(fd);
    errno = reason;
  }
  int close() {
    const int result = ::close(fd);
    fd = -1;
    return result;
  }
};

inline std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace beadwork
