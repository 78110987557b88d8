#pragma once
// The part of a model file that says how the training table was read. What is read plainly is not written.
#include <beadwork/table.hpp>

#include <nlohmann/json_fwd.hpp>

namespace beadwork::model {

nlohmann::ordered_json reading_json(const Reading& reading);
nlohmann::ordered_json reading_json(const ReadOptions& options);

// Throw std::invalid_argument with what is wrong, or an exception of the JSON library.
Reading read_reading(const nlohmann::ordered_json& j, const std::string& where);
ReadOptions read_options(const nlohmann::ordered_json& j);

}  // namespace beadwork::model
