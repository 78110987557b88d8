#pragma once
// Just enough of the protobuf wire format to write a message: ONNX needs nothing else, and its library is larger than
// we are.
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork::exports {

class Message {
 public:
  Message& number(unsigned field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3);
    varint(value);
    return *this;
  }
  Message& real(unsigned field, float value) {
    varint((std::uint64_t{field} << 3) | 5);
    little_endian(std::bit_cast<std::uint32_t>(value), 4);
    return *this;
  }
  Message& text(unsigned field, std::string_view value) {
    varint((std::uint64_t{field} << 3) | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(unsigned field, const Message& value) { return text(field, value.bytes_); }
  Message& numbers(unsigned field, const std::vector<std::int64_t>& values) {  // packed
    Message packed;
    for (const std::int64_t v : values) packed.varint(static_cast<std::uint64_t>(v));
    return message(field, packed);
  }
  Message& reals(unsigned field, const std::vector<float>& values) {  // packed
    Message packed;
    for (const float v : values) packed.little_endian(std::bit_cast<std::uint32_t>(v), 4);
    return message(field, packed);
  }
  Message& doubles(unsigned field, const std::vector<double>& values) {  // packed
    Message packed;
    for (const double v : values) packed.little_endian(std::bit_cast<std::uint64_t>(v), 8);
    return message(field, packed);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void little_endian(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xFF);
  }
  std::string bytes_;
};

}  // namespace beadwork::exports
