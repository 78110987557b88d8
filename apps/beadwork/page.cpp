#include "page.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "input_flags.hpp"

namespace beadwork {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Result<ReportRows> read_rows(const Model& model, const std::string& path, ReadOptions options,
                             ReportRows::Role role) {
  options.target = model.binarizer().target();
  auto file = read_for_model(model, path, std::move(options));
  if (!file) return file.error();
  return ReportRows{role, file_name(path), std::move(file->table)};
}

Result<ReportFacts::Certificate> certificate_facts(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  return ReportFacts::Certificate{file_name(path), Sha256::of(*text)};
}

Status add_cart(const Binarizer& binarizer, const Dataset& dataset, std::int64_t depth, ReportFacts& facts) {
  const Engine* cart = find_engine("cart");
  if (cart == nullptr) return Done{};
  Options options;
  options.engine = cart->name;
  options.depth = depth;
  auto outcome = learn(dataset, options, console::control(1));
  if (!outcome) return outcome.error();
  if (!outcome->diagram) return Done{};
  auto tree =
      make_model(binarizer, dataset, outcome->diagram->used_features(), *outcome->diagram, Training{});
  if (!tree) return tree.error();
  ReportFacts::Rival rival{
      "CART",
      fmt::format("a greedy tree of depth {} from the same table, with {} nodes and {} features", depth,
                  outcome->diagram->size(), tree->num_features()),
      {}};
  for (const ReportRows& rows : facts.rows) {
    auto predictions = predict(*tree, rows.table);
    if (!predictions) return predictions.error();
    auto labels = binarizer.labels(rows.table);
    if (!labels) return labels.error();
    const auto weight = rows.table.weight();
    rival.on.push_back(evaluate(
        *labels, predictions->classes,
        weight ? std::span<const double>(rows.table.column(*weight).numbers) : std::span<const double>(),
        binarizer.class_names().size()));
  }
  facts.rivals.push_back(std::move(rival));
  return Done{};
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
  if (!moments_.empty() && moments_.back().lower_bound == m.lower_bound &&
      moments_.back().upper_bound == m.upper_bound)
    return;
  constexpr std::size_t kMost = 1024;
  if (moments_.size() == kMost) {  // keep every second
    for (std::size_t i = 0; i < kMost / 2; ++i) moments_[i] = moments_[2 * i];
    moments_.resize(kMost / 2);
  }
  moments_.push_back(m);
}

}  // namespace beadwork
