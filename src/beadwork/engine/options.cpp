#include <beadwork/engine/option_text.hpp>

#include <algorithm>
#include <functional>

// The door: where text becomes a Request. The table below follows from options.def; combinations that make no sense are
// refused here, from one table. This is the one file of the library that knows how flags look.

namespace beadwork {
namespace {

struct Entry {
  OptionInfo info;
  std::function<Status(Request&, const OptionInfo&, std::string_view)> set;
  std::function<void(Request&)> reset;              // to its default
  std::function<bool(const Request&)> given;        // differs from its default; of a depth also: from the usual one
  std::function<std::string(const Request&)> text;  // as the command line would take it
  std::function<OptionValue(const Request&)> value;
};

// The group of a single engine, where it stands in a request.
template <class Group>
struct Only {
  const Group& operator()(const Request& r) const { return r.only_of<Group>(); }
  Group& operator()(Request& r) const { return r.ask<Group>(); }
  static bool free(const Request& r) {
    return std::visit([](const auto& held) { return held == std::decay_t<decltype(held)>{}; }, r.only) ||
           std::holds_alternative<Group>(r.only);
  }
};

// A group that several engines take.
template <class Group, Group Request::*member>
struct Shared {
  const Group& operator()(const Request& r) const { return r.*member; }
  Group& operator()(Request& r) const { return r.*member; }
  static bool free(const Request&) { return true; }
};

template <class In, class Group, class T>
void add(std::vector<Entry>& table, In in, T Group::*field, OptionInfo info) {
  info.type = type_of<T>();
  info.is_file = std::is_same_v<T, OutFile> || std::is_same_v<T, InFile>;
  info.default_value = to_text(Group{}.*field);
  const auto set = [in, field](Request& r, const OptionInfo& i, std::string_view text) -> Status {
    if (!In::free(r)) return option_error("cannot be combined with the options of another engine", std::string(i.name));
    T value = in(std::as_const(r)).*field;
    TRY_DONE(TextReader{i, text}.read(value));
    if (!std::is_same_v<T, DepthRange> && value == in(std::as_const(r)).*field) return Done{};
    in(r).*field = std::move(value);
    return Done{};
  };
  const auto reset = [in, field](Request& r) {
    if (in(std::as_const(r)).*field != Group{}.*field) in(r).*field = Group{}.*field;
  };
  table.push_back({std::move(info), set, reset,
                   [in, field](const Request& r) {
                     return in(r).*field != Group{}.*field ||
                            (std::is_same_v<T, DepthRange> && depth_by_default(r) != DepthRange{}.most);
                   },
                   [in, field](const Request& r) { return to_text(in(r).*field); },
                   [in, field](const Request& r) { return to_value(in(r).*field); }});
}

enum class HelpRank { common, expert };

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    using enum Use;
    std::vector<Entry> table;
#define BEADWORK_GROUP(Group, member)         \
  {                                           \
    const Shared<Group, &Request::member> in; \
    const std::string_view group = #member;   \
    using G = Group;
#define BEADWORK_ONLY_GROUP(Group, engine) \
  {                                        \
    const Only<Group> in;                  \
    const std::string_view group = engine; \
    using G = Group;
#define BEADWORK_OPTION(type, name, value, low, high, section, rank, word, uses, help) \
  add(table, in, &G::name,                                                             \
      {#name, {}, {}, low, high, help, group, #section, word, HelpRank::rank == HelpRank::expert, uses});
#define BEADWORK_END(Group) }
#include <beadwork/engine/options.def>
#undef BEADWORK_GROUP
#undef BEADWORK_ONLY_GROUP
#undef BEADWORK_OPTION
#undef BEADWORK_END
    return table;
  }();
  return all;
}

const Entry* find_entry(std::string_view name) {
  const auto& all = entries();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.info.name == name; });
  return it == all.end() ? nullptr : &*it;
}

bool in_list(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

template <class Wanted>
std::string engine_names(Wanted wanted) {
  std::string names;
  for (const Engine& e : engines())
    if (wanted(e)) names += fmt::format("{}{}", names.empty() ? "" : ", ", e.name);
  return names;
}

struct Conflict {
  std::string_view one, others;
};
constexpr Conflict kConflicts[] = {
#define BEADWORK_CONFLICT(one, others) {one, others},
#include <beadwork/engine/options.def>
#undef BEADWORK_CONFLICT
};

bool is_given(const Request& request, std::string_view name) {
  const DepthRange& depth = request.run.depth;
  return name == "depths"   ? depth.from.has_value() && !depth.chosen
         : name == "chosen" ? depth.chosen
                            : find_entry(name)->given(request);
}

Status check_conflicts(const Request& request) {
  for (const Conflict& c : kConflicts) {
    if (!is_given(request, c.one)) continue;
    for (const Entry& e : entries())
      if (in_list(c.others, e.info.name) && e.given(request))
        return option_error("cannot be combined with " + flag_of(c.one), std::string(e.info.name));
    for (const auto& [kind, words] : {std::pair{"depths", "a range"}, std::pair{"chosen", "cv"}})
      if (in_list(c.others, kind) && is_given(request, kind))
        return option_error(fmt::format("{} cannot be combined with {}", words, flag_of(c.one)), "depth");
  }
  return Done{};
}

// What needs something else.
Status check_needs(const Request& request) {
  const auto& search = request.only_of<ForSearch>();
  const auto& maxsat = request.only_of<ForMaxsat>();
  if (search.all_optima && request.shape.bias != Bias::size)
    return option_error("needs " + flag_of("bias") + " size", "all_optima");
  if (search.committee_size != ForSearch{}.committee_size && !search.committee)
    return option_error("needs " + flag_of("committee"), "committee_size");
  if (search.node_penalty && *search.node_penalty == 0)
    return option_error("expected a number above 0, got '0'", "node_penalty");
  if (engine_of(request).name != "cart" && !request.choice.features_from.cart)
    for (const Entry& e : entries())
      if (e.info.group == "cart" && e.given(request))
        return option_error("needs " + flag_of("features_from") + " cart", std::string(e.info.name));
  if (is_given(request, "wcnf_format") && request.formula.solver.empty())
    return option_error("needs " + flag_of("solver"), "wcnf_format");
  if (maxsat.check_proof && !maxsat.proof) return option_error("needs " + flag_of("proof"), "check_proof");
  if (request.reading.faithful && maxsat.encoding != EncodingChoice::automatic &&
      maxsat.encoding != EncodingChoice::bdd2)
    return option_error(flag_of("faithful") + " needs bdd2", "encoding");
  return Done{};
}

// An option that the engine would ignore is an error.
Status check_taken(const Request& request) {
  const Engine& engine = engine_of(request);
  for (const Entry& e : entries())
    if (e.given(request) && !takes(engine, e.info.name))
      return option_error(fmt::format("engine {} does not have this option; it belongs to {}", engine.name,
                                      engine_names([&](const Engine& other) { return takes(other, e.info.name); })),
                          std::string(e.info.name));
  return Done{};
}

// Numbers that code has put into a request, read again.
Status check_values(const Request& request) {
  Request scratch;
  for (const Entry& e : entries())
    if (e.given(request) && e.info.type != OptionType::list) TRY_DONE(e.set(scratch, e.info, e.text(request)));
  return Done{};
}

}  // namespace

Status TextReader::read(DepthRange& value) const {
  constexpr std::string_view kChosen = "cv";
  if (text.starts_with(kChosen)) {
    DepthRange range{5, 1, true, true};
    if (text != kChosen) {
      const TextReader rest{info, text.substr(kChosen.size() + 1)};
      if (text[kChosen.size()] != ':' || text.find("..") == std::string_view::npos) return refusal("cv or cv:A..B");
      TRY_DONE(rest.read(range));
      range.chosen = true;
    }
    value = range;
    return Done{};
  }
  const std::size_t dots = text.find("..");
  TRY(const auto most, number(dots == std::string_view::npos ? text : text.substr(dots + 2), true));
  DepthRange range{static_cast<std::size_t>(most), {}, false, true};
  if (dots != std::string_view::npos) {
    TRY(const auto from, number(text.substr(0, dots), true));
    if (from > most) return refusal("A..B with A at most B");
    range.from = static_cast<std::size_t>(from);
  }
  value = range;
  return Done{};
}

Status TextReader::read(Margin& value) const {
  const bool percent = text.ends_with('%');
  const auto amount = parse_number(percent ? text.substr(0, text.size() - 1) : text);
  if (!amount || *amount < 0 || *amount > (percent ? 100 : info.high))
    return refusal("a number of errors or a percentage such as 1%");
  value = {*amount, percent};
  return Done{};
}

Status TextReader::read(EngineRef& value) const {
  const Engine* engine = find_engine(text);
  if (engine == nullptr) {
    std::vector<std::string> names;
    for (const Engine& e : engines()) names.emplace_back(e.name);
    const std::string meant = did_you_mean(text, names);
    return option_error(
        fmt::format("unknown engine '{}'{}", printable(text),
                    !meant.empty() ? meant : fmt::format("; the engines are: {}", fmt::join(names, ", "))),
        "engine");
  }
  value.chosen = engine == engines().data() ? nullptr : engine;
  return Done{};
}

std::string to_text(const EngineRef& value) {
  return std::string(value.chosen == nullptr ? engines().front().name : value.chosen->name);
}

std::string_view to_string(Bias bias) {
  for (const auto& [word, known] : kWords<Bias>)
    if (known == bias) return word;
  return "";
}

std::string flag_of(std::string_view option) {
  std::string out = fmt::format("--{}", option);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::span<const OptionInfo> option_table() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> out;
    for (const Entry& e : entries()) out.push_back(e.info);
    return out;
  }();
  return table;
}

std::size_t depth_by_default(const Request& request) {
  const auto& nodes = request.only_of<ForSearch>().max_nodes;
  if (!nodes) return DepthRange{}.most;
  constexpr std::int64_t kAnswers = 2;  // a test leads to two of them at least
  const auto most = static_cast<std::int64_t>(find_entry("depth")->info.high);
  return static_cast<std::size_t>(std::clamp<std::int64_t>(*nodes - kAnswers, 0, most));
}

bool is_gone(std::string_view option) {
  constexpr std::array<std::string_view, 2> kGone{"no_bound", "tie_break"};
  return std::find(kGone.begin(), kGone.end(), option) != kGone.end();
}

Status set_option(Request& request, std::string_view name, std::string_view text) {
  const Entry* entry = find_entry(name);
  if (entry == nullptr) {
    if (is_gone(name)) return usage_error(fmt::format("there is no option '{}' any more", name));
    std::vector<std::string> names;
    for (const Entry& e : entries()) names.emplace_back(e.info.name);
    return usage_error(fmt::format("unknown option '{}'{}", printable(name), did_you_mean(name, names)));
  }
  const std::size_t before = depth_by_default(request);
  TRY_DONE(entry->set(request, entry->info, text));
  DepthRange& depth = request.run.depth;
  if (!depth.asked && depth == DepthRange{before, {}}) depth.most = depth_by_default(request);
  return Done{};
}

std::vector<std::pair<std::string, std::string>> options_given(const Request& request, Use but) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Entry& e : entries())
    if (e.given(request) && !has(e.info.uses, but)) out.emplace_back(e.info.name, e.text(request));
  return out;
}

std::vector<std::pair<std::string, OptionValue>> options_deciding(const Request& request, Use but) {
  std::vector<std::pair<std::string, OptionValue>> out;
  for (const Entry& e : entries())
    if (e.given(request) && has(e.info.uses, Use::decides) && !has(e.info.uses, but))
      out.emplace_back(e.info.name, e.value(request));
  return out;
}

Status check_request(const Request& request) {
  TRY_DONE(check_values(request));
  TRY_DONE(check_taken(request));
  TRY_DONE(check_conflicts(request));
  return check_needs(request);
}

Result<Request> read_named_features(Request request) {
  const std::string path = request.choice.features_from.file;
  if (path.empty()) return request;
  TRY(const auto text, read_file(path));
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) request.choice.candidate.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (request.choice.candidate.empty()) return input_error("names no feature", path);
  request.choice.features_from.file.clear();
  return request;
}

Request answer_alone(Request request) {
  for (const Entry& e : entries())
    if (!has(e.info.uses, Use::folds)) e.reset(request);
  request.run.depth = {request.run.depth.most, {}};
  return request;
}

std::string not_taken(const Request& request, Use way) {
  if (!has(engine_of(request).ways, way)) return "engine";
  const DepthRange& depth = request.run.depth;
  const bool chosen = way == Use::ranks, listed = chosen || way == Use::passes;
  if (depth.chosen ? !chosen : depth.from && !listed) return "depth";
  for (const Entry& e : entries())
    if (e.given(request) && !has(e.info.uses, way)) return std::string(e.info.name);
  return "";
}

bool asks_for(const Request& request, Use use) {
  return std::any_of(entries().begin(), entries().end(),
                     [&](const Entry& e) { return e.given(request) && has(e.info.uses, use); });
}

bool takes(const Engine& engine, std::string_view option) {
  const Entry* entry = find_entry(option);
  if (entry == nullptr) return false;
  return entry->info.group == "run" || entry->info.group == engine.name || in_list(engine.groups, entry->info.group);
}

}  // namespace beadwork
