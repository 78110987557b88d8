#include <beadwork/table/arrow.hpp>
#include <beadwork/table/row_walk.hpp>

#include <algorithm>

namespace beadwork {

using namespace table;

struct TableParts::State {
  State(std::unique_ptr<ByteStream> s, const std::string& name, Control c)
      : control(std::move(c)), stream(std::move(s)), source(*stream, name, control) {}

  Control control;
  std::unique_ptr<ByteStream> stream;
  Source source;
  std::optional<Opened> opened;
  std::optional<RowWalk> walk;
  std::optional<LeftOut> without;
  std::vector<ColumnBuilder> builders;
  std::vector<std::size_t> waiting;
  std::vector<std::string> notes;
  std::size_t num_rows = 0;
  bool ended = false;

  Status open(const ReadOptions& options) {
    TRY_DONE(source.check(notes));
    ReadOptions how = options;
    if (how.missing == ReadOptions{}.missing) how.quotes_mean_text = how.quotes_mean_text.value_or(true);
    TRY(auto start, open_rows(source, how, notes));
    opened = std::move(start);
    walk.emplace(source, opened->open);
    without.emplace(source, *opened);
    builders = builders_for(opened->plans, opened->missing, source);
    waiting = reading_columns(builders);
    const auto fixed = [](const ColumnBuilder& b) { return b.plan().rule != Rule::detect; };
    require(std::all_of(builders.begin(), builders.end(), fixed), "TableParts: every column has a type");
    return Done{};
  }

  Result<std::size_t> read(std::size_t rows) {
    table::Row row;
    std::size_t n = 0;
    while (n < rows && !ended) {
      TRY(const auto got, walk->next(row));
      ended = !got;
      if (ended) break;
      if (without->has(row, builders)) continue;
      TRY_DONE(walk->give(row, builders, waiting));
      ++n;
    }
    num_rows += n;
    if (ended) TRY_DONE(end());
    return n;
  }

  Status end() {
    TRY_DONE(without->end());
    without->report(notes);
    if (num_rows == 0) return source.refuse_no_rows();
    opened->open.rows->report(notes);
    for (const ColumnBuilder& builder : builders) TRY_DONE(builder.finish());
    if (source.text().back() != '\n') notes.emplace_back("no line break at the end of the file");
    return Done{};
  }

  Result<Table> take() {
    std::vector<Column> columns;
    std::optional<std::size_t> target;
    std::optional<std::size_t> weight;
    for (ColumnBuilder& builder : builders) {
      if (builder.plan().rule == Rule::skip) continue;
      if (builder.plan().role == Role::target) target = columns.size();
      if (builder.plan().role == Role::weight) weight = columns.size();
      columns.push_back(builder.take_part());
    }
    return Table::make(std::move(columns), target, weight);
  }
};

namespace {

Result<TableBytes> piped(int descriptor, const std::string& name, const std::string& encoding, const Control& control) {
  TRY(auto stream, stream_of(descriptor, name));
  return bytes_of(std::move(stream), name, encoding, control);
}

}  // namespace

TableParts::TableParts(std::unique_ptr<State> state) : state_(std::move(state)) {}
TableParts::TableParts(TableParts&&) noexcept = default;
TableParts& TableParts::operator=(TableParts&&) noexcept = default;
TableParts::~TableParts() = default;

Result<TableParts> TableParts::open(const std::string& path, const ReadOptions& options, const Control& control,
                                    int descriptor) {
  require(options.only_named && !options.needs_target, "TableParts: the options name the columns");
  auto bytes =
      descriptor < 0 ? open_bytes(path, options.encoding, control) : piped(descriptor, path, options.encoding, control);
  if (!bytes) return bytes.error();
  TableParts parts(std::make_unique<State>(std::move(bytes->stream), path, control));
  bytes->describe(parts.state_->source);
  if (auto ok = parts.state_->open(options); !ok) return final_error(parts.state_->source, ok.error());
  return parts;
}

Result<std::optional<Table>> TableParts::next(std::size_t rows) {
  if (state_->ended) return std::optional<Table>{};
  const auto n = state_->read(rows);
  if (!n) return final_error(state_->source, n.error());
  if (*n == 0) return std::optional<Table>{};
  TRY(auto table, state_->take());
  return std::optional(std::move(table));
}

Status TableParts::read_rest() {
  constexpr std::size_t kSome = 65536;
  for (;;) {
    TRY(const auto part, next(kSome));
    if (!part) return Done{};
  }
}

const std::vector<std::string>& TableParts::notes() const {
  return state_->notes;
}

const std::map<std::string, std::string>& TableParts::types() const {
  return state_->opened->open.types;
}

}  // namespace beadwork
