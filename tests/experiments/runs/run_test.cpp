// SPDX-License-Identifier: MIT
#include "experiments/runs/run.hpp"

#include <map>
#include <sstream>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/journal.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/completion_folder.hpp"
#include "tests/support/text.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;

namespace {

constexpr const char* pets = CompletionFolder::pets;

// Starts a run that is cancelled when it first checks for cancellation.
void run_stopped(const Spec& spec, const fs::path& out) {
  const engram::core::WorkBudget work(
      {}, [] { throw engram::core::WorkStopped(engram::core::WorkStopped::Reason::cancelled, "stopped"); });
  run(spec, {.out = out});
}

// Members of a spec with one method and the two seeds 1 and `seed`.
Json with_seed(int seed) { return {{"methods", {"overlap"}}, {"seeds", {1, seed}}}; }

}  // namespace

TEST_CASE("a corpus keeps each question's expected answers and premises", "[experiments][corpus]") {
  const Folder folder("corpus");
  write(folder.path / "a.nal", std::string(pets) + "//needed: <not --> there>.\n<x -> y>.\n");
  const Corpus corpus = load_corpus({"a.nal", folder.path / "a.nal"}, {});
  REQUIRE(corpus.questions.size() == 2);
  CHECK(corpus.questions[0].line == 6);
  CHECK(corpus.questions[0].proofs.front() == Question::Proof{0, 1});
  // The only proof is dropped, because it names a statement that the file lacks.
  CHECK(corpus.questions[1].proofs.empty());
  CHECK(corpus.questions[1].expected.size() == 1);
  CHECK(corpus.lines == std::vector<std::size_t>{1, 2, 3, 4, 5});
  REQUIRE(corpus.rejected.size() == 2);  // lines 14 and 13; premises are checked after all lines are read
  CHECK(corpus.rejected[0].line == 14);
  CHECK(corpus.rejected[1].line == 13);
}

TEST_CASE("a \"needed\" line before any question is an error with its place", "[experiments][corpus]") {
  const Folder folder("orphan");
  write(folder.path / "a.nal",
        "<a --> b>.\n //needed: <a --> b>.\n//expected: Answer: <a --> b>.\n<a --> b>?\n");
  const Corpus corpus = load_corpus({"a.nal", folder.path / "a.nal"}, {});
  REQUIRE(corpus.rejected.size() == 1);
  CHECK(corpus.rejected[0].line == 2);
  CHECK(corpus.rejected[0].column == 2);
  CHECK(corpus.rejected[0].message.starts_with("expected a question before '//needed:'"));
  REQUIRE(corpus.questions.size() == 1);
  CHECK(corpus.questions[0].proofs.empty());
}

TEST_CASE("four threads give the same bytes as one", "[experiments][run]") {
  const CompletionFolder folder("threads");
  for (const char* experiment : {"comparison", "completion"}) {
    const Spec spec = folder.spec({{"experiment", experiment}});
    run(spec, {.out = folder.path / "one"});
    run(spec, {.out = folder.path / "four", .jobs = 4});
    for (const char* file : {"results.jsonl", "summary.json", "report.html", "spec.json", "manifest.json"})
      CHECK(read(folder.path / "one" / file) == read(folder.path / "four" / file));
    fs::remove_all(folder.path / "one");
    fs::remove_all(folder.path / "four");
  }
}

TEST_CASE("results do not depend on an input's folder or the spelling of its path", "[experiments][run]") {
  const CompletionFolder folder("names");
  fs::create_directories(folder.path / "sub");
  write(folder.path / "sub" / "b.nal", pets);
  const auto rows = [&](const char* name) {
    run(folder.spec({{"inputs", {name}}, {"seeds", {1, 2}}}), {.out = folder.path / "out", .force = true});
    std::string text = read(folder.path / "out" / "results.jsonl");
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;)
      text.replace(at, std::string(name).size(), "NAME");
    return text;
  };
  CHECK(rows("a.nal") == rows("sub/b.nal"));
}

TEST_CASE("comparison's measures match values computed by hand", "[experiments][comparison]") {
  const CompletionFolder folder("hand");
  const Spec spec = folder.spec({{"experiment", "comparison"}, {"methods", {"overlap"}}, {"capacity", 1}});
  const RunReport report = run(spec, {.out = folder.path / "out"});
  std::istringstream lines(read(folder.path / "out" / "results.jsonl"));
  std::string first, second;
  std::getline(lines, first);
  // The rows of a question are those of the requested method, followed by the baselines `frequency` and `uniform`.
  for (const char* method : {"frequency", "uniform", "overlap"}) {
    std::getline(lines, second);
    CHECK(Json::parse(second).at("method") == method);
  }
  // Overlap scores for the question <tim --> animal>?: tim-cat 1/3, cat-animal 1/3, tom-dog 0, dog-animal 1/3,
  // bee-insect 0. The first two statements are needed. Either one scores above two of the three others and ties with
  // one: (2 + 1/2) / 3.
  const Json needed = Json::parse(first).at("needed");
  CHECK(needed.at("above_others").get<double>() == Approx(2.5 / 3));
  CHECK(needed.at("mean_rank") == 2);  // the three statements with score 1/3 share the ranks 1 to 3
  CHECK(needed.at("mean_rank_of_others").get<double>() == Approx((2 + 4.5 + 4.5) / 3));
  // The capacity is one statement, and three statements are tied for it. Each needed one is selected with probability
  // 1/3.
  CHECK(needed.at("within_capacity").get<double>() == Approx(1.0 / 3));
  CHECK(needed.at("whole") == 0);
  // The tied statement that is not needed is last in one of three orders.
  CHECK(needed.at("all_first").get<double>() == Approx(1.0 / 3));
  CHECK(needed.at("margin").get<double>() == Approx(0));
  // For the question <tom --> ?1>? only tom-dog shares a word, so the answer `dog` is the first concept.
  const Json row = Json::parse(second);
  CHECK(row.at("needed").at("all_first") == 1);
  CHECK(row.at("needed").at("margin").get<double>() == Approx(0.5));
  CHECK(row.at("answer_reciprocal_rank") == 1);
  CHECK(report.rejections.empty());
  // With one selected statement the first question is not answered. The second question is answered by that statement
  // itself.
  CHECK(Json::parse(first).at("answered") == false);
  CHECK(Json::parse(first).at("as_expected") == false);
  CHECK(row.at("given") == 1);
  CHECK(row.at("answered") == true);
  CHECK(row.at("as_expected") == true);
  CHECK(row.at("answers").at(0).at("term") == "<tom --> dog>");
  CHECK(row.at("answers").at(0).at("truth") == Json{1.0, 0.9});
}

TEST_CASE("a cancelled run starts no further trial and can be resumed", "[experiments][run]") {
  const CompletionFolder folder("stop");
  const Spec spec = folder.spec({{"methods", {"overlap"}}});
  const RunReport whole = run(spec, {.out = folder.path / "whole"});
  const fs::path out = folder.path / "out";
  CHECK_THROWS_AS(run_stopped(spec, out), Interrupted);
  CHECK_FALSE(fs::exists(out / "results.jsonl"));
  CHECK_THROWS_AS(rebuild_report(out), SpecError);
  std::ostringstream talk;
  run(spec, {.out = out, .resume = true, .talk = &talk});
  CHECK(read(out / "results.jsonl") == read(folder.path / "whole" / "results.jsonl"));
  CHECK_FALSE(fs::exists(out / "unfinished.jsonl"));
  CHECK(rebuild_report(out).conclusion.answer == whole.conclusion.answer);
}

TEST_CASE("trials in the journal are not run again", "[experiments][run]") {
  const CompletionFolder folder("once");
  const Spec spec = folder.spec({{"methods", {"overlap"}}, {"seeds", "1..4"}});
  const fs::path out = folder.path / "out", cache = folder.path / "cache";
  // This complete run fills the cache with its twelve trials.
  run(spec, {.out = folder.path / "whole", .cache = cache});
  CHECK_THROWS_AS(run_stopped(spec, out), Interrupted);
  const auto trials = spec.experiment->trials(spec);
  trials->prepare();
  std::string journal = read(out / journal_name);
  for (const std::size_t trial : {7u, 2u}) journal += record_line(trial, trials->run(trial));
  write(out / journal_name, journal);
  std::ostringstream talk;
  run(spec, {.out = out, .jobs = 2, .resume = true, .talk = &talk, .cache = cache});
  CHECK(contains(talk.str(), "2 of 12 trials are there already"));
  // Only the other ten trials were looked up in the cache.
  CHECK(contains(talk.str(), ": 10 trials were in the cache"));
  CHECK(read(out / "results.jsonl") == read(folder.path / "whole" / "results.jsonl"));
}

TEST_CASE("a different run is not resumed, and the message names the difference", "[experiments][run]") {
  const CompletionFolder folder("other");
  const auto error = [&](int seed) {
    return message_of<SpecError>(
        [&] { run(folder.spec(with_seed(seed)), {.out = folder.path / "out", .resume = true}); });
  };
  run(folder.spec(with_seed(2)), {.out = folder.path / "out"});
  CHECK(contains(error(3), "another spec (it differs at /seeds/1)"));
  CHECK(error(2) == "no error");
  write(folder.path / "a.nal", std::string(pets) + "<a --> b>.\n");
  CHECK(contains(error(2), "other inputs (it differs at /inputs/0/"));
}

TEST_CASE("a run replaces another one only if forced", "[experiments][run]") {
  const CompletionFolder folder("kept");
  const fs::path out = folder.path / "out";
  const auto error = [&](int seed, bool force) {
    return message_of<SpecError>([&] { run(folder.spec(with_seed(seed)), {.out = out, .force = force}); });
  };
  const auto names_all_ways = [](const std::string& text) {
    for (const char* way : {"--resume", "--force", "--out"})
      if (!contains(text, way)) return false;
    return true;
  };
  CHECK_THROWS_AS(run_stopped(folder.spec(with_seed(2)), out), Interrupted);
  CHECK(contains(error(2, false), "an unfinished run of this spec, with 0 of 6 trials done"));
  CHECK(names_all_ways(error(2, false)));
  CHECK(names_all_ways(error(3, false)));
  CHECK(fs::exists(out / journal_name));
  CHECK(error(2, true) == "no error");

  const std::string rows = read(out / "results.jsonl"), timings = read(out / "timings.jsonl");
  CHECK(names_all_ways(error(3, false)));
  CHECK(read(out / "results.jsonl") == rows);
  // Repeating a finished run writes its missing files and keeps its rows and times.
  fs::remove(out / "report.html");
  CHECK(error(2, false) == "no error");
  CHECK(fs::exists(out / "report.html"));
  CHECK(read(out / "results.jsonl") == rows);
  const auto trials_of = [](const std::string& text) { return text.substr(text.find('\n')); };
  CHECK(trials_of(read(out / "timings.jsonl")) == trials_of(timings));
  CHECK(error(3, true) == "no error");
  CHECK(read(out / "results.jsonl") != rows);
}

TEST_CASE("unreadable lines are listed in the manifest and the report, at most ten", "[experiments][run]") {
  std::string text = pets;
  for (int i = 0; i < 12; ++i) text += "<x -> y>.\n";
  const CompletionFolder folder("unread", text);
  const Spec spec = folder.spec({{"experiment", "comparison"}, {"methods", {"overlap"}}});
  const fs::path out = folder.path / "out";
  run(spec, {.out = out});
  const Json unread = Json::parse(read(out / "manifest.json")).at("unread_lines");
  CHECK(unread.at("count") == 12);
  REQUIRE(unread.at("first").size() == 10);
  CHECK(unread.at("first").at(0).at("place") == "a.nal:13:4");
  CHECK(unread.at("first").at(9).at("place") == "a.nal:22:4");
  const std::string report = read(out / "report.html");
  for (const char* part :
       {"12 lines of the inputs could not be read", "<code>a.nal:13:4</code>: unknown copula",
        "<code>a.nal:22:4</code>", "and 2 more"})
    CHECK(contains(report, part));
  CHECK_FALSE(contains(report, "a.nal:23:4"));
  const RunReport again = rebuild_report(out);
  CHECK(again.unread.count == 12);
  CHECK(read(out / "report.html") == report);
  CHECK(unread_lines_text(again.unread)
            .starts_with("12 lines of the inputs could not be read: a.nal:13:4, a.nal:14:4"));
  CHECK(unread_lines_text(again.unread).ends_with(" and 2 more\n"));
  CHECK(unread_lines_text({}).empty());
}

TEST_CASE("the crate has every file with its digest, and the action that created them",
          "[experiments][provenance]") {
  const CompletionFolder folder("crate", "<tim --> cat>.\n<cat --> animal>.\n");
  const fs::path out = folder.path / "out";
  run(folder.spec({{"methods", {"overlap"}}, {"seeds", {1}}}), {.out = out});
  const Json crate = Json::parse(read(out / crate_name));
  std::map<std::string, Json> entities;
  for (const Json& entity : crate.at("@graph"))
    CHECK(entities.emplace(entity.at("@id").get<std::string>(), entity).second);
  CHECK(entities.at(crate_name).at("about").at("@id") == "./");
  CHECK(entities.at("./").at("@type") == "Dataset");
  const Json date = Json::parse(read(out / "manifest.json")).at("git").at("date");
  if (date != "unknown") CHECK(entities.at("./").at("datePublished") == date);
  const auto sums = read_sums(out);
  for (const auto& [name, digest] : sums)
    if (name != crate_name) CHECK(entities.at(name).at("sha256") == digest);
  CHECK(sums.contains(crate_name));
  // Every reference in the archive's metadata has its entity. The exceptions are two terms of other vocabularies.
  const Json flat = crate.flatten();
  for (const auto& [place, value] : flat.items())
    if (place.ends_with("/@id") && !value.get<std::string>().starts_with("http"))
      CHECK(entities.contains(value.get<std::string>()));
  const Json& action = entities.at("#run");
  CHECK(action.at("object").size() == 2);  // the run's objects are the input and the spec
  CHECK(action.at("result").size() + 2 == entities.at("./").at("hasPart").size());
}

TEST_CASE("a cell's report survives transfer from another process", "[experiments][cells]") {
  const CompletionFolder folder(
      "cell_report",
      "<tim --> cat>.\n<cat --> animal>.\nnone <\n<tom --> dog>.\n<dog --> animal>.\n<bee --> insect>.\n");
  const Spec spec = folder.spec({{"seeds", {1, 2, 3}}, {"load", {1}}});
  CellReport report = carry_out(CellJob{spec, {.out = folder.path / "cell"}});
  REQUIRE(report.rejections.size() == 1);
  REQUIRE(report.table.rows.size() > 2);
  report.undrawn = {"a.svg: no gnuplot"};
  report.table.rows[0][0].winner = true;
  report.table.rows[1][1].bounds.emplace("0.25", "0.75");
  report.table.rows[2][0].link = "elsewhere.html";

  const auto received = cell_report_of(*json_in(to_json(report).dump()));
  CHECK(received.question == report.question);
  CHECK(received.answer == report.answer);
  CHECK(received.undrawn == report.undrawn);
  CHECK(received.rejections[0].first == "a.nal");
  CHECK(received.rejections[0].second.line == 3);
  CHECK(received.rejections[0].second.message == report.rejections[0].second.message);
  for (const auto format : {to_text, to_csv, to_markdown, to_latex, to_html})
    CHECK(format(received.table) == format(report.table));
}
