#pragma once
// The processes of an MPI job, as far as beadwork needs them: texts from one to another. The main thread alone may ask.
#include <optional>
#include <string>

namespace beadwork {

class Ranks {
 public:
  Ranks(int& argc, char**& argv);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  int rank() const { return rank_; }
  int size() const { return size_; }

  enum class Kind { ready, leave, state, best, part, stop };
  struct Letter {
    int from = 0;
    Kind kind = Kind::ready;
    std::string text;
  };
  void send(int to, Kind kind, const std::string& text) const;
  std::optional<Letter> receive() const;          // if one is there
  void broadcast(std::string& text) const;        // from rank 0 to all
  [[noreturn]] static void abort(int exit_code);  // ends all of them

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace beadwork
