// SPDX-License-Identifier: MIT
#include "core/paths/path_attention.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/methods/methods.hpp"
#include "core/paths/path_questions.hpp"
#include "tests/core/paths/path_samples.hpp"
#include "tests/core/recalled.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

const std::vector<std::string> kin{
    "<(*,ann,bob) --> mother>.",
    "<(*,bob,cid) --> father>.",
    "<(*,ann,dan) --> mother>.",
    "<(*,dan,cid) --> uncle>.",
    "<(*,eve,cid) --> teacher>.",
    "<(<($1 * #2) --> mother> && <(#2 * $3) --> father>) ==> <($1 * $3) --> grandmother>>.",
    "<(<($1 * #2) --> father> && <(#2 * $3) --> mother>) ==> <($1 * $3) --> grandfather>>."};

void say_all(Memory& memory, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) samples::say(memory, line);
}

const PathAttentionOptions with_features{{}, 64, true};

struct Asked {
  Readings readings;
  RelationRules rules;
  std::vector<PathQuestion> questions;
  Asked(Memory& memory, const std::string& question)
      : readings(memory),
        rules(readings),
        questions(path_questions(readings, cue_for(memory, samples::term(memory, question)))) {}
};

}  // namespace

TEST_CASE("the best guess is the proof, and budgets say whether a proof is missing yet", "[core][paths]") {
  Memory memory;
  say_all(memory, kin);
  for (const char* question : {"<(*,ann,cid) --> grandmother>", "<(*,ann,cid) --> ?1>"}) {
    const Asked asked(memory, question);
    REQUIRE(asked.questions.size() == 1);
    CHECK(asked.questions[0].relation_known == (std::string(question).find('?') == std::string::npos));
    const PathAttention attention(asked.readings, asked.rules, asked.questions[0], shipped_path_weights, {});
    REQUIRE(attention.guesses().size() == 2);
    CHECK(attention.guesses()[0].statements() == std::vector<StatementId>{0, 1, 5});
    CHECK(attention.guesses()[0].is_derived);
    CHECK(attention.guesses()[1].statements() == std::vector<StatementId>{2, 3});
    CHECK_FALSE(attention.guesses()[1].is_derived);
    CHECK(attention.guesses()[0].share + attention.guesses()[1].share == Approx(1));
    const std::map<StatementId, double> shares(attention.marginals().begin(), attention.marginals().end());
    CHECK(shares.at(0) == Approx(attention.guesses()[0].share));
    CHECK(shares.at(3) == Approx(attention.guesses()[1].share));
    for (const auto& [e, budget] : budgets(attention))
      CHECK(budget == (e == 2 || e == 3 ? Approx(1 - shipped_certainty.derived) : Approx(1)));
  }
}

TEST_CASE("each kind of guess is as sure as the options say", "[core][paths]") {
  Memory memory;
  say_all(memory, kin);
  PathAttentionOptions options;
  options.certainty = {0.75, 0.5, 0.25};
  const auto found = [&](const char* question) {
    const Asked asked(memory, question);
    const PathAttention attention(asked.readings, asked.rules, asked.questions.at(0), shipped_path_weights,
                                  options);
    // By hand: the product over the better guesses.
    std::map<StatementId, double> expected;
    double rest = 1;
    for (const PathGuess& guess : attention.guesses()) {
      const bool is_open = !asked.questions[0].to;
      CHECK(guess.certainty == (!guess.is_derived ? 0.25 : is_open ? 0.5 : 0.75));
      for (const StatementId e : guess.statements()) expected.try_emplace(e, rest);
      rest *= 1 - guess.certainty;
    }
    for (const auto& [e, budget] : budgets(attention))
      if (expected.contains(e)) CHECK(budget == Approx(expected.at(e)));
    std::size_t derived = 0;
    for (const PathGuess& guess : attention.guesses()) derived += guess.is_derived ? 1 : 0;
    return std::pair(derived, attention.guesses().size());
  };
  CHECK(found("<(*,ann,cid) --> grandmother>") == std::pair<std::size_t, std::size_t>(1, 2));
  const auto [derived, all] = found("<(*,ann,?1) --> grandmother>");
  CHECK(derived > 0);
  CHECK(all > derived + 1);
  // Who is sure of nothing leaves nothing out.
  options.certainty = {};
  const Asked asked(memory, "<(*,ann,cid) --> grandmother>");
  const PathAttention unsure(asked.readings, asked.rules, asked.questions[0], shipped_path_weights, options);
  for (const PathGuess& guess : unsure.guesses()) {
    const auto of = budgets(unsure);
    for (const StatementId e : guess.statements())
      CHECK(std::ranges::find(of, std::pair(e, 1.0)) != of.end());
  }
}

TEST_CASE("the temperature is the scale of the weights said once more", "[core][paths]") {
  Memory memory;
  say_all(memory, kin);
  const Asked asked(memory, "<(*,ann,cid) --> grandmother>");
  PathWeights doubled = shipped_path_weights;
  for (double& x : doubled) x *= 2;
  PathAttentionOptions warm;
  warm.paths.temperature = 2;
  const auto given = [&](const PathWeights& theta, const PathAttentionOptions& options) {
    return budgets(PathAttention(asked.readings, asked.rules, asked.questions[0], theta, options));
  };
  CHECK(given(doubled, warm) == given(shipped_path_weights, {}));
}

TEST_CASE("a map goes from the energies of the guesses to their shares, and marginals and budgets follow",
          "[core][paths]") {
  Memory memory;
  say_all(memory, kin);
  const Asked asked(memory, "<(*,ann,cid) --> grandmother>");
  const auto attend = [&](const Regulariser& map, double temperature) {
    PathAttentionOptions options;
    options.paths.temperature = temperature;
    options.map = map;
    return PathAttention(asked.readings, asked.rules, asked.questions[0], shipped_path_weights, options);
  };
  for (const double temperature : {1.0, 4.0, 30.0}) {
    const PathAttention soft = attend(SimplexMap::softmax, temperature);
    REQUIRE(soft.guesses().size() == 2);
    const double lead = std::log(soft.guesses()[0].share / soft.guesses()[1].share);
    // By hand: of two scores, the lower one 0, sparsemax gives the other (1 + lead) / 2.
    const PathAttention sparse = attend(SimplexMap::sparsemax, temperature);
    const double best = std::min(1.0, (1 + lead) / 2);
    REQUIRE(sparse.guesses().size() == (best < 1 ? 2 : 1));
    CHECK(sparse.guesses()[0].share == Approx(best));
    CHECK(sparse.total() == soft.total());
    std::map<StatementId, double> shares(sparse.marginals().begin(), sparse.marginals().end());
    for (const StatementId e : {0U, 1U}) CHECK(shares.at(e) == Approx(best));
    // The rule as often as of all ways with this path.
    const std::map<StatementId, double> soft_shares(soft.marginals().begin(), soft.marginals().end());
    CHECK(shares.at(5) == Approx(best * soft_shares.at(5) / soft.guesses()[0].share));
    for (const StatementId e : {2U, 3U}) {
      CHECK(shares.contains(e) == (best < 1));
      if (best < 1) CHECK(shares.at(e) == Approx(1 - best));
    }
    CHECK(budgets(sparse).size() == (best < 1 ? 5 : 3));
    const PathAttention argmax = attend(SimplexMap::argmax, temperature);
    REQUIRE(argmax.guesses().size() == 1);
    CHECK(argmax.guesses()[0].share == 1);
    CHECK(argmax.guesses()[0].statements() == soft.guesses()[0].statements());
    // Two at once, of two: each a half, as shares are told.
    const PathAttention both = attend({SimplexMap::budget, 1.5, 4}, temperature);
    for (const PathGuess& guess : both.guesses()) CHECK(guess.share == Approx(0.5));
  }
  CHECK(attend(SimplexMap::sparsemax, 1).guesses().size() == 1);
  CHECK(attend(SimplexMap::sparsemax, 30).guesses().size() == 2);
}

TEST_CASE("the joint distribution is that of all paths with all derivations", "[core][paths]") {
  Memory memory;
  say_all(memory, kin);
  samples::say(
      memory,
      "<(<($1 * #2) --> mother> && <(#2 * $3) --> uncle>) ==> <($1 * $3) --> grandmother>>. %0.9;0.6%");
  const Asked asked(memory, "<(*,ann,cid) --> grandmother>");
  PathWeights theta = shipped_path_weights;
  const auto log_total = [&] {
    return std::log(PathAttention(asked.readings, asked.rules, asked.questions[0], theta, {}).total());
  };
  const PathWeights gradient =
      PathAttention(asked.readings, asked.rules, asked.questions[0], theta, with_features)
          .expected_features();
  CHECK(samples::check_gradient(theta, gradient, log_total) > 6);
  // Z by hand: each path alone, and with its one derivation.
  const PathAttention attention(asked.readings, asked.rules, asked.questions[0], theta, with_features);
  double total = 0;
  for (const PathGuess& guess : attention.guesses()) {
    double score = 0;
    for (std::size_t f = 0; f < path_features; ++f) score += theta[f] * guess.features[f];
    const double with = std::exp(score);
    const double alone = std::exp(score - at(theta, PathFeature::derived) - at(theta, PathFeature::rule_use));
    CHECK(guess.share * attention.total() == Approx(with + alone));
    total += with + alone;
  }
  CHECK(attention.total() == Approx(total));
}

TEST_CASE("questions say between which names it is looked", "[core][paths]") {
  Memory memory;
  say_all(memory, {"<a --> b>.", "<(*,a,c) --> r>.", "<b =/> c>.", "<a <-> d>."});
  const auto of = [&](const std::string& question) { return Asked(memory, question).questions; };
  const Readings readings(memory);
  const auto name = [&](ConceptId id) { return std::string(readings.term(id).name()); };
  const auto open = of("<a --> ?1>");
  REQUIRE(open.size() == 1);
  CHECK(name(open[0].from) == "a");
  CHECK_FALSE(open[0].to);
  CHECK(open[0].asked == StepSymbol{StepKind::inheritance, 0, false});
  const auto turned = of("<?1 --> b>");
  REQUIRE(turned.size() == 1);
  CHECK(name(turned[0].from) == "b");
  CHECK(turned[0].asked.back);
  const auto relation = of("<(*,?1,c) --> r>");
  REQUIRE(relation.size() == 1);
  CHECK(name(relation[0].from) == "c");
  CHECK(relation[0].asked.back);
  CHECK(name(relation[0].asked.relation) == "r");
  const auto event = of("<(&/,b,^go) =/> c>");
  REQUIRE(event.size() == 1);
  CHECK(event[0].asked.kind == StepKind::implication);
  CHECK(of("(*,a,b,c)").size() == 3);
  CHECK(of("a").size() == 1);
  CHECK(of("nothing").empty());
}

TEST_CASE("an end that half of the memory mentions is come to, and not begun at", "[core][paths]") {
  Memory memory;
  say_all(memory, {"<a --> b>.", "<b --> c>.", "<c --> hub>."});
  for (int i = 0; i < 20'000; ++i) samples::say(memory, "<c" + std::to_string(i) + " --> hub>.");
  const Readings readings(memory);
  const AnyRetriever paths = make_retriever(*find_method("path_attention"));
  readings.passes();
  for (const char* question : {"<a --> hub>", "<hub --> a>"}) {
    const Work work({.steps = 3 * Work::quantum});  // a look at each of those is more
    const Recall recall = paths(readings, cue_for(memory, samples::term(memory, question)));
    for (const Index e : {0, 1, 2}) CHECK(recall.statements[e] == 1);
    CHECK(recall.statements.held() == 3);
  }
}

TEST_CASE("path_attention gives a known answer, proofs by rules between classes, and never nothing",
          "[core][paths]") {
  Memory memory;
  say_all(memory,
          {"<(*,cow,barn) --> lives_in>.", "<barn --> building>.", "<cow --> animal>.", "<hay --> food>.",
           "<(<($1 * #2) --> lives_in> && <#2 --> building>) ==> <$1 --> [sheltered]>>."});
  const Readings readings(memory);
  const auto recalled = [&](const std::string& question) {
    return samples::recalled("path_attention", {}, readings, cue_for(memory, samples::term(memory, question)))
        .statements;
  };
  const Vector proof = recalled("<cow --> [sheltered]>");
  for (const Index e : {0, 1, 4}) CHECK(proof[e] == 1);
  CHECK(proof[2] < 1);
  CHECK(recalled("<barn --> building>")[1] == 1);
  CHECK((recalled("hay").whole().array() > 0).any());
  CHECK((recalled("<hay --> barn>").whole().array() > 0).any());  // no path: by cosines
  CHECK(samples::recalled("path_attention", {}, readings, Cue(Vector(Vector::Zero(readings.concepts()))))
            .statements.whole()
            .sum() == 0);
}

}  // namespace engram::core
