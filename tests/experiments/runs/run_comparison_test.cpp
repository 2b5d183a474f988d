// SPDX-License-Identifier: MIT
#include "experiments/runs/run_comparison.hpp"

#include "experiments/formats/outside_program.hpp"
#include "experiments/spec/spec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;

namespace {

// Writes a run of `completion` with one method. Each seed has one value, in two rows (two ways of corruption).
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

}  // namespace

TEST_CASE("two runs are paired by their units, whatever the order of rows", "[experiments][compare]") {
  const Folder folder("compare_paired");
  const fs::path a = completion_run(folder.path / "a", {1, 2, 3, 4, 5, 6, 7});
  // Seeds 2 to 7.
  const fs::path b = completion_run(folder.path / "b", {3.5, 4.5, 5.5, 6.5, 7.5, 8.5}, "m", 2);
  const RunComparison found = compare_runs(a, b);
  REQUIRE(found.table.rows.size() == 1);
  const auto& row = found.table.rows[0];
  CHECK(row[0].text == "concepts");
  CHECK(row[2].text == "4.500");  // the mean of the paired values, 2 to 7
  CHECK(row[3].text == "6.000");
  CHECK(row[4].raw == "1.5");  // B minus A
  CHECK(row[4].bounds == std::pair<std::string, std::string>{"1.5", "1.5"});
  CHECK(row[5].raw == "0.03125");  // six of one sign: 2/64
  CHECK(row[9].text == "6");
  CHECK(row[10].text == "yes");
  CHECK(found.answer.find("concepts of m +1.500") != std::string::npos);
  REQUIRE(found.remarks.size() == 1);
  CHECK(found.remarks[0].find("1 units") != std::string::npos);
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

namespace {

// Writes a run of `prediction` with two streams. Each has one seed and `losses.size()` blocks with one held-out
// episode. `shift` is added to the losses of the second stream.
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

}  // namespace

TEST_CASE("streams of `prediction` are compared separately", "[experiments][compare]") {
  const Folder folder("compare_streams");
  const std::vector<double> losses{1, 2, 3, 4, 5, 6, 7};
  const RunComparison found = compare_runs(prediction_run(folder.path / "a", losses, 10),
                                           prediction_run(folder.path / "b", losses, 12));
  REQUIRE(found.table.rows.size() == 2);  // pooling would give one row with a difference of 1
  CHECK(found.table.rows[0][0].text == "log-loss on day");
  CHECK(found.table.rows[0][2].text == "4.000");
  CHECK(found.table.rows[0][4].raw == "0");
  CHECK(found.table.rows[0][10].text == "no");
  CHECK(found.table.rows[1][0].text == "log-loss on night");
  CHECK(found.table.rows[1][2].text == "14.000");
  CHECK(found.table.rows[1][4].raw == "2");
  CHECK(found.table.rows[1][9].text == "7");
  CHECK(found.answer.find("log-loss on night of markov +2.000") != std::string::npos);
}

TEST_CASE("runs that cannot be compared are refused with the reason's place", "[experiments][compare]") {
  const Folder folder("compare_refused");
  const fs::path a = completion_run(folder.path / "a", {1, 2}), b = completion_run(folder.path / "b", {1, 2});
  const auto message = [&](const fs::path& left, const fs::path& right) {
    try {
      compare_runs(left, right);
    } catch (const SpecError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  CHECK(message(a, folder.path / "none").starts_with((folder.path / "none").string() + ": "));
  CHECK(message(a, folder.path / "none").find("is no run: it holds no spec.json") != std::string::npos);
  CHECK(message(a, completion_run(folder.path / "c", {1}, "other")).find("share no method") !=
        std::string::npos);
  write(b / "results.jsonl",
        "{\"file\":\"f\",\"seed\":1,\"method\":\"m\",\"reciprocal_rank\":1}\n{\"file\":");
  CHECK(message(a, b).find("results.jsonl:2 must be a whole row") != std::string::npos);
  write(b / "results.jsonl", "{\"file\":\"f\",\"seed\":1,\"method\":\"m\",\"reciprocal_rank\":\"x\"}\n");
  CHECK(message(a, b).find("results.jsonl:1: not a row of such a run") != std::string::npos);
  write(b / "results.jsonl", "");
  CHECK(message(a, b).find("results.jsonl: there are no results in it") != std::string::npos);
  write(b / "spec.json", "{\"experiment\":\"contest\"}");
  CHECK(message(a, b).find("must be a run of one of comparison, completion") != std::string::npos);
  CHECK(message(a, b).find("found one of 'contest'") != std::string::npos);
  write(b / "spec.json", "[1]");
  CHECK(message(a, b).find("spec.json must be a JSON object") != std::string::npos);
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

TEST_CASE("drop_pdf_date resets the date in a PDF without changing its length", "[experiments][plots]") {
  const Folder folder("compare_pdf");
  const fs::path pdf = folder.path / "a.pdf";
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
