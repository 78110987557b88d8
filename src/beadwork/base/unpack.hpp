#pragma once
#include <beadwork/base/stream.hpp>

namespace beadwork {

// Unpacks what `packed` gives; nothing but an Error where the library cannot.
Result<std::unique_ptr<ByteStream>> unpack_gzip(std::unique_ptr<ByteStream> packed, const std::string& name);
Result<std::unique_ptr<ByteStream>> unpack_zstd(std::unique_ptr<ByteStream> packed, const std::string& name);
Result<std::unique_ptr<Packer>> pack_gzip(const std::string& name);
Result<std::unique_ptr<Packer>> pack_zstd(const std::string& name);

// Input of an unpacker, a block at a time.
class Packed {
 public:
  Packed(std::unique_ptr<ByteStream> stream, std::string name) : stream_(std::move(stream)), name_(std::move(name)) {}
  // False: there is no more.
  Result<bool> fill(const Control& control);
  Status rewind() {
    left_ = {};
    return stream_->rewind();
  }
  Status unchanged() { return stream_->unchanged(); }
  std::string_view left() const { return left_; }
  void take(std::size_t n) { left_.remove_prefix(n); }

  Error cut_short() const { return input_error("is cut short: its packed data end too early", name_); }
  Error damaged(std::string_view why) const;
  const std::string& name() const { return name_; }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::string name_;
  std::string block_;
  std::string_view left_;
};

}  // namespace beadwork
