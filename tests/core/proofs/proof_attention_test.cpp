// SPDX-License-Identifier: MIT
#include "core/proofs/proof_attention.hpp"

#include "core/methods/method.hpp"
#include "core/proofs/proof_methods.hpp"
#include "tests/core/proofs/proof_samples.hpp"
#include "tests/core/recalled.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Statements that give <a --> d> three proofs.
const std::vector<std::string> chains{
    "<a --> b>.",          // statement 0
    "<b --> d>.",          // 1
    "<a --> c>.",          // 2
    "<c --> d>. %1;0.5%",  // 3
    "<c --> e>.",          // 4
    "<e --> d>. %1;0.8%",  // 5
    "<e --> f>.",          // statement 6: no proof uses it
};
// Statements that give <(*, ann, cid) --> grandmother> one proof, or three guesses without the last statement.
const std::vector<std::string> kin{
    "<(*,ann,bob) --> mother>.",                                                              // statement 0
    "<(*,bob,cid) --> father>.",                                                              // 1
    "<(*,ann,dan) --> mother>.",                                                              // 2
    "<(*,dan,cid) --> uncle>.",                                                               // 3
    "<(*,dan,bob) --> friend>.",                                                              // 4
    "<(*,eve,cid) --> father>.",                                                              // 5
    "<(&&,<(*,$1,#2) --> mother>,<(*,#2,$3) --> father>) ==> <(*,$1,$3) --> grandmother>>.",  // 6
};

class Attended {
 public:
  explicit Attended(const std::vector<std::string>& lines) : memory_(told(lines)), index_(memory_) {}

  ProofAttention attend(const std::string& question, const ProofAttentionOptions& options = {},
                        const ProofWeights& theta = plain_proof_weights) {
    return {index_, samples::asked(memory_, index_, question), theta, options};
  }
  ProofQuery asked(const std::string& question) { return samples::asked(memory_, index_, question); }
  std::vector<NamePair> pairs(const std::string& question) { return asked(question).pairs; }
  std::string name(ConceptId id) const { return std::string(index_.term(id).name()); }
  Memory& memory() { return memory_; }
  const MemoryIndex& index() const { return index_; }

 private:
  Memory memory_;
  MemoryIndex index_;
};

using Budgets = std::map<StatementId, double>;
Budgets budgets_of(const ProofAttention& attention) {
  const auto found = budgets(attention);
  return {found.begin(), found.end()};
}

std::vector<std::vector<StatementId>> statements_of(const ProofAttention& attention) {
  std::vector<std::vector<StatementId>> all;
  for (const WeightedProof& guess : attention.proofs()) all.push_back(guess.statements);
  return all;
}

}  // namespace

TEST_CASE("a share is exp(theta . f / T) / Z, and the shares of all proofs sum to 1", "[proofs]") {
  Attended memory(chains);
  Rng rng(1, "proof_attention_test");
  for (const double temperature : {1.0, 0.5, 7.0}) {
    ProofAttentionOptions options;
    options.temperature = temperature;
    options.search.slack = 1000;
    ProofWeights theta = plain_proof_weights;
    for (const ProofFeature f : {ProofFeature::fact, ProofFeature::inheritance, ProofFeature::uncertainty,
                                 ProofFeature::counterevidence, ProofFeature::link})
      at(theta, f) = uniform(rng, -2, -0.5);
    const ProofAttention attention = memory.attend("<a --> d>", options, theta);
    auto sets = statements_of(attention);
    std::ranges::sort(sets);
    CHECK(sets == std::vector<std::vector<StatementId>>{{0, 1}, {2, 3}, {2, 4, 5}});
    double total = 0, sum = 0;
    for (const WeightedProof& guess : attention.proofs())
      total += std::exp(score_of(theta, guess.features) / temperature);
    std::map<StatementId, double> marginals;
    for (const WeightedProof& guess : attention.proofs()) {
      CHECK(guess.share == Approx(std::exp(score_of(theta, guess.features) / temperature) / total));
      sum += guess.share;
      REQUIRE(guess.steps.size() == guess.statements.size());
      for (std::size_t i = 0; i < guess.steps.size(); ++i) {
        CHECK(guess.steps[i].depth == i);  // the steps form a chain
        CHECK(std::ranges::binary_search(guess.statements, guess.steps[i].statement));
        marginals[guess.steps[i].statement] += guess.share;
      }
      CHECK(at(guess.features, ProofFeature::fact) == 1);
      CHECK(at(guess.features, ProofFeature::inheritance) == static_cast<double>(guess.steps.size() - 1));
    }
    CHECK(sum == Approx(1));
    CHECK(std::ranges::is_sorted(attention.proofs(), std::greater<>(), &WeightedProof::share));
    REQUIRE(attention.marginals().size() == marginals.size());
    for (const auto& [e, uses] : attention.marginals()) CHECK(uses == Approx(marginals.at(e)));
    CHECK(attention.is_complete());
    CHECK_FALSE(attention.are_guesses());
  }
  // The features of both proofs, computed by hand.
  const ProofAttention attention = memory.attend("<a --> d>", {});
  CHECK(attention.proofs()[0].statements == std::vector<StatementId>{0, 1});
  CHECK(attention.proofs()[1].statements == std::vector<StatementId>{2, 3});
  CHECK(at(attention.proofs()[0].features, ProofFeature::uncertainty) == Approx(0.1 + 0.1));
  CHECK(at(attention.proofs()[1].features, ProofFeature::uncertainty) == Approx(0.1 + 0.5));
  CHECK(attention.proofs()[0].share / attention.proofs()[1].share == Approx(std::exp(2 * 0.4)));
  ProofAttentionOptions cold;
  cold.temperature = 0.01;
  CHECK_INVALID(memory.attend("<a --> d>", cold));
}

TEST_CASE("a budget is the probability that no proof before the first one with the statement suffices",
          "[proofs]") {
  Attended memory(chains);
  ProofAttentionOptions options;
  options.confidence = {0.75, 0.25};
  const Budgets found = budgets_of(memory.attend("<a --> d>", options));
  CHECK(found == Budgets{{0, 1}, {1, 1}, {2, 0.25}, {3, 0.25}, {4, 0.0625}, {5, 0.0625}});
  // Statements outside the best proofs get the remaining probability times their marginals.
  options.proofs = 1;
  const ProofAttention one = memory.attend("<a --> d>", options);
  REQUIRE(one.proofs().size() == 1);
  REQUIRE(one.marginals().size() == 6);
  const Budgets of_one = budgets_of(one);
  for (const auto& [e, uses] : one.marginals())
    CHECK(of_one.at(e) == (e < 2 ? Approx(1) : Approx(0.25 * uses)));
  // With confidence 0 no proof suffices, so every statement of a proof has the budget 1.
  options = {};
  options.confidence = {};
  for (const auto& [e, budget] : budgets_of(memory.attend("<a --> d>", options))) CHECK(budget == 1);
}

TEST_CASE("all answers to an open question have the same probability", "[proofs]") {
  Attended memory({"<a --> b>.", "<a --> c>.", "<c --> d>. %1;0.5%", "<a --> e>.", "<e --> d>. %1;0.4%"});
  ProofAttentionOptions options;
  options.confidence = {0.75, 0.25};
  const ProofAttention attention = memory.attend("<a --> ?1>", options);
  REQUIRE(attention.answers() == 4);  // the answers are b, c, d and e; d has two proofs
  // The proofs of b, c and e come first, and each leaves only 1/4 of the probability of its answer. The first proof of
  // d uses the statements {1, 2}, the second {3, 4}.
  const Budgets found = budgets_of(attention);
  const double after_three = 1 - 3 * 0.75 / 4;
  CHECK(found.at(2) == Approx(after_three));
  CHECK(found.at(4) == Approx(after_three - 0.75 / 4));
  std::multiset<double> first{found.at(0), found.at(1), found.at(3)};
  CHECK(first == std::multiset<double>{1, 1 - 0.75 / 4, 1 - 2 * 0.75 / 4});
}

TEST_CASE("each kind of proof has its confidence, and guesses are used only without proofs", "[proofs]") {
  ProofAttentionOptions options;
  options.confidence = {0.75, 0.25};
  Attended with_rule(kin), without_rule({kin.begin(), kin.end() - 1});
  const ProofAttention proof = with_rule.attend("<(*,ann,cid) --> grandmother>", options);
  CHECK(proof.confidence() == 0.75);
  CHECK_FALSE(proof.are_guesses());
  CHECK(statements_of(proof) == std::vector<std::vector<StatementId>>{{0, 1, 6}});
  const ProofAttention open = with_rule.attend("<(*,ann,?1) --> grandmother>", options);
  CHECK(open.confidence() == 0.75);
  CHECK(open.answers() == 1);
  CHECK_FALSE(open.are_guesses());
  const ProofAttention guess = without_rule.attend("<(*,ann,cid) --> grandmother>", options);
  CHECK(guess.confidence() == 0.25);
  CHECK(guess.are_guesses());
  auto sets = statements_of(guess);
  std::ranges::sort(sets);
  // bob and dan are equally far from ann, so no guess leads from one of them to the other.
  CHECK(sets == std::vector<std::vector<StatementId>>{{0, 1}, {2, 3}});
  for (const WeightedProof& one : guess.proofs())
    for (const ProofStep& step : one.steps) CHECK(step.move == ProofMove::association);
  // A positive weight of `asked` favours guesses that state the relation of the question.
  ProofWeights theta = plain_proof_weights;
  at(theta, ProofFeature::asked) = 1;
  CHECK(without_rule.attend("<(*,ann,cid) --> uncle>", options, theta).proofs().at(0).statements ==
        std::vector<StatementId>{2, 3});
  // A query that asks for one of its names is open, too.
  ProofQuery asked = with_rule.asked("<(*,ann,cid) --> grandmother>");
  CHECK_FALSE(asked.is_open());
  asked.question.open = term(with_rule.memory(), "cid");
  CHECK(asked.is_open());
  CHECK(guess.is_complete());
  CHECK_FALSE(guess.is_spent());
  ProofAttentionOptions little = options;
  little.search.work = 3;
  CHECK(with_rule.attend("<(*,ann,cid) --> grandmother>", little).is_spent());
  // This question has neither a proof nor a guess.
  const ProofAttention none = with_rule.attend("nothing", options);
  CHECK(none.proofs().empty());
  CHECK(none.marginals().empty());
  CHECK(budgets(none).empty());
}

TEST_CASE("the order of proofs counts each of their statements once", "[proofs]") {
  Attended memory({
      "<(*,a,b) --> r>.",                                                      // statement 0
      "<(*,b,c) --> r>.",                                                      // 1
      "<(*,c,d) --> r>.",                                                      // 2
      "<(&&,<(*,$1,#2) --> r>,<(*,#2,$3) --> r>) ==> <(*,$1,$3) --> r>>.",     // 3
      "<(*,a,d) --> s>. %1;0.4%",                                              // 4
      "<a --> [k]>. %1;0.4%",                                                  // 5
      "<(&&,<(*,$1,$2) --> s>,<$1 --> [k]>) ==> <(*,$1,$2) --> r>>. %1;0.4%",  // 6
  });
  const ProofAttention attention = memory.attend("<(*,a,d) --> r>");
  REQUIRE(statements_of(attention) == std::vector<std::vector<StatementId>>{{0, 1, 2, 3}, {4, 5, 6}});
  const auto& guesses = attention.proofs();
  CHECK(guesses[0].log_weight_once == Approx(-4 * 2.2));  // the rule is used twice, but counts once
  CHECK(score_of(plain_proof_weights, guesses[0].features) == Approx(-5 * 2.2));
  CHECK(guesses[1].log_weight_once == Approx(-3 * 3.2));
  CHECK(guesses[0].share < guesses[1].share);
  const std::map<StatementId, double> marginals(attention.marginals().begin(), attention.marginals().end());
  CHECK(marginals.at(3) == Approx(2 * marginals.at(0)));
}

TEST_CASE("a map turns the log-weights of the best proofs into shares, marginals and budgets", "[proofs]") {
  Attended memory({chains.begin(), chains.begin() + 4});
  const auto attend = [&](const Regulariser& map, double temperature) {
    ProofAttentionOptions options;
    options.temperature = temperature;
    options.map = map;
    return memory.attend("<a --> d>", options);
  };
  for (const double temperature : {0.5, 1.0, 20.0}) {
    const ProofAttention soft = attend(SimplexMap::softmax, temperature);
    REQUIRE(soft.proofs().size() == 2);
    const double lead = std::log(soft.proofs()[0].share / soft.proofs()[1].share);
    // Computed by hand: of two scores, sparsemax gives (1 + lead) / 2 to the larger one.
    const double best = std::min(1.0, (1 + lead) / 2);
    const ProofAttention sparse = attend(SimplexMap::sparsemax, temperature);
    REQUIRE(sparse.proofs().size() == (best < 1 ? 2 : 1));
    CHECK(sparse.proofs()[0].share == Approx(best));
    const std::map<StatementId, double> marginals(sparse.marginals().begin(), sparse.marginals().end());
    for (const StatementId e : {0U, 1U}) CHECK(marginals.at(e) == Approx(best));
    for (const StatementId e : {2U, 3U}) {
      CHECK(marginals.contains(e) == (best < 1));
      if (best < 1) CHECK(marginals.at(e) == Approx(1 - best));
    }
    CHECK(budgets(sparse).size() == (best < 1 ? 4 : 2));
    const ProofAttention argmax = attend(SimplexMap::argmax, temperature);
    REQUIRE(argmax.proofs().size() == 1);
    CHECK(argmax.proofs()[0].share == 1);
    CHECK(argmax.proofs()[0].statements == soft.proofs()[0].statements);
    // There are fewer proofs than the budget of 4. Both get the same weight, so each has half of the shares.
    const ProofAttention both = attend({SimplexMap::budget, 1.5, 4}, temperature);
    for (const WeightedProof& guess : both.proofs()) CHECK(guess.share == Approx(0.5));
  }
  CHECK(attend(SimplexMap::sparsemax, 0.5).proofs().size() == 1);
  CHECK(attend(SimplexMap::sparsemax, 20).proofs().size() == 2);
}

TEST_CASE("budgets do not depend on the order of input", "[proofs]") {
  const auto by_text = [](const std::vector<std::string>& lines, const std::string& question) {
    Attended memory(lines);
    std::map<std::string, double> found;
    for (const auto& [e, budget] : budgets_of(memory.attend(question))) found[lines[e]] = budget;
    return found;
  };
  // No two statements have the same truth, so no two proofs are equally likely.
  const auto distinct = [](std::vector<std::string> lines) {
    for (std::size_t i = 0; i < lines.size(); ++i)
      lines[i] = lines[i].substr(0, lines[i].find('.')) + ". %1;0." + std::to_string(80 + 2 * i) + "%";
    return lines;
  };
  const auto people = distinct(kin), kinds = distinct(chains);
  Rng rng(2, "proof_attention_test");
  for (const auto& [lines, question] :
       {std::pair(kinds, "<a --> d>"), std::pair(people, "<(*,ann,cid) --> grandmother>"),
        std::pair(people, "<(*,ann,cid) --> cousin>"), std::pair(people, "<(*,?1,cid) --> father>"),
        std::pair(kinds, "<a --> ?1>")}) {
    const auto expected = by_text(lines, question);
    CHECK(expected.size() > 1);
    for (int round = 0; round < 5; ++round) {
      std::vector<std::string> shuffled;
      for (const std::uint32_t i : rng.permutation(static_cast<std::uint32_t>(lines.size())))
        shuffled.push_back(lines[i]);
      const auto found = by_text(shuffled, question);
      REQUIRE(found.size() == expected.size());
      for (const auto& [line, budget] : expected) {
        INFO(question << ": " << line);
        CHECK(found.at(line) == Approx(budget));
      }
    }
  }
}

TEST_CASE("budgets of equally likely proofs do not depend on the order of input", "[proofs]") {
  const auto first = [](const std::vector<std::string>& lines) {
    Attended memory(lines);
    return lines[memory.attend("<a --> d>").proofs().at(0).statements.at(0)];
  };
  CHECK(first({"<a --> b>.", "<b --> d>.", "<a --> c>.", "<c --> d>."}) ==
        first({"<a --> c>.", "<c --> d>.", "<a --> b>.", "<b --> d>."}));
  // Two names have the same cost.
  const auto uses = [](const std::vector<std::string>& lines) {
    std::map<std::string, double> found;
    Attended memory(lines);
    const ProofAttention attention = memory.attend("<a ==> d>");
    for (const auto& [e, mean] : attention.marginals()) found[lines[e]] = mean;
    return found;
  };
  const std::string ab = "<a --> b>.", ac = "<a --> c>.", bc = "<b <-> c>.", bd = "<b --> d>.",
                    cd = "<c --> d>. %1;0.8%";
  CHECK(uses({ab, ac, bc, bd, cd}) == uses({ac, ab, bc, bd, cd}));
}

TEST_CASE("a proof may use a premise with a lower expectation than a fact that states the conclusion",
          "[proofs]") {
  Attended memory({"<a --> b>.", "<a --> c>.", "<c --> b>. %1;0.5%"});
  CHECK(statements_of(memory.attend("<a --> b>")) == std::vector<std::vector<StatementId>>{{0}, {1, 2}});
}

TEST_CASE("a question has the pairs of names between which guesses look for paths", "[proofs]") {
  Attended memory({"<a --> b>.", "<(*,a,c) --> r>.", "<b =/> c>.", "<a <-> d>."});
  const auto open = memory.pairs("<a --> ?1>");
  REQUIRE(open.size() == 1);
  CHECK(memory.name(open[0].from) == "a");
  CHECK_FALSE(open[0].to);
  CHECK(open[0].kind == StepKind::inheritance);
  CHECK_FALSE(open[0].back);
  const auto turned = memory.pairs("<?1 --> b>");
  REQUIRE(turned.size() == 1);
  CHECK(memory.name(turned[0].from) == "b");
  CHECK(turned[0].back);
  CHECK_FALSE(memory.pairs("<?1 <-> d>").at(0).back);  // similarity has no direction
  const auto both = memory.pairs("<(*,a,c) --> r>");
  REQUIRE(both.size() == 1);
  CHECK(memory.name(both[0].from) == "a");
  CHECK(memory.name(both[0].to.value()) == "c");
  CHECK(memory.name(both[0].relation.value()) == "r");
  CHECK_FALSE(memory.pairs("<(*,a,c) --> unknown>").at(0).relation);
  CHECK(memory.pairs("<(*,?1,c) --> r>").at(0).back);
  const auto event = memory.pairs("<(&/,b,^go) =/> c>");
  REQUIRE(event.size() == 1);
  CHECK(event[0].kind == StepKind::implication);
  CHECK(memory.pairs("(*,a,b,c)").size() == 3);
  CHECK(memory.pairs("a").size() == 1);
  CHECK(memory.pairs("nothing").empty());
  const ProofQuery asked = memory.asked("<(*,a,c) --> r>");
  const std::vector<ConceptId> names = asked.names();
  CHECK(std::ranges::is_sorted(names));
  CHECK(names.size() == 2);
  CHECK_FALSE(asked.is_open());
  CHECK(memory.asked("<a --> ?1>").is_open());
}

TEST_CASE("the method proof_attention gives budgets, guesses and cosines", "[proofs]") {
  Attended memory({"<(*,cow,barn) --> lives_in>.", "<barn --> building>.", "<cow --> animal>.",
                   "<hay --> food>.",
                   "<(<($1 * #2) --> lives_in> && <#2 --> building>) ==> <$1 --> [sheltered]>>."});
  const auto recalled = [&](const std::string& question) {
    return samples::recalled("proof_attention", {}, memory.index(),
                             cue_for(memory.memory(), term(memory.memory(), question)))
        .statements;
  };
  const Vector proof = recalled("<cow --> [sheltered]>");
  for (const Index e : {0, 1, 4}) CHECK(proof[e] == 1);
  CHECK(proof[2] == 0);
  CHECK(recalled("<barn --> building>")[1] == 1);
  const Vector guess = recalled("<animal --> building>");
  for (const Index e : {0, 1, 2}) CHECK(guess[e] == 1);
  CHECK((recalled("<hay --> barn>").whole().array() > 0).any());  // no path: by cosines
  CHECK(samples::recalled("proof_attention", {}, memory.index(),
                          Cue(Vector(Vector::Zero(memory.index().concepts()))))
            .statements.whole()
            .sum() == 0);
  // Options are converted to settings and back.
  const ProofSettings settings =
      proof_settings(ConfiguredMethod("proof_attention", options_of(plain_proof_weights)).options());
  CHECK(settings.theta == plain_proof_weights);
  CHECK(settings.options.confidence == shipped_confidence);
}

TEST_CASE("a search reaches a hub but does not read its statements", "[proofs]") {
  std::vector<std::string> lines{"<a --> b>.", "<b --> c>.", "<c --> hub>."};
  for (int i = 0; i < 20'000; ++i) lines.push_back("<c" + std::to_string(i) + " --> hub>.");
  Attended memory(lines);
  memory.index().hops();
  for (const char* question : {"<a --> hub>", "<hub --> a>"}) {
    // This work is less than reading every statement takes.
    const WorkBudget work({.steps = 3 * WorkBudget::quantum});
    const Budgets found = budgets_of(memory.attend(question));
    CHECK(found == Budgets{{0, 1}, {1, 1}, {2, 1}});
  }
}

}  // namespace engram::core
