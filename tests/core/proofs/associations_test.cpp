// SPDX-License-Identifier: MIT
#include "core/proofs/associations.hpp"

#include "tests/core/proofs/proof_samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using F = ProofFeature;

// A memory of random statements between names, with a reference implementation of the steps between them.
class Network {
 public:
  static constexpr std::size_t names = 7;
  struct Step {
    std::size_t to = 0;
    StatementId statement = 0;
    ProofFeatures features{};  // without the feature `hub` of the name before the step
  };

  Network(Rng& rng, std::size_t statements) {
    for (std::size_t e = 0; e < statements; ++e) {
      const std::size_t a = rng.below(names), b = (a + 1 + rng.below(names - 1)) % names;
      const std::size_t kind = rng.below(4);
      const std::array<std::string, 4> texts{
          "<" + name(a) + " --> " + name(b) + ">", "<" + name(a) + " <-> " + name(b) + ">",
          "<(*," + name(a) + "," + name(b) + ") --> r>", "(&&," + name(a) + "," + name(b) + ")"};
      const std::array<std::string, 4> frequencies{"1", "0.9", "0.8", "0.1"};
      const std::string truth =
          ". %" + frequencies[rng.below(4)] + ";0." + std::to_string(10 + rng.below(90)) + "%";
      // A statement can be drawn twice. Then say() returns its earlier id.
      if (say(memory_, texts[kind] + truth) == made_.size()) made_.push_back({kind, a, b});
    }
    index_.emplace(memory_);
    for (std::size_t i = 0; i < names; ++i)
      if (const auto id = memory_.graph().find(term(memory_, name(i)))) ids_[i] = *id;
  }

  const MemoryIndex& index() const { return *index_; }
  ConceptId id(std::size_t i) const { return ids_.at(i); }
  bool has(std::size_t i) const { return ids_.contains(i); }
  std::size_t hop_count(std::size_t i) const { return index_->hops().from(id(i)).size(); }

  // The pair of names of the question <(*, from, to) --> r>.
  NamePair pair(std::size_t from, std::optional<std::size_t> to) const {
    NamePair pair{id(from), {}, StepKind::relation, {}, false};
    if (to) pair.to = id(*to);
    return pair;
  }

  // All steps from a name. `turned` means that the path begins at the second name of the question.
  std::vector<Step> steps(std::size_t from, bool turned) const {
    std::vector<Step> found;
    for (StatementId e = 0; e < made_.size(); ++e) {
      const auto [kind, a, b] = made_[e];
      if (a != from && b != from) continue;
      Step step{a == from ? b : a, e, {}};
      const auto truth = memory_.statements().truth_or_default(e);
      if (narsese::expectation(truth) < 0.5) continue;
      at(step.features, F::association) = 1;
      at(step.features, F::counterevidence) = 2 * std::min(truth.frequency, 1 - truth.frequency);
      at(step.features, F::uncertainty) = 1 - truth.confidence;
      const bool onwards = (a == from) != turned;
      at(step.features, F::backwards) = !onwards && (kind == 0 || kind == 2) ? 1 : 0;
      at(step.features, F::asked) = onwards && kind == 2 ? 1 : 0;
      const ConceptId i = id(a), j = id(b);
      at(step.features, F::link) = index_->link(i, j) / std::sqrt(index_->activity(i) * index_->activity(j));
      found.push_back(step);
    }
    return found;
  }
  double hub(std::size_t i) const {
    return std::log(1 + static_cast<double>(index_->mentions(id(i)).size())) / 5;
  }

 private:
  struct Made {
    std::size_t kind = 0, a = 0, b = 0;
  };
  static std::string name(std::size_t i) { return "n" + std::to_string(i); }

  Memory memory_;
  std::optional<MemoryIndex> index_;
  std::vector<Made> made_;
  std::map<std::size_t, ConceptId> ids_;
};

// Random weights for which every step costs more than least_step_cost.
ProofWeights costly_weights(Rng& rng) {
  ProofWeights theta{};
  for (const F f : {F::backwards, F::counterevidence, F::uncertainty, F::hub, F::link})
    at(theta, f) = uniform(rng, -2, 0);
  at(theta, F::asked) = uniform(rng, -1, 0.5);
  at(theta, F::association) = uniform(rng, -2, -1);
  return theta;
}

// Reference implementation of the paths between two names.
class Paths {
 public:
  Paths(const Network& network, const ProofWeights& theta, std::size_t from, std::optional<std::size_t> to)
      : network_(network), theta_(theta), from_(from), to_(to) {
    if (to && network.hop_count(*to) < network.hop_count(from)) {
      std::swap(from_, *to_);
      turned_ = true;
    }
    cost_.fill(INFINITY);
    cost_[from_] = 0;
    for (std::size_t round = 0; round < Network::names; ++round)  // Bellman-Ford
      for_each_step([&](std::size_t at, const Network::Step& step, const ProofFeatures& f) {
        cost_[step.to] = std::min(cost_[step.to], cost_[at] - score_of(theta_, f));
      });
  }

  double cost_of_answer() const { return cost_[*to_]; }

  // Calls visit(log-weight, features, last name, statements) for each path whose cost rises before its last step.
  template <class Visit>
  void for_each(const Visit& visit) const {
    const std::function<void(std::size_t, const ProofFeatures&, std::vector<StatementId>)> walk =
        [&](std::size_t at, const ProofFeatures& so_far, const std::vector<StatementId>& statements) {
          for (const Network::Step& step : network_.steps(at, turned_)) {
            const bool rises = at == from_ || step.to == to_ || cost_[at] < cost_[step.to];
            if (step.to == from_ || !rises) continue;
            const ProofFeatures own = with_hub(at, step);
            ProofFeatures sum = so_far;
            for (std::size_t f = 0; f < proof_features; ++f) sum[f] += own[f];
            auto longer = statements;
            longer.push_back(step.statement);
            if (!to_ || step.to == *to_) visit(score_of(theta_, sum), sum, step.to, longer);
            if (step.to != to_) walk(step.to, sum, longer);
          }
        };
    walk(from_, {}, {});
  }

 private:
  ProofFeatures with_hub(std::size_t at_name, const Network::Step& step) const {
    ProofFeatures features = step.features;
    if (at_name != from_) at(features, F::hub) = network_.hub(at_name);
    return features;
  }
  template <class Visit>
  void for_each_step(const Visit& visit) const {
    for (std::size_t at = 0; at < Network::names; ++at)
      if (network_.has(at) && at != to_)
        for (const Network::Step& step : network_.steps(at, turned_))
          if (step.to != from_) visit(at, step, with_hub(at, step));
  }

  const Network& network_;
  ProofWeights theta_;
  std::size_t from_;
  std::optional<std::size_t> to_;
  bool turned_ = false;
  std::array<double, Network::names> cost_{};
};

const ProofSearchOptions everything{.work = 1'000'000, .slack = 1e6};

}  // namespace

TEST_CASE("the cheapest path between two names has the cost by Bellman-Ford, from either end", "[proofs]") {
  Rng rng(1, "associations_test");
  int found_paths = 0, none = 0;
  for (int round = 0; round < 150; ++round) {
    const Network network(rng, 3 + rng.below(10));
    if (!network.has(0) || !network.has(1)) continue;
    ProofWeights theta = costly_weights(rng);
    const bool is_symmetric = round % 2 == 0;
    if (is_symmetric) at(theta, F::backwards) = at(theta, F::asked) = 0;
    const ProofScorer scorer(network.index(), theta, {}, nullptr, true);
    const double expected = Paths(network, theta, 0, 1).cost_of_answer();
    for (const NamePair& pair : {network.pair(0, 1), is_symmetric ? network.pair(1, 0) : network.pair(0, 1)})
      for (const double slack : {0.0, 1e6}) {
        const ProofForest forest =
            search_associations(scorer, std::array{pair}, {}, {}, {.work = 1'000'000, .slack = slack});
        REQUIRE(forest.answers.empty() == (expected == INFINITY));
        if (forest.answers.empty()) continue;
        CHECK(forest.proved[forest.answers[0]].cost == Approx(expected));
        CHECK_FALSE(forest.known_answer);
        CHECK((forest.is_complete || slack == 0));
      }
    (expected == INFINITY ? none : found_paths)++;
  }
  CHECK(found_paths > 60);
  CHECK(none > 5);
}

TEST_CASE("sums over guesses equal an enumeration of paths with rising costs", "[proofs]") {
  Rng rng(3, "associations_test");
  std::size_t paths_seen = 0;
  for (int round = 0; round < 80; ++round) {
    const Network network(rng, 8 + rng.below(10));
    if (!network.has(0) || !network.has(1)) continue;
    const ProofWeights theta = costly_weights(rng);
    const bool is_open = round % 2 == 1;
    const auto to = is_open ? std::nullopt : std::optional<std::size_t>(1);
    ProofQuery asked;
    asked.pairs = {network.pair(0, to)};
    if (is_open) asked.answer = network.id(1);
    const ProofAttentionOptions options{.search = everything};
    const FoundProofs found(network.index(), asked, theta, options, true);
    CHECK(found.are_guesses());
    double total = 0, to_answer = 0;
    ProofFeatures expected{};
    std::size_t count = 0;
    Paths(network, theta, 0, to)
        .for_each([&](double log_weight, const ProofFeatures& features, std::size_t last, const auto&) {
          total += std::exp(log_weight);
          if (last == 1) to_answer += std::exp(log_weight);
          for (std::size_t f = 0; f < proof_features; ++f) expected[f] += std::exp(log_weight) * features[f];
          ++count;
        });
    paths_seen += count;
    REQUIRE(found.is_empty() == (count == 0));
    const std::vector<double> weights = found.log_weights(theta, 1);
    const FoundProofs::Sums sums = found.sums(weights);
    if (count == 0) {
      CHECK(sums.log_total == -INFINITY);
      continue;
    }
    CHECK(sums.log_total == Approx(std::log(total)));
    for (std::size_t f = 0; f < proof_features; ++f)
      CHECK(sums.expected[f] == Approx(expected[f] / total).margin(1e-9));
    if (is_open)
      CHECK(std::exp(found.sums(found.log_weights_to_answer(weights)).log_total) ==
            Approx(to_answer).margin(1e-12));
    CHECK(found.graph().best(found.question(), 100'000, weights).size() == count);
  }
  CHECK(paths_seen > 500);
}

TEST_CASE("a guess passes through a hub only if there is no cheaper path", "[proofs]") {
  Memory memory = told({"<a --> hub>.", "<hub --> d>.", "<a --> b>.", "<b --> c>.", "<c --> d>."});
  for (int i = 0; i < 3000; ++i) say(memory, "<x" + std::to_string(i) + " --> hub>.");
  const MemoryIndex index(memory);
  ProofWeights theta = plain_proof_weights;
  at(theta, F::hub) = -20;
  const auto id = [&](const char* name) { return concept_of(memory, name); };
  const auto used = [&](const ProofWeights& weights, const std::vector<StatementId>& without) {
    ProofQuery asked;
    asked.pairs = {{id("a"), id("d")}};
    asked.question.without = without;
    ProofAttentionOptions options;
    options.search.slack = 0;
    const ProofAttention attention(index, asked, weights, options);
    return attention.proofs().empty() ? std::vector<StatementId>() : attention.proofs()[0].statements;
  };
  CHECK(used(theta, {}) == std::vector<StatementId>{2, 3, 4});
  CHECK(used(plain_proof_weights, {}) == std::vector<StatementId>{0, 1});
  CHECK(used(theta, {3}) == std::vector<StatementId>{0, 1});
  CHECK(used(theta, {1, 3}).empty());
  const WorkBudget work({.steps = WorkBudget::quantum});
  CHECK(used(theta, {}) ==
        std::vector<StatementId>{2, 3, 4});  // the search does not read the hub's statements
  CHECK_THROWS_AS(used(theta, {3}), WorkStopped);
}

TEST_CASE("guesses lead between several pairs of names, over believed statements only", "[proofs]") {
  Memory memory = told({"<a --> b>.", "<c --> d>.", "<e --> f>. %0.3;0.5%"});
  const MemoryIndex index(memory);
  const auto id = [&](const char* name) { return concept_of(memory, name); };
  const ProofScorer scorer(index, plain_proof_weights, {}, nullptr, false);
  const std::vector<NamePair> pairs{{id("a"), id("b")}, {id("d"), id("c")}, {id("e"), id("f")}};
  const ProofForest forest = search_associations(scorer, pairs, {}, {}, everything);
  CHECK(forest.answers.size() == 2);
  CHECK(forest.is_complete);
  CHECK(search_associations(scorer, {}, {}, {}, everything).answers.empty());
}

TEST_CASE("a pair of names with many hops leaves work for the next pair", "[proofs]") {
  Memory memory = told({"<c --> d>.", "<z --> y>."});
  for (int i = 0; i < 300; ++i) say(memory, "<a --> x" + std::to_string(i) + ">.");
  for (int i = 0; i < 300; ++i) say(memory, "<b --> w" + std::to_string(i) + ">.");
  const MemoryIndex index(memory);
  const ProofScorer scorer(index, plain_proof_weights, {}, nullptr, false);
  const auto id = [&](const char* name) { return concept_of(memory, name); };
  const std::vector<NamePair> pairs{{id("a"), id("b")}, {id("c"), id("d")}};
  const ProofForest forest = search_associations(scorer, pairs, {}, {}, {.work = 100});
  CHECK(forest.answers.size() == 1);
  CHECK_FALSE(forest.is_complete);
}

// The functions of proof graphs are recursive, so a long chain needs a deep stack.
TEST_CASE("guesses along tens of thousands of statements do not overflow the stack", "[proofs]") {
  Memory memory;
  for (int i = 0; i < 45'000; ++i)
    say(memory, "<(*,a" + std::to_string(i) + ",a" + std::to_string(i + 1) + ") --> r>.");
  const MemoryIndex index(memory);
  const ProofAttention attention(index, samples::asked(memory, index, "<a0 --> a45000>"), plain_proof_weights,
                                 {});
  CHECK(attention.proofs().size() <= 1);
}

}  // namespace engram::core
