// SPDX-License-Identifier: MIT
// Training of a Bellman-Ford network on the facts of its graph, with checkpoints.
#pragma once

#include <string>
#include <string_view>

#include "core/links/bellman_ford_network.hpp"
#include "core/numbers/optimiser.hpp"

namespace engram::core {

/// Training hyperparameters.
struct BellmanFordTrainingOptions {
  std::uint32_t batch = 32;   // questions per step, 1 .. 4096
  std::uint32_t epochs = 10;  // 1 .. 10,000
  AdamOptions adam{.learning_rate = 0.005};
  double least_share = 0.01;     // share of wrong answers, 0 .. 1: see BellmanFordNetwork::Sampling
  std::uint64_t seed = 0;        // for initial parameters, order of questions, and sampling
  Hidden hidden = Hidden::fact;  // `nothing` leaks each answer; only for tests of that leak
};

/// Trains with the facts and their reciprocals as questions, shuffled each epoch. A step of Adam follows the gradient
/// of the mean loss of `batch` questions. The learning rate decays linearly from learning_rate to 0 over all epochs.
/// Each question hides its own fact, and the other known tails do not count as wrong answers. A checkpoint holds the
/// parameters, Adam's two moments and the number of steps; a restored training gives the same bits as an uninterrupted
/// one.
class BellmanFordTraining {
 public:
  /// The type of the network: 32 floats per entity.
  using Network = BellmanFordNetwork<float, 32>;

  /// Errors  as Network; std::invalid_argument if there are no facts, or a fact is out of range
  BellmanFordTraining(std::uint32_t entities, std::uint32_t relations, std::vector<Fact> facts,
                      const BellmanFordOptions& network, const BellmanFordTrainingOptions& options);

  /// Makes a step. Returns the mean loss before it, independent of the number of threads.
  /// Errors  std::invalid_argument if the loss is not finite, or all steps are done
  double step(unsigned threads = 1);

  std::uint64_t steps() const { return steps_; }
  std::uint64_t all_steps() const;  // rounded up: the last step may start one more epoch
  const Network& network() const { return network_; }
  const RelationalGraph& graph() const { return graph_; }

  /// A checkpoint, little-endian. Restore it into a training with the same facts and options.
  std::string state() const;
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
