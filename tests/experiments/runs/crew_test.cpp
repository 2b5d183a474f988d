// SPDX-License-Identifier: MIT
#include "experiments/runs/crew.hpp"

#include "experiments/formats/files.hpp"
#include "experiments/runs/journal.hpp"
#include "experiments/runs/located_inputs.hpp"
#include "experiments/runs/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;

namespace {

Spec completion_of(const Folder& folder) {
  write(folder.path / "a.nal",
        "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n<bee --> insect>.\n");
  return resolve_spec(
      {{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"seeds", {1, 2, 3}}, {"load", {1}}},
      folder.path);
}

// A crew that runs the trials in reverse order and passes results as text, like one on another machine. `log` records
// the calls.
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
    Json told() const override { return {{"others", 7}}; }
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
  const Folder folder("crew");
  const Spec spec = completion_of(folder);
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
  const Folder folder("crew_fails");
  const Spec spec = completion_of(folder);
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
  const Folder folder("located");
  fs::create_directories(folder.path / "deep");
  write(folder.path / "a.nal", "<a --> b>.\n");
  write(folder.path / "deep" / "b.nal", "<b --> c>.\n");
  const Spec spec =
      resolve_spec({{"experiment", "comparison"},
                    {"inputs", {"a.nal", "../" + folder.path.filename().string() + "/deep/b.nal"}}},
                   folder.path);
  const Spec again = resolve_spec(spec.resolved, folders_of_inputs(located_inputs(spec)));
  CHECK(again.resolved == spec.resolved);
  for (std::size_t i = 0; i < 2; ++i) CHECK(fs::equivalent(again.inputs[i].path, spec.inputs[i].path));
}
