#pragma once
// Which kernel runs here? The only place of the search that asks the processor.

#include <beadwork/search/kernel/table.hpp>
#include <beadwork/search/options.hpp>

namespace beadwork::detail {

// The tables of this kernel, or of the best one for `automatic`. Null members where this build or this
// processor has no such kernel.
kernel::Tables tables_for(Kernel kernel);
template <class Lane>
const kernel::Table<Lane>* table_for(Kernel kernel) {
  const kernel::Tables tables = tables_for(kernel);
  if constexpr (sizeof(Lane) == 2)
    return tables.narrow;
  else
    return tables.wide;
}

// Error if the kernel asked for does not run here.
Status check_kernel(Kernel kernel);

}  // namespace beadwork::detail
