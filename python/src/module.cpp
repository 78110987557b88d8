#include "bindings.hpp"

namespace beadwork::python {

void raise(const Error& error) {
  Error named = error;
  if (named.where.starts_with("--")) {
    named.where.erase(0, 2);
    std::replace(named.where.begin(), named.where.end(), '-', '_');
  }
  if (error.code == ErrorCode::internal) throw std::runtime_error(named.to_string());
  throw std::invalid_argument(named.to_string());
}

}  // namespace beadwork::python

NB_MODULE(_core, m) {
  namespace python = beadwork::python;
  m.doc() = "The C++ engine, layer by layer. Use the classes of the package beadwork instead.";
  m.def("version", [] { return BEADWORK_VERSION; });
  python::bind_columns(m);
  python::bind_dataset(m);
  python::bind_diagram(m);
  python::bind_engine(m);
  python::bind_model(m);
  python::bind_page(m);
}
