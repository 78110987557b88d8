#pragma once
#include <beadwork/model.hpp>

namespace beadwork::model {

// Can these parts stand in a file? Texts are UTF-8, names differ, numbers are in the ranges that a reader accepts.
Status check_sound(const Model::Parts& parts);

}  // namespace beadwork::model
