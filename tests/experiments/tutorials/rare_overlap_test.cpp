// SPDX-License-Identifier: MIT
// Tests the method of the tutorial add_a_method.md against a slow reference implementation.
// Without a header, because methods are found by name.
#include "experiments/tutorials/method/rare_overlap.cpp"

#include <cmath>
#include <random>
#include <string>

#include "core/session/session.hpp"
#include "tests/support/catch.hpp"

using namespace engram;

namespace {

// Reference implementation, which compares every name of every statement with the cue.
double by_hand(const core::MemoryIndex& memory, const core::Cue& cue, core::Index statement, double power) {
  double score = 0;
  for (core::Index i = 0; i < memory.concepts(); ++i)
    for (const core::ConceptId named : memory.episode(statement))
      if (static_cast<core::Index>(named) == i && cue.activation[i] > 0)
        score += cue.activation[i] * std::pow(memory.idf(i), power);
  return score;
}

// Random statements about 12 names, some of which are much more frequent than others.
std::string some_statements(std::uint32_t seed) {
  std::minstd_rand random(seed);
  const auto name = [&] { return "n" + std::to_string((random() % 12) * (random() % 12) / 11); };
  std::string text;
  for (int i = 0; i < 60; ++i) text += "<" + name() + " --> " + name() + ">.\n";
  return text;
}

}  // namespace

TEST_CASE("rare_overlap equals brute force", "[experiments][tutorials]") {
  const core::Method method = core::rare_overlap_method();
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    core::Session session;
    session.input(some_statements(seed));
    const core::Cue cue = *session.cue("<n0 --> n3>?");
    for (const double power : {0.0, 1.0, 2.5}) {
      const core::Recall recall = session.recall(core::ConfiguredMethod(method, {{"power", power}}), cue);
      const core::MemoryIndex& memory = session.index();
      for (core::Index e = 0; e < memory.statements(); ++e)
        CHECK(recall.statements[e] == Approx(by_hand(memory, cue, e, power)).epsilon(1e-12));
    }
  }
}

TEST_CASE("rare_overlap's explanations add up to its scores", "[experiments][tutorials]") {
  const core::Method method = core::rare_overlap_method();
  core::Session session;
  session.input(some_statements(7));
  const core::Cue cue = *session.cue("<n0 --> n3>?");
  const core::ConfiguredMethod configured(method);
  const core::Recall recall = session.recall(configured, cue);
  const auto explainer = configured.explain(session.index(), cue, recall);
  std::size_t explained = 0;
  for (core::Index e = 0; e < session.index().statements(); ++e) {
    const core::Explanation why = explainer->of_statement(static_cast<core::StatementId>(e));
    if (!(why.score > 0)) continue;
    ++explained;
    double sum = 0;
    for (const auto& part : why.accounts.at(0).parts) sum += part.amount;
    CHECK(sum == Approx(recall.statements[e]));
  }
  CHECK(explained > 0);
}
