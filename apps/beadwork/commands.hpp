#pragma once
// One file a subcommand. Each adds its flags to the program and returns what to run once they are read.
#include "arguments.hpp"
#include "console.hpp"

namespace beadwork {

console::Command add_fit(const Arguments& program);
console::Command add_state(const Arguments& program);
console::Command add_slurm(const Arguments& program);
console::Command add_predict(const Arguments& program);
console::Command add_evaluate(const Arguments& program);
console::Command add_show(const Arguments& program);
console::Command add_export(const Arguments& program);
console::Command add_binarize(const Arguments& program);
console::Command add_datasets(const Arguments& program);
console::Command add_engines(const Arguments& program);
console::Command add_decide(const Arguments& program);
console::Command add_min_depth(const Arguments& program);
console::Command add_encode(const Arguments& program);
console::Command add_benchmarks(const Arguments& program);
console::Command add_solve(const Arguments& program);
console::Command add_beads(const Arguments& program);
console::Command add_merge(const Arguments& program);
console::Command add_compare(const Arguments& program);
console::Command add_study(const Arguments& program);
console::Command add_report(const Arguments& program);
console::Command add_doctor(const Arguments& program);
console::Command add_manual(Program& program);

}  // namespace beadwork
