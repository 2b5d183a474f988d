// SPDX-License-Identifier: MIT
#include "experiments/inputs/corpus.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "core/numbers/random.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments {
namespace {

using core::ForgettingPolicy;
using core::StatementId;
using Proof = Question::Proof;

// A .nal file of statements, some of them repeated. Between them are questions with one or two proofs each.
struct File {
  std::string text;
  std::vector<std::string> lines{""};  // all lines; the index is the line number
  std::vector<std::string> said;       // the statements in input order
  // For each question its proofs, for each proof its statements.
  std::vector<std::vector<std::vector<std::string>>> proofs;

  void add(const std::string& line) {
    text += line + "\n";
    lines.push_back(line);
  }
};

File made_file(std::uint64_t seed, int statements) {
  core::Rng rng(seed, "corpus that forgets");
  File file;
  for (int i = 0; i < statements; ++i) {
    file.said.push_back("<a" + std::to_string(rng.below(static_cast<std::uint64_t>(i) + 1)) + " --> b>");
    file.add(file.said.back() + ".");
    if (rng.below(4) != 0) continue;
    file.add("<a" + std::to_string(i) + " --> ?1>?");
    file.proofs.emplace_back();
    for (std::uint64_t proofs = 1 + rng.below(2); proofs > 0; --proofs) {
      auto& proof = file.proofs.back().emplace_back();
      for (std::uint64_t premises = 1 + rng.below(3); premises > 0; --premises) {
        proof.push_back(file.said[rng.below(file.said.size())]);
        file.add("//needed: " + proof.back() + ".");
      }
      if (proofs > 1) file.add("//or:");
    }
  }
  return file;
}

core::MemoryOptions limited(std::size_t statements) {
  core::MemoryOptions options;
  options.limits.max_statements = statements;
  return options;
}

Corpus read(const File& file, std::size_t limit, CorpusForgetting forgetting) {
  std::istringstream in(file.text);
  return read_corpus(in, "made", limited(limit), forgetting);
}

TEST_CASE("a question has the proofs that its file names", "[experiments][inputs]") {
  std::istringstream in(
      "<a --> b>.\n<b --> c>.\n<a --> d>.\n<d --> c>.\n"
      "<a --> c>?\n//expected: Answer: <a --> c>.\n//needed: <a --> b>.\n//needed: <b --> c>.\n"
      "//or:\n//needed: <d --> c>.\n//needed: <a --> d>.\n//or:\n//needed: <a --> e>.\n//needed: <a --> d>.\n"
      "<a --> d>?\n//needed: <a --> d>.\n"
      "<a --> e>?\n//expected: Answer: None.\n");
  const Corpus corpus = read_corpus(in, "f.nal", {});
  REQUIRE(corpus.questions.size() == 3);
  // The third proof is dropped, because the file lacks <a --> e>.
  CHECK(corpus.questions[0].proofs == std::vector<Proof>{{0, 1}, {3, 2}});
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

TEST_CASE("a corpus with a forgetting memory has every proof, the right line numbers, and all lost premises",
          "[experiments][corpus][forgetting]") {
  for (const auto& policy : core::forgetting_policies)
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      INFO(policy.name << ", " << seed);
      const File file = made_file(seed, 300);
      const Corpus corpus = read(file, 40, policy.value);
      const core::Statements& statements = corpus.session->memory().statements();
      CHECK(statements.size() <= 40);
      std::map<std::string, StatementId> held;
      for (StatementId e = 0; e < statements.size(); ++e) held[narsese::print(statements.term(e))] = e;

      REQUIRE(corpus.lines.size() == statements.size());
      for (const auto& [text, id] : held) CHECK(file.lines[corpus.lines[id]] == text + ".");
      REQUIRE(corpus.said.size() == file.said.size());
      for (std::size_t i = 0; i < file.said.size(); ++i)
        CHECK(narsese::print(corpus.said[i].term) == file.said[i]);

      std::size_t whole = 0, lost = 0;
      REQUIRE(corpus.questions.size() == file.proofs.size());
      for (std::size_t q = 0; q < file.proofs.size(); ++q) {
        const Question& question = corpus.questions[q];
        CHECK(narsese::print(question.sentence).ends_with("--> ?1>?"));
        REQUIRE(question.proofs.size() == file.proofs[q].size());
        for (std::size_t p = 0; p < question.proofs.size(); ++p) {
          std::vector<std::string> texts;
          for (const StatementId id : question.proofs[p])
            texts.push_back(narsese::print(corpus.premise(id).term));
          CHECK(texts == file.proofs[q][p]);
          const bool is_held =
              std::ranges::all_of(texts, [&](const auto& text) { return held.contains(text); });
          CHECK(corpus.is_held(question.proofs[p]) == is_held);
          for (std::size_t i = 0; i < texts.size(); ++i) {
            CHECK(corpus.is_held(question.proofs[p][i]) == held.contains(texts[i]));
            if (held.contains(texts[i])) CHECK(question.proofs[p][i] == held.at(texts[i]));
          }
          ++(is_held ? whole : lost);
        }
        // The corpus and the cue use the same memory, so their numbers of concepts are equal.
        const core::Cue cue = core::cue_for(corpus.session->memory(), question.sentence.term);
        CHECK(cue.activation.size() == static_cast<core::Index>(corpus.session->memory().graph().size()));
      }
      CHECK(whole > 0);
      CHECK(lost > 0);
      CHECK(corpus.forgotten.empty() == (policy.value == ForgettingPolicy::none));
      CHECK(corpus.rejected.empty() == (policy.value != ForgettingPolicy::none));
    }
}

TEST_CASE("if all statements fit, a corpus does not depend on the forgetting policy",
          "[experiments][corpus][forgetting]") {
  const File file = made_file(4, 200);
  const Corpus plain = read(file, 1000, {});
  for (const auto& policy : core::forgetting_policies) {
    const Corpus corpus = read(file, 1000, policy.value);
    CHECK(corpus.lines == plain.lines);
    CHECK(corpus.lost.empty());
    CHECK(corpus.forgotten.empty());
    REQUIRE(corpus.questions.size() == plain.questions.size());
    for (std::size_t q = 0; q < plain.questions.size(); ++q)
      CHECK(corpus.questions[q].proofs == plain.questions[q].proofs);
  }
}

TEST_CASE("a premise that is not in the file is reported, and an incomplete proof is dropped",
          "[experiments][corpus][forgetting]") {
  File file;
  file.add("<a --> b>.");
  file.add("<a --> ?1>?");
  file.add("//needed: <a --> b>.");
  file.add("//needed: <never --> said>.");
  const Corpus corpus = read(file, 10, ForgettingPolicy::recent);
  CHECK(corpus.questions[0].proofs.empty());
  REQUIRE(corpus.rejected.size() == 1);
  CHECK(corpus.rejected[0].line == 4);
}

TEST_CASE("ForgottenOverTime summarises any number of events in few intervals without loss",
          "[experiments][forgetting]") {
  for (const int times : {1, 48, 49, 97, 1000}) {
    core::MemoryOptions options = limited(9);
    core::Session session(options, {.policy = ForgettingPolicy::recent});
    ForgottenOverTime forgotten;
    std::size_t events = 0, statements = 0;
    for (int i = 0; events < static_cast<std::size_t>(times); ++i) {
      const std::size_t before = session.memory().statements().size();
      session.input("<n" + std::to_string(i) + " --> thing>.");
      if (const std::size_t now = session.memory().statements().size(); now <= before) {
        ++events;
        statements += before + 1 - now;
      }
      forgotten.update(session);
    }
    const Json json = forgotten.json(session);
    CHECK(json.at("policy") == "recent");
    CHECK(json.at("statements") == statements);
    CHECK(json.at("times") == Json{{"statements", events}});
    CHECK(json.at("held") == session.memory().statements().size());
    CHECK(json.at("cycles") == session.memory().now());
    const Json& moments = json.at("moments");
    CHECK(moments.size() <= ForgottenOverTime::most);
    CHECK(moments.size() >= std::min<std::size_t>(events, ForgottenOverTime::most / 2));
    std::size_t of_moments = 0, times_of_moments = 0, last = 0;
    for (const Json& moment : moments) {
      of_moments += moment.at("statements").get<std::size_t>();
      times_of_moments += moment.at("times").at("statements").get<std::size_t>();
      CHECK(moment.at("from").get<std::size_t>() > last);
      CHECK(moment.at("from") <= moment.at("to"));
      CHECK(moment.at("before") == 9);
      CHECK(moment.at("left") == 6);
      CHECK(moment.at("examples").size() == 3);
      last = moment.at("to").get<std::size_t>();
    }
    CHECK(of_moments == statements);
    CHECK(times_of_moments == events);
  }
}

}  // namespace
}  // namespace engram::experiments
