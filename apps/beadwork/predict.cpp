#include "commands.hpp"
#include "file_plan.hpp"
#include "input_flags.hpp"
#include <beadwork/model.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace beadwork {
namespace {

struct PredictFlags {
  InputFlags input;
  std::string model;
  std::string output;
  std::string with_columns;
  bool quiet = false;
  bool probabilities = false;
  bool json = false;
};

// What a model or a committee says of the rows.
struct PredictedRows {
  std::vector<Class> classes;
  std::vector<std::vector<double>> shares;  // of the classes, each kind of row once
  std::vector<std::size_t> kinds;           // of the rows
  std::vector<std::uint64_t> paths;         // of a single model
  UnseenCounts unseen;

  const std::vector<double>& of(std::size_t row) const { return shares[kinds[row]]; }
  bool voted() const { return paths.empty() && !classes.empty(); }
};

Result<PredictedRows> answers_of(const Model& model, const Table& table) {
  TRY(auto p, predict(model, table));
  PredictedRows out{std::move(p.classes), {}, {}, std::move(p.paths), std::move(p.unseen)};
  std::unordered_map<std::uint64_t, std::size_t> known;
  for (const std::uint64_t path : out.paths) {
    const auto [it, fresh] = known.try_emplace(path, out.shares.size());
    if (fresh) out.shares.push_back(probabilities(model, path));
    out.kinds.push_back(it->second);
  }
  return out;
}

Result<PredictedRows> answers_of(const Committee& committee, const Table& table) {
  TRY(auto v, vote(committee, table));
  PredictedRows out{std::move(v.classes), {}, {}, {}, std::move(v.unseen)};
  std::map<std::vector<std::size_t>, std::size_t> known;
  for (const auto& votes : v.votes) {
    const auto [it, fresh] = known.try_emplace(votes, out.shares.size());
    if (fresh) {
      out.shares.emplace_back();
      for (const std::size_t n : votes)
        out.shares.back().push_back(static_cast<double>(n) / static_cast<double>(committee.members().size()));
    }
    out.kinds.push_back(it->second);
  }
  return out;
}

// Of the text that a part of the rows becomes.
struct CsvLayout {
  bool first = true;   // nothing is before it
  bool typed = false;  // for pyarrow, and no spreadsheet
};

Column text_column(std::string name, const std::vector<std::string>& levels, const std::vector<Class>& codes) {
  Column c{std::move(name), ColumnType::nominal, {}, {}, levels};
  for (const Class k : codes) c.codes.push_back(static_cast<std::uint32_t>(k()));
  return c;
}

Result<std::string> as_csv(const std::vector<std::string>& names, const PredictedRows& a, std::vector<Column> columns,
                           bool all_classes, const CsvLayout& layout) {
  columns.push_back(text_column("prediction", names, a.classes));
  for (std::size_t k = 0; all_classes && k < names.size(); ++k) {
    Column c{fmt::format("P({})", names[k]), ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < a.classes.size(); ++r) c.numbers.push_back(a.of(r)[k]);
    columns.push_back(std::move(c));
  }
  if (!all_classes) {
    Column c{a.voted() ? "agreement" : "probability", ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < a.classes.size(); ++r) c.numbers.push_back(a.of(r)[a.classes[r]()]);
    columns.push_back(std::move(c));
  }
  TRY(auto table, Table::make(std::move(columns)));
  return write_csv(table, ',', !layout.typed, layout.first);
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string name = list.substr(at, end - at);
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    name.erase(name.find_last_not_of(' ') + 1);
    if (!name.empty()) names.push_back(name);
    at = end + 1;
  }
  return names;
}

std::vector<Column> columns_named(const Table& table, const std::vector<std::string>& names) {
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back(table.column(*table.find(name)));
  return columns;
}

// As JSON, with each line a level deeper.
std::string indented(const nlohmann::ordered_json& json, std::string_view blanks) {
  std::string out;
  for (const char c : json.dump(1)) {
    out += c;
    if (c == '\n') out += blanks;
  }
  return out;
}

// One JSON text in parts: a start, rows and an end.
std::string json_start(const std::vector<std::string>& names) {
  return fmt::format("{{\n \"classes\": {},\n \"predictions\": [", indented(names, " "));
}

std::string json_rows(const std::vector<std::string>& names, const PredictedRows& a, bool first) {
  std::string out = first ? json_start(names) : "";
  for (std::size_t r = 0; r < a.classes.size(); ++r) {
    nlohmann::ordered_json row{{"class", names[a.classes[r]()]}, {"probabilities", a.of(r)}};
    if (a.voted())
      row["agreement"] = a.of(r)[a.classes[r]()];
    else
      row["path"] = a.paths[r];
    out += (first && r == 0 ? "\n  " : ",\n  ") + indented(row, "  ");
  }
  return out;
}

std::string json_end(const UnseenCounts& unseen) {
  auto j = nlohmann::ordered_json::object();
  for (const auto& [column, count] : unseen) j[column] = count;
  return fmt::format("\n ],\n \"unseen\": {}\n}}\n", indented(j, " "));
}

void add_counts(UnseenCounts& all, const UnseenCounts& more) {
  for (const auto& [column, count] : more) {
    const auto same = [&name = column](const auto& known) { return known.first == name; };
    const auto it = std::find_if(all.begin(), all.end(), same);
    if (it == all.end())
      all.emplace_back(column, count);
    else
      it->second += count;
  }
}

// What is predicted of a file of any length, some rows at a time.
class Prediction {
 public:
  Prediction(const PredictFlags& flags, const Predictor& model, std::vector<std::string> kept)
      : flags_(flags), model_(model), kept_(std::move(kept)), layout_{true, TableWriter::typed(flags.output)} {}

  Status run(TableParts& parts) {
    constexpr std::size_t kRows = 65536;
    for (;;) {
      TRY(const auto part, parts.next(kRows));
      if (!part) break;
      auto answers = std::visit([&](const auto& m) { return answers_of(m, *part); }, model_);
      if (!answers) return input_error(answers.error().message, flags_.input.path);
      add_counts(unseen_, answers->unseen);
      TRY_DONE(put(*part, *answers, parts.types()));
      layout_.first = false;
    }
    std::stable_sort(unseen_.begin(), unseen_.end(),
                     [this](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
    return Done{};
  }
  // After the notes: what is written under its name, or to standard output.
  Status finish() {
    warn_of_unseen(unseen_);
    if (flags_.json) TRY_DONE(write(json_end(unseen_)));
    return writer_ ? writer_->finish(control_) : Status(Done{});
  }
  const std::string& held() const { return held_; }

 private:
  const std::vector<std::string>& names() const { return optimum_of(model_).class_names(); }
  std::size_t place(const std::string& column) const {
    const auto& inputs = optimum_of(model_).binarizer().inputs();
    const auto named = [&](const InputColumn& input) { return input.name == column; };
    return static_cast<std::size_t>(std::find_if(inputs.begin(), inputs.end(), named) - inputs.begin());
  }

  Status put(const Table& table, const PredictedRows& answers, const std::map<std::string, std::string>& types) {
    const bool made = layout_.typed || flags_.output.ends_with(".gz") || flags_.output.ends_with(".zst");
    if (made && !writer_) TRY_DONE(start_file(output_types(answers, types)));
    if (flags_.json) return write(json_rows(names(), answers, layout_.first));
    const auto csv = as_csv(names(), answers, columns_named(table, kept_), flags_.probabilities, layout_);
    return csv ? write(*csv) : Status(csv.error());
  }

  std::map<std::string, std::string> output_types(const PredictedRows& answers,
                                                  const std::map<std::string, std::string>& types) const {
    std::map<std::string, std::string> out{{"prediction", "string"}};
    for (const std::string& name : kept_) out[name] = types.contains(name) ? types.at(name) : "string";
    if (!flags_.probabilities) out[answers.voted() ? "agreement" : "probability"] = "double";
    for (std::size_t k = 0; flags_.probabilities && k < names().size(); ++k)
      out[fmt::format("P({})", names()[k])] = "double";
    return out;
  }

  Status start_file(const std::map<std::string, std::string>& types) {
    TRY(auto writer, TableWriter::create(flags_.output, types));
    writer_ = std::move(writer);
    return Done{};
  }

  // A text is held back while it is short: a bad table gives none on standard output, and one that cannot be written to
  // its file goes there.
  Status write(std::string_view text) {
    constexpr std::size_t kShort = std::size_t{64} << 20;
    if (writer_) return writer_->write(text, control_);
    held_ += text;
    if (held_.size() < kShort) return Done{};
    if (!flags_.output.empty()) {
      TRY_DONE(start_file({}));
      return writer_->write(std::exchange(held_, {}), control_);
    }
    const int code = console::emit(held_, "");
    held_.clear();
    return code == 0 ? Status(Done{}) : input_error("cannot write", "standard output");
  }

  const PredictFlags& flags_;
  const Predictor& model_;
  std::vector<std::string> kept_;
  CsvLayout layout_;
  UnseenCounts unseen_;
  std::optional<TableWriter> writer_;
  std::string held_;
  Control control_ = console::control(1);
};

Result<int> run(PredictFlags flags) {
  model_first(flags.model, flags.input.path);
  FilePlan plan;
  plan.reads(flags.model);
  plan.reads(flags.input.path);
  plan.prints(flags.output);
  TRY_DONE(plan.check());
  if (flags.output == "-") flags.output.clear();
  if (flags.json && TableWriter::typed(flags.output))
    return usage_error("cannot be written to a Parquet or Arrow file", "--json");
  TRY(auto model, load_predictor(flags.model));
  TRY(auto options, flags.input.read_options());
  const auto kept = names_in(flags.with_columns);
  options.nominal = options.beside = kept;  // as they are spelled
  options.only_named = true;
  const ReadOptions reading = std::visit([&](const auto& m) { return read_options(m, options); }, model);
  const bool piped = flags.input.path == "-";
  if (piped) flags.input.path = "standard input";
  const console::SignalGuard guard;
  const Control control = console::control(1);
  TRY(auto parts, TableParts::open(flags.input.path, reading, control, piped ? 0 : -1));
  Prediction prediction(flags, model, kept);
  TRY_DONE(prediction.run(parts));
  if (!flags.quiet) show_notes(parts.notes());
  TRY_DONE(prediction.finish());
  return prediction.held().empty() ? 0 : console::emit(prediction.held(), flags.output);
}

}  // namespace

console::Command add_predict(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("predict", "predict the classes of a table; columns are matched by name");
  auto flags = std::make_shared<PredictFlags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("DATA", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow; - is standard input")
      .required();
  command
      .add_option("-o,--output", flags->output,
                  "write to this file, also .gz, .zst, .parquet, .arrow, .feather (default standard output)")
      .word("FILE");
  command.add_option("--with-columns", flags->with_columns, "put these columns before the prediction: NAME,NAME,...")
      .word("LIST");
  command.add_flag("--probabilities", flags->probabilities,
                   "also write the probability of each class (committee: share of votes)");
  command.add_flag("--json", flags->json, "print the result as JSON");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, false);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
