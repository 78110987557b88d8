#pragma once
#include <beadwork/search/problem/problem.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace beadwork::detail {

// Memory that this process may take, and takes: what it had when the search began and what the arenas of its threads
// hold.
struct MemoryBudget {
  explicit MemoryBudget(std::size_t most) : limit(most), used(most == 0 ? 0 : current_memory()) {}
  std::size_t limit;  // 0 = none
  std::atomic<std::size_t> used;
};

// A stack of memory: what was allocated since a mark is given back at once. Aligned to 64 bytes, never
// initialised.
class Arena {
 public:
  explicit Arena(MemoryBudget& budget) : budget_(&budget) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    for (const Slab& s : slabs_) {
      std::free(s.start);
      budget_->used -= s.size;
    }
  }

  template <class T>
  T* get(std::size_t n) {
    return static_cast<T*>(bytes(n * sizeof(T)));
  }
  template <class T>
  T* zeroed(std::size_t n) {
    T* p = get<T>(n);
    std::fill(p, p + n, T{});
    return p;
  }

  struct Mark {
    std::size_t slab, offset;
  };
  Mark mark() const { return {slab_, offset_}; }
  void release(Mark m) {
    slab_ = m.slab;
    offset_ = m.offset;
  }

 private:
  struct Slab {
    char* start;
    std::size_t size;
  };
  void* bytes(std::size_t n) {
    n = (n + 63) / 64 * 64;
    while (slab_ < slabs_.size() && offset_ + n > slabs_[slab_].size) {
      ++slab_;
      offset_ = 0;
    }
    if (slab_ == slabs_.size()) grow(n);
    void* p = slabs_[slab_].start + offset_;
    offset_ += n;
    return p;
  }
  void grow(std::size_t n) {
    std::size_t size = std::max(n, std::size_t{1} << (18 + std::min<std::size_t>(slabs_.size(), 8)));
    if (budget_->limit != 0 && budget_->used + size > budget_->limit) size = n;
    if (budget_->limit != 0 && budget_->used + size > budget_->limit) throw MemoryLimitReached{};
    char* start = static_cast<char*>(std::aligned_alloc(64, size));
    if (start == nullptr) throw MemoryLimitReached{};
    budget_->used += size;
    slabs_.push_back({start, size});
    offset_ = 0;
  }

  MemoryBudget* budget_;
  std::vector<Slab> slabs_;
  std::size_t slab_ = 0, offset_ = 0;
};

// Gives back at the end of a scope.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : arena_(&arena), mark_(arena.mark()) {}
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;
  ~ArenaScope() { arena_->release(mark_); }

 private:
  Arena* arena_;
  Arena::Mark mark_;
};

}  // namespace beadwork::detail
