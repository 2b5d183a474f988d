// SPDX-License-Identifier: MIT
// Attention over very many keys in single precision, with several threads. A batch of queries reads keys and values
// once. The bits of a result do not depend on the number of threads, the batch or the instruction set, because the
// sequence of operations is fixed:
//   score     s = sum over j of q_j k_j in the order of j, by fused multiply-adds; q is rounded to float once
//   block     of 256 keys: m = max s, p = 2^(s - m), l = sum p and o = sum p v in the order of keys, in float
//   span      of 16 blocks: (m, l, o) of its blocks combined in their order, in double, with powers in float
//   answer    o / l of the spans combined in their order, in double
#pragma once

#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// Options for the speed of attention in single precision. Neither option changes a result.
struct FloatOptions {
  unsigned threads = 1;  // 0: one per hardware thread
  Instructions instructions = Instructions::best;
};

/// Attention map(scale Q K') V in single precision, for queries Q, keys K and values V. core/attention/attention.hpp
/// computes it in double. Softmax reads all values. A sparse map reads only the values of keys with a weight. It first
/// stores the keys whose scores are within the map's margin of the best score (budget: of the k-th best), then weighs
/// them in double (core/maps/simplex_map.hpp).
/// Shapes   Q (q, d), K (n, d), V (n, d_v) -> (q, d_v);  n >= 1
/// Ranges   Let S be the largest sum_j |scale q_j k_ij|, u = 2^-24, and v the largest |V_ic|. The error of softmax is
///          at most ((2 d + 8) S + 350) u v to first order, and (2 S + 1) 2^-8 v more for bf16; usually it is a
///          hundredth of that
/// Errors   std::invalid_argument if shapes do not fit, there is no key, a number is not finite, or
///          S log2(e) may exceed 2^120; for a map's alpha or k out of range
/// Cost     O(q n (d + d_v)); memory for n / 4096 answers to 64 queries, and for a sparse map 8 bytes for each score
///          within the margin of the best score so far (with a wide margin, for each key)
/// Source   Milakov and Gimelshein 2018, "Online normalizer calculation for softmax"; Dao et al. 2022
Matrix attend(const PackedKeys& keys, const PackedValues& values, const Matrix& queries, double scale,
              const Regulariser& map = SimplexMap::softmax, const FloatOptions& options = {});

/// Computes the scores scale K q of all keys K for a query q, exactly as attend() does before it applies a sparse map.
/// Shapes   K (n, d), q (d) -> (n)
/// Errors   as attend()
/// Cost     O(n d)
Vector scores(const PackedKeys& keys, const Vector& query, double scale, const FloatOptions& options = {});

/// Index of a key and its score for a query.
struct ScoredKey {
  Index key;
  float score;
  bool operator==(const ScoredKey&) const = default;
};

/// Finds the k keys with the largest inner products with the query, that is scores(keys, query, 1). Returns them in
/// descending order; ties by ascending key. The search is exact: it reads every key.
/// Errors   as attend(), and std::invalid_argument for k < 0; zero keys are allowed
/// Cost     O(n d + k log k log n) for keys in random order; O(k) memory for each thread
std::vector<ScoredKey> top_k(const PackedKeys& keys, const Vector& query, Index k,
                             const FloatOptions& options = {});

}  // namespace engram::core
