#pragma once
#include <beadwork/model.hpp>

namespace beadwork::model {

// How to read a file for these tests of a model.
ReadOptions reading_for(const Model& model, const Binarizer& tested, ReadOptions base);

}  // namespace beadwork::model
