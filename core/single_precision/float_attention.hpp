// SPDX-License-Identifier: MIT
// Attention over very many keys in single precision: keys and values are read once for a batch of queries, by
// as many threads as asked for. The results are the same bits for every number of threads, size of batch and
// set of instructions, because all are one sequence of operations:
//   score     s = sum over j of q_j k_j in the order of j, by fused multiply-adds; q is rounded to float once
//   block     of 256 keys: m = max s, p = 2^(s - m), l = sum p and o = sum p v in the order of keys, floats
//   span      of 16 blocks: (m, l, o) of its blocks added up in their order, in double, by powers in float
//   answer    o / l of the spans added up in their order, in double
#pragma once

#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// Neither changes a result.
struct FloatOptions {
  unsigned threads = 1;  // 0: as many as the processor runs at once
  Instructions instructions = Instructions::best;
};

/// map(scale Q K') V, of core/attention/attention.hpp, in single precision. A map that gives weights of
/// exactly 0 reads the values of its support alone; of the others nothing is stored but those that the best
/// score (of a budget, the k-th best) does not exclude by the map's margin, which core/maps/simplex_map.hpp
/// then weighs in double.
/// Shapes   Q (q, d), K (n, d), V (n, d_v) -> (q, d_v);  n >= 1
/// Ranges   with S the largest sum_j |scale q_j k_ij|, u = 2^-24 and v the largest |V_ic|, all as given:
///          softmax differs from exact arithmetic by at most ((2 d + 8) S + 350) u v, stored as bf16 by
///          another (2 S + 1) 2^-8 v (up to products of these), usually by a hundredth of that
/// Errors   std::invalid_argument if shapes do not fit, there is no key, a number is not finite, or
///          S log2(e) may exceed 2^120; for a map's alpha or k out of range
/// Cost     O(q n (d + d_v)); memory for n / 4096 answers to 64 queries, and for a sparse map 8 bytes for
///          every score that was within the margin when it was seen (with wide margins: of every key)
/// Source   Milakov and Gimelshein 2018, "Online normalizer calculation for softmax"; Dao et al. 2022
Matrix attend(const PackedKeys& keys, const PackedValues& values, const Matrix& queries, double scale,
              const Regulariser& map = SimplexMap::softmax, const FloatOptions& options = {});

/// The scores scale K q as attend has them before a sparse map, for other uses.
/// Shapes, Errors  as above    Cost  O(n d)
Vector scores(const PackedKeys& keys, const Vector& query, double scale, const FloatOptions& options = {});

/// A key and its score.
struct ScoredKey {
  Index key;
  float score;
  bool operator==(const ScoredKey&) const = default;
};

/// The k largest of scores(keys, query, 1), largest first, equal ones by their index; all if there are fewer.
/// None is left out: every key is looked at, once.
/// Errors   as above, and for k < 0; no key is no error
/// Cost     O(n d + k log k log n) for keys in random order; memory k for each thread
std::vector<ScoredKey> top_k(const PackedKeys& keys, const Vector& query, Index k,
                             const FloatOptions& options = {});

}  // namespace engram::core
