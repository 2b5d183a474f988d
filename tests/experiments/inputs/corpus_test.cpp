// SPDX-License-Identifier: MIT
#include "experiments/inputs/corpus.hpp"

#include <sstream>

#include "tests/support/catch.hpp"

using namespace engram::experiments;
using Proof = Question::Proof;

TEST_CASE("a question has the proofs that its file names", "[experiments][inputs]") {
  std::istringstream in(
      "<a --> b>.\n<b --> c>.\n<a --> d>.\n<d --> c>.\n"
      "<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
      "//or:\n//needed: <d --> c>.\n//needed: <a --> d>.\n//or:\n//needed: <a --> e>.\n//needed: <a --> d>.\n"
      "<a --> d>?\n//needed: <a --> d>.\n"
      "<a --> e>?\n//expected: Answer: None.\n");
  const Corpus corpus = read_corpus(in, "f.nal", {});
  REQUIRE(corpus.questions.size() == 3);
  CHECK(corpus.questions[0].proofs == std::vector<Proof>{{0, 1}, {3, 2}});  // an incomplete proof is dropped
  CHECK(corpus.questions[0].needed() == 2);
  CHECK(corpus.questions[1].proofs == std::vector<Proof>{{2}});
  CHECK(corpus.questions[2].proofs.empty());
  CHECK(corpus.questions[2].needed() == 0);
  CHECK(corpus.questions[2].expected.empty());
  REQUIRE(corpus.rejected.size() == 1);
  CHECK(corpus.rejected[0].line == 13);
  CHECK(corpus.rejected[0].message ==
        "//needed: names no statement of this file: '<a --> e>'; the nearest is '<a --> b>' in line 1");
}

TEST_CASE("an unknown premise without a similar statement is quoted alone", "[experiments][inputs]") {
  std::istringstream in(
      "<robin --> bird>.\n<bird --> animal>.\n<robin --> animal>?\n//needed: <robin --> brid>.\n"
      "//needed: <{Socrates} --> [mortal]>.\n//needed: <robin -> bird>.\n");
  const Corpus corpus = read_corpus(in, "f.nal", {});
  REQUIRE(corpus.rejected.size() == 3);
  CHECK(corpus.rejected[0].message ==
        "//needed: names no statement of this file: '<robin --> brid>'; the nearest is '<robin --> bird>' in "
        "line 1");
  CHECK(corpus.rejected[1].message ==
        "//needed: names no statement of this file: '<{Socrates} --> [mortal]>'");
  CHECK(corpus.rejected[2].line == 6);
  CHECK(corpus.rejected[2].message.starts_with(
      "//needed: names no statement of this file: '<robin -> bird>.'; the nearest is '<robin --> bird>'"));
}
