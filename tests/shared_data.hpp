#pragma once
// Where the paper's data are: $BEADWORK_SHARED, else beside the source tree. Tests that need them say so and are
// skipped without them.
#include <cstdlib>
#include <filesystem>

namespace beadwork {

inline std::filesystem::path shared_data() {
  const char* folder = std::getenv("BEADWORK_SHARED");
  return folder != nullptr ? folder : BEADWORK_SHARED_DEFAULT;
}

}  // namespace beadwork

#define NEED_SHARED_DATA()                                              \
  if (!std::filesystem::exists(::beadwork::shared_data() / "datasets")) \
  GTEST_SKIP() << "no data sets in " << ::beadwork::shared_data()
