// SPDX-License-Identifier: MIT
// How well a key answers a query: the similarities that attention and Hopfield networks separate.
#pragma once

#include <array>
#include <cstdint>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// How like a query q and a key k of d numbers are.
enum class Score : std::uint8_t {
  dot,            // q . k
  scaled_dot,     // q . k / sqrt(d): of variance 1 where the entries are; Vaswani et al. 2017
  cosine,         // q . k / (|q| |k|), 0 where either is zero
  bilinear,       // q' W k; Luong et al. 2015
  additive,       // v . tanh(Wq q + Wk k + b); Bahdanau et al. 2015
  neg_sq_euclid,  // -|q - k|^2
  neg_manhattan,  // -sum |q_i - k_i|
};

inline constexpr std::array<NamedValue<Score>, 7> score_table{{
    {Score::dot, "dot"},
    {Score::scaled_dot, "scaled_dot"},
    {Score::cosine, "cosine"},
    {Score::bilinear, "bilinear"},
    {Score::additive, "additive"},
    {Score::neg_sq_euclid, "neg_sq_euclid"},
    {Score::neg_manhattan, "neg_manhattan"},
}};

/// The learnt parts of the bilinear and the additive score; the others have none.
struct ScoreMaps {
  Matrix bilinear;         // W (d_q, d_k)
  Matrix query, key;       // Wq (h, d_q), Wk (h, d_k)
  Vector bias, direction;  // b (h), v (h)
};

/// Every query against every key.
/// Shapes   Q (q, d_q), K (k, d_k) -> (q, k); d_q = d_k but for bilinear and additive
/// Ranges   the cosine lies in [-1, 1], whatever the size of the numbers; the distances are <= 0
/// Errors   std::invalid_argument if shapes do not fit
/// Cost     O(q k d); bilinear O(q d_q d_k) more, additive O(h (q d_q + k d_k) + q k h); deterministic
Matrix scores(Score score, const Matrix& queries, const Matrix& keys, const ScoreMaps& maps = {});

}  // namespace engram::core
