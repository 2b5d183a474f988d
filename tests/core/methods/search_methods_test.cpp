// SPDX-License-Identifier: MIT
#include "core/graph/memory.hpp"
#include "core/methods/explanation.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

Memory kin() {
  return told({
      "<(*,ada,ben) --> parent>.",                                                              // statement 0
      "<(*,ben,cleo) --> parent>.",                                                             // 1
      "<(&&,<(*,$1,#1) --> parent>,<(*,#1,$2) --> parent>) ==> <(*,$1,$2) --> grandparent>>.",  // 2
      "<(*,ada,zoe) --> friend>.",                                                              // 3
      "<(*,zoe,dan) --> friend>.",                                                              // 4
      "<(*,dan,cleo) --> friend>.",                                                             // 5
      "<kit --> cat>.",                                                                         // 6
  });
}

Vector scores(const char* method, const char* question, const Options& options = {}) {
  Memory memory = kin();
  const MemoryIndex readings(memory);
  const Recall recall = recalled(method, options, readings, cue_for(memory, term(memory, question)));
  const double total = recall.statements.whole().sum();
  CHECK(distance(recall.concepts,
                 Vector(dense(readings.episodes()).transpose() * recall.statements.whole() / total)) < 1e-15);
  return recall.statements;
}

TEST_CASE("shortest_path scores by the rank of the path, or by hops if there is no path", "[retrievers]") {
  const char* question = "<(*,ada,cleo) --> grandparent>";
  // `parent` is in three statements, so hub_size 2 makes it a closed hub, through which no path leads.
  CHECK(scores("shortest_path", question, {{"hub_size", 2.0}}) == vector({1, 1, 0, 0.5, 0.5, 0.5, 0}));
  CHECK(scores("shortest_path", question, {{"hub_size", 2.0}, {"paths", 1.0}}) ==
        vector({1, 1, 0, 0, 0, 0, 0}));
  // There is no path, so statements score by hops from ada and cleo.
  CHECK(scores("shortest_path", question, {{"along", "inheritance"}}) == vector({1, 1, 0.5, 1, 0.5, 1, 0}));
  CHECK(scores("shortest_path", "<kit --> ?1>") == vector({0, 0, 0, 0, 0, 0, 1}));
  CHECK(scores("shortest_path", "<(*,kit,ada) --> ?1>", {{"hubs", "dear"}}) ==
        vector({1, 0.5, 0.5, 1, 0.5, 0.5, 1}));
}

TEST_CASE("k_hop scores by hops", "[retrievers]") {
  CHECK(scores("k_hop", "zoe") == vector({0.5, 1.0 / 3, 1.0 / 3, 1, 1, 0.5, 0}));
  CHECK(scores("k_hop", "zoe", {{"hops", 1.0}}) == vector({0, 0, 0, 1, 1, 0, 0}));
  CHECK(scores("k_hop", "zoe", {{"most", 1.0}}) == vector({0, 0, 0, 1, 0, 0, 0}));
}

TEST_CASE("sine and mepo score by round, then by trigger or mark", "[retrievers]") {
  // Numbers of statements with each name: ada 2, ben 2, cleo 2, zoe 2, dan 2, friend 3, parent 3, grandparent 1.
  CHECK(scores("sine", "zoe", {{"tolerance", 1.0}, {"depth", 2.0}}) ==
        vector({1 / (2 + 2.0 / 3), 0, 0, 1 / (1 + 2.0 / 3), 1 / (1 + 2.0 / 3), 1 / (2 + 2.0 / 3), 0}));
  const double w = 1 + 2 / std::log(3.0), mark = w / (w + 2);
  CHECK(distance(scores("mepo", "zoe", {{"pass_mark", 0.5}, {"convergence", 1.0}}),
                 vector({0, 0, 0, 1 / (2 - mark), 1 / (2 - mark), 0, 0})) < 1e-15);
}

TEST_CASE("backward_chaining scores proofs above other statements that proved a goal", "[retrievers]") {
  CHECK(scores("backward_chaining", "<(*,ada,cleo) --> grandparent>") == vector({2, 2, 2, 0, 0, 0, 0}));
  CHECK(scores("backward_chaining", "<(*,ada,?1) --> parent>") == vector({2, 0, 0, 0, 0, 0, 0}));
  CHECK(scores("backward_chaining", "<(*,ada,dan) --> grandparent>") ==
        vector({0.5, 0, 0, 0, 0, 0, 0}));  // the question has no proof, but statement 0 proves a goal
  CHECK(scores("backward_chaining", "zoe") == vector({0, 0, 0, 1, 1, 0, 0}));
}

TEST_CASE("searches and filters explain the rank of each statement", "[explanation]") {
  Memory memory = kin();
  const MemoryIndex readings(memory);
  const Cue cue = cue_for(memory, term(memory, "<(*,ada,cleo) --> grandparent>"));
  const auto reason = [&](const char* method, StatementId of, const Options& options = {}) {
    const Recall recall = recalled(method, options, readings, cue);
    const auto explainer = ConfiguredMethod(method, options).explain(readings, cue, recall);
    const Explanation why = explainer->of_statement(of);
    return why.accounts.empty() ? why.note : why.accounts.front().parts.front().words;
  };
  CHECK(reason("shortest_path", 1, {{"hub_size", 2.0}}) ==
        "one over the number of its path, 1, of 2 statements");
  CHECK(reason("shortest_path", 4, {{"along", "inheritance"}}) ==
        "no path joins two ends: one over its hop, 2");
  CHECK(reason("backward_chaining", 2) == "in proof 1, of 3 uses");
  CHECK(reason("backward_chaining", 3) == "nothing led to it");
  CHECK(reason("k_hop", 4) == "one over its hop, 2");
  CHECK(reason("sine", 2) == "triggered in round 1 by a name in 1 statements");
  CHECK(reason("mepo", 2).substr(0, 38) == "selected in round 1 with the mark 0.79");
}

}  // namespace
}  // namespace engram::core
