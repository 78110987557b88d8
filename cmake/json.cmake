# nlohmann/json, made safe where memory runs out. The destructor of its values allocates a list and must not throw, so that
# it ends the program, also one that hosts the Python package; and a value whose first child could not be allocated frees
# what it does not have. Here is a copy of the one header concerned without that list: what we read is not nested deeply
# (json/parse.cpp), what we write is flat.
beadwork_needs(build nlohmann_json)
get_target_property(folders nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
find_file(NLOHMANN_HEADER nlohmann/json.hpp HINTS ${folders} REQUIRED)
file(READ ${NLOHMANN_HEADER} text)
string(REGEX REPLACE "if \\(t == value_t::array \\|\\| t == value_t::object\\)([ \r\n]*{[ \r\n]*// flatten)"
  "if ((t == value_t::object || t == value_t::array || t == value_t::string || t == value_t::binary) && object == nullptr) return;\n            if (false)\\1"
  safe "${text}")
if(safe STREQUAL text)
  message(WARNING "nlohmann/json is not the version we know: where memory runs out, it may end the program")
else()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/json/nlohmann/json.hpp CONTENT "${safe}" @ONLY)
  target_include_directories(nlohmann_json::nlohmann_json BEFORE INTERFACE ${CMAKE_BINARY_DIR}/json)
endif()
