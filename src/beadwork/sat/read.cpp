#include <beadwork/sat.hpp>

#include <unistd.h>

namespace beadwork {
namespace {

constexpr std::string_view kXz{
    "\xFD"
    "7zXZ\0",
    6};

Result<std::string> unpack_xz(std::string_view packed_text, const std::string& name, const Control& control) {
  std::string out;
  const auto run =
      run_solver("xz -dc", packed_text, ".xz", control, [&](std::string_view line) { (out += line) += '\n'; });
  if (!run)
    return input_error("is packed by xz, and the program xz (Debian: xz-utils) cannot be run to unpack it", name);
  if (run->stopped_by != Stop::none) return Error{ErrorCode::limit, "stopped while reading it", name};
  if (run->exit_code != 0) return input_error("is damaged: xz cannot unpack it", name);
  return out;
}

}  // namespace

Result<std::string> read_formula(const std::string& path, const Control& control) {
  const std::string name = path == "-" ? "standard input" : path;
  TRY(auto stream, path == "-" ? stream_of(STDIN_FILENO, name) : open_stream(path));
  TRY(auto text, read_rest(*stream, control));
  TRY_DONE(stream->unchanged());
  if (text.starts_with(kXz)) return unpack_xz(text, name, control);
  return text;
}

}  // namespace beadwork
