// SPDX-License-Identifier: MIT
#include "core/links/bellman_ford_training.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/numbers/bytes.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// Blocks of a batch. Each is summed separately, so the sums do not depend on the number of threads.
constexpr std::size_t blocks = 4;

}  // namespace

BellmanFordTraining::BellmanFordTraining(std::uint32_t entities, std::uint32_t relations,
                                         std::vector<Fact> facts, const BellmanFordOptions& network,
                                         const BellmanFordTrainingOptions& options)
    : options_(options),
      graph_(entities, relations, facts),
      facts_(with_reciprocals(facts, relations)),
      network_(2 * relations, network, options.seed),
      mean_(network_.parameters().size(), 0),
      square_(network_.parameters().size(), 0) {
  require(!facts.empty(), "there must be facts to learn from");
  require(options.batch >= 1 && options.batch <= 4096, "batch must be 1 to 4096", options.batch);
  require(options.epochs >= 1 && options.epochs <= 10'000, "epochs must be 1 to 10000", options.epochs);
  require(options.least_share >= 0 && options.least_share <= 1, "least_share must be 0 to 1",
          options.least_share);
  require_positive("learning_rate", options.adam.learning_rate);
  std::ranges::sort(facts_, {}, [](const Fact& f) { return std::tuple(f.head, f.relation, f.tail); });
  gradients_.resize(blocks);
  traces_.resize(blocks);
}

std::uint64_t BellmanFordTraining::all_steps() const {
  return (facts_.size() * options_.epochs + options_.batch - 1) / options_.batch;
}

double BellmanFordTraining::step(unsigned threads) {
  require(steps_ < all_steps(), "all steps are done");
  const std::uint64_t first = steps_ * options_.batch, n = facts_.size();
  std::vector<Fact> asked;
  for (std::uint64_t i = first; i < first + options_.batch; ++i) {
    if (order_of_ != i / n) {
      order_of_ = i / n;
      order_ =
          Rng(options_.seed, "bellman_ford_training", order_of_).permutation(static_cast<std::uint32_t>(n));
    }
    asked.push_back(facts_[order_[i % n]]);
  }
  std::vector<double> losses(asked.size());
  for_each_task(blocks, thread_count(threads, blocks), [&](std::size_t block, unsigned) {
    auto& gradient = gradients_[block];
    gradient.assign(network_.parameters().size(), 0);
    std::vector<std::uint32_t> known;
    for (std::size_t i = block; i < asked.size(); i += blocks) {
      const Fact& fact = asked[i];
      const auto key = [](const Fact& f) { return std::pair(f.head, f.relation); };
      known.clear();
      for (auto k = std::ranges::lower_bound(facts_, key(fact), {}, key); k != facts_.end(); ++k) {
        if (key(*k) != key(fact)) break;
        known.push_back(k->tail);
      }
      known.erase(std::unique(known.begin(), known.end()), known.end());
      const BellmanFordQuestion question{fact.head, fact.relation, fact.tail, options_.hidden};
      network_.forward(graph_, question, traces_[block]);
      Rng rng(options_.seed, "bellman_ford_sampling", first + i);
      losses[i] = network_.loss(graph_, question, known, traces_[block], gradient,
                                {options_.least_share, rng.uniform()});
    }
  });
  const double loss = sum(losses) / static_cast<double>(asked.size());
  require(std::isfinite(loss), "the loss must stay finite");
  const auto& [start_rate, beta1, beta2, epsilon] = options_.adam;
  const double rate = start_rate * (1 - static_cast<double>(steps_) / static_cast<double>(all_steps()));
  const auto power = [&](double beta) {
    return core::power(beta, static_cast<unsigned>(std::min<std::uint64_t>(steps_ + 1, 1'000'000)));
  };
  const float share = 1 / static_cast<float>(asked.size()), b1 = static_cast<float>(beta1),
              b2 = static_cast<float>(beta2), eps = static_cast<float>(epsilon),
              mean_factor = static_cast<float>(rate / (1 - power(beta1))),
              square_factor = static_cast<float>(1 / (1 - power(beta2)));
  auto& parameters = network_.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    float g = gradients_[0][i];
    for (std::size_t block = 1; block < blocks; ++block) g += gradients_[block][i];
    g *= share;
    mean_[i] = b1 * mean_[i] + (1 - b1) * g;
    square_[i] = b2 * square_[i] + (1 - b2) * g * g;
    parameters[i] -= mean_factor * mean_[i] / (std::sqrt(square_[i] * square_factor) + eps);
  }
  ++steps_;
  return loss;
}

std::string BellmanFordTraining::state() const {
  std::string bytes;
  put_bytes(bytes, steps_);
  put_bytes(bytes, static_cast<std::uint64_t>(mean_.size()));
  for (const auto* list : {&network_.parameters(), &mean_, &square_}) put_floats(bytes, *list);
  return bytes;
}

void BellmanFordTraining::restore(std::string_view state) {
  constexpr const char* rule = "the state does not match the network";
  require(state.size() == 16 + 12 * mean_.size(), rule);
  const auto steps = take_bytes<std::uint64_t>(state);
  require(take_bytes<std::uint64_t>(state) == mean_.size() && steps <= all_steps(), rule);
  std::array<std::vector<float>, 3> lists;
  for (auto& list : lists) {
    list = take_floats(state, mean_.size());
    for (const float number : list) require(std::isfinite(number), "the numbers of a state must be finite");
  }
  steps_ = steps;
  network_.parameters() = std::move(lists[0]);
  mean_ = std::move(lists[1]);
  square_ = std::move(lists[2]);
}

}  // namespace engram::core
