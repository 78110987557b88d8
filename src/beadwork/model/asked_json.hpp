#pragma once
// The part of a model file that says what was asked of the engine.
#include <beadwork/model.hpp>

#include <nlohmann/json_fwd.hpp>

namespace beadwork::model {

nlohmann::ordered_json asked_json(const AskedFor& asked, const std::vector<std::string>& class_names);
// Throws Fault.
AskedFor read_asked(const nlohmann::ordered_json& j, const std::vector<std::string>& class_names);
// Refuses what a file cannot hold.
Status check_asked(const AskedFor& asked, std::size_t classes);

}  // namespace beadwork::model
