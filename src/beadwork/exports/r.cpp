#include <beadwork/exports/code.hpp>
#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

#include <cmath>

// All rows of a data frame at once: every node sends its rows on, parents first. A node is its number, from 1.
namespace beadwork::exports {
namespace {

// R may read a decimal number one unit off in the last place, unless it is exact; hexadecimal ones are exact.
std::string r_number(double value) {
  constexpr double kExact = 1024;
  const bool exact = std::abs(value) < 1e9 && std::trunc(value * kExact) == value * kExact;
  return exact ? format_number(value) : fmt::format("{:a}", value);
}

// "" and what holds a NUL are no names in R.
std::vector<std::string> r_names(const Plan& plan) {
  return usable_names(plan.input_names(),
                      [](const std::string& name) { return !name.empty() && name.find('\0') == std::string::npos; });
}

std::string r_words(const auto& words) {
  std::vector<std::string> out;
  for (const std::string_view word : words) out.push_back(r_string(word));
  return fmt::format("{}", fmt::join(out, ", "));
}

// A function from rows to nodes and to paths.
std::string walk(const Plan& plan, const std::string& name) {
  TestSyntax tests{quoted(r_names(plan), r_string),
                   "rows[[{}]] == 1",
                   "at_most(rows[[{}]], {})",
                   "is.na(rows[[{}]])",
                   "is.na(rows[[{}]])",
                   "is_level(rows[[{}]], {})",
                   r_string,
                   "no",
                   r_number,
                   " | "};
  tests.both = " & ";
  tests.any_case = "is_word(rows[[{}]], {})";
  tests.same_number = "is_number(rows[[{}]], {})";
  tests.yes = "is_yes(rows[[{}]])";
  tests.no = "is_no(rows[[{}]])";
  std::string out = fmt::format("  {} <- function(rows) {{\n    at <- start(rows)\n", name);
  for (std::size_t n = 0; n < plan.diagram.size(); ++n) {
    const DiagramNode& node = plan.diagram.nodes()[n];
    if (!node.sink)
      out += fmt::format("    at <- step(at, {}L, {}, {}L, {}L, {}L)\n", n + 1, condition(plan, tests, node.feature),
                         node.low() + 1, node.high() + 1, plan.diagram.num_paths(node.low));
  }
  std::vector<std::size_t> answers;
  for (const DiagramNode& node : plan.diagram.nodes()) answers.push_back(node.sink ? plan.answer(node)() + 1 : 0);
  return out + fmt::format("    at$class <- c({}L)[at$node]\n    at\n  }}\n", fmt::join(answers, "L, "));
}

std::string r_head(const Plan& plan, std::size_t members) {
  std::vector<std::string> lines = describe(plan, quoted(r_names(plan), r_string), {"NA", "NA"});
  for (std::string& line : lines) line = ascii(line);
  lines.push_back(
      fmt::format("{0}_model$classify(rows), $predict(rows){1}: rows is a data frame, or a list of columns.", plan.name,
                  plan.options.probabilities ? ", $probabilities(rows)" : ""));
  if (members > 0) lines.push_back(words_of_ballot(members));
  std::vector<std::string> labels;
  for (const std::string& name : plan.classes()) labels.push_back(r_string(name));
  return comment_lines(lines, "# ") +
         fmt::format(
             "{}_model <- local({{\n"
             "  classes <- c({})\n"
             "  at_most <- function(x, t) {{\n"
             "    if (!is.numeric(x) && !is.logical(x)) stop(\"expected numbers, got \", class(x)[1])\n"
             "    !is.na(x) & as.numeric(x) <= t\n  }}\n"
             "  # Categories as texts: whole numbers by their digits, truth values as true and false.\n"
             "  texts <- function(x) {{\n"
             "    if (is.factor(x) || is.character(x)) return(as.character(x))\n"
             "    if (is.logical(x)) return(c(\"false\", \"true\")[x + 1L])\n"
             "    if (!is.numeric(x)) stop(\"expected texts, numbers or truth values, got \", class(x)[1])\n"
             "    whole <- is.finite(x) & x == trunc(x)\n"
             "    out <- as.character(x)\n"
             "    out[whole] <- sprintf(\"%.0f\", x[whole] + 0)\n"
             "    out[is.na(x)] <- NA\n    out\n  }}\n"
             "  is_level <- function(x, level) {{\n    x <- texts(x)\n    !is.na(x) & x == level\n  }}\n"
             "  is_word <- function(x, words) tolower(texts(x)) %in% words\n"
             "  # Plain decimals of the same number: 1, 1.0 and 1.00.\n"
             "  is_number <- function(x, number) {{\n"
             "    x <- texts(x)\n"
             "    if (number == \"0\") x <- sub(\"^-\", \"\", x)\n"
             "    rest <- ifelse(startsWith(x, number), substring(x, nchar(number) + 1), \"-\")\n"
             "    !is.na(x) & grepl(if (grepl(\".\", number, fixed = TRUE)) \"^0*$\" else \"^([.]0*)?$\", rest)\n  }}\n"
             "  is_yes <- function(x) is_number(x, \"1\") | is_word(x, c({}))\n"
             "  is_no <- function(x) is_number(x, \"0\") | is_word(x, c({}))\n"
             "  no <- FALSE\n"
             "  start <- function(rows) {{\n"
             "    count <- if (is.data.frame(rows)) nrow(rows) else length(rows[[1]])\n"
             "    list(node = rep.int(1L, count), path = rep.int(1L, count))\n  }}\n"
             "  step <- function(at, node, holds, low, high, paths) {{\n"
             "    here <- at$node == node\n"
             "    at$node[here & !holds] <- low\n"
             "    at$node[here & holds] <- high\n"
             "    at$path[here & holds] <- at$path[here & holds] + paths\n"
             "    at\n  }}\n",
             plan.name, fmt::join(labels, ", "), r_words(kYesWords), r_words(kNoWords));
}

std::string r_tail(bool probabilities) {
  return fmt::format(
      "  list(classes = classes, classify = classify, predict = function(rows) classes[classify(rows)]{})\n}})\n",
      probabilities ? ", probabilities = probabilities" : "");
}

std::string r_shares(const Plan& plan) {
  std::vector<std::string> lines;
  for (const std::vector<double>& shares : shares_of_paths(plan)) {
    std::vector<std::string> words;
    for (const double p : shares) words.push_back(r_number(p));
    lines.push_back(fmt::format("{}", fmt::join(words, ", ")));
  }
  return fmt::format(
      "  shares <- matrix(c(\n    {}), ncol = {}L, byrow = TRUE, dimnames = list(NULL, classes))\n"
      "  probabilities <- function(rows) shares[walk(rows)$path, , drop = FALSE]\n",
      fmt::join(lines, ",\n    "), plan.classes().size());
}

}  // namespace

// The class of the first node is its own: from 1, as R counts.
Result<std::string> to_r(const Plan& plan) {
  if (auto nul = nul_in_classes(plan, "r")) return *std::move(nul);
  return r_head(plan, 0) + walk(plan, "walk") + "  classify <- function(rows) walk(rows)$class\n" +
         (plan.options.probabilities ? r_shares(plan) : "") + r_tail(plan.options.probabilities);
}

Result<std::string> to_r(const Ballot& ballot) {
  const Plan& plan = ballot.optimum();
  if (auto nul = nul_in_classes(plan, "r")) return *std::move(nul);
  std::string out = r_head(plan, ballot.plans.size());
  std::vector<std::string> calls;
  for (std::size_t i = 0; i < ballot.plans.size(); ++i) {
    out += walk(ballot.plans[i], fmt::format("member_{}", i));
    calls.push_back(fmt::format("member_{}(rows)$class", i));
  }
  out += fmt::format(
      "  members <- function(rows) cbind({})\n"
      "  votes <- function(answers) {{\n"
      "    out <- matrix(vapply(seq_along(classes), function(k) as.numeric(rowSums(answers == k)), "
      "numeric(nrow(answers))),\n"
      "                  ncol = length(classes))\n"
      "    dimnames(out) <- list(NULL, classes)\n    out\n  }}\n"
      "  classify <- function(rows) {{\n"
      "    answers <- members(rows)\n    counts <- votes(answers)\n    best <- answers[, 1]\n"
      "    first <- max.col(counts, ties.method = \"first\")\n"
      "    own <- counts[cbind(seq_along(best), best)]\n"
      "    ifelse(own == counts[cbind(seq_along(first), first)], best, first)\n  }}\n",
      fmt::join(calls, ", "));
  if (plan.options.probabilities)
    out += fmt::format("  probabilities <- function(rows) votes(members(rows)) / {}\n", ballot.plans.size());
  return out + r_tail(plan.options.probabilities);
}

}  // namespace beadwork::exports
