// SPDX-License-Identifier: MIT
#include "experiments/runs/run_comparison.hpp"

#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/completion_folder.hpp"
#include "tests/support/text.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;

namespace {

// Writes a run of `completion` with one method and one value for each seed. Each value is the mean of two rows, for two
// kinds of corruption.
fs::path completion_run(const fs::path& folder, const std::vector<double>& values, const char* method = "m",
                        std::size_t first_seed = 1) {
  fs::create_directories(folder);
  write(folder / "spec.json", Json{{"experiment", "completion"}, {"cues", values.size()}}.dump());
  write(folder / "manifest.json", Json{{"git", {{"revision", "r"}}}}.dump());
  std::string rows;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const double spread : {-0.25, 0.25})
      rows += Json{{"trial", i},
                   {"file", "f"},
                   {"seed", first_seed + i},
                   {"method", method},
                   {"reciprocal_rank", values[i] + spread}}
                  .dump() +
              "\n";
  write(folder / "results.jsonl", rows);
  return folder;
}

// Writes a run of `prediction` with two streams. Each stream has one seed and a block for each of `losses`, with one
// held-out episode. `shift` is added to the losses of the second stream.
fs::path prediction_run(const fs::path& folder, const std::vector<double>& losses, double shift) {
  fs::create_directories(folder);
  write(folder / "spec.json", Json{{"experiment", "prediction"}}.dump());
  write(folder / "manifest.json", "{}");
  std::string rows;
  for (const char* stream : {"data/day.nal", "data/night.nal"})
    for (std::size_t i = 0; i < losses.size(); ++i)
      rows += Json{{"stream", stream},
                   {"generated", false},
                   {"seed", 1},
                   {"method", "markov"},
                   {"held_out", {5 * i, 5 * i + 1}},
                   {"log_loss", {losses[i] + (std::string(stream) == "data/day.nal" ? 0 : shift)}}}
                  .dump() +
              "\n";
  write(folder / "results.jsonl", rows);
  return folder;
}

Json row(int trial, const char* method, double value) {
  return {{"trial", trial}, {"method", method}, {"list", {value, 2 * value}}};
}

}  // namespace

TEST_CASE("two runs are paired by their units, in any order of rows", "[experiments][compare]") {
  const Folder folder("compare_paired");
  const fs::path a = completion_run(folder.path / "a", {1, 2, 3, 4, 5, 6, 7});
  // Run A has the seeds 1 to 7, and run B has 2 to 7.
  const fs::path b = completion_run(folder.path / "b", {3.5, 4.5, 5.5, 6.5, 7.5, 8.5}, "m", 2);
  const RunComparison found = compare_runs(a, b);
  REQUIRE(found.table.rows.size() == 1);
  const auto& row = found.table.rows[0];
  CHECK(row[0].text == "concepts");
  CHECK(row[2].text == "4.500");  // mean of run A over the six shared seeds, with the values 2 to 7
  CHECK(row[3].text == "6.000");
  CHECK(row[4].raw == "1.5");  // mean difference, B minus A
  CHECK(row[4].bounds == std::pair<std::string, std::string>{"1.5", "1.5"});
  CHECK(row[5].raw == "0.03125");  // all six differences have the same sign, so p = 2 / 2^6
  CHECK(row[9].text == "6");
  CHECK(row[10].text == "yes");
  CHECK(contains(found.answer, "concepts of m +1.500"));
  REQUIRE(found.remarks.size() == 1);
  CHECK(contains(found.remarks[0], "1 units"));
  CHECK(found.differences == std::vector<std::string>{"/cues: A has 7, B has 6"});
}

TEST_CASE("a run compared with itself shows no difference", "[experiments][compare]") {
  const Folder folder("compare_same");
  const fs::path a = completion_run(folder.path / "a", {1, 2, 3, 4, 5, 6, 7});
  const RunComparison found = compare_runs(a, a);
  CHECK(found.differences.empty());
  CHECK(found.answer == "The runs measured the same: all 1 differences are 0.");
  CHECK(found.table.rows[0][10].text == "no");
}

TEST_CASE("streams of `prediction` are compared separately", "[experiments][compare]") {
  const Folder folder("compare_streams");
  const std::vector<double> losses{1, 2, 3, 4, 5, 6, 7};
  const RunComparison found = compare_runs(prediction_run(folder.path / "a", losses, 10),
                                           prediction_run(folder.path / "b", losses, 12));
  REQUIRE(found.table.rows.size() == 2);  // pooling the streams would give one row with a difference of 1
  CHECK(found.table.rows[0][0].text == "log-loss on day");
  CHECK(found.table.rows[0][2].text == "4.000");
  CHECK(found.table.rows[0][4].raw == "0");
  CHECK(found.table.rows[0][10].text == "no");
  CHECK(found.table.rows[1][0].text == "log-loss on night");
  CHECK(found.table.rows[1][2].text == "14.000");
  CHECK(found.table.rows[1][4].raw == "2");
  CHECK(found.table.rows[1][9].text == "7");
  CHECK(contains(found.answer, "log-loss on night of markov +2.000"));
}

TEST_CASE("runs that cannot be compared are refused with the reason's place", "[experiments][compare]") {
  const Folder folder("compare_refused");
  const fs::path a = completion_run(folder.path / "a", {1, 2}), b = completion_run(folder.path / "b", {1, 2});
  const auto message = [](const fs::path& left, const fs::path& right) {
    return message_of<SpecError>([&] { compare_runs(left, right); });
  };
  CHECK(message(a, folder.path / "none").starts_with((folder.path / "none").string() + ": "));
  CHECK(contains(message(a, folder.path / "none"), "not a run: it has no spec.json"));
  CHECK(contains(message(a, completion_run(folder.path / "c", {1}, "other")), "share no method"));
  write(b / "results.jsonl",
        "{\"file\":\"f\",\"seed\":1,\"method\":\"m\",\"reciprocal_rank\":1}\n{\"file\":");
  CHECK(contains(message(a, b), "results.jsonl:2 must be a whole row"));
  write(b / "results.jsonl", "{\"file\":\"f\",\"seed\":1,\"method\":\"m\",\"reciprocal_rank\":\"x\"}\n");
  CHECK(contains(message(a, b), "results.jsonl:1: the row does not fit the spec"));
  write(b / "results.jsonl", "");
  CHECK(contains(message(a, b), "results.jsonl: it has no results"));
  write(b / "spec.json", "{\"experiment\":\"contest\"}");
  CHECK(contains(message(a, b), "must be a run of one of comparison, completion"));
  CHECK(contains(message(a, b), "found one of 'contest'"));
  write(b / "spec.json", "[1]");
  CHECK(contains(message(a, b), "spec.json must be a JSON object"));
}

TEST_CASE("differences of specs have JSON pointers", "[experiments][compare]") {
  const Json a = Json::parse(R"({"x": 1, "list": [1, {"y": 2}], "gone": true, "same": {"z": [0]}})");
  const Json b = Json::parse(R"({"x": 2, "list": [1, {"y": 3}], "new": "n", "same": {"z": [0]}})");
  CHECK(json_differences(a, b) ==
        std::vector<std::string>{"/x: A has 1, B has 2", "/list/1/y: A has 2, B has 3",
                                 "/gone: A has true, B has none", "/new: A has none, B has \"n\""});
  CHECK(json_differences(Json::parse("[1]"), Json::parse("[1,2]")) ==
        std::vector<std::string>{": A has [1], B has [1,2]"});
}

TEST_CASE("compare_rows: identical, same ranks, or different", "[experiments][verify]") {
  const std::vector<Json> rows{row(0, "a", 0.1), row(0, "b", 0.3), row(0, "c", 0.3), row(1, "a", 0.2)};
  const auto with = [&](std::size_t i, const Json& changed) {
    std::vector<Json> others = rows;
    others[i] = changed;
    return compare_rows(rows, others);
  };
  CHECK(with(0, rows[0]) == RunVerdict::identical);
  CHECK(with(0, row(0, "a", 0.1 + 1e-17 * 3)) == RunVerdict::same_ranks);
  CHECK(with(0, row(0, "a", 0.29)) == RunVerdict::same_ranks);
  CHECK(with(0, row(0, "a", 0.3)) == RunVerdict::different);           // a is now tied with b and c
  CHECK(with(0, row(0, "a", 0.31)) == RunVerdict::different);          // a now ranks first instead of last
  CHECK(with(2, row(0, "c", 0.3000000001)) == RunVerdict::different);  // c is no longer tied with b
  CHECK(with(2, row(0, "c", 0.2999999999)) == RunVerdict::different);
  // The only row of its trial has no ranks to change.
  CHECK(with(3, row(1, "a", 9.0)) == RunVerdict::same_ranks);
  CHECK(with(0, row(0, "z", 0.1)) == RunVerdict::different);
  CHECK(with(0, {{"trial", 0}, {"method", "a"}, {"list", {0.1}}}) == RunVerdict::different);
  CHECK(with(0, {{"trial", 0}, {"method", "a"}, {"list", {0, 0.2}}}) == RunVerdict::different);
  CHECK(with(0, {{"method", "a"}, {"trial", 0}, {"list", {0.1, 0.2}}}) != RunVerdict::identical);
  CHECK(compare_rows(rows, {rows[0], rows[1], rows[2]}) == RunVerdict::different);
  CHECK(compare_rows({}, {}) == RunVerdict::identical);
}

TEST_CASE("verification names each altered file", "[experiments][verify]") {
  const std::string text = "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n";
  const CompletionFolder folder("verify", text);
  const fs::path out = folder.path / "out", input = folder.path / "a.nal";
  run(folder.spec({{"methods", {"overlap", "hopfield"}}, {"load", {1}}, {"seeds", "1..3"}}), {.out = out});
  const auto now = [&] { return verify(out, "", 2); };
  CHECK(now().verdict == RunVerdict::identical);
  CHECK(contains(now().message, "3 trials"));
  CHECK(now().notes.empty());

  // A change of one byte is detected in every file that has a digest.
  const auto sums = read_sums(out);
  for (const char* name : {"results.jsonl", "report.html", "manifest.json", "spec.json", "summary.json",
                           "tables/concepts.csv", "ro-crate-metadata.json"})
    CHECK(sums.contains(name));
  CHECK_FALSE(sums.contains("timings.jsonl"));
  for (const auto& [name, digest] : sums) {
    const std::string whole = read(out / name);
    std::string altered = whole;
    altered[altered.size() / 2] = static_cast<char>(altered[altered.size() / 2] ^ 1);
    write(out / name, altered);
    CHECK(now().verdict == RunVerdict::altered);
    CHECK(contains(now().message, "the file " + name + " has changed"));
    fs::remove(out / name);
    CHECK(contains(now().message, "the file " + name + " is missing"));
    write(out / name, whole);
  }

  std::string altered = text;
  altered[1] = 'T';
  write(input, altered);
  CHECK(now().verdict == RunVerdict::altered);
  CHECK(contains(now().message, "the input a.nal has changed since the run read it"));
  fs::remove(input);
  CHECK(contains(now().message, "--base"));
  fs::create_directories(folder.path / "moved");
  write(folder.path / "moved" / "a.nal", text);
  CHECK(verify(out, folder.path / "moved", 1).verdict == RunVerdict::identical);

  // These results have matching digests, as if another program had written them. Only repeating the run reveals the
  // difference.
  std::string results = read(out / "results.jsonl");
  results[results.find("\"cues\":") + 7] = '9';
  write(out / "results.jsonl", results);
  write(input, text);
  const Json manifest = Json::parse(read(out / "manifest.json"));
  write_provenance(out, manifest, {});
  const Verification other = now();
  CHECK(other.verdict == RunVerdict::different);
  CHECK(contains(other.message, "results.jsonl, line 1,"));
  write(out / "unfinished.jsonl", "");
  CHECK_THROWS_AS(now(), SpecError);
}
