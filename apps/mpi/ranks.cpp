#include "ranks.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <mpi.h>

namespace beadwork {

Ranks::Ranks(int& argc, char**& argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  MPI_Finalize();
}

void Ranks::send(int to, Kind kind, const std::string& text) const {
  if (text.size() > INT_MAX) abort(70);  // a state is megabytes at most
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, to, static_cast<int>(kind), MPI_COMM_WORLD);
}

std::optional<Ranks::Letter> Ranks::receive() const {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return {};
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Letter letter{status.MPI_SOURCE, static_cast<Kind>(status.MPI_TAG),
                std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(letter.text.data(), size, MPI_BYTE, letter.from, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return letter;
}

void Ranks::broadcast(std::string& text) const {
  std::uint64_t size = text.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  text.resize(size);
  constexpr std::size_t kPiece = std::size_t{1} << 30;
  for (std::size_t at = 0; at < size; at += kPiece)
    MPI_Bcast(text.data() + at, static_cast<int>(std::min<std::size_t>(kPiece, size - at)), MPI_BYTE, 0,
              MPI_COMM_WORLD);
}

void Ranks::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace beadwork
