#include "ending.hpp"

#include <cctype>

namespace beadwork::python {

namespace {

// "cannot be combined with --max-nodes": parameters are named max_nodes here.
std::string without_flags(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
    text.erase(at, 2);
    for (; at < text.size() && (std::islower(static_cast<unsigned char>(text[at])) != 0 || text[at] == '-'); ++at)
      if (text[at] == '-') text[at] = '_';
  }
  return text;
}

}  // namespace

void raise(const Error& error) {
  if (error.code == ErrorCode::internal) throw std::runtime_error(error.to_string());
  throw std::invalid_argument(without_flags(error.to_string()));
}

}  // namespace beadwork::python

NB_MODULE(_core, m) {
  namespace python = beadwork::python;
  m.doc() = "The C++ engine, layer by layer. Use the classes of the package beadwork instead.";
  m.def("version", [] { return BEADWORK_VERSION; });
  python::bind_columns(m);
  python::bind_dataset(m);
  python::bind_groups(m);
  python::bind_rules(m);
  python::bind_diagram(m);
  python::bind_engine(m);
  python::bind_model(m);
  python::bind_committee(m);
  python::bind_page(m);
  python::bind_plan(m);
  python::bind_shards(m);
  python::bind_encoding(m);
  python::watch_the_end();
}
