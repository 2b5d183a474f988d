// SPDX-License-Identifier: MIT
#include "experiments/runs/journal.hpp"
#include "experiments/runs/run.hpp"

#include <algorithm>

#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;

namespace {

TrialResult result_of(std::size_t trial) {
  return {
      {{{"trial", trial}, {"value", 0.1 * static_cast<double>(trial)}}, {{"trial", trial}, {"b", "x\ny"}}},
      {{{"trial", trial}, {"seconds", 1e-300}}}};
}

// The numbers of the trials in a journal, and their rows as text.
std::pair<std::vector<std::size_t>, std::string> contents(const Journal& journal) {
  std::vector<std::size_t> trials;
  std::string text;
  journal.for_each([&](const TrialResult& result) {
    trials.push_back(result.rows.front().at("trial").get<std::size_t>());
    text += json_lines(result.rows) + json_lines(result.timings);
  });
  return {trials, text};
}

std::string text_of(const std::vector<std::size_t>& trials) {
  std::string text;
  for (const std::size_t trial : trials)
    text += json_lines(result_of(trial).rows) + json_lines(result_of(trial).timings);
  return text;
}

}  // namespace

TEST_CASE("a journal returns its trials in order, whatever their order of arrival",
          "[experiments][journal]") {
  const Folder folder("journal");
  {
    Journal journal(folder.path, "plan");
    for (const std::size_t trial : {3u, 0u, 7u}) journal.add(trial, result_of(trial));
    journal.add(3, result_of(4));  // ignored, because the journal already has trial 3
    CHECK(contents(journal) == std::pair(std::vector<std::size_t>{0, 3, 7}, text_of({0, 3, 7})));
  }
  Journal again(folder.path, "plan");
  CHECK(again.size() == 3);
  CHECK(again.dropped() == 0);
  again.add(1, result_of(1));
  CHECK(contents(again).second == text_of({0, 1, 3, 7}));
  again.remove();
  CHECK_FALSE(std::filesystem::exists(folder.path / journal_name));
}

TEST_CASE("a journal that is truncated anywhere keeps the trials of its complete lines",
          "[experiments][journal]") {
  const Folder folder("journal_cut");
  const auto path = folder.path / journal_name;
  {
    Journal journal(folder.path, "plan");
    for (const std::size_t trial : {2u, 0u, 1u}) journal.add(trial, result_of(trial));
  }
  const std::string whole = read(path);
  const std::vector<std::vector<std::size_t>> kept{{}, {2}, {0, 2}, {0, 1, 2}};
  for (std::size_t at = 0; at <= whole.size(); ++at) {
    write(path, whole.substr(0, at));
    const auto lines = static_cast<std::size_t>(
        std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    Journal journal(folder.path, "plan");
    const auto& expected = kept[lines == 0 ? 0 : lines - 1];
    REQUIRE(contents(journal).first == expected);
    REQUIRE(journal.dropped() == (lines > 0 && whole[at - 1] != '\n' ? 1 : 0));
    journal.add(5, result_of(5));  // the new record starts a line of its own, after the incomplete one
    REQUIRE(contents(journal).second == text_of(expected) + text_of({5}));
    REQUIRE(Journal(folder.path, "plan").size() == expected.size() + 1);
  }
}

TEST_CASE("damaged and duplicate lines and lines of another plan are ignored", "[experiments][journal]") {
  const Folder folder("journal_damage");
  const auto path = folder.path / journal_name;
  const std::string head = "{\"plan\":\"plan\"}\n", line = record_line(1, result_of(1));
  for (std::size_t at = 0; at + 1 < line.size(); ++at) {
    std::string damaged = line;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    if (damaged[at] == '\n') continue;
    write(path, head + damaged + record_line(2, result_of(2)));
    const Journal journal(folder.path, "plan");
    REQUIRE_FALSE(journal.has(1));
    REQUIRE(journal.has(2));
    REQUIRE(journal.dropped() == 1);
  }
  write(path, head + line + record_line(1, result_of(2)));
  CHECK(contents(Journal(folder.path, "plan")).second == text_of({1}));
  write(path, head + line);
  CHECK(Journal(folder.path, "another").size() == 0);
  CHECK(Journal(folder.path, "plan").size() == 0);  // opening it for another plan has overwritten the journal
}

TEST_CASE("FolderLock excludes a second run and is released at its end", "[experiments][files]") {
  const Folder folder("lock");
  {
    const FolderLock lock(folder.path);
    CHECK_THROWS_AS(FolderLock(folder.path), SpecError);
  }
  CHECK_NOTHROW(FolderLock(folder.path));
  CHECK_THROWS_AS(FolderLock(folder.path / "missing"), std::system_error);
}
