#pragma once
// study: grids of runs, the same splits for every learner, results side by side. A layer of the command line, not of
// the library: it forks, locks and names flags.
//
//   StudyPlan plan;
//   plan.sets = {{"monk", "", {}}};
//   plan.depths = {3};
//   plan.folds = 5;
//   plan.seeds = {1, 2, 3, 4, 5};
//   plan.learners = {*parse_learner("cart", {}), *parse_learner("search:features-from=cart", {})};
//   auto entries = cross_validate(plan, dataset);                       // one a run
//   StudyCell cell = measured(*entries, {}, "cart", "test");            // mean and deviation over folds and seeds
//
// The paper's protocol: folds drawn at random, not by class; one draw a seed; columns that are zero in the whole file
// are dropped before, none after. What is learnt from a training fold is evaluated on it and on the rows held out.
// Features are those of the dataset: whoever made them from the classes of all rows has looked at the rows held out.
//
// A whole experiment is a file:
//
//   auto plan = read_plan("studies/exact.json", "../shared/datasets");
//   auto summary = run_study(*plan, {.record = "table4.jsonl", .jobs = 2});   // killed and called again, it goes on
//   auto record = read_record("table4.jsonl");
//   FilledTable t = fill(*plan, plan->tables[0], *read_published(plan->tables[0].published), record->entries);
//   write_file("table4.md", to_markdown(t));
//
//   learner.hpp   an engine with its options, under a name
//   plan.hpp      the file, the grid of runs that it stands for, tables and figures to be made
//   record.hpp    what a run left: a JSON line; records are joined and compared
//   runner.hpp    runs, a process each, appended to the record as they end; or all in this process
//   text_for.hpp  what need not be trusted, escaped for where it goes
//   provenance.hpp  how the columns of a table came about, told from the record
//   tables.hpp    means beside published values, as Markdown, CSV and LaTeX; figures as SVG

#include "learner.hpp"
#include "plan.hpp"
#include "provenance.hpp"
#include "record.hpp"
#include "runner.hpp"
#include "tables.hpp"
#include "text_for.hpp"
