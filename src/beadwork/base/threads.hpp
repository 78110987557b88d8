#pragma once
#include <beadwork/base/control.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace beadwork {

// work(0) in this thread and work(1) to work(n - 1) in threads of their own; returns when all have ended, and throws
// what the first of them has thrown. What the system starts no thread for is not called: one warning says how many
// there are. So each call takes its share from a common heap, and any number of them does all of it.
void together(std::size_t n, const std::function<void(std::size_t)>& work, const Control& control = {});

// The processors' time that a control group allows its processes, in processors; nothing where it sets no limit.
// `folder` is what is mounted at /sys/fs/cgroup: of version 2 (cpu.max), or of version 1 (cpu/cpu.cfs_quota_us of
// cpu.cfs_period_us).
std::optional<double> quota_of_container(const std::string& folder);

// How many processors this process may use: those of its affinity, and no more than a container's quota; 1 at least.
std::size_t processors_here();

// How many threads of `n` the system would start now, this one included; a warning where they are fewer.
std::size_t threads_to_have(std::size_t n, const Control& control);

}  // namespace beadwork
