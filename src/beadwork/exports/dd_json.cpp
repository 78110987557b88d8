#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/robdd.hpp>

#include <fmt/format.h>

namespace beadwork::exports {

// dd reads line by line and takes of each the first key that it knows; so what we add of our own shares a line with the
// levels of the variables.
Result<std::string> to_dd_json(const Plan& plan) {
  const std::vector<std::string> ids = input_identifiers(plan);
  const std::vector<std::string> names = plan.input_names();
  const Outputs outputs = outputs_of(plan);
  const Bdd bdd = bdd_of(plan, outputs);
  std::string levels;
  std::string features;
  for (std::size_t l = 0; l < bdd.order.size(); ++l) {
    const std::size_t f = bdd.order[l]();
    levels += fmt::format("{}\"{}\": {}", l == 0 ? "" : ", ", ids[f], l);
    features += fmt::format("{}\"{}\": {}", l == 0 ? "" : ", ", ids[f], json_string(names[f]));
  }
  std::string roots;
  std::string classes;
  for (std::size_t i = 0; i < bdd.roots.size(); ++i) {
    const std::size_t k = outputs.classes[i]();
    roots += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", outputs.identifiers[i], bdd.roots[i]);
    classes += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", outputs.identifiers[i],
                           k < plan.classes().size() ? json_string(plan.classes()[k]) : "null");
  }
  std::string all_classes;
  for (const std::string& name : plan.classes()) all_classes += (all_classes.empty() ? "" : ", ") + json_string(name);
  std::string out = fmt::format(
      "{{\n\"level_of_var\": {{{}}}, \"beadwork\": {{\"version\": \"{}\", \"inputs\": \"binary\", "
      "\"features\": {{{}}}, "
      "\"target\": {}, \"classes\": [{}], \"outputs\": {{{}}}}},\n\"roots\": {{{}}}",
      levels, BEADWORK_VERSION, features, json_string(plan.model.binarizer().target()), all_classes, classes, roots);
  const auto child = [](BddRef f) {
    return f == 1 ? std::string("\"T\"") : f == -1 ? std::string("\"F\"") : fmt::format("{}", f);
  };
  for (std::size_t i = 0; i < bdd.nodes.size(); ++i)
    out += fmt::format(",\n\"{}\": [{}, {}, {}]", i + 2, bdd.nodes[i].level, child(bdd.nodes[i].low),
                       child(bdd.nodes[i].high));
  return out + "\n}\n";
}

}  // namespace beadwork::exports
