#include <beadwork/sat.hpp>

#include <cadical.hpp>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <limits>

namespace beadwork {

namespace {

// Asks for the clock at every call and for the memory ten times a second: reading that costs a system call.
class Limits : public CaDiCaL::Terminator {
 public:
  explicit Limits(const Control& control) : control_(control) {}
  bool terminate() override {
    if (control_.interrupted())
      stop = Stop::interrupt;
    else if (control_.deadline.passed())
      stop = Stop::deadline;
    else if (control_.memory_limit != 0 && too_much_memory())
      stop = Stop::memory;
    return stop != Stop::none;
  }
  Stop stop = Stop::none;

 private:
  bool too_much_memory() {
    if (!look_.passed()) return false;
    look_ = Deadline::in(0.1);
    return current_memory() > control_.memory_limit;
  }
  const Control& control_;
  Deadline look_ = Deadline::in(0);
};

}  // namespace

class ConflictCounter : public CaDiCaL::Learner {
 public:
  bool learning(int) override {
    ++conflicts;
    return false;
  }
  void learn(int) override {}
  std::uint64_t conflicts = 0;
};

// CaDiCaL, used as a pointer. It aborts if it is destroyed after an exception came out of one of its functions (memory
// was short): then it is left undestroyed.
class Cadical {
 public:
  class Call {
   public:
    explicit Call(Cadical& owner) : owner_(owner), before_(std::uncaught_exceptions()) {}
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() {
      if (std::uncaught_exceptions() > before_) owner_.sound_ = false;
    }
    CaDiCaL::Solver* operator->() { return owner_.solver_.get(); }

   private:
    Cadical& owner_;
    int before_;
  };

  Cadical() = default;
  Cadical(const Cadical&) = delete;
  Cadical& operator=(const Cadical&) = delete;
  ~Cadical() {
    if (!sound_) static_cast<void>(solver_.release());
  }
  Call operator->() { return Call(*this); }
  bool sound() const { return sound_; }

 private:
  std::unique_ptr<CaDiCaL::Solver> solver_ = std::make_unique<CaDiCaL::Solver>();
  bool sound_ = true;
};

struct Solver::Impl {
  ConflictCounter counter;
  Cadical cadical;
  std::vector<Lit> assumptions;
  SolverStats stats;
  Answer answer = Answer::unknown;
  Stop stop = Stop::none;
  std::string proof;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> kept{nullptr, &std::fclose};

  Impl() {
    cadical->set("quiet", 1);
    cadical->connect_learner(&counter);
  }
  ~Impl() {
    if (cadical.sound()) cadical->disconnect_learner();
  }

  void cover(Lit l) { stats.variables = std::max(stats.variables, l.var()() + 1); }
};

Solver::Solver() : impl_(std::make_unique<Impl>()) {}
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;
Solver::~Solver() = default;

Result<Solver> Solver::make(const SolverOptions& options) {
  Solver s;
  for (const auto& [name, value] : options.settings)
    if (!s.impl_->cadical->set(name.c_str(), value))
      return usage_error(fmt::format("CaDiCaL has no option '{}'", name));
  if (!options.keep_proof && options.proof.empty()) return s;
  if (!options.proof.empty())
    if (const auto writable = can_write(options.proof); !writable) return writable.error();
  s.impl_->cadical->set("binary", 0);
  // A file of our own: CaDiCaL's would not tell of a full disk.
  s.impl_->kept.reset(options.proof.empty() ? std::tmpfile() : std::fopen(options.proof.c_str(), "w"));
  if (!s.impl_->kept || !s.impl_->cadical->trace_proof(s.impl_->kept.get(), "proof"))
    return input_error("cannot write the proof", options.proof);
  s.impl_->proof = options.proof;
  return s;
}

std::size_t Solver::num_vars() const {
  return impl_->stats.variables;
}

Var Solver::fresh_var() {
  require(num_vars() < kMaxVars, "Solver: too many variables");
  return Var(impl_->stats.variables++);
}

void Solver::ensure_vars(std::size_t count) {
  require(count <= kMaxVars, "Solver: too many variables");
  impl_->stats.variables = std::max(impl_->stats.variables, count);
}

void Solver::add_clause(Clause clause) {
  for (const Lit l : clause) {
    impl_->cover(l);
    impl_->cadical->add(l.dimacs());
  }
  impl_->cadical->add(0);
  ++impl_->stats.clauses;
  impl_->answer = Answer::unknown;
}

Answer Solver::solve(Clause assumptions, const Control& control, std::optional<std::uint64_t> conflicts) {
  const Stopwatch watch;
  Impl& s = *impl_;
  s.assumptions.assign(assumptions.begin(), assumptions.end());
  for (const Lit l : assumptions) {
    s.cover(l);
    s.cadical->assume(l.dimacs());
  }
  if (conflicts)
    s.cadical->limit("conflicts",
                     static_cast<int>(std::min<std::uint64_t>(*conflicts, std::numeric_limits<int>::max())));
  Limits limits(control);
  s.cadical->connect_terminator(&limits);
  const int code = limits.terminate() ? 0 : s.cadical->solve();
  s.cadical->disconnect_terminator();
  if (limits.stop != Stop::none && code == 0) s.cadical->reset_assumptions();
  s.answer = code == 10 ? Answer::satisfiable : code == 20 ? Answer::unsatisfiable : Answer::unknown;
  s.stop = s.answer != Answer::unknown ? Stop::none : limits.stop != Stop::none ? limits.stop : Stop::conflicts;
  ++s.stats.solves;
  s.stats.seconds += watch.seconds();
  return s.answer;
}

Stop Solver::stopped_by() const {
  return impl_->stop;
}

bool Solver::value(Lit l) const {
  require(impl_->answer == Answer::satisfiable, "Solver: value() asked without a model");
  return impl_->cadical->val(l.dimacs()) > 0;
}

Assignment Solver::model() const {
  Assignment a(num_vars());
  for (std::size_t v = 0; v < num_vars(); ++v) a.set(Var(v), value(Var(v)));
  return a;
}

std::vector<Lit> Solver::failed() const {
  require(impl_->answer == Answer::unsatisfiable, "Solver: failed() asked without a refutation");
  std::vector<Lit> core;
  for (const Lit l : impl_->assumptions)
    if (impl_->cadical->failed(l.dimacs())) core.push_back(l);
  return core;
}

std::optional<bool> Solver::fixed(Lit l) const {
  const int value = impl_->cadical->fixed(l.dimacs());
  return value == 0 ? std::nullopt : std::optional<bool>(value > 0);
}

void Solver::phase(Lit l) {
  impl_->cover(l);
  impl_->cadical->phase(l.dimacs());
}

void Solver::freeze(Lit l) {
  impl_->cover(l);
  impl_->cadical->freeze(l.dimacs());
}

SolverStats Solver::stats() const {
  SolverStats s = impl_->stats;
  s.conflicts = impl_->counter.conflicts;
  return s;
}

Status Solver::close_proof() {
  if (impl_->proof.empty()) return Done{};
  impl_->cadical->close_proof_trace();
  const std::string path = std::exchange(impl_->proof, {});
  const bool failed = std::ferror(impl_->kept.get()) != 0;
  if (std::fclose(impl_->kept.release()) != 0 || failed) return input_error("cannot write the proof", path);
  return Done{};
}

Result<std::string> Solver::take_proof() {
  require(impl_->kept != nullptr, "Solver: take_proof() asked without keep_proof");
  impl_->cadical->close_proof_trace();
  std::FILE* file = impl_->kept.get();
  std::string text;
  std::array<char, 65536> block;
  const bool good = std::fflush(file) == 0 && std::fseek(file, 0, SEEK_SET) == 0;
  for (std::size_t n = 0; good && (n = std::fread(block.data(), 1, block.size(), file)) > 0;)
    text.append(block.data(), n);
  if (!good || std::ferror(file) != 0) return input_error("cannot read the proof back");
  impl_->kept.reset();
  return text.empty() ? "0\n" : text;  // CaDiCaL adds nothing to a formula that has the empty clause
}

std::string Solver::name() {
  return fmt::format("CaDiCaL {}", CaDiCaL::Solver::version());
}

Result<SatOutcome> solve(const Cnf& cnf, const Control& control, const SolverOptions& options) {
  if (control.no_room_for(solver_bytes(size_of(cnf)))) {
    SatOutcome nothing;
    nothing.stopped_by = Stop::memory;
    return nothing;
  }
  TRY(auto solver, Solver::make(options));
  solver.ensure_vars(cnf.num_vars());
  for (std::size_t i = 0; i < cnf.clauses().size(); ++i) solver.add_clause(cnf.clauses()[i]);
  SatOutcome out;
  out.answer = solver.solve({}, control);
  out.stopped_by = solver.stopped_by();
  if (const auto closed = solver.close_proof(); !closed) return closed.error();
  if (out.answer != Answer::satisfiable) return out;
  out.model = solver.model();
  if (const auto bad = first_falsified(cnf.clauses(), out.model))
    return Error{ErrorCode::internal,
                 fmt::format("{} gave a model that falsifies clause {}", Solver::name(), *bad + 1)};
  return out;
}

}  // namespace beadwork
