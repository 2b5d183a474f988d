// SPDX-License-Identifier: MIT
#include <fstream>
#include <string>
#include <vector>

#include "experiments/runs/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;

namespace {

std::string data(const char* name) { return std::string(ENGRAM_SOURCE_DIR) + "/experiments/data/" + name; }

std::string pixels_of(const char* name) {
  std::ifstream file(data(name));
  std::string pixels;
  for (std::string line; std::getline(file, line);) pixels += line;
  return pixels;
}

// Reference for the overlap of two pictures: the number of equal pixels minus the number of different pixels, divided
// by the number of pixels.
double overlap_by_hand(const char* a, const char* b) {
  const std::string x = pixels_of(a), y = pixels_of(b);
  double alike = 0;
  for (std::size_t i = 0; i < x.size(); ++i) alike += x[i] == y.at(i) ? 1 : -1;
  return alike / static_cast<double>(x.size());
}

Spec icons_spec(Json members) {
  members["experiment"] = "icons";
  members["inputs"] = {data("skull.txt"), data("apple.txt")};
  return resolve_spec(members, std::vector<std::filesystem::path>{});
}

std::vector<Json> rows_of(const Spec& spec) {
  const auto trials = spec.experiment->trials(spec);
  CHECK(trials->prepare().empty());
  std::vector<Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial)
    for (Json& row : trials->run(trial).rows) rows.push_back(std::move(row));
  return rows;
}

TEST_CASE("a foreign picture can be the query, and the result names the restored picture",
          "[experiments][icons]") {
  const Spec spec = icons_spec({{"query", data("another_skull.txt")}, {"seeds", {1, 2}}});
  CHECK(spec.resolved.at("damage") == Json::array({0}));
  REQUIRE(spec.vectors.size() == 1);  // the query is a file of its own, which the manifest must list
  const std::vector<Json> rows = rows_of(spec);
  REQUIRE(rows.size() == 2 * spec.methods.size());
  for (const Json& row : rows) {
    INFO(row.at("method"));
    CHECK(row.at("query") == "another_skull");
    const Json& cue = row.at("overlaps_of_cue");
    CHECK(cue.at("skull").get<double>() == Approx(overlap_by_hand("another_skull.txt", "skull.txt")));
    CHECK(cue.at("apple").get<double>() == Approx(overlap_by_hand("another_skull.txt", "apple.txt")));
    CHECK(row.at("overlap_of_cue") == cue.at("skull"));
    CHECK(row.at("restored_to") == "skull");
    CHECK(row.at("restored") == true);
  }
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  CHECK(conclusion.tables.at(0).name == "query");
  CHECK(conclusion.tables.at(0).rows.size() == spec.methods.size());
  for (const auto& cells : conclusion.tables.at(0).rows) CHECK(cells.at(2).text == "skull 1.00");
}

TEST_CASE("a query that resembles another picture is restored to that picture", "[experiments][icons]") {
  const Spec spec = icons_spec({{"query", data("apple.txt")}, {"seeds", {1}}, {"damage", {0.1}}});
  CHECK(spec.vectors.empty());  // the query is one of the inputs, so the manifest lists no other file
  for (const Json& row : rows_of(spec)) {
    CHECK(row.at("restored_to") == "apple");
    CHECK(row.at("restored") == false);
    CHECK(row.at("overlaps_of_cue").at("apple").get<double>() == Approx(1 - 2 * 58.0 / 576));
  }
}

TEST_CASE("without a query the first picture is damaged and restored", "[experiments][icons]") {
  const Spec spec = icons_spec({{"seeds", {1}}, {"damage", {0.25}}});
  for (const Json& row : rows_of(spec)) {
    CHECK_FALSE(row.contains("query"));
    CHECK(row.at("overlap_of_cue") == 0.5);
  }
}

TEST_CASE("a query of another size is an error with its place", "[experiments][icons]") {
  const auto small = std::filesystem::temp_directory_path() / "icons_test_small.txt";
  std::ofstream(small) << "#.\n.#\n";
  const Spec spec = icons_spec({{"query", small.string()}, {"seeds", {1}}});
  const auto trials = spec.experiment->trials(spec);
  CHECK_THROWS_WITH(trials->prepare(), Catch::Contains("/query"));
  std::filesystem::remove(small);
}

TEST_CASE("a damaged picture is restored, and invalid pictures are refused", "[experiments][icons]") {
  const testing::Folder folder("icons");
  testing::write(folder.path / "l.txt", "#..\n#..\n###\n");
  testing::write(folder.path / "t.txt", "###\n.#.\n.#.\n");
  testing::write(folder.path / "bad.txt", "##.\n#x.\n...\n");
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
  CHECK_FALSE(std::filesystem::exists(folder.path / "bad"));
}

}  // namespace
