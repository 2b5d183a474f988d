// SPDX-License-Identifier: MIT
#include "core/methods/explanation.hpp"

#include "core/budgets/budget_allocator.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/ranking.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::vector<std::string> relations{
    "<(*,ada,ben) --> parent>. %1.0;0.91%",
    "<(*,ben,cleo) --> parent>. %1.0;0.82%",
    "<(*,ada,dora) --> friend>. %1.0;0.73%",
    "<(*,dora,cleo) --> friend>. %0.2;0.64%",
    "<(&&,<(*,$a,$b) --> parent>,<(*,$b,$c) --> parent>) ==> <(*,$a,$c) --> grandparent>>. %1.0;0.9%",
    "<(*,$a,$b) --> grandparent> ==> <(*,$b,$a) --> grandchild>>. %1.0;0.9%",
    "<erik --> [tall]>. %1.0;0.55%",
    "<ada --> [tall]>. %1.0;0.37%",
    "<lonely --> lonely>. %1.0;0.5%",
};

Memory related() {
  std::vector<std::string> lines = relations;
  lines[5] = "<<(*,$a,$b) --> grandparent> ==> <(*,$b,$a) --> grandchild>>. %1.0;0.9%";
  return told(lines);
}

struct Relations {
  Memory memory = related();
  const MemoryIndex readings{memory};
};

double parts_of(const Account& account) {
  double total = 0;
  for (const Account::Part& part : account.parts) total += part.amount;
  return total;
}

// A recall with its explainer.
struct Explained {
  Explained(Memory& memory, const MemoryIndex& of, const char* question, const std::string& name,
            const Options& options = {})
      : readings(of), cue(cue_for(memory, term(memory, question))) {
    const Method& method = method_named(name);
    recall = ConfiguredMethod(method, options).recall(readings, cue);
    explainer = ConfiguredMethod(method, options).explain(readings, cue, recall);
  }
  const MemoryIndex& readings;
  Cue cue;
  Recall recall;
  ExplainerPtr explainer;
};

const std::vector<std::string> without_sums{"continuous_attention", "ecan",
                                            "graph_spins",          "dense_memory",
                                            "local_attention",      "local_concept_attention",
                                            "trained_hopfield"};

void check_sums(const Explanation& why, double score) {
  REQUIRE(why.score == score);
  REQUIRE_FALSE(why.accounts.empty());
  CHECK(why.accounts.front().total == score);
  for (const Account& account : why.accounts) {
    INFO(account.words);
    CHECK(std::abs(parts_of(account) - account.total) < 1e-11);  // iterations stop within 1e-12
    CHECK(account.parts.size() <= 9);
    for (std::size_t i = 1; i < std::min<std::size_t>(account.parts.size(), 8); ++i)
      CHECK(std::abs(account.parts[i].amount) <= std::abs(account.parts[i - 1].amount));
  }
}

// Checks that a path starts at a concept of the cue, contains the explained item, and joins each stop to the one
// before.
void check_path(const Explained& of, const Explanation& why, bool statement, std::uint32_t id) {
  if (why.path.empty()) return;
  const Stop& first = why.path.front();
  CHECK_FALSE(first.statement);
  CHECK(of.cue.activation[first.id] > 0);
  const auto is_target = [&](const Stop& stop) { return stop.statement == statement && stop.id == id; };
  CHECK(std::ranges::any_of(why.path, is_target));
  if (!statement) CHECK(is_target(why.path.back()));
  for (std::size_t i = 1; i < why.path.size(); ++i) {
    const Stop &a = why.path[i - 1], &b = why.path[i];
    CHECK_FALSE(b.how.empty());
    if (a.statement != b.statement) {
      const auto members = of.readings.episode(a.statement ? a.id : b.id);
      CHECK(std::ranges::binary_search(members, a.statement ? b.id : a.id));
    } else {
      CHECK_FALSE(a.statement);
      CHECK(std::ranges::binary_search(of.readings.links().columns_of(a.id), b.id));
    }
  }
}

TEST_CASE_METHOD(Relations, "the parts of each account add up to its total, and the first total is the score",
                 "[explanation]") {
  int paths = 0;
  for (const Method& method : methods())
    for (const char* question :
         {"<(*,ada,cleo) --> ?1>", "<?1 --> grandparent>", "ada", "(*,erik,dora)", "lonely"}) {
      INFO(method.name << " " << question);
      const Explained of(memory, readings, question, method.name);
      const bool has_sums = std::ranges::find(without_sums, method.name) == without_sums.end();
      for (Index i = 0; i < readings.concepts(); ++i) {
        if (!(of.recall.concepts[i] > 0)) continue;
        const Explanation why = of.explainer->of_concept(static_cast<ConceptId>(i));
        if (!has_sums) {
          CHECK(why.accounts.empty());
          CHECK(why.note.size() > 20);
          continue;
        }
        check_sums(why, of.recall.concepts[i]);
        check_path(of, why, false, static_cast<std::uint32_t>(i));
        paths += why.path.size() > 1 ? 1 : 0;
      }
      for (Index e = 0; e < readings.statements() && has_sums; ++e) {
        if (!(of.recall.statements[e] > 0)) continue;
        const Explanation why = of.explainer->of_statement(static_cast<StatementId>(e));
        check_sums(why, of.recall.statements[e]);
        check_path(of, why, true, static_cast<std::uint32_t>(e));
      }
    }
  CHECK(paths > 100);
}

TEST_CASE_METHOD(Relations, "accounts add up for other options", "[explanation]") {
  const std::vector<std::pair<std::string, Options>> choices{
      {"attention", {{"map", std::string("budget")}, {"k", 3.0}, {"steps", 7.0}}},
      {"attention", {{"map", std::string("normmax")}, {"alpha", 3.0}}},
      {"modern_hopfield", {{"beta", 2.0}, {"max_steps", 500.0}}},
      {"modern_hopfield", {{"map", std::string("sparsemax")}}},
      {"hopfield", {{"couplings", std::string("covariance")}, {"winners", 3.0}, {"cue_strength", 0.1}}},
      {"pagerank", {{"links", std::string("correlation")}, {"damping", 0.5}}},
      {"spreading_activation", {{"threshold", 0.05}, {"max_steps", 2.0}}},
      {"spreading_activation", {{"threshold", 0.9}}},
      {"linear_ecan", {{"rent", 0.7}, {"spread", 1.0}}},
      {"bidirectional_spreading", {{"words", std::string("no")}}},
      {"bidirectional_spreading", {{"unification", std::string("no")}, {"decay", 0.5}}},
      {"concept_attention", {{"beta", 2.0}, {"map", std::string("entmax")}}},
      {"shortest_path", {{"hubs", std::string("dear")}, {"paths", 2.0}}},
      {"backward_chaining", {{"slack", 0.0}}},
  };
  for (const auto& [name, options] : choices)
    for (const char* question : {"<(*,ada,cleo) --> ?1>", "erik", "lonely"}) {
      INFO(name << " " << question);
      const Explained of(memory, readings, question, name, options);
      for (const std::uint32_t id : rank(of.recall.concepts, 100))
        check_sums(of.explainer->of_concept(id), of.recall.concepts[id]);
      for (const std::uint32_t id : rank(of.recall.statements, 100))
        check_sums(of.explainer->of_statement(id), of.recall.statements[id]);
    }
}

TEST_CASE_METHOD(Relations, "accounts of overlap and cosine match hand-computed values", "[explanation]") {
  // The cue has the concepts ada and cleo, and statement 0 has ada, ben and parent. One of these four concepts is in
  // both.
  const Explained overlap(memory, readings, "(*,ada,cleo)", "overlap");
  const Explanation why = overlap.explainer->of_statement(0);
  REQUIRE(why.accounts.size() == 1);
  REQUIRE(why.accounts[0].parts.size() == 1);
  CHECK(why.accounts[0].parts[0].amount == 0.25);
  CHECK(why.accounts[0].parts[0].words == "ada: in both");
  REQUIRE(why.path.size() == 2);
  CHECK(why.path[0].words == "ada");
  CHECK(why.path[1].words == "<(*,ada,ben) --> parent>");

  const Explained cosine(memory, readings, "(*,ada,cleo)", "cosine");
  const auto idf = [&](const char* name) { return readings.idf(concept_of(memory, name)); };
  const double key = idf("ada") / std::hypot(idf("ada"), idf("ben"), idf("parent"));
  const double asked = idf("ada") / std::hypot(idf("ada"), idf("cleo"));
  REQUIRE(cosine.explainer->of_statement(0).accounts[0].parts.size() == 1);
  CHECK(std::abs(cosine.explainer->of_statement(0).accounts[0].parts[0].amount - key * asked) < 1e-14);
}

TEST_CASE("the account of PageRank matches hand-computed values", "[explanation]") {
  // A chain a - b - c. Its first link has twice the weight of the second. All walks start at a.
  Memory memory = told({"<a --> b>. %1;0.8%", "<b --> c>. %1;0.4%"});
  const MemoryIndex readings(memory);
  const Explained of(memory, readings, "a", "pagerank", {{"damping", 0.5}});
  // The ranks satisfy r_a = 1/2 + r_b/3, r_b = r_a/2 + r_c/2 and r_c = r_b/6. Therefore r_b = r_a/2 / (1 - 1/12) = 6/11
  // r_a, and r_a = 11/18.
  const Explanation b = of.explainer->of_concept(concept_of(memory, "b"));
  REQUIRE(b.accounts.size() == 1);
  REQUIRE(b.accounts[0].parts.size() == 2);
  CHECK(std::abs(b.accounts[0].total - 1.0 / 3) < 1e-11);
  CHECK(std::abs(b.accounts[0].parts[0].amount - 11.0 / 36) < 1e-11);
  CHECK(b.accounts[0].parts[0].words.find("from a") == 0);
  CHECK(std::abs(b.accounts[0].parts[1].amount - 1.0 / 36) < 1e-11);
  const Explanation c = of.explainer->of_concept(concept_of(memory, "c"));
  REQUIRE(c.path.size() == 3);
  CHECK(c.path[0].words == "a");
  CHECK(c.path[1].words == "b");
  CHECK(c.path[2].how == "of this way alone 0.0416667");  // 1/2 * 1/2 * (1/2 * 1/3)
}

TEST_CASE_METHOD(Relations, "a softmax weight follows from the numbers in its explanation", "[explanation]") {
  const Explained of(memory, readings, "<(*,ada,cleo) --> ?1>", "attention", {{"steps", 1.0}});
  const Vector similarity = readings.keys().multiply(readings.query(of.cue.activation));
  const Vector e = (8 * (similarity.array() - similarity.maxCoeff())).exp();
  for (Index i = 0; i < similarity.size(); ++i) {
    const Explanation why = of.explainer->of_statement(static_cast<StatementId>(i));
    CHECK(std::abs(why.score - e[i] / e.sum()) < 1e-13);
    REQUIRE(why.accounts.size() == 2);
    CHECK(std::abs(why.accounts[1].total - similarity[i]) < 1e-13);
    char expected[64];
    std::snprintf(expected, sizeof expected, "e^(8 x (%.6g - %.6g)) / %.6g", similarity[i],
                  similarity.maxCoeff(), e.sum());
    INFO(why.separation);
    CHECK(why.separation.find(expected) != std::string::npos);
  }
}

TEST_CASE_METHOD(Relations, "modern_hopfield explains its last step by the state, without the cue",
                 "[explanation]") {
  const Explained of(memory, readings, "<(*,ada,cleo) --> ?1>", "modern_hopfield");
  REQUIRE(of.recall.converged);  // the step before had the same weights
  const Vector state = readings.keys().multiply_transposed(of.recall.statements);
  const Vector similarity = readings.keys().multiply(state);
  for (const std::uint32_t id : rank(of.recall.statements, 3)) {
    const Explanation why = of.explainer->of_statement(id);
    REQUIRE(why.accounts.size() == 2);
    CHECK(std::abs(why.accounts[1].total - similarity[id]) < 1e-9);
  }
}

TEST_CASE_METHOD(Relations, "the path of a question with two ends joins both", "[explanation]") {
  const Explained of(memory, readings, "<(*,ada,cleo) --> ?1>", "bidirectional_spreading");
  const Explanation why = of.explainer->of_statement(0);
  std::vector<std::string> way;
  for (const Stop& stop : why.path) way.push_back(stop.words);
  // The path leads from one end to the other and contains the statement.
  CHECK(way == std::vector<std::string>{"ada", "<(*,ada,ben) --> parent>", "ben", "<(*,ben,cleo) --> parent>",
                                        "cleo"});
}

TEST_CASE_METHOD(Relations, "an empty recall is explained by a note", "[explanation]") {
  for (const Method& method : methods()) {
    const Explained of(memory, readings, "unheard", method.name);
    const Explanation why = of.explainer->of_concept(0);
    CHECK(why.score == 0);
    CHECK(why.note == "nothing was recalled");
    CHECK(of.explainer->of_statement(0).accounts.empty());
  }
  CHECK_THROWS_AS(Explained(memory, readings, "ada", "attention", {{"beta", -1.0}}), OptionError);
}

}  // namespace
}  // namespace engram::core
