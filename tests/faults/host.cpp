// Stands for a program that hosts the library, as Python does: it keeps its own new and terminate handlers, so that
// only std::bad_alloc may tell of memory that runs out. Learns, tells, saves and loads; prints what came out.
#include <beadwork/evidence.hpp>

#include <cstdio>
#include <new>
#include <string>

namespace {

using namespace beadwork;

struct Answer {
  std::string text;
  bool out_of_memory = false;  // and it says so
};

Answer work() {
  const Table table = parse_table("a,b,y\n0,1,p\n1,0,n\n1,1,p\n0,0,n\n1,1,n\n", "t")->table;
  const auto binarizer = Binarizer::fit(table, {});
  const auto dataset = binarizer->apply(table);
  Request request;
  request.run.depth.most = 2;
  request.ask<ForSearch>().top = 2;
  const auto outcome = learn(*dataset, request);
  const auto model = model_of(*binarizer, *dataset, request, *outcome, "all");
  const std::string text = to_json(*model);
  const auto again = model_from_json(text);
  const auto facts = facts_of(*again, {{ReportRows::Role::other, "t", table}}, learnt_from(*again, table));
  const auto page = html_report(*again, *facts);
  const auto refused = model_from_json("{\"format\":[{},[1,{\"x\":[2]}]],\"format\":1}");
  const std::string told = outcome_json(*dataset, request, *outcome);
  return {text + std::to_string(page->size() > 0) + refused.error().message + std::to_string(told.size() > 0),
          outcome->out_of_memory};
}

}  // namespace

int main() {
  try {
    const Answer answer = work();
    std::puts(answer.text.c_str());
    return answer.out_of_memory ? 4 : 0;
  } catch (const std::bad_alloc&) {
    return 3;
  }
}
