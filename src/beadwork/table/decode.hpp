#pragma once
#include <beadwork/table.hpp>

namespace beadwork::table {

enum class Encoding { utf8, latin1, windows1252, utf16le, utf16be };
// By the option, but a byte-order mark says more. UTF-16 is also known by its NUL bytes.
Result<Encoding> encoding_of(const std::string& name, std::string_view start);
std::string_view words(Encoding encoding);  // "UTF-16"; empty: UTF-8
// The stream as UTF-8. What does not decode is an Error that names its byte.
std::unique_ptr<ByteStream> decoded(std::unique_ptr<ByteStream> stream, Encoding encoding, std::string name);

}  // namespace beadwork::table
