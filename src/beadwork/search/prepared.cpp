#include <beadwork/search/prepared.hpp>
#include <beadwork/search/problem/problem.hpp>

namespace beadwork {

using namespace detail;

const Condensed& SearchProblem::data() const {
  require(complete(), "SearchProblem: the preparation is complete");
  return *problem_->data;
}

Result<SearchProblem> prepare(std::shared_ptr<const Condensed> data, const SearchOptions& options,
                              const Control& control) {
  try {
    TRY(auto problem, make_problem(std::move(data), options, control));
    return SearchProblem(std::make_shared<const Problem>(std::move(problem)), false);
  } catch (const Stopped&) {
    return SearchProblem(nullptr, false);
  } catch (const MemoryLimitReached&) {
    return SearchProblem(nullptr, true);
  }
}

Result<SearchProblem> prepare(const Dataset& dataset, const SearchOptions& options, const Control& control) {
  auto data = condense(dataset, control);
  if (!data) return SearchProblem(nullptr, !control.stopping());
  return prepare(std::make_shared<const Condensed>(*std::move(data)), options, control);
}

Result<SearchProblem> prepare(const Condensed& data, const SearchOptions& options, const Control& control) {
  return prepare(std::shared_ptr<const Condensed>(std::shared_ptr<const Condensed>{}, &data), options, control);
}

}  // namespace beadwork
