// SPDX-License-Identifier: MIT
#include "experiments/runs/verify.hpp"

#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/runs/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;
namespace fs = std::filesystem;

namespace {

Json row(int trial, const char* method, double value) {
  return {{"trial", trial}, {"method", method}, {"list", {value, 2 * value}}};
}

bool names_in_error(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Json manifest_date(const fs::path& run) {
  return Json::parse(read(run / "manifest.json")).at("git").at("date");
}

}  // namespace

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
  CHECK(with(0, row(0, "a", 0.3)) == RunVerdict::different);           // a new tie
  CHECK(with(0, row(0, "a", 0.31)) == RunVerdict::different);          // first instead of last
  CHECK(with(2, row(0, "c", 0.3000000001)) == RunVerdict::different);  // a tie is gone
  CHECK(with(2, row(0, "c", 0.2999999999)) == RunVerdict::different);
  CHECK(with(3, row(1, "a", 9.0)) == RunVerdict::same_ranks);  // the only row of its trial
  CHECK(with(0, row(0, "z", 0.1)) == RunVerdict::different);
  CHECK(with(0, {{"trial", 0}, {"method", "a"}, {"list", {0.1}}}) == RunVerdict::different);
  CHECK(with(0, {{"trial", 0}, {"method", "a"}, {"list", {0, 0.2}}}) == RunVerdict::different);
  CHECK(with(0, {{"method", "a"}, {"trial", 0}, {"list", {0.1, 0.2}}}) != RunVerdict::identical);
  CHECK(compare_rows(rows, {rows[0], rows[1], rows[2]}) == RunVerdict::different);
  CHECK(compare_rows({}, {}) == RunVerdict::identical);
}

TEST_CASE("verification names each altered file", "[experiments][verify]") {
  const Folder folder("verify");
  const fs::path out = folder.path / "out", input = folder.path / "a.nal";
  const std::string text = "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n";
  write(input, text);
  const Spec spec = resolve_spec({{"experiment", "completion"},
                                  {"inputs", {"a.nal"}},
                                  {"methods", {"overlap", "hopfield"}},
                                  {"load", {1}},
                                  {"seeds", "1..3"}},
                                 folder.path);
  run(spec, {.out = out});
  const auto now = [&] { return verify(out, "", 2); };
  CHECK(now().verdict == RunVerdict::identical);
  CHECK(names_in_error(now().message, "3 trials"));
  CHECK(now().notes.empty());

  // Each file with a digest, one byte changed at a time.
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
    CHECK(names_in_error(now().message, "the file " + name + " has changed"));
    fs::remove(out / name);
    CHECK(names_in_error(now().message, "the file " + name + " is missing"));
    write(out / name, whole);
  }

  std::string altered = text;
  altered[1] = 'T';
  write(input, altered);
  CHECK(now().verdict == RunVerdict::altered);
  CHECK(names_in_error(now().message, "the input a.nal has changed since the run read it"));
  fs::remove(input);
  CHECK(names_in_error(now().message, "--base"));
  fs::create_directories(folder.path / "moved");
  write(folder.path / "moved" / "a.nal", text);
  CHECK(verify(out, folder.path / "moved", 1).verdict == RunVerdict::identical);

  // Results of another program with matching digests: only running again shows the difference.
  std::string results = read(out / "results.jsonl");
  results[results.find("\"cues\":") + 7] = '9';
  write(out / "results.jsonl", results);
  write(input, text);
  const Json manifest = Json::parse(read(out / "manifest.json"));
  write_provenance(out, manifest, {});
  const Verification other = now();
  CHECK(other.verdict == RunVerdict::different);
  CHECK(names_in_error(other.message, "results.jsonl, line 1,"));
  write(out / "unfinished.jsonl", "");
  CHECK_THROWS_AS(now(), SpecError);
}

TEST_CASE("the crate has every file with its digest, and the action that created them",
          "[experiments][provenance]") {
  const Folder folder("crate");
  write(folder.path / "a.nal", "<tim --> cat>.\n<cat --> animal>.\n");
  const Spec spec = resolve_spec(
      {{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"methods", {"overlap"}}, {"seeds", {1}}},
      folder.path);
  run(spec, {.out = folder.path / "out"});
  const Json crate = Json::parse(read(folder.path / "out" / crate_name));
  std::map<std::string, Json> entities;
  for (const Json& entity : crate.at("@graph")) {
    CHECK(entities.emplace(entity.at("@id").get<std::string>(), entity).second);
  }
  CHECK(entities.at(crate_name).at("about").at("@id") == "./");
  CHECK(entities.at("./").at("@type") == "Dataset");
  if (manifest_date(folder.path / "out") != "unknown")
    CHECK(entities.at("./").at("datePublished") == manifest_date(folder.path / "out"));
  const auto sums = read_sums(folder.path / "out");
  for (const auto& [name, digest] : sums)
    if (name != crate_name) CHECK(entities.at(name).at("sha256") == digest);
  CHECK(sums.contains(crate_name));
  // Every reference has its entity, except two terms of other vocabularies.
  const Json flat = crate.flatten();
  for (const auto& [place, value] : flat.items())
    if (place.ends_with("/@id") && !value.get<std::string>().starts_with("http"))
      CHECK(entities.contains(value.get<std::string>()));
  const Json& action = entities.at("#run");
  CHECK(action.at("object").size() == 2);  // the input and the spec
  CHECK(action.at("result").size() + 2 == entities.at("./").at("hasPart").size());
}
