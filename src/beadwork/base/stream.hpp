#pragma once
#include <beadwork/base/control.hpp>
#include <beadwork/base/result.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace beadwork {

// Bytes from the first to the last, in constant memory; again from the first, where `rewind` can.
class ByteStream {
 public:
  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  virtual ~ByteStream() = default;

  // At most `most` bytes; 0: that was all. An Error of code limit where control says stop.
  virtual Result<std::size_t> read(char* to, std::size_t most, const Control& control) = 0;
  virtual Status rewind() = 0;
  // Asked when all is read: is the file what it was at the start?
  virtual Status unchanged() = 0;
};

// A plain file. What gzip or zstd packed comes unpacked: the first bytes tell, whatever the name is. A damaged or cut
// file is an Error, never a shorter text. Where the library was built without zlib or libzstd, the Error names the
// package.
Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path);
// The same of an open descriptor, which stays open: a pipe, say. It cannot be rewound.
Result<std::unique_ptr<ByteStream>> stream_of(int descriptor, const std::string& name);
// The same of a text in memory, which must outlive it.
Result<std::unique_ptr<ByteStream>> stream_of(std::string_view text, const std::string& name);

// The first bytes of a stream, `most` of them where it has so many, and the stream from its first byte.
struct PeekedStream {
  std::string start;
  std::unique_ptr<ByteStream> whole;
};
Result<PeekedStream> peek(std::unique_ptr<ByteStream> stream, std::size_t most, const Control& control = {});

// All that is left in a stream.
Result<std::string> read_rest(ByteStream& stream, const Control& control = {});

bool packed(std::string_view text);  // by gzip or zstd

// Packs a text as the name of its file asks for: .gz, .zst, or not at all.
class Packer {
 public:
  Packer() = default;
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  virtual ~Packer() = default;
  virtual std::string pack(std::string_view text) = 0;  // what is ready of it
  virtual std::string finish() = 0;                     // the rest
};
Result<std::unique_ptr<Packer>> packer_for(const std::string& path);

}  // namespace beadwork
