#pragma once
// base: the words every layer speaks.
//
//   Result<T>   a value or an Error{code, message, where}; bad input is a value, never an exception
//   TRY, TRY_DONE  in our own sources: the value of a Result, or return its error (base/try.hpp)
//   require     throws ContractViolation when a caller breaks a contract of a front header, in all builds
//   Feature, Row, Class   indices that do not mix
//   Control     what a long computation is given: deadline, interrupt, memory limit, progress and log sinks
//   Steps       looks at a Control now and then, by the work that is done
//   SolveStatus how far a computation came: optimal, feasible, infeasible, unknown
//   Rng         the same numbers on every platform for the same seed
//   files       read_file (plain files only), FileText (in parts), write_file and FileWriter (all or nothing), FileLock
//   ByteStream  the bytes of a file from first to last, unpacked where gzip or zstd packed them; Packer
//   together    work shared by threads: by as many as the system starts
//   nearest_word  which of the known names somebody meant, for messages: "did you mean"
//   popcount    ones of two bit columns, by the best instructions of the machine
//   Sha256      the hash that models, checkpoints and certificates carry; seal and SealedLines, texts that end with it
//
// Example (compiled in tests/unit/base):
//
//   Result<int> half(int n) {
//     if (n % 2 != 0) return Error{ErrorCode::input, "expected an even number"};
//     return n / 2;
//   }
//   if (auto h = half(4)) use(*h); else complain(h.error().message);
//
// The library never prints, never exits and never aborts on user input: what it has to say goes into a Result or to
// the sinks in Control. Nothing here has global state.

#include <beadwork/base/control.hpp>
#include <beadwork/base/file.hpp>
#include <beadwork/base/file_lock.hpp>
#include <beadwork/base/index.hpp>
#include <beadwork/base/nearest_word.hpp>
#include <beadwork/base/popcount.hpp>
#include <beadwork/base/result.hpp>
#include <beadwork/base/rng.hpp>
#include <beadwork/base/sealed.hpp>
#include <beadwork/base/sha256.hpp>
#include <beadwork/base/shares.hpp>
#include <beadwork/base/solve_status.hpp>
#include <beadwork/base/steps.hpp>
#include <beadwork/base/stream.hpp>
#include <beadwork/base/text.hpp>
#include <beadwork/base/threads.hpp>

#ifdef BEADWORK_SOURCES
#include <beadwork/base/try.hpp>
#endif
