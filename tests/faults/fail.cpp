// To be preloaded (LD_PRELOAD): fails one call of the program, counted from the start of main.
//
//   FAULT_KIND    alloc (malloc and its kin), io (calls on files and processes), short (read and write move one byte),
//                 interrupt (read, write, poll and waitpid end with EINTR)
//   FAULT_N       which call of that kind, from 1; FAULT_STICKY=1: and all after it
//   FAULT_TOTAL   the number of calls is written to this file at the end
//   FAULT_TRACE   set: a signal that ends the program prints the addresses of its stack first
//
// Deleting files never fails: a temporary that cannot be deleted is not the program's fault.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum class Kind { none, alloc, io, partial, interrupt };

Kind wanted = Kind::none;
long target = 0;
bool sticky = false;
std::atomic<bool> armed = false;
std::atomic<long> count = 0;

// Is this the call that fails?
bool strikes(Kind kind, int error) {
  if (kind != wanted || !armed) return false;
  const long now = ++count;
  if (now != target && !(sticky && now > target)) return false;
  errno = error;
  return true;
}

void write_total() {
  const char* path = std::getenv("FAULT_TOTAL");
  if (path == nullptr) return;
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%ld\n", count.load());
  const long fd = ::syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (fd < 0) return;
  ::syscall(SYS_write, fd, text, size);
  ::syscall(SYS_close, fd);
}

constexpr int kMostFrames = 64;

void print_stack(int number) {
  armed = false;
  void* frames[kMostFrames];
  ::backtrace_symbols_fd(frames, ::backtrace(frames, kMostFrames), STDERR_FILENO);
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void trace_signals() {
  if (std::getenv("FAULT_TRACE") == nullptr) return;
  void* frames[1];
  ::backtrace(frames, 1);  // the first call loads a library
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) ::signal(number, print_stack);
}

void read_settings() {
  const char* kind = std::getenv("FAULT_KIND");
  const char* n = std::getenv("FAULT_N");
  if (kind == nullptr || n == nullptr) return;
  target = std::atol(n);
  sticky = std::getenv("FAULT_STICKY") != nullptr;
  wanted = std::strcmp(kind, "alloc") == 0       ? Kind::alloc
           : std::strcmp(kind, "io") == 0        ? Kind::io
           : std::strcmp(kind, "short") == 0     ? Kind::partial
           : std::strcmp(kind, "interrupt") == 0 ? Kind::interrupt
                                                 : Kind::none;
}

int (*real_main)(int, char**, char**) = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  read_settings();
  trace_signals();
  armed = true;
  const int code = real_main(argc, argv, environment);
  armed = false;
  write_total();
  return code;
}

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// The function of the same name that we stand before.
#define REAL(name) static const auto real = next<decltype(&name)>(#name)
#define FAILS(kind, error, value) \
  if (strikes(Kind::kind, error)) return value

extern "C" {

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

using Main = int (*)(int, char**, char**);
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  const auto real = next<decltype(&__libc_start_main)>("__libc_start_main");
  real_main = main;
  return real(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(size_t size) {
  FAILS(alloc, ENOMEM, nullptr);
  return __libc_malloc(size);
}
void* calloc(size_t number, size_t size) {
  FAILS(alloc, ENOMEM, nullptr);
  return __libc_calloc(number, size);
}
void* realloc(void* old, size_t size) {
  FAILS(alloc, ENOMEM, nullptr);
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  FAILS(alloc, ENOMEM, nullptr);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  FAILS(alloc, ENOMEM, ENOMEM);
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

ssize_t read(int fd, void* to, size_t size) {
  REAL(read);
  FAILS(io, EIO, -1);
  FAILS(interrupt, EINTR, -1);
  return real(fd, to, strikes(Kind::partial, 0) && size > 1 ? 1 : size);
}
ssize_t write(int fd, const void* from, size_t size) {
  REAL(write);
  FAILS(io, ENOSPC, -1);
  FAILS(interrupt, EINTR, -1);
  return real(fd, from, strikes(Kind::partial, 0) && size > 1 ? 1 : size);
}
int open(const char* path, int flags, ...) {
  REAL(open);
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  FAILS(io, EMFILE, -1);
  return real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  REAL(open64);
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  FAILS(io, EMFILE, -1);
  return real(path, flags, mode);
}
int close(int fd) {
  REAL(close);
  const int result = real(fd);
  FAILS(io, EIO, -1);
  return result;
}
int fsync(int fd) {
  REAL(fsync);
  FAILS(io, EIO, -1);
  return real(fd);
}
int fdatasync(int fd) {
  REAL(fdatasync);
  FAILS(io, EIO, -1);
  return real(fd);
}
int rename(const char* from, const char* to) {
  REAL(rename);
  FAILS(io, EIO, -1);
  return real(from, to);
}
int link(const char* from, const char* to) {
  REAL(link);
  FAILS(io, EPERM, -1);
  return real(from, to);
}
int mkstemp(char* name) {
  REAL(mkstemp);
  FAILS(io, EACCES, -1);
  return real(name);
}
int mkstemp64(char* name) {
  REAL(mkstemp64);
  FAILS(io, EACCES, -1);
  return real(name);
}
int mkstemps(char* name, int suffix) {
  REAL(mkstemps);
  FAILS(io, EACCES, -1);
  return real(name, suffix);
}
int mkostemps(char* name, int suffix, int flags) {
  REAL(mkostemps);
  FAILS(io, EACCES, -1);
  return real(name, suffix, flags);
}
int mkdir(const char* path, mode_t mode) {
  REAL(mkdir);
  FAILS(io, EACCES, -1);
  return real(path, mode);
}
int fchmod(int fd, mode_t mode) {
  REAL(fchmod);
  FAILS(io, EPERM, -1);
  return real(fd, mode);
}
int fstat(int fd, struct stat* info) {
  REAL(fstat);
  FAILS(io, EIO, -1);
  return real(fd, info);
}
int stat(const char* path, struct stat* info) {
  REAL(stat);
  FAILS(io, EACCES, -1);
  return real(path, info);
}
int ftruncate(int fd, off_t size) {
  REAL(ftruncate);
  FAILS(io, EIO, -1);
  return real(fd, size);
}
off_t lseek(int fd, off_t offset, int whence) {
  REAL(lseek);
  FAILS(io, EIO, -1);
  return real(fd, offset, whence);
}
int flock(int fd, int operation) {
  REAL(flock);
  FAILS(io, EINTR, -1);
  return real(fd, operation);
}
void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
  REAL(mmap);
  if (fd >= 0) FAILS(io, ENOMEM, MAP_FAILED);
  return real(at, size, protection, flags, fd, offset);
}
void* mmap64(void* at, size_t size, int protection, int flags, int fd, off64_t offset) {
  REAL(mmap64);
  if (fd >= 0) FAILS(io, ENOMEM, MAP_FAILED);
  return real(at, size, protection, flags, fd, offset);
}
int pipe(int* ends) {
  REAL(pipe);
  FAILS(io, EMFILE, -1);
  return real(ends);
}
int pipe2(int* ends, int flags) {
  REAL(pipe2);
  FAILS(io, EMFILE, -1);
  return real(ends, flags);
}
int dup2(int from, int to) {
  REAL(dup2);
  FAILS(io, EMFILE, -1);
  return real(from, to);
}
pid_t fork() {
  REAL(fork);
  FAILS(io, EAGAIN, -1);
  return real();
}
pid_t waitpid(pid_t child, int* status, int options) {
  REAL(waitpid);
  FAILS(interrupt, EINTR, -1);
  return real(child, status, options);
}
int poll(struct pollfd* fds, nfds_t number, int timeout) {
  REAL(poll);
  FAILS(io, ENOMEM, -1);
  FAILS(interrupt, EINTR, -1);
  return real(fds, number, timeout);
}
FILE* fopen(const char* path, const char* mode) {
  REAL(fopen);
  FAILS(io, EMFILE, nullptr);
  return real(path, mode);
}
size_t fwrite(const void* from, size_t size, size_t number, FILE* to) {
  REAL(fwrite);
  FAILS(io, ENOSPC, 0);
  return real(from, size, number, to);
}
int fflush(FILE* file) {
  REAL(fflush);
  FAILS(io, ENOSPC, EOF);
  return real(file);
}
int fclose(FILE* file) {
  REAL(fclose);
  const int result = real(file);
  FAILS(io, ENOSPC, EOF);
  return result;
}

}  // extern "C"
