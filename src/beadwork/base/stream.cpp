#include <beadwork/base.hpp>
#include <beadwork/base/descriptor.hpp>
#include <beadwork/base/unpack.hpp>

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <utility>

namespace beadwork {
namespace {

constexpr std::size_t kStreamBlock = std::size_t{1} << 18;

class FileStream final : public ByteStream {
 public:
  FileStream(int fd, bool own, std::string name) : file_(fd), own_(own), name_(std::move(name)) {
    if (own_) good_ = ::fstat(fd, &start_) == 0;
  }
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;
  ~FileStream() override {
    if (!own_) file_.fd = -1;
  }

  Result<std::size_t> read(char* to, std::size_t most, const Control& control) override {
    for (;;) {
      if (control.stopping()) return Error{ErrorCode::limit, "stopped while reading it", name_};
      const ssize_t n = ::read(file_.fd, to, most);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return system_error("cannot read", name_);
      read_ += n;
      if (n == 0 && own_ && read_ < start_.st_size) return input_error("became shorter while it was read", name_);
      return static_cast<std::size_t>(n);
    }
  }
  Status rewind() override {
    require(own_, "ByteStream: a pipe cannot be rewound");
    read_ = 0;
    if (::lseek(file_.fd, 0, SEEK_SET) != 0) return system_error("cannot read", name_);
    return Done{};
  }
  // The size of files in /proc is 0, and their times mean nothing.
  Status unchanged() override {
    struct stat now {};
    if (!own_ || start_.st_size == 0) return Done{};
    const bool same = good_ && ::fstat(file_.fd, &now) == 0 && now.st_size == start_.st_size &&
                      read_ == start_.st_size && now.st_mtim.tv_sec == start_.st_mtim.tv_sec &&
                      now.st_mtim.tv_nsec == start_.st_mtim.tv_nsec;
    return same ? Status(Done{}) : input_error("changed while it was read", name_);
  }

 private:
  Descriptor file_;
  bool own_;
  std::string name_;
  struct stat start_ {};
  bool good_ = false;
  off_t read_ = 0;
};

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view text) : text_(text) {}
  Result<std::size_t> read(char* to, std::size_t most, const Control&) override {
    const std::size_t n = std::min(most, text_.size() - at_);
    text_.copy(to, n, at_);
    at_ += n;
    return n;
  }
  Status rewind() override {
    at_ = 0;
    return Done{};
  }
  Status unchanged() override { return Done{}; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Bytes that were read to find out what a stream is, and then the stream. One that was read to its start can be put
// there again only as a whole.
class Peeked final : public ByteStream {
 public:
  Peeked(std::string start, std::unique_ptr<ByteStream> rest) : start_(std::move(start)), rest_(std::move(rest)) {}
  Result<std::size_t> read(char* to, std::size_t most, const Control& control) override {
    if (at_ == start_.size()) return rest_->read(to, most, control);
    const std::size_t n = std::min(most, start_.size() - at_);
    start_.copy(to, n, at_);
    at_ += n;
    return n;
  }
  Status rewind() override {
    at_ = start_.size();
    return rest_->rewind();
  }
  Status unchanged() override { return rest_->unchanged(); }

 private:
  std::string start_;
  std::unique_ptr<ByteStream> rest_;
  std::size_t at_ = 0;
};

constexpr std::string_view kGzip = "\x1F\x8B";
constexpr std::string_view kZstd = "\x28\xB5\x2F\xFD";

Result<std::unique_ptr<ByteStream>> unpacked(std::unique_ptr<ByteStream> stream, const std::string& name) {
  TRY(auto peeked, peek(std::move(stream), kZstd.size()));
  if (peeked.start.starts_with(kGzip)) return unpack_gzip(std::move(peeked.whole), name);
  if (peeked.start.starts_with(kZstd)) return unpack_zstd(std::move(peeked.whole), name);
  return std::move(peeked.whole);
}

}  // namespace

Result<PeekedStream> peek(std::unique_ptr<ByteStream> stream, std::size_t most, const Control& control) {
  std::string start(most, '\0');
  std::size_t got = 0;
  while (got < start.size()) {
    TRY(const auto n, stream->read(start.data() + got, start.size() - got, control));
    if (n == 0) break;
    got += n;
  }
  start.resize(got);
  auto whole = std::make_unique<Peeked>(start, std::move(stream));
  return PeekedStream{std::move(start), std::move(whole)};
}

Result<bool> Packed::fill(const Control& control) {
  block_.resize(kStreamBlock);
  TRY(const auto n, stream_->read(block_.data(), block_.size(), control));
  left_ = std::string_view(block_).substr(0, n);
  return n != 0;
}

Error Packed::damaged(std::string_view why) const {
  return input_error(fmt::format("is damaged: its packed data cannot be unpacked ({})", why), name_);
}

Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path) {
  // O_NONBLOCK: opening a FIFO that nobody writes to must not hang.
  Descriptor d(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (d.fd < 0) return system_error("cannot open", path);
  struct stat info {};
  if (::fstat(d.fd, &info) != 0) return system_error("cannot read", path);
  if (S_ISDIR(info.st_mode)) return input_error("is a directory, expected a file", path);
  if (!S_ISREG(info.st_mode)) return input_error("is not a regular file; save it to a file first", path);
  return unpacked(std::make_unique<FileStream>(std::exchange(d.fd, -1), true, path), path);
}

Result<std::unique_ptr<ByteStream>> stream_of(int descriptor, const std::string& name) {
  return unpacked(std::make_unique<FileStream>(descriptor, false, name), name);
}

Result<std::unique_ptr<ByteStream>> stream_of(std::string_view text, const std::string& name) {
  return unpacked(std::make_unique<MemoryStream>(text), name);
}

Result<std::string> read_rest(ByteStream& stream, const Control& control) {
  std::string text;
  for (;;) {
    const std::size_t used = text.size();
    text.resize(used + std::max(kStreamBlock, used / 2));
    const auto n = stream.read(text.data() + used, text.size() - used, control);
    text.resize(used + (n ? *n : 0));
    if (!n) return n.error();
    if (*n == 0) break;
  }
  TRY_DONE(stream.unchanged());
  return text;
}

bool packed(std::string_view text) {
  return text.starts_with(kGzip) || text.starts_with(kZstd);
}

namespace {

class Unpacked final : public Packer {
 public:
  std::string pack(std::string_view text) override { return std::string(text); }
  std::string finish() override { return {}; }
};

}  // namespace

Result<std::unique_ptr<Packer>> packer_for(const std::string& path) {
  if (path.ends_with(".gz")) return pack_gzip(path);
  if (path.ends_with(".zst")) return pack_zstd(path);
  return std::unique_ptr<Packer>(std::make_unique<Unpacked>());
}

}  // namespace beadwork
