#include "input_flags.hpp"

// The flags about reading a table, and what --help says of them.
namespace beadwork {

void InputFlags::add_reading(const Arguments& all, bool typed) {
  const Arguments command = all.in("Table");
  if (typed) command.add_option("--target", target, "learn this column: name or number (default last)").word("COLUMN");
  command.add_option("--weight", weight, "weigh the rows by this column").word("COLUMN");
  if (typed) command.add_list("--ignore", ignore, "leave out this column").word("COLUMN");
  command.add_option("--format", format, "read the file as csv, arff, matrix (0/1 numbers, class first) or auto")
      .word("FORMAT")
      .show_default()
      .expert();
  command.add_option("--delimiter", delimiter, "split lines of a CSV file at , ; | or tab (default auto)")
      .word("SIGN")
      .expert();
  command.add_flag("--no-header", no_header, "read a CSV file without a header; name its columns c1, c2, ...").expert();
  command.add_option("--text-encoding", encoding, "read utf-8, latin-1, windows-1252 or utf-16 (default auto)")
      .word("NAME")
      .expert();
  command.add_list("--missing", missing, "read TEXT as missing, not empty, ?, NA, NaN; COLUMN=TEXT: there, too")
      .word("TEXT")
      .may_be_empty()
      .expert();
  command.add_list("--missing-also", missing_also, "read this text as missing, besides the usual ones")
      .word("TEXT")
      .may_be_empty()
      .expert();
  command.add_flag("--drop-unlabelled", drop_unlabelled, "leave out rows whose class is missing").expert();
  if (!typed) return;
  command.add_list("--numeric", numeric, "read this column as numbers").word("COLUMN").expert();
  command.add_list("--nominal", nominal, "read this column as categories").word("COLUMN").expert();
  command.add_list("--ordered", ordered, "cut this column of words like numbers; LIST is COLUMN=LOW,MEDIUM,HIGH")
      .word("LIST")
      .expert();
  command.add_option("--decimal", decimal, "read this sign as decimal: . or , (default auto)").word("SIGN").expert();
  command.add_option("--thousands", thousands, "read this as thousands separator: , . ' or a space (default auto)")
      .word("SIGN")
      .expert();
  command.add_option("--dates", dates, "read 01/02/2024 as dmy, mdy or ymd (default auto)").word("ORDER").expert();
  command.add_list("--keep-column", keep_column, "keep this column of text though nearly all its values differ")
      .word("COLUMN")
      .expert();
  command.add_option("--max-categories", max_categories, "keep at most N categories of a column; 'other' is the rest")
      .word("N")
      .show_default()
      .expert();
  command.add_option("--target-bins", target_bins, "make N classes of a numeric target, cut at quantiles")
      .word("N")
      .expert();
}

void InputFlags::add_binarizing(const Arguments& command) {
  command.in("Table")
      .add_option("--thresholds", thresholds, "cut numbers: all, quantiles:N, mdlp or auto")
      .word("RULE")
      .show_default();
}

void InputFlags::add_passes(const Arguments& command) {
  command.in("Table")
      .add_flag("--in-passes", in_passes, "read the table several times instead of holding its rows in memory")
      .expert();
}

void InputFlags::add_splitting(const Arguments& all) {
  const Arguments command = all.in("Table");
  command.add_option("--train-share", train_share, "learn from this random share of the rows, hold out the rest")
      .word("X")
      .between(0, 1)
      .show_default()
      .expert();
  command.add_flag("--stratified", stratified, "draw that share from each class separately, rounded down").expert();
  command.add_option("--split-seed", split_seed, "seed that draw").word("N").show_default().expert();
}

}  // namespace beadwork
