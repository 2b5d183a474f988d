// SPDX-License-Identifier: MIT
// Tests of question sets: counterparts without an answer, proofs of solved questions, and halves of a file.
#include "experiments/answering/question_sets.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "core/methods/method.hpp"
#include "experiments/inputs/proof_sets.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::answering;
using namespace engram::testing;

namespace {

Corpus corpus_of(const std::string& text) {
  std::stringstream in(text);
  return read_corpus(in, "corpus", {});
}

std::string taxonomy(std::uint64_t seed) {
  std::stringstream text;
  write_nal(text, generate_taxonomies(250, seed, 20), "taxonomy");
  return text.str();
}

// For each subject, the predicates of its affirmative statements.
using Claims = std::map<std::string, std::set<std::string>>;

bool is_above(const Claims& claims, const std::string& subject, const std::string& wanted) {
  std::set<std::string> seen{subject};
  for (std::vector<std::string> open{subject}; !open.empty();) {
    const std::string one = open.back();
    open.pop_back();
    if (one == wanted) return true;
    if (const auto found = claims.find(one); found != claims.end())
      for (const std::string& next : found->second)
        if (seen.insert(next).second) open.push_back(next);
  }
  return false;
}

// Seven questions. <a --> c> occurs twice, and once more as <a --> ?1>. The proof of <d --> c> has the same last step
// as that of <a --> c>. The premises of <q --> ?1> are unknown, and <c --> a> is unanswerable.
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

TEST_CASE("a counterpart differs from its question in one name and cannot be derived",
          "[experiments][answering]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Corpus corpus = corpus_of(taxonomy(seed));
    Claims claims;
    for (const core::Statement& statement : corpus.session->memory().statements())
      if (statement.sentence.truth.value_or(narsese::TruthValue{}).frequency > 0.5)
        claims[narsese::print(statement.sentence.term.subject())].insert(
            narsese::print(statement.sentence.term.predicate()));
    const std::size_t before = corpus.questions.size();
    add_counterparts(corpus, seed);
    INFO("seed " << seed);
    REQUIRE(corpus.questions.size() > before);
    std::size_t refuted = 0;
    for (std::size_t i = 0; i < corpus.questions.size(); ++i) {
      const Question& question = corpus.questions[i];
      if (!question.refuted) continue;
      ++refuted;
      REQUIRE(i > 0);
      const Question& answered = corpus.questions[i - 1];
      CHECK_FALSE(answered.refuted);
      CHECK(question.proofs.empty());
      CHECK(question.expected.empty());
      const narsese::Term term = question.sentence.term, answer = answered.expected[0].term;
      const std::string subject = narsese::print(term.subject()),
                        predicate = narsese::print(term.predicate());
      INFO(subject << " " << predicate);
      CHECK((term.subject() == answer.subject()) != (term.predicate() == answer.predicate()));
      CHECK_FALSE(is_above(claims, subject, predicate));
    }
    CHECK(refuted >= before * 3 / 4);
    CHECK(refuted <= before);

    Corpus again = corpus_of(taxonomy(seed)), other = corpus_of(taxonomy(seed));
    add_counterparts(again, seed);
    add_counterparts(other, seed + 1);
    const auto texts = [](const Corpus& of) {
      std::string all;
      for (const Question& question : of.questions) all += narsese::print(question.sentence) + "\n";
      return all;
    };
    CHECK(texts(again) == texts(corpus));
    CHECK(texts(other) != texts(corpus));
  }
}

TEST_CASE("no counterparts without another name or if the file has unanswerable questions",
          "[experiments][answering]") {
  const std::string alone =
      "<a --> b>.\n<b --> c>.\n<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n"
      "//needed: <b --> c>.\n";
  Corpus one = corpus_of(alone);
  add_counterparts(one, 1);
  CHECK(one.questions.size() == 1);
  // The counterparts <x --> c> and <a --> z> are possible. But this file has an unanswerable question of its own, so
  // no counterpart is added.
  const std::string two = alone +
                          "<x --> y>.\n<y --> z>.\n<x --> z>?\n//expected: Answer: <x --> z>.\n"
                          "//needed: <x --> y>.\n//needed: <y --> z>.\n";
  Corpus several = corpus_of(two);
  add_counterparts(several, 1);
  CHECK(several.questions.size() == 4);
  Corpus own = corpus_of(two + "<a --> q>?\n//expected: Answer: None.\n");
  add_counterparts(own, 1);
  CHECK(own.questions.size() == 3);
}

TEST_CASE("a question sees the proofs of other questions, except equal questions",
          "[experiments][answering]") {
  using Proofs = std::vector<Question::Proof>;
  const QuestionSet set = set_of(asked_twice);
  REQUIRE(set.questions.size() == 7);
  const Proofs others{{1, 2}, {3}};  // proofs of <d --> c> and <x --> ?1>, the questions other than <a --> c>
  for (const std::size_t same : {0u, 2u, 4u}) CHECK(proofs_beside(set, same) == others);
  // Proof of <a --> c>, which occurs in three questions; only other questions may see it.
  const Question::Proof leak{0, 1};
  CHECK(proofs_beside(set, 1) == Proofs{leak, leak, leak, {3}});
  CHECK(proofs_beside(set, 6) == Proofs{leak, {1, 2}, leak, leak});
  // All but <c --> a> itself, which is unanswerable, and <q --> ?1>, whose proof is unknown.
  CHECK(proofs_beside(set, 3).size() == 5);
  std::vector<std::size_t> names;
  for (const core::SolvedQuestion& solved : solved_beside(set, set.questions[6]))
    names.push_back(solved.names.size());
  // Names of each solved question; the last one, <a --> ?1>, has only the name a.
  CHECK(names == std::vector<std::size_t>{2, 2, 2, 1});
}

TEST_CASE("the halves of a file share no premise, and a question that would connect them is in neither half",
          "[experiments][answering]") {
  // <a --> c>, <d --> c> and <a --> ?1> share statements, so they are in the same half. <x --> ?1> and <e --> ?1> share
  // none. The two proofs of the last question have one premise in each half.
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
  CHECK(half[3] == half[2]);  // question 3 has no proof, so it joins the half of the question before it

  const QuestionSet first = set_of(text, false, Half::first), second = set_of(text, false, Half::second);
  CHECK(first.questions.size() + second.questions.size() + 1 == all.questions.size());
  std::size_t at[2] = {0, 0};
  for (std::size_t i = 0; i + 1 < half.size(); ++i) {
    const QuestionSet& set = half[i] == 0 ? first : second;
    CHECK(set.questions[at[half[i]]++].text == all.questions[i].text);
  }
  CHECK_THROWS_AS(set_of("<a --> b>.\n<a --> ?1>?\n//expected: Answer: <a --> b>.\n//needed: <a --> b>.\n",
                         false, Half::second),
                  SpecError);  // one question cannot be split into two halves
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
  core::Cue asked = set.questions[6].cue;  // <x --> ?1>, to which no solved question is similar
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
