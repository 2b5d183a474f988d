// SPDX-License-Identifier: MIT
// Counter-based random numbers, keyed by seed, stream and trial.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace engram::core {

/// Random number generator Philox4x32-10 (Salmon et al. 2011; Random123). Draw i depends only on the seed, the stream's
/// name, the trial and i, so neither threads nor draws elsewhere change it. Use one stream name per purpose. Manifests
/// record Rng::scheme. The class avoids std::*_distribution because it differs between standard libraries.
class Rng {
 public:
  static constexpr std::string_view scheme = "philox4x32-10/engram-1";

  Rng(std::uint64_t seed, std::string_view stream, std::uint64_t trial = 0);

  /// Returns 64 random bits and advances the number of the draw by one.
  std::uint64_t bits();
  /// Returns a uniform number in (0, 1) from the grid (i + 1/2) 2^-52, so it is never 0 or 1.
  double uniform();
  /// Returns a uniform integer in 0 .. bound-1, without bias (by rejection).  Errors  std::invalid_argument if bound is
  /// 0
  std::uint64_t below(std::uint64_t bound);
  /// A random permutation of 0 .. n-1 (Fisher-Yates).
  std::vector<std::uint32_t> permutation(std::uint32_t n);

 private:
  std::uint64_t key_;
  std::uint64_t trial_;
  std::uint64_t draw_ = 0;
};

}  // namespace engram::core
