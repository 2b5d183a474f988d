// SPDX-License-Identifier: MIT
#include "experiments/runs/run.hpp"

#include <sstream>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/journal.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;

namespace {

const char* const pets =
    "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n<bee --> insect>.\n"
    "<tim --> animal>?\n//expected: Answer: <tim --> animal>.\n//needed: <tim --> cat>.\n//needed: <cat --> "
    "animal>.\n"
    "<tom --> ?1>?\n//expected: Answer: <tom --> dog>.\n//needed: <tom --> dog>.\n";

}  // namespace

TEST_CASE("SHA-256 matches the published digests", "[experiments][manifest]") {  // FIPS 180-2, appendix B
  const Folder folder("sha");
  write(folder.path / "abc", "abc");
  write(folder.path / "empty", "");
  write(folder.path / "million", std::string(1000000, 'a'));
  CHECK(sha256_of_file(folder.path / "abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of_file(folder.path / "empty") ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_of_file(folder.path / "million") ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK_THROWS_AS(sha256_of_file(folder.path / "missing"), InputError);
}

TEST_CASE("a corpus keeps each question's expected answers and premises", "[experiments][corpus]") {
  const Folder folder("corpus");
  write(folder.path / "a.nal", std::string(pets) + "//needed: <not --> there>.\n<x -> y>.\n");
  const Corpus corpus = load_corpus({"a.nal", folder.path / "a.nal"}, {});
  REQUIRE(corpus.questions.size() == 2);
  CHECK(corpus.questions[0].line == 6);
  CHECK(corpus.questions[0].proofs.front() == Question::Proof{0, 1});
  CHECK(corpus.questions[1].proofs.empty());  // an incomplete proof is dropped
  CHECK(corpus.questions[1].expected.size() == 1);
  CHECK(corpus.lines == std::vector<std::size_t>{1, 2, 3, 4, 5});
  REQUIRE(corpus.rejected.size() == 2);  // lines 13 and 14; premises are checked last
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
  const Folder folder("threads");
  write(folder.path / "a.nal", pets);
  for (const char* experiment : {"comparison", "completion"}) {
    const Spec spec = resolve_spec({{"experiment", experiment}, {"inputs", {"a.nal"}}}, folder.path);
    run(spec, {.out = folder.path / "one"});
    run(spec, {.out = folder.path / "four", .jobs = 4});
    for (const char* file : {"results.jsonl", "summary.json", "report.html", "spec.json", "manifest.json"})
      CHECK(read(folder.path / "one" / file) == read(folder.path / "four" / file));
    fs::remove_all(folder.path / "one");
    fs::remove_all(folder.path / "four");
  }
}

TEST_CASE("results do not depend on an input's folder or the spelling of its path", "[experiments][run]") {
  const Folder folder("names");
  fs::create_directories(folder.path / "sub");
  write(folder.path / "a.nal", pets);
  write(folder.path / "sub" / "b.nal", pets);
  const auto rows = [&](const char* name) {
    Spec spec =
        resolve_spec({{"experiment", "completion"}, {"inputs", {name}}, {"seeds", {1, 2}}}, folder.path);
    run(spec, {.out = folder.path / "out", .force = true});
    std::string text = read(folder.path / "out" / "results.jsonl");
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;)
      text.replace(at, std::string(name).size(), "NAME");
    return text;
  };
  CHECK(rows("a.nal") == rows("sub/b.nal"));
}

TEST_CASE("comparison's measures match values computed by hand", "[experiments][comparison]") {
  const Folder folder("hand");
  write(folder.path / "a.nal", pets);
  const Spec spec = resolve_spec(
      {{"experiment", "comparison"}, {"inputs", {"a.nal"}}, {"methods", {"overlap"}}, {"capacity", 1}},
      folder.path);
  const RunReport report = run(spec, {.out = folder.path / "out"});
  std::istringstream lines(read(folder.path / "out" / "results.jsonl"));
  std::string first, second;
  std::getline(lines, first);
  // The baselines `frequency` and `uniform` follow the requested method.
  for (const char* method : {"frequency", "uniform", "overlap"}) {
    std::getline(lines, second);
    CHECK(Json::parse(second).at("method") == method);
  }
  // Scores for <tim --> animal>?: tim-cat 1/3, cat-animal 1/3, tom-dog 0, dog-animal 1/3, bee-insect 0. The first two
  // are needed. Each of them beats two of three others and ties with one: (2 + 1/2) / 3.
  const Json needed = Json::parse(first).at("needed");
  CHECK(needed.at("above_others").get<double>() == Approx(2.5 / 3));
  CHECK(needed.at("mean_rank") == 2);  // three share places 1 to 3
  CHECK(needed.at("mean_rank_of_others").get<double>() == Approx((2 + 4.5 + 4.5) / 3));
  // One place for three ties, two of which are needed.
  CHECK(needed.at("within_capacity").get<double>() == Approx(1.0 / 3));
  CHECK(needed.at("whole") == 0);
  CHECK(needed.at("all_first").get<double>() == Approx(1.0 / 3));  // the third is last in one order of three
  CHECK(needed.at("margin").get<double>() == Approx(0));
  // For <tom --> ?1>? only tom-dog shares a word, so the answer dog is the first concept.
  const Json row = Json::parse(second);
  CHECK(row.at("needed").at("all_first") == 1);
  CHECK(row.at("needed").at("margin").get<double>() == Approx(0.5));
  CHECK(row.at("answer_reciprocal_rank") == 1);
  CHECK(report.rejections.empty());
  // With one statement the first question is not answered. The second one is answered by the selected statement.
  CHECK(Json::parse(first).at("answered") == false);
  CHECK(Json::parse(first).at("as_expected") == false);
  CHECK(row.at("given") == 1);
  CHECK(row.at("answered") == true);
  CHECK(row.at("as_expected") == true);
  CHECK(row.at("answers").at(0).at("term") == "<tom --> dog>");
  CHECK(row.at("answers").at(0).at("truth") == Json{1.0, 0.9});
}

TEST_CASE("a damaged picture is restored, and invalid pictures are refused", "[experiments][icons]") {
  const Folder folder("icons");
  write(folder.path / "l.txt", "#..\n#..\n###\n");
  write(folder.path / "t.txt", "###\n.#.\n.#.\n");
  write(folder.path / "bad.txt", "##.\n#x.\n...\n");
  const Spec spec = resolve_spec(
      {{"experiment", "icons"}, {"inputs", {"l.txt", "t.txt"}}, {"damage", {0.12}}, {"seeds", {1, 2, 3}}},
      folder.path);
  const RunReport report = run(spec, {.out = folder.path / "out", .jobs = 2});
  for (const Json& row : report.conclusion.summary) CHECK(row.at("restored") == 1.0);
  CHECK(report.conclusion.summary.size() == 5);

  const Spec bad = resolve_spec({{"experiment", "icons"}, {"inputs", {"l.txt", "bad.txt"}}}, folder.path);
  const RunReport refused = run(bad, {.out = folder.path / "bad"});
  REQUIRE(refused.rejections.size() == 1);
  CHECK(refused.rejections[0].second.line == 2);
  CHECK(refused.rejections[0].second.column == 2);
  CHECK_FALSE(fs::exists(folder.path / "bad"));
}

// Starts a run that is cancelled at the first check.
void run_stopped(const Spec& spec, const fs::path& out) {
  const engram::core::WorkBudget work(
      {}, [] { throw engram::core::WorkStopped(engram::core::WorkStopped::Reason::cancelled, "stopped"); });
  run(spec, {.out = out});
}

TEST_CASE("a cancelled run starts no further trial and can be resumed", "[experiments][run]") {
  const Folder folder("stop");
  write(folder.path / "a.nal", pets);
  const Spec spec = resolve_spec(
      {{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"methods", {"overlap"}}}, folder.path);
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
  const Folder folder("once");
  write(folder.path / "a.nal", pets);
  const Spec spec = resolve_spec(
      {{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"methods", {"overlap"}}, {"seeds", "1..4"}},
      folder.path);
  const fs::path out = folder.path / "out", cache = folder.path / "cache";
  run(spec, {.out = folder.path / "whole", .cache = cache});  // twelve trials
  CHECK_THROWS_AS(run_stopped(spec, out), Interrupted);
  const auto trials = spec.experiment->trials(spec);
  trials->prepare();
  std::string journal = read(out / journal_name);
  for (const std::size_t trial : {7u, 2u}) journal += record_line(trial, trials->run(trial));
  write(out / journal_name, journal);
  std::ostringstream talk;
  run(spec, {.out = out, .jobs = 2, .resume = true, .talk = &talk, .cache = cache});
  CHECK(talk.str().find("2 of 12 trials are there already") != std::string::npos);
  // The others were not looked up.
  CHECK(talk.str().find(": 10 trials were in the cache") != std::string::npos);
  CHECK(read(out / "results.jsonl") == read(folder.path / "whole" / "results.jsonl"));
}

TEST_CASE("a different run is not resumed, and the message names the difference", "[experiments][run]") {
  const Folder folder("other");
  write(folder.path / "a.nal", pets);
  const auto spec = [&](int seed) {
    return resolve_spec(
        {{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"methods", {"overlap"}}, {"seeds", {1, seed}}},
        folder.path);
  };
  const auto error = [&](int seed) -> std::string {
    try {
      run(spec(seed), {.out = folder.path / "out", .resume = true});
    } catch (const SpecError& refused) {
      return refused.what();
    }
    return "no error";
  };
  run(spec(2), {.out = folder.path / "out"});
  CHECK(error(3).find("another spec (it differs at /seeds/1)") != std::string::npos);
  CHECK(error(2) == "no error");
  write(folder.path / "a.nal", std::string(pets) + "<a --> b>.\n");
  CHECK(error(2).find("other inputs (it differs at /inputs/0/") != std::string::npos);
}

TEST_CASE("a run replaces another one only if forced", "[experiments][run]") {
  const Folder folder("kept");
  write(folder.path / "a.nal", pets);
  const auto spec = [&](int seed) {
    return resolve_spec(
        {{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"methods", {"overlap"}}, {"seeds", {1, seed}}},
        folder.path);
  };
  const fs::path out = folder.path / "out";
  const auto error = [&](int seed, bool force) -> std::string {
    try {
      run(spec(seed), {.out = out, .force = force});
    } catch (const SpecError& refused) {
      return refused.what();
    }
    return "no error";
  };
  const auto names_all_ways = [](const std::string& text) {
    for (const char* way : {"--resume", "--force", "--out"})
      if (text.find(way) == std::string::npos) return false;
    return true;
  };
  CHECK_THROWS_AS(run_stopped(spec(2), out), Interrupted);
  CHECK(error(2, false).find("an unfinished run of this spec, with 0 of 6 trials done") != std::string::npos);
  CHECK(names_all_ways(error(2, false)));
  CHECK(names_all_ways(error(3, false)));
  CHECK(fs::exists(out / journal_name));
  CHECK(error(2, true) == "no error");

  const std::string rows = read(out / "results.jsonl"), timings = read(out / "timings.jsonl");
  CHECK(names_all_ways(error(3, false)));
  CHECK(read(out / "results.jsonl") == rows);
  // Repeating the same run keeps its rows and times.
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
  const Folder folder("unread");
  std::string text = pets;
  for (int i = 0; i < 12; ++i) text += "<x -> y>.\n";
  write(folder.path / "a.nal", text);
  const Spec spec = resolve_spec(
      {{"experiment", "comparison"}, {"inputs", {"a.nal"}}, {"methods", {"overlap"}}}, folder.path);
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
    CHECK(report.find(part) != std::string::npos);
  CHECK(report.find("a.nal:23:4") == std::string::npos);
  const RunReport again = rebuild_report(out);
  CHECK(again.unread.count == 12);
  CHECK(read(out / "report.html") == report);
  CHECK(unread_lines_text(again.unread)
            .starts_with("12 lines of the inputs could not be read: a.nal:13:4, a.nal:14:4"));
  CHECK(unread_lines_text(again.unread).ends_with(" and 2 more\n"));
  CHECK(unread_lines_text({}).empty());
}
