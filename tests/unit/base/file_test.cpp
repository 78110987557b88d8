#include <beadwork/base.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace beadwork {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "beadwork.XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  auto num_files() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }
  static mode_t mode_of(const std::string& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
  }
  std::string folder_;
};

TEST_F(Files, WriteReplacesWholeFilesAndLeavesNoTemporary) {
  const std::string path = at("model.json");
  ASSERT_TRUE(write_file(path, "first"));
  ASSERT_TRUE(write_file(path, "second"));
  EXPECT_EQ(*read_file(path), "second");
  EXPECT_EQ(num_files(), 1);
  EXPECT_FALSE(write_file(at("missing/model.json"), "x"));
  EXPECT_FALSE(write_file(folder_, "x"));
  EXPECT_FALSE(can_write(at("missing/model.json")));
  EXPECT_TRUE(can_write(path));
  EXPECT_TRUE(can_write(at("new.json")));
  EXPECT_EQ(num_files(), 1);
}

TEST_F(Files, AReplacedFileHandsItsPermissionsOnAndANewOneTakesTheUmask) {
  for (const mode_t mode : {0600U, 0640U, 0666U, 0755U}) {
    ASSERT_TRUE(write_file(at("old"), "x"));
    ASSERT_EQ(::chmod(at("old").c_str(), mode), 0);
    ASSERT_TRUE(write_file(at("old"), "y"));
    EXPECT_EQ(mode_of(at("old")), mode);
  }
  for (const mode_t mask : {077U, 027U, 022U, 0U}) {
    const mode_t before = ::umask(mask);
    const std::string path = at("new" + std::to_string(mask));
    ASSERT_TRUE(write_file(path, "x"));
    ::umask(before);
    EXPECT_EQ(mode_of(path), 0666 & ~mask);
  }
}

TEST_F(Files, WriteFollowsLinksEvenToNowhereAndRefusesLoops) {
  std::filesystem::create_symlink("real", at("link"));
  ASSERT_TRUE(can_write(at("link")));
  ASSERT_TRUE(write_file(at("link"), "x"));
  EXPECT_TRUE(std::filesystem::is_symlink(at("link")));
  EXPECT_EQ(*read_file(at("real")), "x");
  std::filesystem::create_symlink("loop2", at("loop1"));
  std::filesystem::create_symlink("loop1", at("loop2"));
  EXPECT_EQ(can_write(at("loop1")).error().message, "cannot write: Too many levels of symbolic links");
  EXPECT_FALSE(write_file(at("loop1"), "x"));
  EXPECT_TRUE(std::filesystem::is_symlink(at("loop1")));
}

TEST_F(Files, WhatCannotBeWrittenIsFoundBeforehand) {
  EXPECT_EQ(can_write(at(std::string(300, 'x'))).error().message, "cannot write: File name too long");
  EXPECT_TRUE(can_write(at(std::string(255, 'x'))));
  ASSERT_TRUE(write_file(at(std::string(255, 'x')), "the longest name"));
  ASSERT_TRUE(write_file(at(std::string(255, 'x')), "again"));
  EXPECT_EQ(can_write(folder_).error().message, "is a directory");
  ASSERT_TRUE(write_file(at("plain"), "x"));
  EXPECT_EQ(can_write(at("plain/model.json")).error().message, "cannot write: Not a directory");
  EXPECT_EQ(can_write("").error().message, "a file needs a name");
  EXPECT_FALSE(can_write("/proc/self/model.json"));
  EXPECT_TRUE(can_write(at("line\nbreak")));
  ASSERT_TRUE(write_file(at("line\nbreak"), "x"));
  EXPECT_EQ(*read_file(at("line\nbreak")), "x");
  EXPECT_EQ(write_file("/dev/full", "x").error().message, "cannot write: No space left on device");
}

TEST_F(Files, AFullDiskLeavesTheOldFileAndNoTemporary) {
  ASSERT_TRUE(write_file(at("old"), "old"));
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const bool both_refused =
        !write_file(at("old"), std::string(100000, 'x')) && !write_file(at("new"), std::string(100000, 'x'));
    ::_exit(both_refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*read_file(at("old")), "old");
  EXPECT_EQ(num_files(), 1);
}

TEST_F(Files, KillingTheWriterLeavesTheOldFileOrTheNewOne) {
  const std::string big(std::size_t{8} << 20, 'x');
  ASSERT_TRUE(write_file(at("old"), "old"));
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      while (write_file(at("old"), big)) {
      }
      ::_exit(1);
    }
    ::usleep(static_cast<useconds_t>(1000 * i));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto text = read_file(at("old"));
    ASSERT_TRUE(text);
    ASSERT_TRUE(*text == "old" || *text == big);
  }
}

TEST_F(Files, RefusesWhatIsNoPlainFile) {
  EXPECT_NE(read_file(folder_).error().message.find("directory"), std::string::npos);
  EXPECT_NE(read_file(at("none")).error().message.find("No such file"), std::string::npos);
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_NE(read_file(at("pipe")).error().message.find("not a regular file"), std::string::npos);
  EXPECT_NE(can_read(at("pipe")).error().message.find("not a regular file"), std::string::npos);
  ASSERT_TRUE(write_file(at("empty"), ""));
  EXPECT_EQ(*read_file(at("empty")), "");
  EXPECT_EQ(FileText::open(at("empty"))->text(), "");
  EXPECT_TRUE(can_read(at("empty")));
  EXPECT_NE(read_file("/proc/self/status")->find("Name:"), std::string::npos);  // the system calls it empty
  EXPECT_NE(FileText::open("/proc/self/status")->text().find("Name:"), std::string_view::npos);
}

TEST_F(Files, ReadsInPartsAndGivesThemBack) {
  std::string content;
  for (int i = 0; i < 3000000; ++i) content += static_cast<char>('a' + i % 23);
  ASSERT_TRUE(write_file(at("big"), content));
  const auto file = FileText::open(at("big"));
  ASSERT_TRUE(file);
  ASSERT_EQ(file->text().size(), content.size());
  ASSERT_TRUE(file->load(1000, 2000000));
  EXPECT_EQ(file->text().substr(1000, 1999000), std::string_view(content).substr(1000, 1999000));
  EXPECT_EQ(file->text()[999999 + 1500000], 0);
  file->release(0, 1000000);
  EXPECT_EQ(file->text()[500000], 0);
  ASSERT_TRUE(file->load(0, content.size()));
  EXPECT_EQ(file->text(), content);
  EXPECT_EQ(*read_file(at("big")), content);
}

TEST_F(Files, AFileThatIsCutShortMeanwhileIsAnError) {
  ASSERT_TRUE(write_file(at("big"), std::string(1000000, 'x')));
  const auto file = FileText::open(at("big"));
  ASSERT_TRUE(file->load(0, 1000));
  std::filesystem::resize_file(at("big"), 5000);
  EXPECT_EQ(file->load(0, 1000000).error().message, "became shorter while it was read");
}

TEST_F(Files, ReadingStopsWhenAsked) {
  ASSERT_TRUE(write_file(at("some"), "text"));
  std::atomic<bool> flag = true;
  Control control;
  control.interrupt = &flag;
  EXPECT_EQ(read_file(at("some"), control).error().code, ErrorCode::limit);
  EXPECT_EQ(FileText::open(at("some"))->load(0, 4, control).error().code, ErrorCode::limit);
}

TEST_F(Files, APipeWithoutAReaderIsGivenUpWhenAsked) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(can_write(at("pipe")));
  std::atomic<bool> flag = false;
  Control control;
  control.interrupt = &flag;
  std::thread later([&] {
    ::usleep(100000);
    flag = true;
  });
  const Stopwatch watch;
  EXPECT_FALSE(write_file(at("pipe"), "x", control));
  later.join();
  EXPECT_LT(watch.seconds(), 10);
}

TEST_F(Files, APipeGetsEverythingThoughItsReaderIsLateAndSlow) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const std::string content(1000000, 'x');
  std::string got;
  std::thread reader([&] {
    ::usleep(100000);
    std::ifstream in(at("pipe"));
    got.assign(std::istreambuf_iterator<char>(in), {});
  });
  EXPECT_TRUE(write_file(at("pipe"), content));
  reader.join();
  EXPECT_EQ(got, content);
}

TEST_F(Files, AWriterInPartsChangesNothingBeforeItsEnd) {
  ASSERT_TRUE(write_file(at("x"), "old"));
  {
    auto dropped = FileWriter::create(at("x"));
    ASSERT_TRUE(dropped);
    dropped->write("new");
    EXPECT_EQ(num_files(), 1);
  }
  EXPECT_EQ(*read_file(at("x")), "old");
  auto file = FileWriter::create(at("x"));
  ASSERT_TRUE(file);
  file->write("??? first\n");
  file->write("second\n");
  file->write_first("the");
  file->write("third\n");
  EXPECT_EQ(*read_file(at("x")), "old");
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(*read_file(at("x")), "the first\nsecond\nthird\n");
  EXPECT_EQ(num_files(), 1);
  EXPECT_FALSE(FileWriter::create(folder_));
  EXPECT_FALSE(FileWriter::create(at("missing/x")));
}

TEST_F(Files, KnowsTheSameFileByTwoNames) {
  ASSERT_TRUE(write_file(at("a"), "x"));
  std::filesystem::create_symlink(at("a"), at("b"));
  std::filesystem::create_hard_link(at("a"), at("hard"));
  EXPECT_TRUE(same_file(at("a"), at("b")));
  EXPECT_TRUE(same_file(at("a"), at("hard")));
  EXPECT_TRUE(same_file(at("a"), at("./a")));
  EXPECT_FALSE(same_file(at("a"), at("c")));
  EXPECT_TRUE(same_file(at("c"), at("./c")));  // not there yet
  std::filesystem::create_symlink("c", at("to_c"));
  EXPECT_TRUE(same_file(at("c"), at("to_c")));
  EXPECT_FALSE(same_file(at("c"), at("d")));
  EXPECT_FALSE(same_file(at("missing/c"), at("c")));
}

TEST_F(Files, ALockKeepsOthersOutAndGoesWithItsOwner) {
  {
    auto lock = FileLock::take(at("state"));
    ASSERT_TRUE(lock);
    const FileLock moved = *std::move(lock);
    EXPECT_EQ(FileLock::take(at("state")).error().message, "another run is writing to this file");
    std::filesystem::create_symlink("state", at("alias"));
    EXPECT_FALSE(FileLock::take(at("alias")));
    EXPECT_TRUE(FileLock::take(at("other")));
  }
  EXPECT_FALSE(std::filesystem::exists(at("state.beadwork-lock")));
  EXPECT_TRUE(FileLock::take(at("state")));
  EXPECT_FALSE(FileLock::take(at("missing/state")));
}

TEST_F(Files, ALockOfARunThatWasKilledIsFree) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileLock::take(at("state"));
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(at("state.beadwork-lock")));
  EXPECT_TRUE(FileLock::take(at("state")));
  EXPECT_FALSE(std::filesystem::exists(at("state.beadwork-lock")));
}

TEST_F(Files, ALockIsNoFileOfOthers) {
  for (const char* text : {"precious", "lock of a run of beadwork", "lock of a run of beadwork\n and more"}) {
    ASSERT_TRUE(write_file(at("state.beadwork-lock"), text));
    const auto lock = FileLock::take(at("state"));
    ASSERT_FALSE(lock) << text;
    EXPECT_EQ(lock.error().where, at("state.beadwork-lock"));
    EXPECT_EQ(*read_file(at("state.beadwork-lock")), text);
  }
  std::filesystem::remove(at("state.beadwork-lock"));
  std::filesystem::create_symlink("elsewhere", at("state.beadwork-lock"));
  EXPECT_FALSE(FileLock::take(at("state")));
  EXPECT_FALSE(std::filesystem::exists(at("elsewhere")));
  std::filesystem::remove(at("state.beadwork-lock"));
  ASSERT_TRUE(write_file(at("state.beadwork-lock"), ""));  // of a run that was killed at once
  ASSERT_TRUE(write_file(at("state.lock"), "precious"));   // the name that other programs use
  EXPECT_TRUE(FileLock::take(at("state")));
  EXPECT_FALSE(std::filesystem::exists(at("state.beadwork-lock")));
  EXPECT_EQ(*read_file(at("state.lock")), "precious");
}

TEST_F(Files, WhatCameInPlaceOfALockStays) {
  {
    const auto lock = FileLock::take(at("state"));
    ASSERT_TRUE(lock);
    EXPECT_EQ(lock->name(), *FileLock::name_for(at("state")));
    ASSERT_TRUE(write_file(lock->name(), "precious"));  // a new file of that name
  }
  EXPECT_EQ(*read_file(at("state.beadwork-lock")), "precious");
}

}  // namespace
}  // namespace beadwork
