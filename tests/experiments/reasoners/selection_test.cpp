// SPDX-License-Identifier: MIT
#include "experiments/reasoners/selection.hpp"

#include <deque>
#include <sstream>

#include "experiments/spec/experiment.hpp"
#include "narsese/printer.hpp"
#include "tests/experiments/answering/trial_rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;

namespace {

// Five statements and questions about them. The first proof lists its second statement first, and lists it twice.
const std::string proven =
    "<a --> b>.\n<b --> c>.\n<x --> y>.\n<a --> z>.\n<d --> b>.\n"
    "<a --> ?1>?\n//expected: Answer: <a --> c>.\n"
    "//needed: <b --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
    "<d --> c>?\n//expected: Answer: <d --> c>.\n//needed: <d --> b>.\n//needed: <b --> c>.\n";
const std::string chains = proven + "<c --> a>?\n//expected: Answer: None.\n";

QuestionSet set_of(const std::string& text) {
  std::istringstream in(text);
  QuestionSet set{"a.nal", {Gate{2}}};
  set.corpus = read_corpus(in, "a.nal", {});
  for (core::StatementId id = static_cast<core::StatementId>(set.corpus.held()); id-- > 0;)
    set.drawn.push_back(id);
  for (const Question& question : set.corpus.questions)
    set.questions.push_back(asked_question(set.corpus, question));
  return set;
}

core::ConceptId concept_named(const QuestionSet& set, const std::string& name) {
  const auto& graph = set.corpus.session->memory().graph();
  for (core::ConceptId id = 0; id < graph.size(); ++id)
    if (narsese::print(graph[id].term) == name) return id;
  throw std::out_of_range(name);
}

struct ScoredRetriever : core::Retriever {
  core::Recall scores;
  core::Recall recall(const core::MemoryIndex&, const core::Cue&) const override { return scores; }
};

// A method that returns the given scores for every cue.
core::ConfiguredMethod scored(const QuestionSet& set, std::vector<double> statements,
                              std::vector<std::pair<std::string, double>> concepts) {
  ScoredRetriever retriever;
  core::Recall& recall = retriever.scores;
  recall.statements =
      core::Vector(Eigen::Map<core::Vector>(statements.data(), static_cast<core::Index>(statements.size())));
  core::Vector scores = core::Vector::Zero(set.corpus.session->index().concepts());
  for (const auto& [name, score] : concepts) scores[concept_named(set, name)] = score;
  recall.concepts = scores;
  // Configured methods refer to these methods, so they must not be destroyed.
  static std::deque<core::Method> methods;
  return core::ConfiguredMethod(
      methods.emplace_back(core::make_method<ScoredRetriever>("scored", "", "", {}, {}, retriever)));
}

}  // namespace

TEST_CASE("a selection's measures are expectations over the orders of ties", "[experiments][reasoners]") {
  const QuestionSet set = set_of(chains);
  const AskedQuestion& question = set.questions[0];
  CHECK(question.proofs == std::vector<Question::Proof>{{0, 1}});
  CHECK(question.unit == 2);
  const Selection selection(set, question, question.cue,
                            scored(set, {2, 1, 1, 0, 0}, {{"a", 9}, {"b", 3}, {"c", 1}, {"x", 1}}));
  const auto given = selection.given(set.gates.front());
  CHECK(std::vector<core::StatementId>(given.begin(), given.end()) == std::vector<core::StatementId>{0, 2});
  CHECK(selection.proof(given).kept == 0.75);
  CHECK(selection.proof(given).whole == 0.5);
  CHECK(selection.rank(0) == 1);
  CHECK(selection.rank(1) == 2.5);
  CHECK(selection.rank(3) == 4.5);
  const auto places = selection.needed_places();
  REQUIRE(places);
  // Probability that a needed statement scores above another one; a tie counts one half.
  CHECK(places->above_others == Approx(5.5 / 6));
  CHECK(places->mean_rank == 1.75);
  CHECK(places->mean_rank_of_others == Approx(11.5 / 3));
  CHECK(places->all_first == 0.5);
  CHECK(places->margin == 0);
  CHECK(selection.needed().reciprocal_rank() == 1);
  // The cue names a. The wanted concepts are the others of the proof, b and c; the answer is c.
  CHECK(question.wanted.size() == 2);
  CHECK(selection.wanted().recall(1) == 0.5);
  CHECK(selection.answer_rank() == Approx((1.0 / 2 + 1.0 / 3) / 2));

  const auto all_first = [&](std::vector<double> scores) {
    return Selection(set, question, question.cue, scored(set, std::move(scores), {}))
        .needed_places()
        ->all_first;
  };
  CHECK(all_first({2, 1, 0, 0, 0}) == 1);
  CHECK(all_first({2, 1, 3, 0, 0}) == 0);
  CHECK(all_first({1, 0, 0, 0, 0}) == 0.25);  // the second needed statement is one of four that are tied at 0
  // Of five tied statements, the two needed ones are one of 10 pairs.
  CHECK(all_first({0, 0, 0, 0, 0}) == Approx(0.1));
  const AskedQuestion& refuted = set.questions[2];
  const Selection nothing(set, refuted, refuted.cue, scored(set, {2, 1, 1, 0, 0}, {}));
  CHECK_FALSE(nothing.needed_places());
  CHECK_FALSE(nothing.answer_rank());
  CHECK_THROWS_AS(nothing.proof({}), std::invalid_argument);
}

TEST_CASE("the reasoner answers only from the selected statements", "[experiments][reasoners]") {
  const QuestionSet set = set_of(chains);
  const AskedQuestion& question = set.questions[1];
  const auto answers = [&](std::vector<double> scores) {
    const Selection selection(set, question, question.cue, scored(set, std::move(scores), {}));
    return selection.answers(selection.given(set.gates.front()), 1).answers;
  };
  REQUIRE(answers({0, 1, 0, 0, 2}).size() == 1);
  CHECK(answers({0, 1, 0, 0, 2})[0].term == "<d --> c>");
  CHECK(answers({2, 0, 0, 0, 1}).empty());
}

TEST_CASE("a statement with a held-out part becomes a question for that part", "[experiments][reasoners]") {
  const QuestionSet set = set_of(chains);
  const AskedQuestion asked = held_out_question(set.corpus, 1, concept_named(set, "c"));
  CHECK(asked.text == "<b --> c> without c");
  CHECK(asked.line == 2);
  CHECK(asked.names == std::vector<core::ConceptId>{concept_named(set, "b")});
  CHECK(asked.answers == std::vector<core::ConceptId>{concept_named(set, "c")});
  CHECK(asked.wanted == asked.answers);
  CHECK(asked.expected_texts == std::vector<std::string>{"c"});
  CHECK(asked.proofs == std::vector<Question::Proof>{{1}});
  CHECK_FALSE(asked.sentence.asks());
}

TEST_CASE("comparison and answering measure the same for one file", "[experiments][reasoners]") {
  const Folder folder("same_measures");
  write(folder.path / "a.nal", proven + "<a --> c>?\n//needed: <a --> b>.\n//needed: <b --> c>.\n");
  const auto rows = [&](const char* experiment, Json options) {
    options.update({{"experiment", experiment},
                    {"inputs", {"a.nal"}},
                    {"methods", {"overlap", "proof_attention", "hopfield", "nearest_questions"}}});
    return rows_of(resolve_spec(options, folder.path));
  };
  const std::vector<Json> own = rows("comparison", {{"capacity", 2}}),
                          benchmark = rows("answering", {{"sets", Json::array()}, {"capacities", {2}}});
  std::size_t compared = 0, beside = 0;
  for (const Json& row : own) {
    if (!row.contains("needed")) continue;
    const auto of = std::ranges::find_if(
        benchmark, [&](const Json& other) { return other.at("method") == row.at("method"); });
    REQUIRE(of != benchmark.end());
    const auto question = row.at("trial").get<std::size_t>();
    INFO(row.at("method") << ", question " << question);
    CHECK(row.at("given") == of->at("measures").at("given 2").at(question).get<std::size_t>());
    CHECK(row.at("needed").at("within_capacity") == of->at("measures").at("kept 2").at(question));
    CHECK(row.at("needed").at("whole") == of->at("measures").at("whole 2").at(question));
    ++compared;
    if (row.at("method") != "nearest_questions" || question != 1) continue;
    // <a --> b> shares no name with the question <d --> c>. The solved question <a --> c> does, and its proof needs
    // <a --> b>.
    for (const Json& statement : row.at("statements"))
      beside += statement.at("narsese") == "<a --> b>." && statement.at("value") > 0;
  }
  CHECK(compared == 3 * 6);
  CHECK(beside == 1);
}
