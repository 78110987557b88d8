#include <beadwork/base.hpp>
#include <beadwork/base/unpack.hpp>

#if BEADWORK_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

namespace beadwork {
namespace {

// A file of one or more frames.
class ZstdStream final : public ByteStream {
 public:
  ZstdStream(std::unique_ptr<ByteStream> packed, const std::string& name)
      : in_(std::move(packed), name), z_(::ZSTD_createDCtx(), &::ZSTD_freeDCtx) {}

  Result<std::size_t> read(char* to, std::size_t most, const Control& control) override {
    if (!z_) return input_error("no memory to unpack it", in_.name());
    ZSTD_outBuffer out{to, most, 0};
    while (out.pos == 0) {
      if (in_.left().empty() && !flushing_) {
        TRY(const auto more, in_.fill(control));
        if (!more) return inside_ ? Result<std::size_t>(in_.cut_short()) : std::size_t{0};
      }
      ZSTD_inBuffer from{in_.left().data(), in_.left().size(), 0};
      const std::size_t code = ::ZSTD_decompressStream(z_.get(), &out, &from);
      if (::ZSTD_isError(code) != 0) return refused(code);
      in_.take(from.pos);
      inside_ = code != 0;
      flushing_ = inside_ && out.pos == out.size;  // there may be more without more input
    }
    return out.pos;
  }
  Status rewind() override {
    inside_ = true;
    flushing_ = false;
    ::ZSTD_DCtx_reset(z_.get(), ZSTD_reset_session_only);
    return in_.rewind();
  }
  Status unchanged() override { return in_.unchanged(); }

 private:
  Error refused(std::size_t code) const {
    if (::ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
      return input_error("was packed with a window of more than 128 MiB; pack it with a smaller one", in_.name());
    return in_.damaged(::ZSTD_getErrorName(code));
  }

  Packed in_;
  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> z_;
  bool inside_ = true;  // of a frame
  bool flushing_ = false;
};

class ZstdPacker final : public Packer {
 public:
  ZstdPacker() : z_(::ZSTD_createCCtx(), &::ZSTD_freeCCtx) {
    require(z_ != nullptr, "libzstd");
    ::ZSTD_CCtx_setParameter(z_.get(), ZSTD_c_checksumFlag, 1);
  }
  std::string pack(std::string_view text) override { return run(text, ZSTD_e_continue); }
  std::string finish() override { return run({}, ZSTD_e_end); }

 private:
  std::string run(std::string_view text, ZSTD_EndDirective how) {
    constexpr std::size_t kRoom = std::size_t{1} << 16;
    std::string out;
    ZSTD_inBuffer from{text.data(), text.size(), 0};
    for (std::size_t left = 1; left != 0;) {
      const std::size_t used = out.size();
      out.resize(used + kRoom);
      ZSTD_outBuffer to{out.data() + used, kRoom, 0};
      left = ::ZSTD_compressStream2(z_.get(), &to, &from, how);
      require(::ZSTD_isError(left) == 0, "libzstd");
      out.resize(used + to.pos);
      if (how == ZSTD_e_continue) left = from.size - from.pos;
    }
    return out;
  }
  std::unique_ptr<ZSTD_CCtx, decltype(&::ZSTD_freeCCtx)> z_;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> unpack_zstd(std::unique_ptr<ByteStream> packed, const std::string& name) {
  return std::unique_ptr<ByteStream>(std::make_unique<ZstdStream>(std::move(packed), name));
}

Result<std::unique_ptr<Packer>> pack_zstd(const std::string&) {
  return std::unique_ptr<Packer>(std::make_unique<ZstdPacker>());
}

}  // namespace beadwork

#else

namespace beadwork {

Result<std::unique_ptr<ByteStream>> unpack_zstd(std::unique_ptr<ByteStream>, const std::string& name) {
  return input_error("is packed by zstd; unpack it (unzstd), or build beadwork with Debian's libzstd-dev", name);
}
Result<std::unique_ptr<Packer>> pack_zstd(const std::string& name) {
  return input_error("cannot be packed by zstd: build beadwork with Debian's libzstd-dev", name);
}

}  // namespace beadwork
#endif
