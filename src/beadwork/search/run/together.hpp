#pragma once
#include <cstddef>
#include <functional>

namespace beadwork::detail {

// Calls work(0) .. work(n - 1) at the same time, n > 0, this thread among them, and waits for all. Throws
// what one of them has thrown.
void together(std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace beadwork::detail
