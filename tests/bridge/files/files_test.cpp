// SPDX-License-Identifier: MIT
#include "bridge/files/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename());
  return found;
}

// The part of a temporary file's name that identifies this machine.
std::string machine_mark() {
  utsname machine{};
  uname(&machine);
  return std::string(".") + machine.nodename + "-";
}

}  // namespace

TEST_CASE("the next writer of a path removes the temporary file of a killed writer", "[bridge][files]") {
  const engram::testing::Folder folder("files");
  const pid_t writer = fork();
  if (writer == 0) {
    WholeFile file(folder.path / "memory");
    file.add(std::string(100'000, 'x'));
    raise(SIGKILL);
  }
  REQUIRE(writer > 0);
  REQUIRE(waitpid(writer, nullptr, 0) == writer);
  const auto left = names_in(folder.path);
  REQUIRE(left.size() == 1);
  CHECK(left.begin()->starts_with("memory" + machine_mark() + std::to_string(writer) + "-"));
  write_file(folder.path / "other", "whole");
  CHECK(names_in(folder.path).size() == 2);
  write_file(folder.path / "memory", "whole");
  CHECK(names_in(folder.path) == std::set<std::string>{"memory", "other"});
  CHECK(testing::read(folder.path / "memory") == "whole");
}

TEST_CASE("a writer keeps temporary files of live writers and files with other names", "[bridge][files]") {
  const engram::testing::Folder folder("files");
  const std::string here = "memory" + machine_mark();
  const std::set<std::string> others{
      "memory.part",      here + "1-2.part.part", here + "1-.part",   here + "-1.part",
      here + "12.part",   here + "a-1.part",      "memory2.1-1.part", "x" + here + "1-1.part",
      here + "1-1.part~", here + "1-1-1.part",    "memory.1-1.part",  "memory.elsewhere-1-1.part"};
  for (const std::string& name : others) testing::write(folder.path / name, "half");
  fs::create_directory(folder.path / (here + "1-8.part"));
  fs::create_symlink(folder.path / "memory.part", folder.path / (here + "1-9.part"));
  WholeFile live(folder.path / "memory");  // a writer that is still live, as one in another process could be
  live.add("live");
  const auto before = names_in(folder.path);
  CHECK(before.size() == others.size() + 3);
  testing::write(folder.path / (here + "4000000-1.part"), "half");
  write_file(folder.path / "memory", "first");
  auto after = before;
  after.insert("memory");
  CHECK(names_in(folder.path) == after);
  live.finish();
  CHECK(testing::read(folder.path / "memory") == "live");
}

TEST_CASE("pieces of any size are written in order", "[bridge][files]") {
  const engram::testing::Folder folder("files");
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
  CHECK(testing::read(folder.path / "memory") == all);
}

TEST_CASE("concurrent writers of one path do not corrupt it", "[bridge][files]") {
  const engram::testing::Folder folder("files");
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
  CHECK(names_in(folder.path) == std::set<std::string>{"memory"});
  const std::string text = testing::read(folder.path / "memory");
  CHECK(text == std::string(1000, text.at(0)));
}

}  // namespace engram::bridge
