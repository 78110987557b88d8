#include <beadwork/base.hpp>
#include <beadwork/base/unpack.hpp>

#include <algorithm>
#include <limits>

#if BEADWORK_WITH_ZLIB
#include <zlib.h>

namespace beadwork {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, behind a header of gzip

// A file of one or more members. Zeros may follow them, as tapes leave them.
class GzipStream final : public ByteStream {
 public:
  GzipStream(std::unique_ptr<ByteStream> packed, const std::string& name) : in_(std::move(packed), name) {
    good_ = ::inflateInit2(&z_, kGzipWindow) == Z_OK;
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() override { ::inflateEnd(&z_); }

  Result<std::size_t> read(char* to, std::size_t most, const Control& control) override {
    if (!good_) return input_error("no memory to unpack it", in_.name());
    most = std::min<std::size_t>(most, std::numeric_limits<uInt>::max());
    z_.next_out = reinterpret_cast<Bytef*>(to);
    z_.avail_out = static_cast<uInt>(most);
    while (z_.avail_out == most) {
      if (in_.left().empty()) {
        TRY(const auto more, in_.fill(control));
        if (!more) return inside_ ? Result<std::size_t>(in_.cut_short()) : std::size_t{0};
      }
      TRY_DONE(inside_ ? inflate_some() : next_member());
    }
    return most - z_.avail_out;
  }
  Status rewind() override {
    inside_ = true;
    padded_ = false;
    ::inflateReset(&z_);
    return in_.rewind();
  }
  Status unchanged() override { return in_.unchanged(); }

 private:
  Status inflate_some() {
    const std::string_view left = in_.left();
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left.data()));  // zlib only reads it
    z_.avail_in = static_cast<uInt>(left.size());
    const int code = ::inflate(&z_, Z_NO_FLUSH);
    in_.take(left.size() - z_.avail_in);
    if (code == Z_STREAM_END) inside_ = false;
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return Done{};
    return in_.damaged(z_.msg != nullptr ? z_.msg : "gzip");
  }
  Status next_member() {
    if (in_.left().front() == 0) {
      padded_ = true;
      in_.take(1);
      return Done{};
    }
    if (padded_ || in_.left().front() != '\x1F') return in_.damaged("something else follows them");
    ::inflateReset(&z_);
    inside_ = true;
    return Done{};
  }

  Packed in_;
  z_stream z_{};
  bool good_ = false;
  bool inside_ = true;  // of a member
  bool padded_ = false;
};

class GzipPacker final : public Packer {
 public:
  GzipPacker() { require(::deflateInit2(&z_, 6, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib"); }
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;
  ~GzipPacker() override { ::deflateEnd(&z_); }
  std::string pack(std::string_view text) override {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    std::string out;
    for (; !text.empty(); text.remove_prefix(std::min(kMost, text.size()))) run(text.substr(0, kMost), Z_NO_FLUSH, out);
    return out;
  }
  std::string finish() override {
    std::string out;
    run({}, Z_FINISH, out);
    return out;
  }

 private:
  void run(std::string_view text, int flush, std::string& out) {
    constexpr std::size_t kRoom = std::size_t{1} << 16;
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    z_.avail_in = static_cast<uInt>(text.size());
    do {
      const std::size_t used = out.size();
      out.resize(used + kRoom);
      z_.next_out = reinterpret_cast<Bytef*>(out.data() + used);
      z_.avail_out = static_cast<uInt>(kRoom);
      ::deflate(&z_, flush);
      out.resize(out.size() - z_.avail_out);
    } while (z_.avail_out == 0);
  }
  z_stream z_{};
};

}  // namespace

Result<std::unique_ptr<ByteStream>> unpack_gzip(std::unique_ptr<ByteStream> packed, const std::string& name) {
  return std::unique_ptr<ByteStream>(std::make_unique<GzipStream>(std::move(packed), name));
}

Result<std::unique_ptr<Packer>> pack_gzip(const std::string&) {
  return std::unique_ptr<Packer>(std::make_unique<GzipPacker>());
}

}  // namespace beadwork

#else

namespace beadwork {
namespace {

Error no_gzip(const std::string& name) {
  return input_error("is packed by gzip; unpack it (gunzip), or build beadwork with Debian's zlib1g-dev", name);
}

}  // namespace

Result<std::unique_ptr<ByteStream>> unpack_gzip(std::unique_ptr<ByteStream>, const std::string& name) {
  return no_gzip(name);
}
Result<std::unique_ptr<Packer>> pack_gzip(const std::string& name) {
  return input_error("cannot be packed by gzip: build beadwork with Debian's zlib1g-dev", name);
}

}  // namespace beadwork
#endif
