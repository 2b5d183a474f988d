// SPDX-License-Identifier: MIT
#include "experiments/runs/cache.hpp"

#include "experiments/formats/files.hpp"
#include "experiments/runs/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// A run's message about its cache, and its results.
std::pair<std::string, std::string> told_and_results(const Spec& spec, const fs::path& out,
                                                     const fs::path& cache) {
  std::ostringstream talk;
  run(spec, {.out = out, .jobs = 2, .force = true, .talk = &talk, .cache = cache});
  const std::string text = talk.str();
  return {text.substr(text.rfind(": ") + 2), read(out / "results.jsonl")};
}

}  // namespace

TEST_CASE("a cache returns the stored trial, under the requested number", "[experiments][cache]") {
  const Folder folder("cache");
  TrialCache cache(folder.path);
  const Json key = {{"setting", 0.1}};
  const TrialResult result{{{{"trial", 3}, {"x", 0.1}}}, {{{"trial", 3}, {"seconds", 2.5}}}};
  CHECK_FALSE(cache.find(key, 3));
  cache.add(key, 3, result);
  CHECK(cache.find(key, 3)->rows == result.rows);
  CHECK(cache.find(key, 5)->rows == std::vector<Json>{{{"trial", 5}, {"x", 0.1}}});
  CHECK(cache.find(key, 5)->timings == std::vector<Json>{{{"trial", 5}, {"seconds", 2.5}}});
  CHECK_FALSE(cache.find({{"setting", 0.2}}, 3));
  CHECK(cache.hits() == 3);
  CHECK(cache.damaged() == 0);
}

TEST_CASE("an entry with any damaged byte is a miss", "[experiments][cache]") {
  const Folder folder("cache_damage");
  TrialCache cache(folder.path);
  const Json key = {{"setting", "s"}};
  cache.add(key, 0, {{{{"trial", 0}, {"x", 12.5}}}, {}});
  const fs::path entry = entries(folder.path).at(0);
  const std::string whole = read(entry);
  for (std::size_t at = 0; at + 1 < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write(entry, damaged);
    REQUIRE_FALSE(cache.find(key, 0));
    write(entry, whole.substr(0, at));
    REQUIRE_FALSE(cache.find(key, 0));
  }
  CHECK(cache.damaged() == 2 * (whole.size() - 1));
  CHECK(cache.hits() == 0);
}

TEST_CASE("runs share trials through a cache, with the same bytes as without it", "[experiments][cache]") {
  const Folder folder("cache_run");
  write(folder.path / "a.nal", "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n");
  write(folder.path / "b.nal", "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> beast>.\n");
  const auto spec = [&](const std::string& seeds, const char* input) {
    return resolve_spec({{"experiment", "completion"},
                         {"inputs", {input}},
                         {"methods", {"overlap", "hopfield"}},
                         {"load", {0.5, 1}},
                         {"seeds", seeds}},
                        folder.path);
  };
  const fs::path cache = folder.path / "cache", out = folder.path / "out";
  run(spec("1..3", "a.nal"), {.out = folder.path / "three"});
  run(spec("2..5", "a.nal"), {.out = folder.path / "four"});
  const std::string three = read(folder.path / "three" / "results.jsonl");
  const std::string four = read(folder.path / "four" / "results.jsonl");

  CHECK(told_and_results(spec("1..3", "a.nal"), out, cache) ==
        std::pair<std::string, std::string>("0 trials were in the cache\n", three));
  CHECK(told_and_results(spec("1..3", "a.nal"), out, cache) ==
        std::pair<std::string, std::string>("6 trials were in the cache\n", three));
  // Two seeds are cached under other trial numbers.
  CHECK(told_and_results(spec("2..5", "a.nal"), out, cache) ==
        std::pair<std::string, std::string>("4 trials were in the cache\n", four));
  // A damaged entry is detected and replaced.
  const fs::path entry = entries(cache).front();
  write(entry, read(entry).substr(0, 100));
  CHECK(told_and_results(spec("1..5", "a.nal"), out, cache).first ==
        "9 trials were in the cache; 1 damaged entries were made again\n");
  CHECK(told_and_results(spec("1..5", "a.nal"), out, cache).first == "10 trials were in the cache\n");
  // An input with the same name and length but other content is another trial.
  fs::rename(folder.path / "b.nal", folder.path / "a.nal");
  CHECK(told_and_results(spec("1..3", "a.nal"), out, cache).first == "0 trials were in the cache\n");
}
