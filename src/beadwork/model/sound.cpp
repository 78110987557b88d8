#include <beadwork/model/asked_json.hpp>
#include <beadwork/model/sound.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace beadwork::model {
namespace {

Status check_text(std::string_view text, std::string_view what) {
  if (find_invalid_utf8(text)) return input_error(fmt::format("{} is not UTF-8: '{}'", what, printable(text, 40)));
  return Done{};
}

Status check_texts(const std::vector<std::string>& texts, std::string_view what) {
  for (const std::string& text : texts) TRY_DONE(check_text(text, what));
  return Done{};
}

Status check_names(const std::vector<std::string>& names, std::string_view what) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      return input_error(fmt::format("the {} '{}' appears twice", what, printable(name, 40)));
  return check_texts(names, fmt::format("the {}", what));
}

Status check_reading(const Reading& r) {
  for (const auto& texts : {r.levels, r.missing, std::vector{r.unit, r.other}})
    TRY_DONE(check_texts(texts, "a text of a column's reading"));
  return Done{};
}

Status check_columns(const Binarizer& binarizer) {
  std::vector<std::string> names;
  for (const InputColumn& input : binarizer.inputs()) {
    names.push_back(input.name);
    TRY_DONE(check_names(input.levels, "category"));
    TRY_DONE(check_reading(input.reading));
  }
  for (const Test& test : binarizer.tests()) TRY_DONE(check_text(test.level, "a category"));
  TRY_DONE(check_text(binarizer.target(), "the target"));
  TRY_DONE(check_names(binarizer.class_names(), "class"));
  return check_names(names, "column");
}

Status check_options(const ReadOptions& r) {
  std::vector<std::string> texts{r.weight};
  for (const auto& more : {r.missing, r.numeric, r.nominal, r.ignore, r.keep})
    texts.insert(texts.end(), more.begin(), more.end());
  for (const OrderedWords& words : r.ordered) {
    texts.push_back(words.column);
    texts.insert(texts.end(), words.levels.begin(), words.levels.end());
  }
  if (r.max_categories < 1) return input_error("a column may have no categories");
  return check_texts(texts, "a text of the reading");
}

Status check_counts(const PathCounts& counts) {
  std::int64_t sum = 0;
  for (std::uint64_t p = 0; p < counts.num_paths(); ++p)
    for (const std::int64_t n : counts.of(p))
      if (n < 0 || __builtin_add_overflow(sum, n, &sum))
        return input_error(fmt::format("a count of path {} is out of range", p));
  return Done{};
}

}  // namespace

Status check_sound(const Model::Parts& p) {
  TRY_DONE(check_columns(p.binarizer));
  TRY_DONE(check_options(p.reading));
  TRY_DONE(check_counts(p.counts));
  if (std::any_of(p.matrix_columns.begin(), p.matrix_columns.end(), [](std::size_t i) { return i > UINT32_MAX; }))
    return input_error("the number of a matrix column is out of range");
  if (auto ok = check_texts({p.training.engine, p.training.thresholds, p.training.hashes.rows, p.training.hashes.file,
                             p.training.data_sha256},
                            "a text of the training");
      !ok)
    return ok;
  if (p.training.asked) TRY_DONE(check_asked(*p.training.asked, p.binarizer.class_names().size()));
  return check_texts(p.edits, "an edit");
}

}  // namespace beadwork::model
