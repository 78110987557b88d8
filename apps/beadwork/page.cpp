#include "page.hpp"

#include "input_flags.hpp"
#include "verify.hpp"

#include <algorithm>
#include <filesystem>

namespace beadwork {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

namespace {

std::vector<InputColumn> tested_inputs(const Model& model) {
  return model.binarizer().select(model.diagram().used_features()).inputs();
}

// The columns of the table that other models test, and this one does not.
std::vector<InputColumn> more_inputs(const Model& model, const std::vector<ReportFacts::Alternative>& others,
                                     const Table& table) {
  std::vector<InputColumn> known = tested_inputs(model), out;
  for (const ReportFacts::Alternative& other : others)
    for (const InputColumn& input : tested_inputs(other.model)) {
      if (std::any_of(known.begin(), known.end(), [&](const auto& k) { return k.name == input.name; })) continue;
      known.push_back(input);
      if (table.find(input.name)) out.push_back(input);
    }
  return out;
}

Result<Table> read_for_page(const Model& model, const std::vector<InputColumn>& more, const std::string& path,
                            const std::string& text, ReadOptions options, bool quiet) {
  for (const InputColumn& input : more) {
    const bool plainly = input.type == ColumnType::numeric && input.reading == Reading{};
    (plainly ? options.numeric : options.nominal).push_back(input.name);  // binarizing reads texts the way of training
  }
  const console::SignalGuard guard;
  TRY(auto file, quiet ? parse_table(text, path, read_options(model, std::move(options)), console::control(1))
                       : parse_for_model(model, path, text, std::move(options)));
  std::vector<InputColumn> inputs = tested_inputs(model);
  inputs.insert(inputs.end(), more.begin(), more.end());
  auto table = as_in_training(inputs, file.table);
  if (!table) return input_error(table.error().message, path);
  return table;
}

}  // namespace

Result<ReportRows> read_rows(const Model& model, const std::string& path, const std::string& text, ReadOptions options,
                             ReportRows::Role role, const std::vector<ReportFacts::Alternative>& others, bool quiet) {
  options.target = model.binarizer().target();
  auto table = read_for_page(model, {}, path, text, options, quiet);
  if (!table) return table.error();
  if (const auto more = more_inputs(model, others, *table); !more.empty())
    if (auto whole = read_for_page(model, more, path, text, options, true)) table = *std::move(whole);
  return ReportRows{role, file_name(path), *std::move(table)};
}

ReportFacts::Certificate certificate_facts(const std::string& path, const std::string& text) {
  return {file_name(path), Sha256::of(text), "", over_values(text)};
}

Result<ReportFacts::Certificate> certificate_facts(const std::string& path) {
  TRY(auto text, read_file(path));
  return certificate_facts(path, text);
}

}  // namespace beadwork
