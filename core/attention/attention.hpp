// SPDX-License-Identifier: MIT
// Attention on matrices: scores, masks, positions in time, attention with one or several heads, a cache for causal
// attention, and associative recall by similarity and separation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

// Scores

/// Similarity of a query q and a key k, both of d numbers. ScoreMaps has the parameters W, Wq, Wk, b and v.
enum class Score : std::uint8_t {
  dot,            // q . k
  scaled_dot,     // q . k / sqrt(d): has variance 1 if the entries have; Vaswani et al. 2017
  cosine,         // q . k / (|q| |k|), 0 if either is zero
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

/// Learnt parameters of the bilinear and the additive score; the additive score has h hidden units. The other scores
/// ignore them.
struct ScoreMaps {
  Matrix bilinear;         // W (d_q, d_k)
  Matrix query, key;       // Wq (h, d_q), Wk (h, d_k)
  Vector bias, direction;  // b (h), v (h)
};

/// Computes the score of each query (a row of Q) and each key (a row of K). `maps` holds the parameters of bilinear and
/// additive scores.
/// Shapes   Q (q, d_q), K (k, d_k) -> (q, k); d_q = d_k except for bilinear and additive
/// Ranges   cosines are in [-1, 1], without overflow or underflow; negative distances are <= 0
/// Errors   std::invalid_argument if shapes do not fit
/// Cost     O(q k d); bilinear O(q d_q d_k) more, additive O(h (q d_q + k d_k) + q k h); deterministic
Matrix scores(Score score, const Matrix& queries, const Matrix& keys, const ScoreMaps& maps = {});

// Masks. Without a mask or bias, the order of the keys has no influence on attention. Use a mask or a bias to give the
// keys an order or neighbourhoods.

/// Mask of attention (q, k): true if query i may attend to key j. Combine masks with Eigen's && on their arrays.
using Mask = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Causal mask of n positions in time: position i may attend to positions j <= i, the past and the present.
/// Shapes  (n, n)
Mask causal_mask(Index n);

/// Mask of a window: position i may attend to positions j with |i - j| <= width.
/// Shapes  (n, n)   Errors  std::invalid_argument if width < 0
Mask window_mask(Index n, Index width);

/// Mask of a graph: node i may attend to itself and to nodes j with a link i -> j of positive weight. Attention is then
/// message passing on the graph. With scores log w_ij of the link weights w and softmax, the attention weights are
/// those of a random walk, w_ij / sum_j w_ij.
/// Shapes  links (n, n) -> (n, n)   Errors  std::invalid_argument if links are not square
Mask neighbourhood_mask(const SparseRows& links);

// Positions in time

/// Sinusoidal encodings of times t, in d = `dimensions` numbers each: PE(t, 2i) = sin(t / base^(2i/d)), PE(t, 2i+1) =
/// cos(t / base^(2i/d)). Add them to embeddings, or append them, so that attention can depend on time. With even d, the
/// inner product of two rows depends only on the difference of their times.
/// Shapes   times (n) -> (n, d), d >= 1
/// Ranges   |times| <= 1e9, base > 0
/// Errors   std::invalid_argument outside these ranges
/// Cost     O(n d); deterministic
/// Source   Vaswani et al. 2017, section 3.5
Matrix sinusoidal_positions(const Vector& times, Index dimensions, double base = 10000);

/// Bias that lowers scores in proportion to the age of the key: -slope (t_i - t_j) for queries at times t_i and keys at
/// times t_j. With softmax, the bias is equal to a prior exp(-slope age). It favours keys later than the query, so
/// combine it with a causal mask.
/// Shapes   query_times (q), key_times (k) -> (q, k)
/// Source   Press, Smith and Lewis 2022, "Train Short, Test Long" (ALiBi)
Matrix linear_age_bias(const Vector& query_times, const Vector& key_times, double slope);

// Attention

/// Result of attention for q queries and k keys with values of d_v numbers.
struct Attention {
  Matrix weights;  // (q, k), rows on the simplex (with sum k for the budget map)
  Matrix output;   // (q, d_v)
};

/// Options of attention: scale and bias of the scores, the map from scores to weights, and the mask.
struct AttentionOptions {
  double scale = 1;  // factor on the scores; a usual choice is 1/sqrt(d)
  /// The map from scores to weights. Without a map the scores are the weights: raw self-attention (X X') X of rows X.
  std::optional<Regulariser> map = SimplexMap::softmax;
  Mask allow;   // (q, k); empty: every query may attend to every key
  Matrix bias;  // (q, k), added to the scaled scores; empty: none
};

/// Computes S = scale Q K' + bias. Each row of the weights is map(S_i) over the allowed keys; output = weights V.
/// Masked keys are removed before the map, so their weights are exactly 0 and they do not shift a threshold. A query
/// without allowed keys gets weights and output of zeros. For self-attention pass Q = K = V = X; for cross-attention,
/// queries from another source.
/// Shapes   Q (q, d), K (k, d), V (k, d_v)
/// Ranges   scale finite
/// Errors   std::invalid_argument if shapes do not fit, there are no keys, or a score to map is not finite
/// Cost     O(q k (d + d_v)); values of weight 0 are skipped; deterministic
/// Source   Vaswani et al. 2017; with another map: Martins and Astudillo 2016
Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values,
                 const AttentionOptions& options);

/// Attention of queries to keys with values, without mask and bias.
Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values, double scale,
                 std::optional<Regulariser> map = SimplexMap::softmax);

/// Attention with given scores, for example from scores(), in place of the inner products Q K'. The options apply as in
/// attend().   Shapes  scores (q, k)
Attention attend_by(const Matrix& scores, const Matrix& values, const AttentionOptions& options);

// Causal attention, step by step

/// Options of an AttentionCache; they do not change after its construction.
struct AttentionCacheOptions {
  double scale = 1;
  std::optional<Regulariser> map = SimplexMap::softmax;  // as in AttentionOptions
  std::optional<Index> window;  // number of keys before the newest that a query attends to; none: all
};

/// Cache of keys and values for causal attention to a growing sequence, for example an event stream. Appending row t of
/// K and V and attending with row t of Q gives row t of attend(Q, K, V, {scale, map, causal mask (and window), bias}),
/// with the same bits.
class AttentionCache {
 public:
  /// Creates an empty cache for keys of `key_dimensions` (d) and values of `value_dimensions` (d_v) numbers.
  /// Errors  std::invalid_argument unless dimensions are at least 1, scale is finite and window not negative
  AttentionCache(Index key_dimensions, Index value_dimensions, AttentionCacheOptions options = {});

  Index size() const { return size_; }

  /// Appends a key and its value as the newest position.
  /// Cost  O(d + d_v) amortised.   Errors  std::invalid_argument if sizes do not fit
  void append(const Vector& key, const Vector& value);

  /// Result of the attention of one query.
  struct Step {
    Vector weights;  // (size()), 0 outside the window
    Vector output;   // (d_v)
  };
  /// Attends with one query at the newest position. An empty cache gives no weights and an output of zeros.
  /// Shapes   query (d); bias (size()) is added to the scores, empty: none
  /// Errors   std::invalid_argument if shapes do not fit or a score to map is not finite
  /// Cost     O(w (d + d_v)) for the w keys within the window, and O(size()) for the weights
  Step attend(const Vector& query, const Vector& bias = {}) const;

 private:
  Index key_dimensions_, value_dimensions_, size_ = 0;
  AttentionCacheOptions options_;
  std::vector<double> keys_, values_;  // row-major
};

// Multi-head attention

/// Affine map x -> M x + b, applied to each row x of E numbers.
struct LinearMap {
  Matrix weight;  // (E, E)
  Vector bias;    // (E), empty: none
};

/// Learnt affine maps of multi-head attention, for vectors of E numbers: from the inputs to queries, keys and values,
/// and from the joined heads to the output.
struct MultiheadMaps {
  LinearMap query, key, value, output;

  /// Returns identity maps for E = `width`: the heads attend to the inputs' own columns.
  static MultiheadMaps identity(Index width);
  /// Converts maps from the layout of torch.nn.MultiheadAttention, in which the rows of the maps to queries, keys and
  /// values are stacked.
  /// Shapes   in_weight (3E, E), in_bias (3E), out_weight (E, E), out_bias (E), E >= 1; an empty bias: none
  /// Errors   std::invalid_argument if shapes do not fit
  static MultiheadMaps stacked(const Matrix& in_weight, const Vector& in_bias, const Matrix& out_weight,
                               const Vector& out_bias);
};

/// Result of multi-head attention: the output of all heads together, and the weights of each head.
struct MultiheadAttention {
  Matrix output;                // (q, E)
  std::vector<Matrix> weights;  // one (q, k) per head
};

/// Multi-head attention of q queries to k keys, for inputs of E numbers. Head h attends with columns [h d, (h+1) d) of
/// the mapped queries, keys and values, with d = E / heads and scale 1/sqrt(d). The output map applies to the
/// concatenated outputs of the heads.
/// Shapes   query (q, E), key and value (k, E); allow (q, k), empty: everything
/// Errors   std::invalid_argument if shapes do not fit, or E is not a multiple of heads >= 1
/// Cost     O((q + k) E^2 + q k E); deterministic
/// Source   Vaswani et al. 2017, section 3.2.2
MultiheadAttention attend_multihead(const Matrix& query, const Matrix& key, const Matrix& value, Index heads,
                                    const MultiheadMaps& maps, const Mask& allow = {},
                                    const Regulariser& map = SimplexMap::softmax);

// Universal Hopfield networks: similarity -> separation -> projection, the common form of attention and associative
// memories

/// Separation: a function that turns similarity scores s into weights, so that the best match gets more weight than the
/// others.
enum class Separation : std::uint8_t {
  identity,  // the scores themselves: with dot product and K = V the Hebbian memory sum x x' q
  softmax,   // softmax(parameter s), an inverse temperature: attention, modern Hopfield networks
  poly,      // s^parameter: dense associative memory
  max,       // 1 at the first of the largest, 0 elsewhere: the nearest neighbour
  entmax,    // entmax of s with alpha = parameter
};

/// Row of the table of separations: a separation, its name, and the default of its parameter.
struct SeparationFacts {
  Separation value;
  std::string_view name;
  std::optional<double> parameter;  // none: required (poly), or not used
};
inline constexpr std::array<SeparationFacts, 5> separations{{
    {Separation::identity, "identity", {}},
    {Separation::softmax, "softmax", 1.0},
    {Separation::poly, "poly", {}},
    {Separation::max, "max", {}},
    {Separation::entmax, "entmax", 1.5},
}};

/// Turns k scores into weights by a separation; `parameter` is described at each value of Separation.
/// Shapes   s (k) -> (k), k >= 1
/// Ranges   entmax: parameter >= 1; poly: an integer parameter unless all s >= 0
/// Errors   std::invalid_argument outside these ranges, or if a score is not finite
Vector separate(Separation separation, const Vector& scores, double parameter);

/// Result of recall_universal(), with the intermediate results of its steps.
struct Universal {
  Vector similarity, separated;  // (k)
  Vector output;                 // (d_v)
};

/// Retrieves the value of the keys that are most similar to a query: output = V' separation(similarity(K, q)), with
/// keys K, values V and query q. Most associative memories have this form; use it to compare them.
/// Shapes   K (k, d), V (k, d_v), q (d)
/// Errors   std::invalid_argument if shapes or ranges do not fit, or for a score that needs ScoreMaps
/// Cost     O(k (d + d_v)); deterministic
/// Source   Millidge et al. 2022, "Universal Hopfield Networks"
Universal recall_universal(const Matrix& keys, const Matrix& values, const Vector& query, Score similarity,
                           Separation separation, double parameter);

}  // namespace engram::core
