# Writes the built report page (web/dist) as a C++ source: cmake -DSCRIPT=a.js -DSTYLE=a.css -DOUTPUT=bundle.cpp -P embed.cmake
function(bytes_of file result)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  set(${result} "${bytes}" PARENT_SCOPE)
endfunction()
bytes_of(${SCRIPT} script)
bytes_of(${STYLE} style)
file(WRITE ${OUTPUT} "// Made by cmake/embed.cmake from web/dist.
#include <beadwork/report/html/bundle.hpp>

namespace beadwork::report {
namespace {
constexpr unsigned char kScript[] = {
${script}};
constexpr unsigned char kStyle[] = {
${style}};
}  // namespace

std::string_view page_script() {
  return {reinterpret_cast<const char*>(kScript), sizeof kScript};
}
std::string_view page_style() {
  return {reinterpret_cast<const char*>(kStyle), sizeof kStyle};
}

}  // namespace beadwork::report
")
