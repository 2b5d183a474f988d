// SPDX-License-Identifier: MIT
#include "experiments/answering/counterparts.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "experiments/inputs/proof_sets.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::experiments::answering;

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

// Affirmed predicates by subject.
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
  // <x --> c> and <a --> z> are possible, but this file has its own unanswerable question.
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
