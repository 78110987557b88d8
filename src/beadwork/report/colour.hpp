#pragma once
#include <string>
#include <string_view>

namespace beadwork::report {

// Black or white, whichever reads better on a fill such as "#0072b2".
std::string ink_on(std::string_view fill);

}  // namespace beadwork::report
