// SPDX-License-Identifier: MIT
// Counterexamples: settings in which attention and Hopfield networks are taken for the same but differ, with the size
// of the difference.
#include <algorithm>
#include <cmath>

#include "core/attention/attention.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "core/walks/page_rank.hpp"
#include "experiments/equivalence/identity.hpp"

namespace engram::experiments::equivalence {
namespace {

using core::SimplexMap;

constexpr double beta = 2;

Matrix patterns_for(Index d, Rng& rng) { return random_matrix(rng, d + 3, d); }

double values_that_are_not_keys(Index d, Rng& rng) {
  const Matrix x = patterns_for(d, rng), v = patterns_for(d, rng);
  const Vector q = random_vector(rng, d);
  return deviation_of(attended(x, v, q, beta), modern_step(x, q, beta));
}

double masked_keys(Index d, Rng& rng) {
  const Matrix x = patterns_for(d, rng);
  const Vector q = random_vector(rng, d);
  core::Mask allow = core::Mask::Constant(1, x.rows(), true);
  allow(0, 0) = false;
  const Matrix output = core::attend(q.transpose(), x, x, {.scale = beta, .allow = allow, .bias = {}}).output;
  return deviation_of(Vector(output.row(0).transpose()), modern_step(x, q, beta));
}

double several_heads(Index d, Rng& rng) {
  const Matrix x = random_matrix(rng, d + 3, 2 * d);
  const Vector q = random_vector(rng, 2 * d);
  const Matrix output =
      core::attend_multihead(q.transpose(), x, x, 2, core::MultiheadMaps::identity(2 * d)).output;
  return deviation_of(Vector(output.row(0).transpose()),
                      modern_step(x, q, 1 / std::sqrt(static_cast<double>(d))));
}

Vector normalised(const Vector& x) {
  const auto n = static_cast<double>(x.size());
  const Vector centred = x.array() - core::sum(x) / n;
  return centred / std::sqrt(core::dot(centred, centred) / n + 1e-5);
}

double norm_between_steps(Index d, Rng& rng) {
  const Matrix x = patterns_for(d, rng);
  const Vector once = modern_step(x, random_vector(rng, d), beta);
  return deviation_of(attended(x, x, normalised(once), beta), modern_step(x, once, beta));
}

double one_step_or_the_fixed_point(Index d, Rng& rng) {
  const Matrix x = patterns_for(d, rng);
  const Vector q = random_vector(rng, d);
  return deviation_of(attended(x, x, q, beta), core::recall_modern(x, q, {.beta = beta}).state);
}

double soft_or_sparse(Index d, Rng& rng) {
  const Matrix x = patterns_for(d, rng);
  const Vector q = random_vector(rng, d);
  return deviation_of(
      modern_step(x, q, beta),
      core::recall_modern(x, q, {.beta = beta, .map = SimplexMap::sparsemax, .max_steps = 1}).state);
}

double kernel_without_prior(Index d, Rng& rng) {
  const Matrix x = patterns_for(d, rng);
  const Vector q = random_vector(rng, d);
  const Matrix distances = core::scores(core::Score::neg_sq_euclid, q.transpose(), x);
  const Vector weights =
      core::apply(core::Regulariser(SimplexMap::softmax), distances.row(0).transpose(), 2 / beta);
  return deviation_of(core::multiply_transposed(x, weights), attended(x, x, q, beta));
}

double without_diagonal(Index n, Rng& rng) {
  const Matrix x = random_spins(rng, std::max<Index>(1, n / 4), n);
  const Vector s = random_state(rng, n);
  const Vector raw =
      core::attend(s.transpose(), x, x, 1 / static_cast<double>(n), std::nullopt).output.row(0);
  return deviation_of(raw, core::multiply(core::hebb_weights(x), s));
}

double cubic_or_quadratic(Index n, Rng& rng) {
  const Matrix x = random_spins(rng, std::max<Index>(1, n / 4), n);
  const Vector cue = damaged(rng, x, 0, 0.2);
  return deviation_of(core::recall_dense(x, cue, {.n = 3, .order = {}}).state,
                      core::recall_dense(x, cue, {.n = 2, .order = {}}).state);
}

double storkey_or_hebb(Index n, Rng& rng) {
  const Matrix x = random_spins(rng, std::max<Index>(2, n / 4), n);
  return deviation_of(core::pattern_weights(core::WeightRule::storkey, x), core::hebb_weights(x));
}

double cavity_or_full_field(Index n, Rng& rng) {
  const Matrix x = random_spins(rng, std::max<Index>(3, n / 4), n);
  return deviation_of(core::pattern_weights(core::WeightRule::storkey, x),
                      core::pattern_weights(core::WeightRule::storkey_full_field, x));
}

double mixing_separation(Index n, Rng& rng) {
  const Matrix x = random_spins(rng, std::max<Index>(2, n / 4), n);
  const Vector s = random_state(rng, n);
  const Vector raw =
      core::attend(s.transpose(), x, x, 1 / static_cast<double>(n), std::nullopt).output.row(0);
  return deviation_of(core::multiply(core::pattern_weights(core::WeightRule::pseudo_inverse, x), s), raw);
}

double order_of_updates(Index n, Rng& rng) {
  const Matrix w = core::hebb_weights(random_spins(rng, std::max<Index>(1, n / 4), n));
  const Vector cue = random_state(rng, n);
  return deviation_of(core::recall_synchronous(w, cue).state, core::recall_hopfield(w, cue).state);
}

double step_or_page_rank(Index n, Rng& rng) {
  const core::SparseRows links = random_links(rng, n + 1, 0.3);
  const Vector v = Vector::Unit(n + 1, 0);
  return deviation_of(Vector(core::page_rank_steps(links, v, 0.85, 1).row(0).transpose()),
                      core::personalized_page_rank(links, v, 0.85).rank);
}

constexpr Identity settings[] = {
    {"values_that_are_not_keys", "softmax(beta q K') V, V != K",
     "attention answers with what a key stands for; a Hopfield network with the pattern itself",
     "Ramsauer et al. 2021", values_that_are_not_keys},
    {"a_key_is_masked", "one key hidden from attention, not from the network",
     "a network's patterns are its couplings: it cannot leave one out for one query", "derived", masked_keys},
    {"several_heads", "two heads against one network over all columns",
     "each head separates by its own part of the overlap", "derived", several_heads},
    {"norm_between_steps", "layer norm after the first of two steps",
     "the state moves away before the second step, and no energy falls", "derived", norm_between_steps},
    {"one_step_or_the_fixed_point", "one step against iteration to the end",
     "attention takes one step; retrieval goes on until it stands still", "Ramsauer et al. 2021",
     one_step_or_the_fixed_point},
    {"soft_or_sparse", "softmax against sparsemax, one step",
     "softmax leaves weight on every pattern; sparsemax drops those behind by 1/beta", "Santos et al. 2024",
     soft_or_sparse},
    {"kernel_smoother_without_prior", "softmax(-beta |q-k|^2 / 2) against softmax(beta q k)",
     "equal only where all keys are equally long: attention prefers long keys", "Nadaraya and Watson 1964",
     kernel_without_prior},
    {"diagonal_left_out", "X' X s / n against W s, W_ii = 0",
     "they part by exactly (P/n) s, what a spin says to itself", "derived", without_diagonal},
    {"degree_three_or_two", "recall by F = x^3 against F = x^2",
     "the same cue ends in other states: the steeper F hears the nearest pattern alone",
     "Krotov and Hopfield 2016", cubic_or_quadratic},
    {"storkey_or_hebb", "W of Storkey against W of Hebb",
     "Storkey's W is no X' f(A) X with a function of each overlap: no attention gives it", "Storkey 1997",
     storkey_or_hebb},
    {"cavity_or_full_field", "W of Storkey with either local field",
     "two rules of one name: what a pattern adds differs by what two spins tell each other", "Storkey 1997",
     cavity_or_full_field},
    {"separation_that_mixes", "projector against X' X / n",
     "the pseudo-inverse separates memories by a matrix, attention each score by itself",
     "Personnaz, Guyon and Dreyfus 1985", mixing_separation},
    {"order_of_updates", "all spins at once against one at a time",
     "the same network from the same cue: synchronously it may end elsewhere, or alternate for ever",
     "Goles, Fogelman and Pellegrin 1985", order_of_updates},
    {"one_step_or_page_rank", "one spreading step against its fixed point",
     "a step sees neighbours, PageRank paths of every length", "Haveliwala 2002", step_or_page_rank},
};

}  // namespace

std::span<const Identity> partings() { return settings; }

}  // namespace engram::experiments::equivalence
