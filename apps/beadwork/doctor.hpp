#pragma once
#include <string>

namespace beadwork {

// What --version says: version, compiler, kernel, solver.
std::string version_text();

}  // namespace beadwork
