#include <beadwork/instance/walk.hpp>

namespace beadwork {

Result<std::optional<InstanceSize>> measure(const Instance& instance, std::size_t most_literals,
                                            const Control& control) {
  InstanceWalk walk(instance, control);
  walk.most_literals = most_literals;
  TRY(const auto variables, walk.run());
  return variables ? std::optional(walk.size()) : std::nullopt;
}

Result<InstanceSize> write_instance(const Instance& instance, const std::string& path,
                                    const std::vector<std::string>& comments, const Control& control) {
  const bool soft = instance.maxsat;
  TRY(auto file, DimacsFile::create(path, soft ? DimacsFile::Kind::wcnf : DimacsFile::Kind::cnf));
  for (const std::string& text : comments) file.comment(text);
  InstanceWalk walk(instance, control);
  walk.file = &file;
  auto written = walk.run();
  if (!written) {
    Error error = written.error();
    error.where = path;
    return error;
  }
  TRY_DONE(file.finish(control));
  return walk.size();
}

}  // namespace beadwork
