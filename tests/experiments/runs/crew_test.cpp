// SPDX-License-Identifier: MIT
#include "experiments/runs/crew.hpp"

#include <algorithm>
#include <sstream>

#include "experiments/formats/files.hpp"
#include "experiments/runs/journal.hpp"
#include "experiments/runs/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/completion_folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;
using namespace std::string_literals;

namespace {

const char* const statements =
    "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n<bee --> insect>.\n";

Spec three_trials(const CompletionFolder& folder) {
  return folder.spec({{"seeds", {1, 2, 3}}, {"load", {1}}});
}

// A crew that runs the trials in reverse order. It passes results as text, as a crew on another machine would. `log`
// records the calls.
struct Others final : TrialCrew {
  struct Shift final : TrialShift {
    Shift(Others& others, const TrialJob& job) : crew(others), work(job) {}
    ~Shift() override { crew.log += "end "; }
    void carry_out(const std::vector<std::size_t>& trials,
                   const std::function<void(std::size_t, const TrialResult&)>& done) override {
      for (std::size_t i = trials.size(); i-- > 0;) {
        if (trials.size() - i > crew.at_most) throw std::runtime_error("they went home");
        const auto record =
            read_record(record_line(trials[i], engram::experiments::carry_out(work, trials[i])));
        crew.log += std::to_string(record->first) + " ";
        done(record->first, record->second);
      }
    }
    Json description() const override { return {{"others", 7}}; }
    Others& crew;
    TrialJob work;
  };

  std::unique_ptr<TrialShift> begin(const TrialJob& job) override {
    log += "begin ";
    return std::make_unique<Shift>(*this, job);
  }

  std::size_t at_most = 1000;
  std::string log;
};

}  // namespace

TEST_CASE("a run's bytes do not depend on its crew or on the order of trials", "[experiments][crew]") {
  const CompletionFolder folder("crew", statements);
  const Spec spec = three_trials(folder);
  Others others;
  run(spec, {.out = folder.path / "threads", .jobs = 2});
  run(spec, {.out = folder.path / "others", .crew = &others});
  CHECK(others.log == "begin 2 1 0 end ");
  for (const char* file :
       {"results.jsonl", "summary.json", "report.html", "spec.json", "manifest.json", "SHA256SUMS"})
    CHECK(read(folder.path / "threads" / file) == read(folder.path / "others" / file));
  const Json about = read_rows(folder.path / "others" / "timings.jsonl").front().at("run");
  CHECK(about.at("others") == 7);
  CHECK(about.at("inputs") == located_inputs(spec));
}

TEST_CASE("a failing crew ends the run, which can be resumed", "[experiments][crew]") {
  const CompletionFolder folder("crew_fails", statements);
  const Spec spec = three_trials(folder);
  Others others;
  others.at_most = 1;
  CHECK_THROWS_WITH(run(spec, {.out = folder.path / "run", .crew = &others}), "they went home");
  CHECK(others.log == "begin 2 end ");
  others.log.clear();
  others.at_most = 2;
  run(spec, {.out = folder.path / "run", .resume = true, .crew = &others});
  CHECK(others.log == "begin 1 0 end ");
  run(spec, {.out = folder.path / "threads"});
  CHECK(read(folder.path / "threads" / "results.jsonl") == read(folder.path / "run" / "results.jsonl"));
}

TEST_CASE("a resolved spec can be resolved again from the folder of its inputs", "[experiments][crew]") {
  const CompletionFolder folder("located", "<a --> b>.\n");
  fs::create_directories(folder.path / "deep");
  write(folder.path / "deep" / "b.nal", "<b --> c>.\n");
  const Spec spec =
      folder.spec({{"experiment", "comparison"},
                   {"inputs", {"a.nal", "../" + folder.path.filename().string() + "/deep/b.nal"}}});
  const Spec again = resolve_spec(spec.resolved, folders_of_inputs(located_inputs(spec)));
  CHECK(again.resolved == spec.resolved);
  for (std::size_t i = 0; i < 2; ++i) CHECK(fs::equivalent(again.inputs[i].path, spec.inputs[i].path));
}

namespace {

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Runs a spec with a cache. Returns the run's message about the cache and its results.
std::pair<std::string, std::string> message_and_results(const Spec& spec, const fs::path& out,
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
  const CompletionFolder folder("cache_run",
                                "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n");
  write(folder.path / "b.nal", "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> beast>.\n");
  const auto spec = [&](const std::string& seeds) {
    return folder.spec({{"methods", {"overlap", "hopfield"}}, {"load", {0.5, 1}}, {"seeds", seeds}});
  };
  const fs::path cache = folder.path / "cache", out = folder.path / "out";
  run(spec("1..3"), {.out = folder.path / "three"});
  run(spec("2..5"), {.out = folder.path / "four"});
  const std::string three = read(folder.path / "three" / "results.jsonl");
  const std::string four = read(folder.path / "four" / "results.jsonl");

  CHECK(message_and_results(spec("1..3"), out, cache) == std::pair("0 trials were in the cache\n"s, three));
  CHECK(message_and_results(spec("1..3"), out, cache) == std::pair("6 trials were in the cache\n"s, three));
  // The trials of seeds 2 and 3 are in the cache, although they have other trial numbers.
  CHECK(message_and_results(spec("2..5"), out, cache) == std::pair("4 trials were in the cache\n"s, four));
  // The cache detects a damaged entry and replaces it.
  const fs::path entry = entries(cache).front();
  write(entry, read(entry).substr(0, 100));
  CHECK(message_and_results(spec("1..5"), out, cache).first ==
        "9 trials were in the cache; 1 damaged entries were made again\n");
  CHECK(message_and_results(spec("1..5"), out, cache).first == "10 trials were in the cache\n");
  // The input now has the same name and length but other content, so no trial is in the cache.
  fs::rename(folder.path / "b.nal", folder.path / "a.nal");
  CHECK(message_and_results(spec("1..3"), out, cache).first == "0 trials were in the cache\n");
}
