#pragma once
// One file a subcommand. Each adds its flags to the program and returns what to run once they are read.
#include "console.hpp"

namespace beadwork {

console::Command add_fit(CLI::App& program);
console::Command add_predict(CLI::App& program);
console::Command add_evaluate(CLI::App& program);
console::Command add_show(CLI::App& program);
console::Command add_export(CLI::App& program);
console::Command add_binarize(CLI::App& program);
console::Command add_datasets(CLI::App& program);
console::Command add_engines(CLI::App& program);
console::Command add_decide(CLI::App& program);
console::Command add_min_depth(CLI::App& program);
console::Command add_encode(CLI::App& program);
console::Command add_solve(CLI::App& program);
console::Command add_compare(CLI::App& program);
console::Command add_study(CLI::App& program);
console::Command add_report(CLI::App& program);

}  // namespace beadwork
