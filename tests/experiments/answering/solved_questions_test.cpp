// SPDX-License-Identifier: MIT
#include <set>

#include "core/methods/method.hpp"
#include "experiments/answering/question_sets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::answering;
using namespace engram::testing;

namespace {

// <a --> c> occurs twice, and once more in other words. <d --> c> shares the last step of its proof. <q --> ?1> has no
// known premises, and <c --> a> has no answer.
const std::string asked_twice =
    "<a --> b>.\n<b --> c>.\n<d --> b>.\n<x --> y>.\n"
    "<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
    "<d --> c>?\n//expected: Answer: <d --> c>.\n//needed: <d --> b>.\n//needed: <b --> c>.\n"
    "<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
    "<c --> a>?\n//expected: Answer: None.\n"
    "<a --> ?1>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
    "<q --> ?1>?\n//expected: Answer: <q --> c>.\n"
    "<x --> ?1>?\n//expected: Answer: <x --> y>.\n//needed: <x --> y>.\n";

QuestionSet set_of(const std::string& text, bool tuned = false, Half half = Half::all) {
  const Folder folder("solved_questions");
  write(folder.path / "a.nal", text);
  AnsweringOptions options;
  options.half = half;
  if (tuned) options.tuning.methods.push_back({{"attention", core::ConfiguredMethod("attention")}, {}});
  return file_set({"a.nal", folder.path / "a.nal"}, options, {});
}

std::vector<Question::Proof> proofs_beside(const QuestionSet& set, std::size_t asked) {
  std::vector<Question::Proof> proofs;
  for (const core::SolvedQuestion& solved : solved_beside(set, set.questions[asked]))
    proofs.push_back(solved.proof);
  return proofs;
}

}  // namespace

TEST_CASE("a question sees the proofs of other questions but not those of equal questions",
          "[experiments][answering]") {
  using Proofs = std::vector<Question::Proof>;
  const QuestionSet set = set_of(asked_twice);
  REQUIRE(set.questions.size() == 7);
  const Proofs others{{1, 2}, {3}};  // of <d --> c> and <x --> ?1>
  for (const std::size_t same : {0u, 2u, 4u}) CHECK(proofs_beside(set, same) == others);
  const Question::Proof leak{0, 1};  // of <a --> c>; other questions may see it
  CHECK(proofs_beside(set, 1) == Proofs{leak, leak, leak, {3}});
  CHECK(proofs_beside(set, 6) == Proofs{leak, {1, 2}, leak, leak});
  CHECK(proofs_beside(set, 3).size() == 5);  // an unanswerable question counts as unsolved
  std::vector<std::size_t> names;
  for (const core::SolvedQuestion& solved : solved_beside(set, set.questions[6]))
    names.push_back(solved.names.size());
  CHECK(names == std::vector<std::size_t>{2, 2, 2, 1});  // <a --> ?1> has only a
}

TEST_CASE("the halves of a file share no premise, and questions that would connect them are left out",
          "[experiments][answering]") {
  // <a --> c>, <d --> c> and <a --> ?1> share statements, <x --> ?1> and <e --> ?1> share none. The two proofs of the
  // last question share one with each half.
  const std::string text =
      asked_twice +
      "<e --> f>.\n<g --> h>.\n<h --> i>.\n"
      "<e --> ?1>?\n//expected: Answer: <e --> f>.\n//needed: <e --> f>.\n"
      "<g --> i>?\n//expected: Answer: <g --> i>.\n//needed: <g --> h>.\n//needed: <a --> b>.\n"
      "//or:\n//needed: <e --> f>.\n";
  const QuestionSet all = set_of(text);
  const std::vector<int> half = halves(all.questions);
  REQUIRE(half.size() == all.questions.size());
  std::set<core::StatementId> seen[2];
  std::size_t counts[2] = {0, 0};
  for (std::size_t i = 0; i < half.size(); ++i) {
    if (half[i] == 2) continue;
    if (all.questions[i].needed() > 0) ++counts[half[i]];
    for (const Question::Proof& proof : all.questions[i].proofs)
      seen[half[i]].insert(proof.begin(), proof.end());
  }
  for (const core::StatementId e : seen[0]) CHECK_FALSE(seen[1].contains(e));
  CHECK(counts[0] == 4);
  CHECK(counts[1] == 2);
  CHECK(half.back() == 2);
  CHECK(half[3] == half[2]);  // without a proof it joins the question before it

  const QuestionSet first = set_of(text, false, Half::first), second = set_of(text, false, Half::second);
  CHECK(first.questions.size() + second.questions.size() + 1 == all.questions.size());
  std::size_t at[2] = {0, 0};
  for (std::size_t i = 0; i + 1 < half.size(); ++i) {
    const QuestionSet& set = half[i] == 0 ? first : second;
    CHECK(set.questions[at[half[i]]++].text == all.questions[i].text);
  }
  CHECK_THROWS_AS(set_of("<a --> b>.\n<a --> ?1>?\n//expected: Answer: <a --> b>.\n//needed: <a --> b>.\n",
                         false, Half::second),
                  SpecError);  // there is no second half
}

TEST_CASE("tuning does not see the proofs of test questions", "[experiments][answering]") {
  const QuestionSet set = set_of(asked_twice, true);
  REQUIRE(set.questions[2].training);
  REQUIRE_FALSE(set.questions[3].training);
  CHECK(proofs_beside(set, 0) == std::vector<Question::Proof>{{1, 2}});
  CHECK(proofs_beside(set, 6).size() == 4);
}

TEST_CASE("dissimilar solved questions change no scores, a planted proof of the question itself does",
          "[experiments][answering]") {
  const QuestionSet set = set_of(asked_twice);
  const core::ConfiguredMethod method("nearest_questions");
  const core::MemoryIndex& readings = set.corpus.session->index();
  core::Cue asked = set.questions[6].cue;  // <x --> ?1>, which has no similar question
  const core::Vector alone = method.recall(readings, asked).statements;
  CHECK(alone[3] > 0);
  CHECK((alone.array() > 0).count() == 1);
  const auto solved = solved_beside(set, set.questions[6]);
  asked.solved = solved;
  CHECK(method.recall(readings, asked).statements == alone);
  const std::vector<core::SolvedQuestion> leak{{{asked.names()}, {0, 3}}};
  asked.solved = leak;
  CHECK(method.recall(readings, asked).statements[0] > 0);
}
