// SPDX-License-Identifier: MIT
#include "experiments/spec/spec.hpp"

#include <filesystem>

#include "experiments/spec/experiment.hpp"
#include "experiments/spec/spec_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

using namespace engram::experiments;
using namespace engram::testing;

namespace {

std::string error_of(const Json& json) {
  return message_of<SpecError>([&] { resolve_spec(json, ""); });
}

const Json base = {{"experiment", "comparison"}, {"inputs", {"a.nal"}}};

Json with(const char* name, const Json& value) {
  Json json = base;
  json[name] = value;
  return json;
}

}  // namespace

TEST_CASE("a spec selects the learning rule of links, and a method needs one to use learnt links",
          "[experiments][spec]") {
  CHECK(resolve_spec(base, "").resolved.at("memory").at("learning") == "none");
  CHECK_FALSE(resolve_spec(base, "").memory.learning);
  const Spec named = resolve_spec(with("memory", {{"learning", "oja"}}), "");
  REQUIRE(named.memory.learning);
  CHECK(named.memory.learning->rule == engram::core::LearningRule::oja);
  CHECK(named.memory.learning->rate == 0.1);
  const Json numbers = {{"rule", "stdp"}, {"rate", 0.5}, {"time", 7}, {"reach", 3}, {"bound", 2}};
  Json json = with("memory", {{"learning", numbers}});
  json["methods"] = Json::array({{{"method", "pagerank"}, {"options", {{"links", "learnt"}}}}});
  const Spec full = resolve_spec(json, "");
  CHECK(full.memory.learning->time == 7);
  CHECK(full.memory.learning->bound == 2);
  CHECK(resolve_spec(full.resolved, "").resolved == full.resolved);
  json.erase("memory");
  CHECK(contains(error_of(json), "/methods/0/options/links: nothing is learnt"));
  CHECK(contains(error_of(with("memory", {{"learning", "ojo"}})), "/memory/learning/rule"));
  CHECK(contains(error_of(with("memory", {{"learning", 7}})), "/memory/learning"));
  CHECK(contains(error_of(with("memory", {{"learning", {{"rule", "oja"}, {"rate", 0}}}})),
                 "/memory/learning/rate"));
  CHECK(contains(error_of(with("memory", {{"learning", {{"rule", "oja"}, {"rat", 1}}}})),
                 "/memory/learning/rat"));
}

TEST_CASE("a spec limits statements, concepts and links", "[experiments][spec]") {
  const engram::core::MemoryLimits usual;
  const Json resolved = resolve_spec(base, "").resolved.at("memory");
  CHECK(resolved.at("max_concepts") == usual.max_concepts);
  CHECK(resolved.at("max_hebbian_links") == usual.max_hebbian_links);
  CHECK(resolved.at("max_statements") == usual.max_statements);
  const Spec large = resolve_spec(
      with("memory", {{"max_concepts", 5}, {"max_hebbian_links", 6}, {"max_statements", 16'000'000}}), "");
  CHECK(large.memory.limits.max_concepts == 5);
  CHECK(large.memory.limits.max_hebbian_links == 6);
  CHECK(large.memory.limits.max_statements == 16'000'000);
  CHECK(resolve_spec(large.resolved, "").resolved == large.resolved);
  for (const char* limit : {"max_concepts", "max_hebbian_links", "max_statements"})
    for (const Json& wrong : {Json(0), Json(1'000'000'001), Json(1.5), Json("many")})
      CHECK(contains(error_of(with("memory", {{limit, wrong}})), std::string("/memory/") + limit));
}

TEST_CASE("a resolved spec has every default and resolves to itself", "[experiments][spec]") {
  for (const char* experiment : {"comparison", "completion", "icons"}) {
    const Spec spec = resolve_spec(with("experiment", experiment), "");
    CHECK_FALSE(spec.methods.empty());
    CHECK_FALSE(spec.seeds.empty());
    for (const Json& method : spec.resolved.at("methods")) {
      CHECK(method.contains("label"));
      CHECK(method.at("options").size() ==
            engram::core::method_named(method.at("method").get<std::string>()).options.size());
    }
    CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);
  }
}

TEST_CASE("an error in a spec has its place, the expectation and the nearest name", "[experiments][spec]") {
  CHECK(contains(error_of(Json::array()), "the spec must be an object, found an array"));
  CHECK(contains(error_of({{"experiment", "comparisn"}, {"inputs", {"a"}}}), "/experiment"));
  CHECK(contains(error_of({{"experiment", "comparisn"}, {"inputs", {"a"}}}), "did you mean \"comparison\"?"));
  CHECK(contains(error_of({{"experiment", "comparison"}}), "/inputs"));
  CHECK(contains(error_of(with("inputs", Json::array())), "/inputs"));
  CHECK(contains(error_of(with("inputs", {"a", 7})), "/inputs/1"));
  CHECK(contains(error_of(with("inputs", {"a", "a"})), "occurs twice"));
  CHECK(contains(error_of(with("methods", Json(20'000, "overlap"))), "at most 1000 entries, found 20000"));
  CHECK(contains(error_of(with("metods", 1)), "did you mean \"methods\"?"));
  CHECK(contains(error_of(with("methods", {"cosin"})), "did you mean \"cosine\"?"));
  CHECK(contains(error_of(with("methods", {"cosine", "cosine"})), "\"label\""));
  CHECK(contains(
      error_of(with("methods", Json::array({{{"method", "hopfield"}, {"options", {{"winners", 1.5}}}}}))),
      "/methods/0/options/winners"));
  CHECK(contains(error_of(with("methods", Json::array({{{"method", "attention"}, {"optons", 1}}}))),
                 "/methods/0/optons"));
  CHECK(contains(error_of(with("top", 0)), "/top must be a whole number in [1, 1000], found 0"));
  CHECK(contains(error_of(with("top", "many")), "/top"));
  CHECK(contains(error_of(with("top", 3.5)), "/top must be a whole number in [1, 1000], found 3.5"));
  CHECK(contains(error_of(with("seeds", {1, -1})), "/seeds/1"));
  CHECK(resolve_spec(with("seeds", 3), "").seeds == std::vector<std::uint64_t>{3});
  CHECK(contains(error_of(with("seeds", {1, 2})), "/seeds must be one seed, found 2: comparison asks"));
  CHECK(contains(error_of(with("memory", {{"decay", 1}})), "/memory/decay"));
  CHECK(contains(error_of(with("memory", {{"compounds", 1}})), "/memory/compounds must be true or false"));
  CHECK(contains(error_of({{"experiment", "icons"}, {"inputs", {"a", "b"}}, {"methods", {"pagerank"}}}),
                 "/methods/0 must be a method that works on pictures, one of "));
}

TEST_CASE("the resolved spec of prediction has every default, and errors have their place",
          "[experiments][spec]") {
  const auto prediction = [](const char* name, const Json& value) {
    return Json{{"experiment", "prediction"}, {"inputs", {"a.nal"}}, {name, value}};
  };
  const Spec spec = resolve_spec(prediction("seeds", {1}), "");
  CHECK(spec.experiment->methods(spec).size() == 11);
  CHECK(spec.resolved.at("generated").at("situations") == 12);
  CHECK(spec.resolved.at("learning_rate") == 0.05);
  CHECK(resolve_spec(spec.resolved, "").resolved == spec.resolved);
  const Spec file_alone = resolve_spec(prediction("generated", false), "");
  CHECK(resolve_spec(file_alone.resolved, "").resolved == file_alone.resolved);
  CHECK(file_alone.resolved.at("generated") == false);

  CHECK(contains(error_of(prediction("patiense", 3)), "/patiense: unknown field"));
  CHECK(contains(error_of(prediction("patiense", 3)), "did you mean \"patience\"?"));
  CHECK(contains(error_of(prediction("methods", {"markov", "trained_atention"})), "/methods/1"));
  CHECK(
      contains(error_of(prediction("methods", {"trained_atention"})), "did you mean \"trained_attention\"?"));
  CHECK(contains(error_of(prediction("methods", {"markov", "markov"})), "occurs twice"));
  CHECK(contains(error_of(prediction("methods", {{{"method", "markov"}}})), "/methods/0 must be one of "));
  CHECK(contains(error_of(prediction("methods", Json::array())), "/methods must be a list"));
  CHECK(contains(error_of(prediction("generated", 3)), "/generated must be an object"));
  CHECK(contains(error_of(prediction("generated", {{"jump", 1.5}})), "/generated/jump"));
  CHECK(contains(error_of(prediction("generated", {{"concepts", 3}, {"active", 3}})),
                 "/generated/situations must be at most the number of sets of 3 out of 3"));
  CHECK(contains(error_of(prediction("generated", {{"active", 30}})), "/generated/situations"));
  CHECK(contains(error_of(prediction("origins", {0.5, 0.5})), "/origins/1"));
  CHECK(contains(error_of(prediction("temperature", 0)), "/temperature"));
  CHECK(contains(error_of(prediction("smoothing", 0)), "/smoothing"));
  CHECK(contains(error_of(prediction("recall_at", {2.5})), "/recall_at/0"));
  CHECK(contains(error_of(prediction("memory", {{"decay", 0.1}})), "/memory/decay: unknown field"));
  Json nothing = prediction("generated", false);
  nothing["inputs"] = Json::array();
  CHECK(contains(error_of(nothing), "/inputs must be a list of files"));
}

TEST_CASE("overrides set any place and parse their value as JSON or text", "[experiments][spec]") {
  Json json = base;
  apply_override(json, "memory.decay=0.25");
  apply_override(json, "methods=[\"cosine\",\"hopfield\"]");
  apply_override(json, "methods.1=uniform");
  apply_override(json, "experiment=completion");
  const Spec spec = resolve_spec(json, "");
  CHECK(spec.memory.decay == 0.25);
  CHECK(spec.experiment->name() == std::string("completion"));
  REQUIRE(spec.methods.size() == 2);
  CHECK(spec.methods[1].label == "uniform");
  CHECK_THROWS_AS(apply_override(json, "nothing"), SpecError);
  CHECK_THROWS_AS(apply_override(json, "=3"), SpecError);
  CHECK_THROWS_AS(apply_override(json, "methods.x=3"), SpecError);
}

TEST_CASE("a method may occur twice with different labels", "[experiments][spec]") {
  const Spec spec = resolve_spec(with("methods", Json::array({"hopfield",
                                                              {{"method", "hopfield"},
                                                               {"label", "covariance"},
                                                               {"options", {{"couplings", "covariance"}}}}})),
                                 "");
  REQUIRE(spec.methods.size() == 2);
  CHECK(std::get<std::string>(spec.methods[1].method.options().at("couplings")) == "covariance");
}

TEST_CASE("a file of vectors is an input: its path is relative to the spec, and it is read before the run",
          "[experiments][spec]") {
  const Folder place("vectors");
  const std::filesystem::path& folder = place.path;
  write(folder / "good.txt", "tim 1 2\n");
  write(folder / "bad.txt", "tim 1 2\ncat 1 two\n");
  const auto asking = [](const char* file) {
    return with("methods",
                {{{"method", "concept_attention"}, {"options", {{"embedding", "file"}, {"file", file}}}}});
  };
  const Spec spec = resolve_spec(asking("good.txt"), folder);
  REQUIRE(spec.vectors.size() == 1);
  CHECK(spec.vectors[0].name == "good.txt");
  CHECK(spec.vectors[0].path == folder / "good.txt");
  CHECK(spec.methods[0].method.options().at("file") ==
        engram::core::OptionValue((folder / "good.txt").string()));
  CHECK(spec.resolved.at("methods")[0].at("options").at("file") == "good.txt");
  CHECK(resolve_spec(base, folder).vectors.empty());
  for (const auto& [file, problem] : {std::pair("bad.txt", ":2:7: expected a finite number"),
                                      std::pair("none.txt", "none.txt: cannot be read")})
    try {
      resolve_spec(asking(file), folder);
      FAIL("no error");
    } catch (const SpecError& error) {
      CHECK(error.pointer == "/methods/0/options/file");
      CHECK(contains(error.what(), problem));
    }
}

TEST_CASE("lists of numbers may be ranges", "[experiments][spec]") {
  const auto completed = [](const char* name, const Json& value) {
    return Json{{"experiment", "completion"}, {"inputs", {"a.nal"}}, {name, value}};
  };
  const auto seeds = [&](const Json& value) { return resolve_spec(completed("seeds", value), "").seeds; };
  CHECK(seeds("3..5") == std::vector<std::uint64_t>{3, 4, 5});
  CHECK(seeds({{"from", 3}, {"to", 3}}) == std::vector<std::uint64_t>{3});
  CHECK(seeds({{"from", 0}, {"to", 10}, {"steps", 3}}) == std::vector<std::uint64_t>{0, 5, 10});
  CHECK(seeds("9007199254740989..9007199254740991") ==
        std::vector<std::uint64_t>{9007199254740989, 9007199254740990, 9007199254740991});
  CHECK(resolve_spec(completed("seeds", "3..5"), "").resolved.at("seeds") == Json({3, 4, 5}));
  Json completion = completed("experiment", "completion");
  completion["corruption"] = {{"from", 0}, {"to", 1}, {"steps", 11}};
  CHECK(resolve_spec(completion, "").resolved.at("noise") == Json({0, 1, 2}));
  CHECK(resolve_spec(completion, "").resolved.at("corruption") ==
        Json{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1});
  for (const char* text : {"", "..", "3", "3..", "..3", "-1..3", "1...3", "1..3x", "1,2", "1.5..3"})
    CHECK(contains(error_of(completed("seeds", text)), "/seeds must be a list of whole numbers, or a range"));
  CHECK(contains(error_of(completed("seeds", "5..3")), "/seeds/to"));
  CHECK(contains(error_of(completed("seeds", "0..100001")), "/seeds/to"));
  CHECK(contains(error_of(completed("seeds", {{"from", 0}, {"to", 3}, {"steps", 3}})),
                 "/seeds must be a whole"));
  CHECK(contains(error_of(completed("seeds", {{"from", 0}, {"to", 3}, {"steps", 1}})), "/seeds/steps"));
  CHECK(contains(error_of(completed("seeds", {{"from", 0}, {"to", 1e300}, {"steps", 1e9}})), "/seeds/steps"));
  CHECK(contains(error_of(completed("seeds", {{"from", 0.5}, {"to", 3}})), "/seeds"));
}

TEST_CASE("a sweep has all combinations, with the last place changing fastest", "[experiments][spec]") {
  CHECK(sweep_cells(base).empty());
  const auto cells = sweep_cells(with("sweep", {{"memory.decay", {{"from", 0}, {"to", 0.2}, {"steps", 3}}},
                                                {"methods", {{"cosine"}, {"uniform"}}}}));
  REQUIRE(cells.size() == 6);
  CHECK(cells[0].name == "00001_decay=0.0_methods=--cosine--");
  CHECK(cells[3].values[0].second == 0.1);
  CHECK(cells[3].values[1].second == Json({"uniform"}));
  for (const SweepCell& cell : cells) {
    const Spec spec = resolve_spec(cell.spec, "");
    CHECK(spec.memory.decay == cell.values[0].second);
    CHECK(spec.methods.size() == 1);
  }
  const auto tops = sweep_cells(with("sweep", {{"top", {{"from", 2}, {"to", 10}, {"steps", 3}}}}));
  REQUIRE(tops.size() == 3);
  CHECK(resolve_spec(tops[1].spec, "").resolved.at("top") == 6);
  // The keys of a sweep address methods by name, label or number.
  Json named = base;
  named["methods"] = {"attention", {{"method", "hopfield"}, {"label", "few"}}, "pagerank"};
  named["sweep"] = {{"methods.attention.options.beta", {2, 3}},
                    {"methods.few.options.winners", {4}},
                    {"methods.2.options.damping", {0.5}}};
  const auto of_methods = sweep_cells(named);
  REQUIRE(of_methods.size() == 2);
  const Spec second = resolve_spec(of_methods[1].spec, "");
  CHECK(second.methods[0].label == "attention");
  CHECK(second.methods[0].method.options().at("beta") == engram::core::OptionValue(3.0));
  CHECK(second.methods[1].method.options().at("winners") == engram::core::OptionValue(4.0));
  CHECK(second.methods[2].method.options().at("damping") == engram::core::OptionValue(0.5));
  named["sweep"] = {{"methods.atention.options.beta", {2, 3}}};
  CHECK_THROWS_AS(sweep_cells(named), SpecError);
  for (const Json& wrong : {Json(3), Json::object(), Json{{"top", 3}}, Json{{"top", Json::array()}}})
    CHECK_THROWS_AS(sweep_cells(with("sweep", wrong)), SpecError);
}
