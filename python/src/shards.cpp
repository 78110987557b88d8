#include "learned.hpp"

namespace beadwork::python {
namespace {

// Shards that a Python function gives. The work runs without the GIL, so each call takes it; what the function raises
// ends the work and is raised again by who waits for it.
Shards shards_of(std::size_t count, const nb::callable& open) {
  return {count, [&open](std::size_t shard) -> Result<Dataset> {
            const nb::gil_scoped_acquire acquire;
            return nb::cast<Dataset>(open(shard));
          }};
}

nb::tuple learn_parts(const Binarizer& binarizer, const Dataset& frame, std::size_t count, const nb::callable& open,
                      const nb::dict& given, const nb::object& callback, bool keep) {
  const Request request = request_of(given);
  GilWait waiting(callback, static_cast<double>(frame.weight_scale()), keep);
  auto [found, bounds] = take(waiting.run([&](const Control& control) {
    return learn_shards(binarizer, shards_of(count, open), frame, request, true, {control});
  }));
  if (!found.outcome.diagram) throw nb::value_error("stopped before every shard was counted: there is no model yet");
  return nb::make_tuple(Learned{request, std::move(found.outcome), std::move(waiting.waiting()), std::move(bounds),
                                std::move(found.rows_sha256)},
                        std::move(found.dataset));
}

}  // namespace

void bind_shards(nb::module_& m) {
  m.def(
      "learn_shards", &learn_parts, nb::arg("binarizer"), nb::arg("frame"), nb::arg("count"), nb::arg("open"),
      nb::arg("options"), nb::arg("callback").none(), nb::arg("keep") = false,
      nb::sig("def learn_shards(binarizer: Binarizer, frame: Dataset, count: int, open: object, "
              "options: dict, callback: object | None, keep: bool = False) -> tuple[Outcome, Dataset]"),
      "As learn, from rows in parts: open(i) gives part i, several times; frame has their tests and classes. Also the "
      "rows added up that agree on the features found.");
}

}  // namespace beadwork::python
