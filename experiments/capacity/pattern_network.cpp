// SPDX-License-Identifier: MIT
#include "experiments/capacity/pattern_network.hpp"

#include "core/hopfield/hopfield_network.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::experiments {

using core::Index;
using core::Vector;

PatternNetwork::PatternNetwork(const core::Matrix& patterns) : by_spin_(patterns.transpose()) {}

void PatternNetwork::start(const Vector& state) {
  core::require_size("state", state.size(), spins());
  core::require_spins(state);
  state_ = state;
  sums_ = by_spin_.transpose() * state;  // whole numbers: exact in Eigen's order, too
}

double PatternNetwork::field(Index spin) const {
  return by_spin_.row(spin).dot(sums_) - static_cast<double>(patterns()) * state_[spin];  // whole numbers
}

double PatternNetwork::energy() const {
  const auto n = static_cast<double>(spins());
  return -0.5 * (sums_.squaredNorm() / n - static_cast<double>(patterns()));  // a whole number over n
}

double PatternNetwork::overlap(Index pattern) const { return sums_[pattern] / static_cast<double>(spins()); }

void PatternNetwork::flip(Index spin) {
  state_[spin] = -state_[spin];
  sums_ += 2 * state_[spin] * by_spin_.row(spin).transpose();
}

int PatternNetwork::sweep() {
  int flips = 0;
  for (Index i = 0; i < spins(); ++i)
    if (field(i) * state_[i] < 0) {
      flip(i);
      ++flips;
    }
  return flips;
}

void PatternNetwork::settle(int most) {
  for (int done = 0; done < most && sweep() > 0; ++done) {
  }
}

void PatternNetwork::glauber(Index spin, double temperature, double uniform) {
  const double h = field(spin) / static_cast<double>(spins());
  const double next = uniform < 1 / (1 + core::exp(-2 * (h / temperature))) ? 1 : -1;
  if (next != state_[spin]) flip(spin);
}

void PatternNetwork::glauber_sweeps(core::Rng& rng, double temperature, int sweeps) {
  const auto n = static_cast<std::uint64_t>(spins());
  for (std::uint64_t step = 0; step < static_cast<std::uint64_t>(sweeps) * n; ++step) {
    const auto spin = static_cast<Index>(rng.below(n));
    glauber(spin, temperature, rng.uniform());
  }
}

}  // namespace engram::experiments
