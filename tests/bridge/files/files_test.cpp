// SPDX-License-Identifier: MIT
#include "bridge/files/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;

struct FilesFolder {
  FilesFolder() : path(fs::temp_directory_path() / ("engram_files_test_" + std::to_string(getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~FilesFolder() { fs::remove_all(path); }
  FilesFolder(const FilesFolder&) = delete;
  FilesFolder& operator=(const FilesFolder&) = delete;

  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path)) found.insert(entry.path().filename());
    return found;
  }
  const fs::path path;
};

// The part of temporary file names that identifies this machine.
std::string machine_mark() {
  utsname machine{};
  uname(&machine);
  return std::string(".") + machine.nodename + "-";
}

void make_file(const fs::path& path) { std::ofstream(path) << "half"; }

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the next writer of a path removes the temporary file of a killed writer", "[bridge][files]") {
  const FilesFolder folder;
  const pid_t writer = fork();
  if (writer == 0) {
    WholeFile file(folder.path / "memory");
    file.add(std::string(100'000, 'x'));
    raise(SIGKILL);
  }
  REQUIRE(writer > 0);
  REQUIRE(waitpid(writer, nullptr, 0) == writer);
  const auto left = folder.names();
  REQUIRE(left.size() == 1);
  CHECK(left.begin()->starts_with("memory" + machine_mark() + std::to_string(writer) + "-"));
  write_file(folder.path / "other", "whole");
  CHECK(folder.names().size() == 2);
  write_file(folder.path / "memory", "whole");
  CHECK(folder.names() == std::set<std::string>{"memory", "other"});
  CHECK(text_of(folder.path / "memory") == "whole");
}

TEST_CASE("a writer keeps temporary files of live writers and files with other names", "[bridge][files]") {
  const FilesFolder folder;
  const std::string here = "memory" + machine_mark();
  const std::set<std::string> others{
      "memory.part",      here + "1-2.part.part", here + "1-.part",   here + "-1.part",
      here + "12.part",   here + "a-1.part",      "memory2.1-1.part", "x" + here + "1-1.part",
      here + "1-1.part~", here + "1-1-1.part",    "memory.1-1.part",  "memory.elsewhere-1-1.part"};
  for (const std::string& name : others) make_file(folder.path / name);
  fs::create_directory(folder.path / (here + "1-8.part"));
  fs::create_symlink(folder.path / "memory.part", folder.path / (here + "1-9.part"));
  WholeFile live(folder.path / "memory");  // like a writer in another process
  live.add("live");
  const auto before = folder.names();
  CHECK(before.size() == others.size() + 3);
  make_file(folder.path / (here + "4000000-1.part"));
  write_file(folder.path / "memory", "first");
  auto after = before;
  after.insert("memory");
  CHECK(folder.names() == after);
  live.finish();
  CHECK(text_of(folder.path / "memory") == "live");
}

TEST_CASE("pieces of any size are written in order", "[bridge][files]") {
  const FilesFolder folder;
  std::string all;
  {
    WholeFile file(folder.path / "memory");
    for (const std::size_t size : {1, 100'000, 70'000, 2, 65'535, 3, 65'536, 0, 4}) {
      const std::string piece(size, static_cast<char>('a' + size % 26));
      file.add(piece);
      all += piece;
    }
    file.finish();
  }
  CHECK(text_of(folder.path / "memory") == all);
}

TEST_CASE("concurrent writers of one path do not corrupt it", "[bridge][files]") {
  const FilesFolder folder;
  constexpr int writers = 3, rounds = 60;
  std::vector<pid_t> processes;
  for (int i = 0; i < writers; ++i) {
    processes.push_back(fork());
    if (processes.back() != 0) continue;
    try {
      for (int k = 0; k < rounds; ++k) {
        WholeFile file(folder.path / "memory");
        file.add(std::string(1000, static_cast<char>('a' + i)));
        file.finish();
      }
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  for (const pid_t process : processes) {
    int status = -1;
    REQUIRE(waitpid(process, &status, 0) == process);
    CHECK(status == 0);
  }
  CHECK(folder.names() == std::set<std::string>{"memory"});
  const std::string text = text_of(folder.path / "memory");
  CHECK(text == std::string(1000, text.at(0)));
}

}  // namespace engram::bridge
