// SPDX-License-Identifier: MIT
// Training of a Bellman-Ford network (core/links/bellman_ford_network.hpp) on the facts of its graph, with checkpoints.
#pragma once

#include <string>
#include <string_view>

#include "core/links/bellman_ford_network.hpp"
#include "core/numbers/optimiser.hpp"

namespace engram::core {

/// Hyperparameters of BellmanFordTraining.
struct BellmanFordTrainingOptions {
  std::uint32_t batch = 32;   // questions per step, 1 .. 4096
  std::uint32_t epochs = 10;  // 1 .. 10,000
  AdamOptions adam{.learning_rate = 0.005};
  /// Smallest softmax share of a wrong answer that always counts, 0 .. 1: see BellmanFordNetwork::Sampling.
  double least_share = 0.01;
  std::uint64_t seed = 0;        // of random initial parameters, order of questions, and sampling
  Hidden hidden = Hidden::fact;  // `nothing` leaks each answer; only for tests of that leak
};

/// Training of a BellmanFordNetwork, step by step. It uses the facts and their reciprocals as questions, shuffled each
/// epoch. A step of Adam follows the gradient of the mean loss of options.batch questions. The learning rate decays
/// linearly from adam.learning_rate to 0 over all epochs. Each question hides its own fact, and the other known tails
/// do not count as wrong answers. A checkpoint holds the parameters, Adam's two moments and the number of steps; a
/// restored training gives the same bits as an uninterrupted one.
class BellmanFordTraining {
 public:
  /// Type of the trained network: 32 floats per entity.
  using Network = BellmanFordNetwork<float, 32>;

  /// Prepares the training; no step is made yet.
  /// Errors  std::invalid_argument if an option is out of range, there are no facts, or a fact is out of range
  BellmanFordTraining(std::uint32_t entities, std::uint32_t relations, std::vector<Fact> facts,
                      const BellmanFordOptions& network, const BellmanFordTrainingOptions& options);

  /// Makes one step: changes the network by one batch of questions. Returns the mean loss of the batch before the
  /// change, which does not depend on the number of threads.
  /// Errors  std::invalid_argument if the loss is not finite, or all steps are done
  double step(unsigned threads = 1);

  std::uint64_t steps() const { return steps_; }
  std::uint64_t all_steps() const;  // steps of all epochs, rounded up: the last step may start one more epoch
  const Network& network() const { return network_; }
  const RelationalGraph& graph() const { return graph_; }

  /// Returns a checkpoint of the training as little-endian bytes. Call restore() with it on a training with the same
  /// facts and options.
  std::string state() const;
  /// Restores a checkpoint of state().
  /// Errors  std::invalid_argument if the bytes do not match the network; the training is then unchanged
  void restore(std::string_view state);

 private:
  BellmanFordTrainingOptions options_;
  RelationalGraph graph_;
  std::vector<Fact> facts_;  // including reciprocals
  Network network_;
  std::vector<float> mean_, square_;
  std::uint64_t steps_ = 0;
  std::vector<std::uint32_t> order_;  // of the current epoch
  std::uint64_t order_of_ = ~std::uint64_t{0};
  std::vector<Network::Trace> traces_;
  std::vector<std::vector<float>> gradients_;  // one per block of a batch
};

}  // namespace engram::core
