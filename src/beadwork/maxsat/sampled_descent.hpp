#pragma once
#include "beadwork/maxsat/search.hpp"

namespace beadwork {

// A better model before the real work: minimises the number of false softs in a small sample, a few conflicts at a
// time. Each model found is priced on the whole formula. With thousands of softs the bound of the linear phase is
// quadratic in the gap it starts from, and a model that suits a few hundred rows of data suits the others nearly as
// well, so this pays for itself many times. The bounds are assumptions: nothing is added that would rule out a model.
void sampled_descent(Search& search);

}  // namespace beadwork
