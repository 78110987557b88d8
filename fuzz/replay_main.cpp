// Runs a harness on the files of its corpus: NAME_replay FILE_OR_FOLDER...
#include "fuzz.hpp"
#include <beadwork/base.hpp>

#include <cstdio>
#include <filesystem>

namespace {

bool replay(const std::filesystem::path& path) {
  const auto text = beadwork::read_file(path.string());
  if (!text) {
    std::fprintf(stderr, "%s\n", text.error().to_string().c_str());
    return false;
  }
  std::fprintf(stderr, "%s\n", path.c_str());  // the last one named is the one that failed
  LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(text->data()), text->size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      if (!replay(argv[i])) return 1;
      ++count;
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (!replay(entry.path())) return 1;
      ++count;
    }
  }
  std::printf("%zu inputs replayed\n", count);
  return count == 0 ? 1 : 0;
}
