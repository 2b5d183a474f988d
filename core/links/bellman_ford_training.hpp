// SPDX-License-Identifier: MIT
// How a Bellman-Ford network is learnt from the facts of its own graph, and how learning is put down and taken
// up again.
#pragma once

#include <string>
#include <string_view>

#include "core/links/bellman_ford_network.hpp"
#include "core/numbers/optimiser.hpp"

namespace engram::core {

/// How the network is trained.
struct BellmanFordTrainingOptions {
  std::uint32_t batch = 32;   // questions a step, of 1 .. 4096
  std::uint32_t epochs = 10;  // 1 .. 10,000
  AdamOptions adam{.learning_rate = 0.005};
  double least_share = 0.01;     // of wrong answers, 0 .. 1: see BellmanFordNetwork::Sampling
  std::uint64_t seed = 0;        // of the first parameters, the order of the questions and what is sampled
  Hidden hidden = Hidden::fact;  // nothing: the graph says each answer; for tests of the leak
};

/// The facts, and all the other way round, are the questions: in a new order each epoch, `batch` of them a step of
/// Adam along the gradient of their mean loss, at a rate that falls linearly from learning_rate to 0 over all
/// epochs. The fact asked for is hidden while it is, and other tails that the facts give are no wrong answers.
/// The state is the parameters, Adam's two means of each and the number of steps: taken up again it goes on as
/// if it had never been put down, to the bit.
class BellmanFordTraining {
 public:
  /// The network that is trained: 32 floats an entity.
  using Network = BellmanFordNetwork<float, 32>;

  /// Errors  as Network; std::invalid_argument for no facts, or facts that are not of the graph
  BellmanFordTraining(std::uint32_t entities, std::uint32_t relations, std::vector<Fact> facts,
                      const BellmanFordOptions& network, const BellmanFordTrainingOptions& options);

  /// The next step's mean loss, before it; threads make no difference to it.
  /// Errors  std::invalid_argument if it is not finite, or all steps are done
  double step(unsigned threads = 1);

  std::uint64_t steps() const { return steps_; }
  std::uint64_t all_steps() const;  // the last one may ask a few questions of one more epoch
  const Network& network() const { return network_; }
  const RelationalGraph& graph() const { return graph_; }

  /// All that step() depends on but the facts and options, as bytes, least significant first.
  std::string state() const;
  /// Errors  std::invalid_argument for bytes that are no state of such a network; nothing is changed
  void restore(std::string_view state);

 private:
  BellmanFordTrainingOptions options_;
  RelationalGraph graph_;
  std::vector<Fact> facts_;  // reciprocals behind
  Network network_;
  std::vector<float> mean_, square_;
  std::uint64_t steps_ = 0;
  std::vector<std::uint32_t> order_;  // of this epoch
  std::uint64_t order_of_ = ~std::uint64_t{0};
  std::vector<Network::Trace> traces_;
  std::vector<std::vector<float>> gradients_;  // of each block of a batch
};

}  // namespace engram::core
