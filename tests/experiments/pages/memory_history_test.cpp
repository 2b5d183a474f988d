// SPDX-License-Identifier: MIT
#include "experiments/pages/memory_history.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;

namespace {

MethodChoice attention() { return {"attention", core::ConfiguredMethod("attention")}; }

Json history_of(const std::string& narsese, const std::vector<std::string>& cue,
                const core::MemoryOptions& options = {}) {
  const Folder folder("history");
  write(folder.path / "a.nal", narsese);
  return history_json(load_corpus({"a.nal", folder.path / "a.nal"}, options), options, cue, attention());
}

// First element of a list whose member `member` has this value.
const Json& entry(const Json& list, const char* member, const Json& value) {
  for (const Json& candidate : list)
    if (candidate.at(member) == value) return candidate;
  throw std::out_of_range(value.dump());
}

}  // namespace

TEST_CASE("a history shows how links grow with each sentence", "[experiments][history]") {
  // Each sentence has confidence 0.9, so it adds evidence 0.9 to the weight of its link.
  const Json history = history_of("<a --> b>.\n<c --> d>.\n<a --> b>. :|:\n<a --> c>.\n", {"a"});
  CHECK(history.at("sentences") == Json({1, 2, 3, 4}));
  const Json& ab = entry(history.at("links"), "between", {"a", "b"}).at("weight");
  const Json& cd = entry(history.at("links"), "between", {"c", "d"}).at("weight");
  REQUIRE(ab.size() == 4);
  CHECK(ab[0].get<double>() == Approx(0.9));
  CHECK(ab[1] == ab[0]);
  CHECK(ab[2].get<double>() == Approx(1.8));
  CHECK(ab[3] == ab[2]);
  CHECK(cd[0] == 0);  // <c --> d> is learnt only from the second sentence
  CHECK(cd[1].get<double>() == Approx(0.9));
  // Links are sorted by weight, the strongest first.
  CHECK(history.at("links")[0].at("between") == Json({"a", "b"}));
}

TEST_CASE("links fade in a history if the memory decays", "[experiments][history]") {
  core::MemoryOptions options;
  options.decay = 0.5;
  const Json history = history_of("<a --> b>.\n<c --> d>.\n", {"a"}, options);
  const Json& ab = entry(history.at("links"), "between", {"a", "b"}).at("weight");
  CHECK(ab[1].get<double>() == Approx(ab[0].get<double>() / 2));
}

TEST_CASE("a history has the budgets for the cue at each moment", "[experiments][history]") {
  const Json history = history_of("<a --> b>.\n<a --> c>.\n<x --> y>.\n", {"a"});
  const Json& b = entry(history.at("concepts"), "term", "b");
  const Json& c = entry(history.at("concepts"), "term", "c");
  CHECK(c.at("priority")[0] == 0);
  CHECK(c.at("priority")[1].get<double>() > 0);
  CHECK(b.at("priority")[1] == c.at("priority")[1]);  // b and c each occurred with a in one statement
  CHECK(b.at("durability")[0].get<double>() == Approx(0.9 / 1.9));
  for (const Json& concept_ : history.at("concepts")) {
    // Softmax also gives x a share, although no link connects x to a.
    if (concept_.at("term") == "x") CHECK(concept_.at("priority")[2] < b.at("priority")[2]);
    for (const char* number : {"priority", "durability", "quality"})
      for (const Json& value : concept_.at(number)) {
        CHECK(value.get<double>() >= 0);
        CHECK(value.get<double>() <= 1);
      }
  }
}

TEST_CASE("a history has at most 24 moments, 8 curves and 40 links", "[experiments][history]") {
  std::string narsese;
  for (int i = 0; i < 100; ++i)
    narsese += "<a" + std::to_string(i % 20) + " --> b" + std::to_string(i) + ">.\n";
  const Json history = history_of(narsese, {"a0", "a1", "a2"});
  CHECK(history.at("sentences").size() == 24);
  CHECK(history.at("sentences").back() == 100);
  CHECK(history.at("links").size() == 8);
  CHECK(history.at("concepts").size() == 8);
  CHECK(history.at("graph").at("links").size() == 40);
  CHECK(history.at("graph").at("of_links") == 100);
  for (const Json& link : history.at("graph").at("links"))
    for (const std::size_t end : {0U, 1U})
      CHECK(link[end].get<std::size_t>() < history.at("graph").at("nodes").size());
  CHECK(history_of("", {"a"}).is_null());
}

TEST_CASE("the graph's script draws the strongest link widest and quotes names", "[experiments][history]") {
  Conclusion conclusion;
  add_history(history_of("<\"q\\\" --> b>.\n<\"q\\\" --> b>. :|:\n<c --> b>.\n", {"b"}), 3,
              "deep/down/my.nal", conclusion);
  REQUIRE(conclusion.plots.size() == 2);
  CHECK(conclusion.plots[0].name == "budgets_3");
  CHECK(conclusion.plots[1].title == "Hebbian links while my.nal was read");
  REQUIRE(conclusion.graphs.size() == 1);
  const std::string& script = conclusion.graphs[0].script;
  CHECK(contains(script, "penwidth=4.00"));
  CHECK(contains(script, "penwidth=2.25"));
}

namespace {

// A history of forgetting at two moments.
Json some_forgotten() {
  return {{"policy", "recent"},
          {"statements", 7},
          {"concepts", 5},
          {"links", 4},
          {"times", {{"statements", 2}, {"decayed", 1}}},
          {"cycles", 40},
          {"held", 6},
          {"moments",
           {{{"from", 10},
             {"to", 20},
             {"times", {{"statements", 2}}},
             {"before", 9},
             {"left", 6},
             {"statements", 6},
             {"concepts", 4},
             {"links", 4},
             {"examples", {"<a --> b>", "<script>"}}},
            {{"from", 30},
             {"to", 30},
             {"times", {{"decayed", 1}}},
             {"before", 7},
             {"left", 6},
             {"statements", 1},
             {"concepts", 1},
             {"links", 0},
             {"examples", Json::array()}}}}};
}

}  // namespace

TEST_CASE("the part about forgetting shows how much was forgotten, when, why, and examples",
          "[experiments][pages][forgetting]") {
  const std::string html = forgotten_html(some_forgotten());
  for (const char* text :
       {"The memory forgot 7 statements, 5 concepts and 4 links",
        "2 times because there was no room for another statement; once because their "
        "evidence had decayed",
        "the policy <code>recent</code> keeps the statements entered last.", "6 statements are left",
        "<th>10–20</th>", "<th>30</th>", "<td>no room: statements</td>", "<td>decayed</td>",
        "<code>&lt;a --&gt; b&gt;</code>, <code>&lt;script&gt;</code>"})
    CHECK(contains(html, text));
  CHECK(times(html, "class=\"mark\"") == 2);
  CHECK_FALSE(contains(html, "<script>"));
  Json none = some_forgotten();
  none["moments"] = Json::array();
  CHECK(forgotten_html(none) == "<p>Nothing: no limit was reached, and no evidence had decayed.</p>\n");
  Json broken = some_forgotten();
  broken["moments"][0].erase("left");
  CHECK_THROWS_AS(forgotten_html(broken), Json::exception);
}
