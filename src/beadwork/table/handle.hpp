#pragma once
#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <unistd.h>

namespace beadwork::table {

inline Error refused_by_system(const char* what, const std::string& name) {
  return input_error(fmt::format("{}: {}", what, std::strerror(errno)), name);
}

// A descriptor that is closed on every way out.
struct Handle {
  int fd = -1;
  Handle() = default;
  explicit Handle(int f) : fd(f) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }
  bool close() {
    const bool closed = fd < 0 || ::close(fd) == 0;
    fd = -1;
    return closed;
  }
};

}  // namespace beadwork::table
