// SPDX-License-Identifier: MIT
// Randomness as a function of what it is for: a counter-based generator keyed by (seed, stream, trial).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace engram::core {

/// Philox4x32-10 (Salmon et al. 2011; Random123). Draw number i depends only on the seed, the name of the
/// stream, the trial and i, so neither threads nor code added elsewhere can shift it. The name of this
/// scheme, for manifests, is Rng::scheme; std::*_distribution are not used, they differ between libraries.
class Rng {
 public:
  static constexpr std::string_view scheme = "philox4x32-10/engram-1";

  Rng(std::uint64_t seed, std::string_view stream, std::uint64_t trial = 0);

  /// 64 random bits; the draw number advances by one.
  std::uint64_t bits();
  /// Uniform in (0, 1), on the grid (i + 1/2) 2^-52.
  double uniform();
  /// Uniform in 0 .. bound-1, without bias (rejection).  Errors  std::invalid_argument if bound is 0
  std::uint64_t below(std::uint64_t bound);
  /// The numbers 0 .. n-1 in random order (Fisher-Yates).
  std::vector<std::uint32_t> permutation(std::uint32_t n);

 private:
  std::uint64_t key_;
  std::uint64_t trial_;
  std::uint64_t draw_ = 0;
};

}  // namespace engram::core
