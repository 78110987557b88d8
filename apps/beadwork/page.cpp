#include "page.hpp"

#include "input_flags.hpp"
#include "verify.hpp"

#include <filesystem>

namespace beadwork {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Result<ReportRows> read_rows(const Model& model, const std::string& path, const std::string& text, ReadOptions options,
                             ReportRows::Role role) {
  options.target = model.binarizer().target();
  auto file = parse_for_model(model, path, text, std::move(options));
  if (!file) return file.error();
  const Binarizer tested = model.binarizer().select(model.diagram().used_features());
  auto table = as_in_training(tested.inputs(), file->table);
  if (!table) return input_error(table.error().message, path);
  return ReportRows{role, file_name(path), *std::move(table)};
}

ReportFacts::Certificate certificate_facts(const std::string& path, const std::string& text) {
  return {file_name(path), Sha256::of(text), "", over_values(text)};
}

Result<ReportFacts::Certificate> certificate_facts(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  return certificate_facts(path, *text);
}

Control BoundsRecorder::listen(Control control) {
  control.progress = [this, shown = std::move(control.progress)](const Progress& p) {
    add(p);
    return !shown || shown(p);
  };
  return control;
}

void BoundsRecorder::add(const Progress& p) {
  const std::lock_guard lock(mutex_);
  ReportFacts::Moment m{p.seconds, static_cast<double>(p.lower_bound) / scale_, {}};
  if (p.upper_bound) m.upper_bound = static_cast<double>(*p.upper_bound) / scale_;
  if (!moments_.empty() && moments_.back().lower_bound == m.lower_bound && moments_.back().upper_bound == m.upper_bound)
    return;
  constexpr std::size_t kMost = 1024;
  if (moments_.size() == kMost) {  // keep every second
    for (std::size_t i = 0; i < kMost / 2; ++i) moments_[i] = moments_[2 * i];
    moments_.resize(kMost / 2);
  }
  moments_.push_back(m);
}

}  // namespace beadwork
