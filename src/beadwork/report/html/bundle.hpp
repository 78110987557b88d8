#pragma once
#include <string_view>

namespace beadwork::report {

// web/dist, put into the library by cmake/embed.cmake.
std::string_view page_script();
std::string_view page_style();

}  // namespace beadwork::report
