// SPDX-License-Identifier: MIT
// Counterexamples: formulas of attention and of Hopfield networks that look the same but differ.
#include <algorithm>
#include <cmath>

#include "core/attention/attention.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "core/walks/page_rank.hpp"
#include "experiments/equivalence/equivalence.hpp"

namespace engram::experiments::equivalence {
namespace {

using core::SimplexMap;

constexpr double beta = 2;

Matrix patterns_for(Index d, Rng& rng) { return random_matrix(rng, d + 3, d); }

Vector normalised(const Vector& x) {
  const auto n = static_cast<double>(x.size());
  const Vector centred = x.array() - core::sum(x) / n;
  return centred / std::sqrt(core::dot(centred, centred) / n + 1e-5);
}

constexpr Claim counterexample_table[] = {
    {"values_that_are_not_keys", "softmax(beta q K') V, V != K",
     "attention returns the value of a key; a Hopfield network returns the pattern itself",
     "Ramsauer et al. 2021",
     [](Index d, Rng& rng) {
       const Matrix x = patterns_for(d, rng), v = patterns_for(d, rng);
       const Vector q = random_vector(rng, d);
       return deviation_of(attended(x, v, q, beta), modern_step(x, q, beta));
     },
     Sides::different},
    {"a_key_is_masked", "one key hidden from attention, not from the network",
     "a network cannot leave a pattern out for one query, because its couplings contain all patterns",
     "derived",
     [](Index d, Rng& rng) {
       const Matrix x = patterns_for(d, rng);
       const Vector q = random_vector(rng, d);
       core::Mask allow = core::Mask::Constant(1, x.rows(), true);
       allow(0, 0) = false;
       const Matrix output =
           core::attend(q.transpose(), x, x, {.scale = beta, .allow = allow, .bias = {}}).output;
       return deviation_of(Vector(output.row(0).transpose()), modern_step(x, q, beta));
     },
     Sides::different},
    {"several_heads", "two heads against one network over all columns",
     "each head computes its weights from its own columns", "derived",
     [](Index d, Rng& rng) {
       const Matrix x = random_matrix(rng, d + 3, 2 * d);
       const Vector q = random_vector(rng, 2 * d);
       const Matrix output =
           core::attend_multihead(q.transpose(), x, x, 2, core::MultiheadMaps::identity(2 * d)).output;
       return deviation_of(Vector(output.row(0).transpose()),
                           modern_step(x, q, 1 / std::sqrt(static_cast<double>(d))));
     },
     Sides::different},
    {"norm_between_steps", "layer norm after the first of two steps",
     "normalisation moves the state before the second step, so the steps do not lower an energy", "derived",
     [](Index d, Rng& rng) {
       const Matrix x = patterns_for(d, rng);
       const Vector once = modern_step(x, random_vector(rng, d), beta);
       return deviation_of(attended(x, x, normalised(once), beta), modern_step(x, once, beta));
     },
     Sides::different},
    {"one_step_or_the_fixed_point", "one step against iteration to the end",
     "attention takes one step; retrieval repeats the step until the state no longer changes",
     "Ramsauer et al. 2021",
     [](Index d, Rng& rng) {
       const Matrix x = patterns_for(d, rng);
       const Vector q = random_vector(rng, d);
       return deviation_of(attended(x, x, q, beta), core::recall_modern(x, q, {.beta = beta}).state);
     },
     Sides::different},
    {"soft_or_sparse", "softmax against sparsemax, one step",
     "softmax gives every pattern some weight; sparsemax drops patterns that are 1/beta behind",
     "Santos et al. 2024",
     [](Index d, Rng& rng) {
       const Matrix x = patterns_for(d, rng);
       const Vector q = random_vector(rng, d);
       return deviation_of(
           modern_step(x, q, beta),
           core::recall_modern(x, q, {.beta = beta, .map = SimplexMap::sparsemax, .max_steps = 1}).state);
     },
     Sides::different},
    {"kernel_smoother_without_prior", "softmax(-beta |q-k|^2 / 2) against softmax(beta q k)",
     "attention prefers long keys; both sides are equal only if all keys have the same length",
     "Nadaraya and Watson 1964",
     [](Index d, Rng& rng) {
       const Matrix x = patterns_for(d, rng);
       const Vector q = random_vector(rng, d);
       const Matrix distances = core::scores(core::Score::neg_sq_euclid, q.transpose(), x);
       const Vector weights =
           core::apply(core::Regulariser(SimplexMap::softmax), distances.row(0).transpose(), 2 / beta);
       return deviation_of(core::multiply_transposed(x, weights), attended(x, x, q, beta));
     },
     Sides::different},
    {"diagonal_left_out", "X' X s / n against W s, W_ii = 0",
     "the difference is exactly (P/n) s, the self-coupling of the spins", "derived",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, std::max<Index>(1, n / 4), n);
       const Vector s = random_state(rng, n);
       const Vector raw =
           core::attend(s.transpose(), x, x, 1 / static_cast<double>(n), std::nullopt).output.row(0);
       return deviation_of(raw, core::multiply(core::hebb_weights(x), s));
     },
     Sides::different},
    {"degree_three_or_two", "recall by F = x^3 against F = x^2",
     "the same cue ends in different states, because a steeper F is dominated by the nearest pattern",
     "Krotov and Hopfield 2016",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, std::max<Index>(1, n / 4), n);
       const Vector cue = damaged(rng, x, 0, 0.2);
       return deviation_of(core::recall_dense(x, cue, {.n = 3, .order = {}}).state,
                           core::recall_dense(x, cue, {.n = 2, .order = {}}).state);
     },
     Sides::different},
    {"storkey_or_hebb", "W of Storkey against W of Hebb",
     "attention cannot give Storkey's W, which is not X' f(A) X for a function f of each overlap",
     "Storkey 1997",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, std::max<Index>(2, n / 4), n);
       return deviation_of(core::pattern_weights(core::WeightRule::storkey, x), core::hebb_weights(x));
     },
     Sides::different},
    {"cavity_or_full_field", "W of Storkey with either local field",
     "both rules have the same name; only the cavity field excludes the mutual coupling of the two spins",
     "Storkey 1997",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, std::max<Index>(3, n / 4), n);
       return deviation_of(core::pattern_weights(core::WeightRule::storkey, x),
                           core::pattern_weights(core::WeightRule::storkey_full_field, x));
     },
     Sides::different},
    {"separation_that_mixes", "projector against X' X / n",
     "the pseudo-inverse mixes the scores by a matrix; attention transforms each score alone",
     "Personnaz, Guyon and Dreyfus 1985",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, std::max<Index>(2, n / 4), n);
       const Vector s = random_state(rng, n);
       const Vector raw =
           core::attend(s.transpose(), x, x, 1 / static_cast<double>(n), std::nullopt).output.row(0);
       return deviation_of(core::multiply(core::pattern_weights(core::WeightRule::pseudo_inverse, x), s),
                           raw);
     },
     Sides::different},
    {"order_of_updates", "all spins at once against one at a time",
     "synchronous updates of the same network may end in another state or alternate forever",
     "Goles, Fogelman and Pellegrin 1985",
     [](Index n, Rng& rng) {
       const Matrix w = core::hebb_weights(random_spins(rng, std::max<Index>(1, n / 4), n));
       const Vector cue = random_state(rng, n);
       return deviation_of(core::recall_synchronous(w, cue).state, core::recall_hopfield(w, cue).state);
     },
     Sides::different},
    {"one_step_or_page_rank", "one spreading step against its fixed point",
     "one step reaches neighbours; PageRank uses paths of every length", "Haveliwala 2002",
     [](Index n, Rng& rng) {
       const core::SparseRows links = random_links(rng, n + 1, 0.3);
       const Vector v = Vector::Unit(n + 1, 0);
       return deviation_of(Vector(core::page_rank_steps(links, v, 0.85, 1).row(0).transpose()),
                           core::personalized_page_rank(links, v, 0.85).rank);
     },
     Sides::different},
};

}  // namespace

std::span<const Claim> counterexamples() { return counterexample_table; }

}  // namespace engram::experiments::equivalence
