// Work that threads share is done whole, by as many of them as the system starts.

#include <beadwork/base.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace beadwork {
namespace {

// The sum of 1 to 1000, taken by whoever comes.
std::size_t shared_sum(std::size_t threads, const Control& control) {
  std::atomic<std::size_t> next{1}, sum{0};
  together(
      threads,
      [&](std::size_t) {
        for (std::size_t i = next++; i <= 1000; i = next++) sum += i;
      },
      control);
  return sum;
}

TEST(Threads, EachIsCalledOnce) {
  for (const std::size_t n : {1U, 2U, 7U}) {
    std::vector<std::atomic<int>> calls(n);
    together(n, [&](std::size_t i) { ++calls.at(i); }, {});
    for (const auto& count : calls) EXPECT_EQ(count, 1);
    EXPECT_EQ(shared_sum(n, {}), 500500U);
    EXPECT_EQ(threads_to_have(n, {}), n);
  }
}

TEST(Threads, ThrowWhatTheFirstOfThemHasThrownOnceAllHaveEnded) {
  for (const std::size_t n : {1U, 2U, 7U})
    for (std::size_t culprit = 0; culprit < n; ++culprit) {
      std::atomic<std::size_t> ended{0};
      const auto work = [&](std::size_t i) {
        if (i == culprit) throw std::runtime_error("thread " + std::to_string(i));
        ++ended;
      };
      try {
        together(n, work);
        ADD_FAILURE() << "nothing thrown";
      } catch (const std::runtime_error& e) {
        EXPECT_EQ(e.what(), "thread " + std::to_string(culprit));
      }
      EXPECT_EQ(ended, n - 1);
    }
}

TEST(Threads, ProcessorsAreThoseOfTheAffinity) {
  cpu_set_t all, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  const auto many = static_cast<std::size_t>(CPU_COUNT(&all));
  EXPECT_GE(processors_here(), 1U);
  EXPECT_LE(processors_here(), many);
  CPU_ZERO(&one);
  for (std::size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(processors_here(), 1U);
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(Threads, ProcessorsAreThoseOfTheQuota) {
  namespace fs = std::filesystem;
  const fs::path home = fs::path(testing::TempDir()) / ("cgroup" + std::to_string(::getpid()));
  const auto quota = [&](const std::vector<std::pair<std::string, std::string>>& files) {
    fs::remove_all(home);
    for (const auto& [name, text] : files) {
      fs::create_directories((home / name).parent_path());
      std::ofstream(home / name) << text;
    }
    return quota_of_container(home);
  };
  const std::string time = "cpu/cpu.cfs_quota_us", period = "cpu/cpu.cfs_period_us";
  EXPECT_EQ(quota({}), std::nullopt);
  EXPECT_EQ(quota({{"cpu.max", "150000 100000\n"}}), 1.5);
  EXPECT_EQ(quota({{"cpu.max", "max 100000\n"}}), std::nullopt);
  EXPECT_EQ(quota({{time, "400000\n"}, {period, "100000\n"}}), 4);
  EXPECT_EQ(quota({{time, "50000\n"}, {period, "100000\n"}}), 0.5);
  EXPECT_EQ(quota({{time, "-1\n"}, {period, "100000\n"}}), std::nullopt);
  EXPECT_EQ(quota({{time, "400000\n"}, {period, "0\n"}}), std::nullopt);
  EXPECT_EQ(quota({{time, "400000\n"}}), std::nullopt);
  EXPECT_EQ(quota({{period, "100000\n"}}), std::nullopt);
  EXPECT_EQ(quota({{time, "x\n"}, {period, "100000\n"}}), std::nullopt);
  EXPECT_EQ(quota({{"cpu.max", "100000 100000\n"}, {time, "400000\n"}, {period, "100000\n"}}), 1);  // the newer one
  fs::remove_all(home);
}

// In a process of its own: threads that ask for more memory than there are addresses do not start.
TEST(Threads, WhereNoneStartsOneDoesAll) {
  const pid_t child = ::fork();
  if (child == 0) {
    pthread_attr_t large;
    ::pthread_attr_init(&large);
    const bool set =
        ::pthread_attr_setstacksize(&large, std::size_t{1} << 46) == 0 && ::pthread_setattr_default_np(&large) == 0;
    std::vector<std::string> warnings;
    Control control;
    control.log = [&](LogLevel, std::string_view text) { warnings.emplace_back(text); };
    const bool one = threads_to_have(4, control) == 1 && warnings.size() == 1;
    const bool all = shared_sum(4, control) == 500500;
    const bool told = warnings.back() == "only 1 of 4 threads can be started; the work takes longer";
    _exit(!set ? 2 : one && all && told ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "no stack of that size may be asked for";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace beadwork
