// SPDX-License-Identifier: MIT
#include "experiments/formats/outside_program.hpp"

#include <signal.h>

#include <thread>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/conclusion.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

std::optional<std::string> shell(const Folder& folder, const std::string& script, ProgramLimits limits = {}) {
  return run_program("sh", {"-c", script}, folder.path, limits);
}

}  // namespace

TEST_CASE("a drawing program cannot start other programs", "[experiments][outside]") {
  const Folder folder("outside");
  REQUIRE_FALSE(shell(folder, "echo here > made"));
  CHECK(read(folder.path / "made") == "here\n");
  for (const char* script : {"touch pwned", "(echo > pwned)", "exec touch pwned", "echo > pwned | cat",
                             "echo > pwned & wait", "x=$(echo > pwned)"}) {
    INFO(script);
    CHECK(shell(folder, script));
    CHECK_FALSE(std::filesystem::exists(folder.path / "pwned"));
  }
}

TEST_CASE("a drawing program has no home, a fixed environment and no open files", "[experiments][outside]") {
  const Folder folder("outside_home");
  setenv("GNUPLOT_LIB", "/somewhere", 1);
  REQUIRE_FALSE(shell(folder, "export -p > variables; echo \"$HOME\" > home; echo /proc/self/fd/* > files"));
  CHECK(read(folder.path / "home") == "\n");
  CHECK_FALSE(contains(read(folder.path / "variables"), "GNUPLOT_LIB"));
  const std::string files = read(folder.path / "files");
  CHECK(contains(files, "/0 "));
  CHECK_FALSE(contains(files, "/7"));
}

TEST_CASE("gnuplot cannot execute commands", "[experiments][outside]") {
  if (!has_gnuplot()) return;
  const Folder folder("outside_gnuplot");
  for (const char* script : {"system('touch pwned')", "x = system('touch pwned')", "`touch pwned`",
                             "set output '|touch pwned'\nplot x", "plot '<touch pwned'", "!touch pwned",
                             "shell", "load '< touch pwned; echo'"}) {
    INFO(script);
    write(folder.path / "p.gp", std::string("set terminal svg\n") + script + "\n");
    run_gnuplot(folder.path, "p");
    CHECK_FALSE(std::filesystem::exists(folder.path / "pwned"));
  }
}

TEST_CASE("equal scripts give equal pictures, and a failed script leaves none", "[experiments][outside]") {
  if (!has_gnuplot()) return;
  const Folder folder("outside_picture");
  const Plot plot{"p", "title", "x", "y", {{"a", {{1, 0.5, 0.25, 0.75}, {2, 0.25, 0.2, 0.3}}}}, {}};
  write(folder.path / "p.gp", to_gnuplot(plot));
  REQUIRE_FALSE(run_gnuplot(folder.path, "p"));
  const std::string svg = read(folder.path / "p.svg"), pdf = read(folder.path / "p.pdf");
  CHECK(contains(svg, "<text>title</text>"));
  REQUIRE_FALSE(run_gnuplot(folder.path, "p"));
  CHECK(read(folder.path / "p.svg") == svg);
  CHECK(read(folder.path / "p.pdf") == pdf);
  write(folder.path / "p.gp", to_gnuplot(plot) + "nonsense\n");
  CHECK(run_gnuplot(folder.path, "p") == "gnuplot failed with exit code 1");
  CHECK_FALSE(std::filesystem::exists(folder.path / "p.svg"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "p.pdf"));
}

TEST_CASE("a drawing program is limited in time, memory and file size", "[experiments][outside]") {
  const Folder folder("outside_limits");
  ProgramLimits limits;
  limits.time = milliseconds(300);
  const auto begun = Clock::now();
  CHECK(shell(folder, "while :; do :; done", limits) == "sh took more than 0.3 s");
  CHECK(Clock::now() - begun < std::chrono::seconds(5));
  limits = {};
  limits.file_size = 1000;
  CHECK(shell(folder, "while :; do echo 0123456789; done > big", limits));
  CHECK(std::filesystem::file_size(folder.path / "big") <= 1000);
  limits = {};
  limits.memory = std::uint64_t{256} << 20;
  CHECK(shell(folder, "x=0123456789; while :; do x=$x$x; done", limits));
}

TEST_CASE("a drawing program ends when the enclosing work is cancelled", "[experiments][outside]") {
  const Folder folder("outside_stopped");
  const auto begun = Clock::now();
  const auto look = [&] {
    if (Clock::now() - begun > milliseconds(200))
      throw core::WorkStopped(core::WorkStopped::Reason::cancelled, "interrupted");
  };
  const core::WorkBudget work({}, look);
  CHECK_THROWS_AS(shell(folder, "echo $$ > id; while :; do :; done"), core::WorkStopped);
  CHECK(Clock::now() - begun < milliseconds(1200));
  const pid_t id = std::stoi(read(folder.path / "id"));
  CHECK(kill(id, 0) != 0);
}

TEST_CASE("drop_pdf_date resets the date in a PDF without changing its length", "[experiments][outside]") {
  const Folder folder("outside_pdf");
  const std::filesystem::path pdf = folder.path / "a.pdf";
  write(pdf, "x /CreationDate (D:20261121235653Z)\n/More");
  drop_pdf_date(pdf);
  CHECK(read(pdf) == "x /CreationDate (D:19700101000000Z)\n/More");
  for (const char* left_alone : {"no date", "/CreationDate (D:2026)", "/CreationDate (D:20261121235653"}) {
    write(pdf, left_alone);
    drop_pdf_date(pdf);
    CHECK(read(pdf) == left_alone);
  }
  CHECK_NOTHROW(drop_pdf_date(folder.path / "missing.pdf"));
}
