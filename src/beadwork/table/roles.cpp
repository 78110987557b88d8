#include <beadwork/table/roles.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace beadwork::table {
namespace {

constexpr std::string_view kModel = "the model";      // who asks for columns where nothing is learnt
constexpr std::string_view kBeside = "with_columns";  // what a person wants to see beside the answers, by name only

std::string suggestion(const std::vector<Heading>& headings, std::string_view name) {
  std::vector<std::string> names;
  for (const Heading& heading : headings) names.push_back(heading.name);
  if (const std::string meant = did_you_mean(name, names); !meant.empty()) return meant;
  std::string list = "; the columns are";
  for (std::size_t i = 0; i < headings.size() && i < 8; ++i)
    list += fmt::format("{} '{}'", i == 0 ? "" : ",", printable(headings[i].name, 20));
  return list + (headings.size() > 8 ? ", ..." : "");
}

Result<std::size_t> find_column(const Source& source, const std::vector<Heading>& headings, std::string_view name,
                                std::string_view option) {
  for (std::size_t i = 0; i < headings.size(); ++i)
    if (headings[i].name == name) return i;
  if (option == kModel)
    return source.refuse(
        fmt::format("the model needs column '{}', which is missing{}", printable(name), suggestion(headings, name)));
  const auto unknown = [&](std::string message) {
    return Error{ErrorCode::input, std::move(message), std::string(option), true};
  };
  const auto count = static_cast<long long>(headings.size());
  long long number = 0;
  const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (option == kBeside || end != name.data() + name.size() || name.empty() || status == std::errc::invalid_argument)
    return unknown(
        fmt::format("{} has no column named '{}'{}", source.name(), printable(name), suggestion(headings, name)));
  if (status != std::errc{} || number == 0 || number > count || number < -count)
    return unknown(fmt::format("{} has no column {}: it has {}, numbered from 1, or from -1 at the end", source.name(),
                               printable(name), count));
  return static_cast<std::size_t>(number > 0 ? number - 1 : count + number);
}

std::string_view in_words(std::string_view option) {
  return option == "target"    ? "the target"
         : option == "weight"  ? "the weight"
         : option == "ignore"  ? "left out"
         : option == "numeric" ? "numeric"
         : option == "ordered" ? "ordered"
                               : "nominal";
}

// At least two words, each of them once and none of them missing.
Status check_order(const OrderedWords& words, const std::vector<std::string>& missing) {
  const auto refuse = [&](std::string_view what, std::string_view word = "") {
    return option_error(fmt::format("column '{}': {}", printable(words.column, 40),
                                    fmt::format(fmt::runtime(what), printable(word, 40))),
                        "ordered");
  };
  if (words.levels.size() < 2) return refuse("an order needs at least two values, lowest first");
  for (auto at = words.levels.begin(); at != words.levels.end(); ++at) {
    if (at->empty()) return refuse("a value of the order is empty");
    if (std::find(words.levels.begin(), at, *at) != at) return refuse("'{}' stands twice in the order", *at);
    if (std::find(missing.begin(), missing.end(), *at) != missing.end())
      return refuse("'{}' stands for a missing value, which has no place in the order", *at);
  }
  return Done{};
}

// Collects who claims which column; the second, different claim is refused.
class Claims {
 public:
  Claims(const Source& source, const std::vector<Heading>& headings, const std::vector<std::string>& beside)
      : source_(source), headings_(headings), beside_(beside), by_(headings.size()) {
    for (std::size_t i = 0; i < headings.size(); ++i)
      if (headings[i].empty || !headings[i].left_out.empty()) by_[i] = "ignore";
  }

  Result<std::size_t> claim(std::string_view name, std::string_view option) {
    const auto column = find_column(source_, headings_, name, option);
    if (!column) return column;
    std::string_view& by = by_[*column];
    const bool agrees = by.empty() || by == option || (by == "target" && option == "nominal") ||
                        (by == "weight" && option == "numeric");
    if (!agrees) return refuse(headings_[*column], by, option);
    if (by.empty()) by = option;
    return column;
  }
  Status claim_all(const std::vector<std::string>& names, std::string_view option, std::vector<ColumnPlan>& plans,
                   Rule rule) {
    for (const std::string& name : names) {
      const bool beside = std::find(beside_.begin(), beside_.end(), name) != beside_.end();
      TRY(const auto column, claim(name, beside ? kBeside : option));
      plans[column].rule = rule;
      plans[column].forced = true;
    }
    return Done{};
  }
  Status claim_ordered(const ReadOptions& options, std::vector<ColumnPlan>& plans) {
    for (const OrderedWords& words : options.ordered) {
      TRY(const auto column, claim(words.column, "ordered"));
      TRY_DONE(check_order(words, options.missing));
      ColumnPlan& plan = plans[column];
      if (plan.ordered)
        return option_error(fmt::format("column '{}' has two orders", printable(plan.name, 40)), "ordered");
      plan.rule = Rule::nominal;
      plan.forced = plan.closed = plan.ordered = true;
      plan.levels = words.levels;
    }
    return Done{};
  }
  bool named(std::size_t column) const { return !by_[column].empty(); }
  // The target nobody named: the first (of a matrix) or last column that is neither the weight nor left out.
  std::optional<std::size_t> free_column(bool first) const {
    const auto free = [](std::string_view by) { return by != "weight" && by != "ignore"; };
    if (first) {
      const auto it = std::find_if(by_.begin(), by_.end(), free);
      return it == by_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - by_.begin()));
    }
    const auto it = std::find_if(by_.rbegin(), by_.rend(), free);
    return it == by_.rend() ? std::nullopt : std::optional(static_cast<std::size_t>(by_.rend() - it - 1));
  }

 private:
  Error refuse(const Heading& heading, std::string_view by, std::string_view option) const {
    const std::string name = printable(heading.name);
    if (option == kModel)
      return source_.refuse(
          heading.left_out.empty()
              ? fmt::format("the model needs column '{}', which is {} already", name, in_words(by))
              : fmt::format("the model needs column '{}', which cannot be read: {}", name, heading.left_out));
    return option_error(heading.left_out.empty()
                            ? fmt::format("column '{}' is {} already", name, in_words(by))
                            : fmt::format("column '{}' cannot be read: {}", name, heading.left_out),
                        std::string(option));
  }

  const Source& source_;
  const std::vector<Heading>& headings_;
  const std::vector<std::string>& beside_;
  std::vector<std::string_view> by_;
};

std::vector<ColumnPlan> declared_plans(const std::vector<Heading>& headings) {
  static constexpr std::array kRule{Rule::detect, Rule::numeric, Rule::nominal, Rule::nominal};
  std::vector<ColumnPlan> plans;
  for (const Heading& heading : headings)
    plans.push_back({heading.name, kRule[static_cast<std::size_t>(heading.declared)], Role::input, false,
                     heading.declared == Declared::level, heading.levels, heading.declares_missing});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].empty = headings[i].empty;
    plans[i].sure = headings[i].sure;
    if (plans[i].empty || !headings[i].left_out.empty()) plans[i].rule = Rule::skip;
  }
  return plans;
}

// The order of a date in ARFF's words (those of Java): "yyyy-MM-dd HH:mm". Nothing for what is not read, such as a year
// between day and month, of two digits, or hours up to 12. A format of times alone needs no order.
std::optional<Reading::Order> order_of(std::string_view format) {
  std::string letters;
  bool quoted = false;
  for (const char c : format) {
    if (c == '\'') quoted = !quoted;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter && !quoted) letters += c;
  }
  if (letters.find_first_not_of("yMdHmsSzZX") != std::string::npos) return std::nullopt;
  if (letters.find("yy") != std::string::npos && letters.find("yyyy") == std::string::npos) return std::nullopt;
  std::string fields;
  for (const char c : letters)
    if (std::string_view("yMd").find(c) != std::string_view::npos && fields.find(c) == std::string::npos) fields += c;
  if (fields == "yMd" || fields.empty()) return Reading::Order::year_first;
  if (fields == "dMy") return Reading::Order::day_first;
  if (fields == "Mdy") return Reading::Order::month_first;
  return std::nullopt;
}

void declare_dates(ColumnPlan& plan, const Heading& heading, bool told) {
  if (!heading.date || told) return;
  plan.dates = order_of(heading.date_format);
  if (!plan.dates && plan.rule == Rule::nominal && !plan.forced) plan.date_format = heading.date_format;
}

// Words with an order, of an input that nobody reads otherwise.
void declare_order(ColumnPlan& plan, const Heading& heading, std::vector<std::string>& notes) {
  if (heading.order.size() < 2 || plan.forced || plan.rule != Rule::nominal || plan.role != Role::input) return;
  plan.closed = plan.ordered = true;
  plan.levels = heading.order;
  notes.push_back(fmt::format("column '{}': words in the order that the file declares, '{}' to '{}'",
                              printable(plan.name, 40), printable(plan.levels.front(), 40),
                              printable(plan.levels.back(), 40)));
}

// The target that no option names.
Result<std::size_t> default_target(const Source& source, const OpenTable& open, const Claims& claims,
                                   const std::vector<ColumnPlan>& plans, std::vector<std::string>& notes) {
  const bool first = open.format == TableFormat::matrix;
  const auto target = claims.free_column(first);
  if (!target) return source.refuse("no column is left as the target");
  const auto name = printable(open.headings[*target].name, 40);
  if (plans[*target].forced && plans[*target].rule == Rule::numeric)
    return option_error(fmt::format("column '{}' is the target, which is nominal; choose another target", name),
                        "numeric");
  if (plans[*target].ordered)
    return option_error(
        fmt::format("column '{}' is the target, whose classes have no order; choose another target", name), "ordered");
  notes.push_back(fmt::format("target '{}', the {} column", name, first ? "first" : "last"));
  return *target;
}

// Some column stays, so that the rows are counted.
void leave_out_others(const Claims& claims, std::vector<ColumnPlan>& plans) {
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (!claims.named(i)) plans[i].rule = Rule::skip;
  const auto read = [](const ColumnPlan& p) { return p.rule != Rule::skip; };
  const auto first = std::find_if(plans.begin(), plans.end(), [](const ColumnPlan& p) { return !p.empty; });
  if (std::none_of(plans.begin(), plans.end(), read) && first != plans.end()) first->rule = Rule::nominal;
}

// By option, else as the file says.
std::string weight_name(const OpenTable& open, const ReadOptions& options) {
  return options.weight.empty() && open.weight ? open.headings[*open.weight].name : options.weight;
}

// A column that an option reads otherwise than the file declares it forgets the declaration.
void drop_overruled_levels(ColumnPlan& plan) {
  if (plan.rule == Rule::nominal) return;
  plan.closed = false;
  plan.levels.clear();
}

void plan_reading(ColumnPlan& plan, const ReadOptions& options) {
  drop_overruled_levels(plan);
  plan.lenient = !options.needs_target && plan.role == Role::input;
  plan.part = options.part;
  const auto& found = options.as_found;
  plan.as_found = !plan.typed() && plan.rule != Rule::skip && plan.role == Role::input &&
                  std::find(found.begin(), found.end(), plan.name) != found.end();
  plan.as_text = !plan.sure && (plan.as_found || options.decimal != 0 || options.thousands != 0);
}

}  // namespace

Status check_names(const Source& source, const std::vector<Heading>& headings) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const Heading& heading = headings[i];
    if (heading.name.empty())
      return source.refuse(heading.offset, fmt::format("column {} has no name; give it one{}", i + 1,
                                                       source.from_arrow() ? "" : " in the header"));
    if (!seen.insert(heading.name).second) {
      const bool number = parse_number(heading.name).has_value();
      Error error = source.refuse(heading.offset,
                                  fmt::format("two columns are named '{}'; rename one{}", printable(heading.name, 40),
                                              number ? ", or say that the file has no header" : ""));
      return number ? std::move(error).with({"no_header"}) : error;
    }
  }
  return Done{};
}

Result<std::vector<ColumnPlan>> plan_columns(const Source& source, const OpenTable& open, const ReadOptions& options,
                                             std::vector<std::string>& notes) {
  std::vector<ColumnPlan> plans = declared_plans(open.headings);
  Claims claims(source, open.headings, options.beside);
  const auto asker = [&](std::string_view option) { return options.needs_target ? option : kModel; };
  std::optional<std::size_t> target;
  if (!options.target.empty()) {
    TRY(const auto column, claims.claim(options.target, asker("target")));
    target = column;
  }
  if (const std::string weight = weight_name(open, options); !weight.empty()) {
    TRY(const auto column, claims.claim(weight, "weight"));
    plans[column].rule = Rule::numeric;
    plans[column].role = Role::weight;
    plans[column].may_be_zero = options.part;
  }
  TRY_DONE(claims.claim_all(options.ignore, "ignore", plans, Rule::skip));
  TRY_DONE(claims.claim_all(options.numeric, asker("numeric"), plans, Rule::numeric));
  TRY_DONE(claims.claim_all(options.nominal, asker("nominal"), plans, Rule::nominal));
  TRY_DONE(claims.claim_ordered(options, plans));
  if (!target && options.needs_target) {
    TRY(const auto column, default_target(source, open, claims, plans, notes));
    target = column;
  }
  if (target) {
    plans[*target].rule = Rule::nominal;
    plans[*target].role = Role::target;
  }
  for (const MissingCode& code : options.missing_of) {
    const auto column = find_column(source, open.headings, code.column, options.needs_target ? "missing" : kBeside);
    if (!column && options.needs_target) return column.error();
    if (column) plans[*column].missing.push_back(code.text);
  }
  for (const std::string& name : options.keep) {
    TRY(const auto column, find_column(source, open.headings, name, "keep_column"));
    plans[column].keep = true;
  }
  if (options.only_named) leave_out_others(claims, plans);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    declare_dates(plans[i], open.headings[i], options.dates.has_value());
    if (options.needs_target) declare_order(plans[i], open.headings[i], notes);
  }
  for (ColumnPlan& plan : plans) plan_reading(plan, options);
  const auto declaring = std::count_if(plans.begin(), plans.end(), [](const auto& p) { return p.declares_missing; });
  if (declaring != 0)
    notes.push_back(
        fmt::format("'?' declared as a value of {} column{} read as missing", declaring, declaring == 1 ? "" : "s"));
  const auto input = [](const ColumnPlan& p) { return p.rule != Rule::skip && p.role == Role::input; };
  if (!options.only_named && std::none_of(plans.begin(), plans.end(), input))
    return source.refuse("no input column is left besides the target, the weight and the ignored columns");
  return plans;
}

}  // namespace beadwork::table
