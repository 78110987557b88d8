#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace beadwork {

// What kind of trouble: the command line turns it into an exit code (HACKING.md has the table).
enum class ErrorCode {
  input,     // a file, a value or a name that the user gave is wrong
  usage,     // options that do not go together
  limit,     // a time or memory limit was hit with nothing to show
  internal,  // our own bug
};

// `where` names the place: "file.csv:12:3", or an option of the request by its bare name ("max_nodes") if
// `names_option` says so. It may be empty. The library knows no flags: the command line shows "--max-nodes", Python
// "max_nodes".
//
// `remedy`: an option that settles it, by its bare name, and a value to give it (empty: a switch). Each host adds it
// in its own spelling ("; try --text-encoding latin-1"), if it has that option.
struct Remedy {
  std::string option;
  std::string value = {};
  friend bool operator==(const Remedy&, const Remedy&) = default;
};
struct Error {
  ErrorCode code = ErrorCode::input;
  std::string message;
  std::string where = {};
  bool names_option = false;
  std::optional<Remedy> remedy = {};

  std::string to_string() const { return where.empty() ? message : where + ": " + message; }
  Error with(Remedy r) && {
    remedy = std::move(r);
    return std::move(*this);
  }
  Error without_remedy() && {
    remedy.reset();
    return std::move(*this);
  }
  friend bool operator==(const Error&, const Error&) = default;
};

inline Error input_error(std::string message, std::string where = {}) {
  return {ErrorCode::input, std::move(message), std::move(where)};
}
inline Error usage_error(std::string message, std::string where = {}) {
  return {ErrorCode::usage, std::move(message), std::move(where)};
}

inline Error option_error(std::string message, std::string option) {
  return {ErrorCode::usage, std::move(message), std::move(option), true};
}

// Thrown when a caller breaks a documented contract; never by anything a user can put in a file.
struct ContractViolation : std::logic_error {
  using std::logic_error::logic_error;
};
inline void require(bool holds, const char* contract) {
  if (!holds) throw ContractViolation(contract);
}

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const {
    require(state_.index() == 1, "Result: error() asked of a value");
    return std::get<1>(state_);
  }

 private:
  T& value() {
    require(state_.index() == 0, "Result: value asked of an error");
    return std::get<0>(state_);
  }
  const T& value() const { return const_cast<Result*>(this)->value(); }

  std::variant<T, Error> state_;
};

// A computation with nothing to return but its failure.
struct Done {};
using Status = Result<Done>;

}  // namespace beadwork
