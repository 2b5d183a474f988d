// SPDX-License-Identifier: MIT
// Identities between classical or dense Hopfield networks and attention, Ising models and learning rules.
#include <algorithm>
#include <cmath>

#include "core/attention/attention.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/hebbian.hpp"
#include "core/learning/pattern_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/equivalence/equivalence.hpp"

namespace engram::experiments::equivalence {
namespace {

using core::SimplexMap;

Index patterns_for(Index spins) { return std::max<Index>(1, spins / 4); }

// Hebb matrix of P patterns of n spins, with P/n on the diagonal. core::hebb_weights() sets the diagonal to 0 instead.
Matrix hebb_with_diagonal(const Matrix& patterns) {
  Matrix w = core::hebb_weights(patterns);
  w.diagonal().setConstant(static_cast<double>(patterns.rows()) / static_cast<double>(patterns.cols()));
  return w;
}

double largest_rise(const std::vector<double>& energies) {
  double rise = 0;
  for (std::size_t t = 1; t < energies.size(); ++t)
    rise = std::max(rise, (energies[t] - energies[t - 1]) / std::max(1.0, std::abs(energies[t - 1])));
  return rise;
}

constexpr Claim hopfield_table[] = {
    {"antipodal_pair_is_mean_field", "X = {x, -x}, |x| = 1: m -> tanh(beta m)",
     "a retrieval step with one pattern and its opposite is the mean-field equation of a ferromagnet",
     "Curie and Weiss; derived",
     [](Index d, Rng& rng) {
       const Matrix x = unit_rows(rng, 1, d);
       Matrix pair(2, d);
       pair << x, -x;
       const double beta = 0.2 + 4 * rng.uniform(), m = 2 * rng.uniform() - 1;
       const Vector direction = x.row(0).transpose();
       return deviation_of(core::dot(direction, modern_step(pair, m * direction, beta)),
                           core::tanh(beta * m));
     }},
    {"raw_self_attention_is_the_hebb_matrix", "(X X') X = n X W, W = (1/n) sum x x' with its diagonal",
     "self-attention without projections and softmax multiplies each pattern by the Hebb matrix", "derived",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, patterns_for(n) + 1, n);
       const Matrix attention = core::attend(x, x, x, 1.0, std::nullopt).output;
       return deviation_of(attention, static_cast<double>(n) * product(x, hebb_with_diagonal(x)));
     }},
    {"raw_self_attention_is_a_gradient", "(X X') X = gradient of |X X'|^2 / 4",
     "self-attention without softmax is the gradient of the collinearity of its rows", "derived",
     [](Index n, Rng& rng) {
       // The gradient is computed by central differences of the fourth order. They are exact, because the collinearity
       // is a polynomial of degree four. Integer entries avoid rounding.
       Matrix x = random_spins(rng, patterns_for(n) + 1, n);
       const Matrix attention = core::attend(x, x, x, 1.0, std::nullopt).output;
       const auto collinearity = [&] {
         double total = 0;
         for (Index i = 0; i < x.rows(); ++i)
           for (Index j = 0; j < x.rows(); ++j) {
             const double overlap = core::dot(core::row_span(x, i), core::row_span(x, j));
             total += overlap * overlap;
           }
         return total / 4;
       };
       double worst = 0;
       for (int sample = 0; sample < 8; ++sample) {
         const auto i = static_cast<Index>(rng.below(static_cast<std::uint64_t>(x.rows())));
         const auto j = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
         const double kept = x(i, j);
         const auto at = [&](double step) {
           x(i, j) = kept + step;
           return collinearity();
         };
         const double slope = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / 12;
         x(i, j) = kept;
         worst = std::max(worst, deviation_of(slope, attention(i, j)));
       }
       return worst;
     }},
    {"quadratic_dense_memory_bracket", "sum F(x_i + r) - F(-x_i + r) = 4 n (W s)_i, F = x^2",
     "a dense memory of degree 2 sets each spin by the field of the classical network",
     "Krotov and Hopfield 2016",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, patterns_for(n), n);
       const Vector s = random_state(rng, n);
       const Vector field = core::multiply(core::hebb_weights(x), s);
       const core::DenseOptions only_energy{.n = 2, .order = {}, .max_sweeps = 0};
       Vector bracket(n);
       for (Index i = 0; i < n; ++i) {
         Vector up = s, down = s;
         up[i] = 1;
         down[i] = -1;
         bracket[i] = core::recall_dense(x, down, only_energy).energies.front() -
                      core::recall_dense(x, up, only_energy).energies.front();
       }
       return deviation_of(bracket, Vector(4 * static_cast<double>(n) * field));
     }},
    {"quadratic_dense_memory_is_classical", "E_dense = 2 n E_Hopfield - n P, same states sweep by sweep",
     "whole recalls by a dense memory of degree 2 and by the classical network with Hebb's rule are equal",
     "Krotov and Hopfield 2016",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, patterns_for(n), n);
       const Vector cue = random_state(rng, n);
       const auto dense = core::recall_dense(x, cue, {.n = 2, .order = {}});
       const auto classical = core::recall_hopfield(core::hebb_weights(x), cue);
       if (dense.energies.size() != classical.energies.size()) return 1.0;
       double worst = deviation_of(dense.state, classical.state);
       const auto spins = static_cast<double>(n), patterns = static_cast<double>(x.rows());
       for (std::size_t t = 0; t < dense.energies.size(); ++t)
         worst = std::max(
             worst, deviation_of(dense.energies[t], 2 * spins * classical.energies[t] - spins * patterns));
       return worst;
     }},
    {"synchronous_hopfield_is_linear_attention", "s <- sign(X' (X s) / n), diagonal kept",
     "a synchronous sweep is attention without softmax, followed by the sign", "Millidge et al. 2022",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, patterns_for(n), n);
       const Vector cue = random_state(rng, n);
       const Vector h =
           core::recall_universal(x, x, cue, core::Score::dot, core::Separation::identity, 1).output /
           static_cast<double>(n);
       const Vector field = core::multiply(hebb_with_diagonal(x), cue);
       const Vector next =
           core::recall_synchronous(hebb_with_diagonal(x), cue, {.max_sweeps = 1, .order = {}}).state;
       Vector sign(n);
       for (Index i = 0; i < n; ++i)
         sign[i] = std::abs(h[i]) <= core::zero_field ? cue[i] : h[i] > 0 ? 1.0 : -1.0;
       return std::max(deviation_of(h, field), deviation_of(sign, next));
     }},
    {"exponential_dense_memory_is_attention", "sign of spin i = sign of softmax(X_-i s_-i) X_i, beta = 1",
     "a spin of a dense memory with F = exp gets the sign of attention to all other coordinates",
     "Demircigil et al. 2017; Ramsauer et al. 2021",
     [](Index n, Rng& rng) {
       // The keys and the query of spin i have all coordinates except its own.
       const Matrix x = random_spins(rng, patterns_for(n), n);
       const Vector cue = random_state(rng, n);
       const auto dense = core::recall_dense(
           x, cue, {.separation = core::DenseSeparation::exponential, .order = {}, .max_sweeps = 1});
       Vector s = cue;
       for (Index i = 0; i < n; ++i) {
         Matrix keys = x;
         keys.col(i).setZero();
         const double mean = attended(keys, x.col(i), s, 1.0)[0];
         if (std::abs(mean) > core::zero_field) s[i] = mean > 0 ? 1 : -1;
       }
       return deviation_of(dense.state, s);
     }},
    {"hopfield_energy_is_ising", "-s'Ws/2 - h s = -sum_(i<j) J_ij s_i s_j - h s",
     "the Hopfield energy is the Ising energy with learnt couplings", "Hopfield 1982",
     [](Index n, Rng& rng) {
       Matrix j = random_matrix(rng, n, n);
       j = (j + j.transpose()).eval();
       j.diagonal().setZero();
       const Vector s = random_state(rng, n), h = random_vector(rng, n);
       double ising = -core::dot(h, s);
       for (Index a = 0; a < n; ++a)
         for (Index b = 0; b < a; ++b) ising -= j(a, b) * s[a] * s[b];
       return deviation_of(core::hopfield_energy(j, s, h), ising);
     }},
    {"one_pattern_is_curie_weiss", "E(s; x) = E(s x; 1) = -(n m^2 - 1)/2",
     "a network with one stored pattern is a ferromagnet after a change of coordinates", "Mattis 1976",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, 1, n);
       const Vector s = random_state(rng, n);
       const Vector turned = s.cwiseProduct(x.row(0).transpose());
       const double m = core::sum(turned);
       const double ferromagnet = -0.5 * (m * m / static_cast<double>(n) - 1);
       return std::max(deviation_of(core::hopfield_energy(core::hebb_weights(x), s),
                                    core::hopfield_energy(core::hebb_weights(Matrix::Ones(1, n)), turned)),
                       deviation_of(core::hopfield_energy(core::hebb_weights(x), s), ferromagnet));
     }},
    {"glauber_is_attention_to_two_values", "1/(1 + exp(-2h/T)) = softmax((h, -h)/T)",
     "a spin at temperature T attends to its two values", "Glauber 1963",
     [](Index n, Rng& rng) {
       const Matrix w = core::hebb_weights(random_spins(rng, patterns_for(n), n));
       const Vector s = random_state(rng, n);
       const double t = 0.2 + rng.uniform();
       const auto site = static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(n)));
       const auto recall = core::recall_glauber(w, s, {t, {site}, Vector::Constant(1, 0.5)});
       const double h = core::dot(core::row_span(w, site), core::as_span(s));
       const Vector scores{{h, -h}};
       return deviation_of(recall.p_plus[0],
                           core::apply(core::Regulariser(SimplexMap::softmax), scores, t)[0]);
     }},
    {"pseudo_inverse_is_a_projector", "W = X' (X X')^-1 X",
     "the pseudo-inverse rule is linear attention with a matrix that mixes memories as its separation",
     "Personnaz, Guyon and Dreyfus 1985",
     [](Index n, Rng& rng) {
       // Computes X' (X X')^-1 X by Gaussian elimination in a fixed order.
       const Matrix x = random_spins(rng, patterns_for(n), n);
       Matrix gram = product(x, x.transpose()), right = x;
       for (Index c = 0; c < gram.rows(); ++c) {
         Index pivot = c;
         for (Index r = c + 1; r < gram.rows(); ++r)
           if (std::abs(gram(r, c)) > std::abs(gram(pivot, c))) pivot = r;
         if (std::abs(gram(pivot, c)) < 1e-9 * static_cast<double>(n))
           return 0.0;  // linearly dependent patterns: X X' cannot be inverted
         gram.row(c).swap(gram.row(pivot));
         right.row(c).swap(right.row(pivot));
         for (Index r = 0; r < gram.rows(); ++r) {
           if (r == c) continue;
           const double factor = gram(r, c) / gram(c, c);
           gram.row(r) -= factor * gram.row(c);
           right.row(r) -= factor * right.row(c);
         }
       }
       for (Index r = 0; r < gram.rows(); ++r) right.row(r) /= gram(r, r);
       return deviation_of(core::pattern_weights(core::WeightRule::pseudo_inverse, x),
                           product(x.transpose(), right));
     }},
    {"online_learning_is_hebb", "W <- W + (1/n) x x' over all patterns = Hebb's W",
     "Hebbian learning of one pattern after the other, without decay, gives Hopfield's couplings",
     "Hebb 1949; Hopfield 1982",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, patterns_for(n), n);
       return deviation_of(core::hebb_decay_weights(x, 1 / static_cast<double>(n), 0), core::hebb_weights(x));
     }},
    {"energies_never_rise", "E(t+1) - E(t) <= 0, modern E >= 0",
     "no energy rises in classical, dense and modern recalls (the modern with four maps)",
     "Hopfield 1982; Ramsauer et al. 2021; Santos et al. 2024",
     [](Index n, Rng& rng) {
       const Matrix x = random_spins(rng, patterns_for(n), n), patterns = random_matrix(rng, n + 3, n);
       const Vector cue = random_state(rng, n);
       double worst = largest_rise(core::recall_hopfield(core::hebb_weights(x), cue).energies);
       worst = std::max(worst, largest_rise(core::recall_dense(x, cue, {.n = 3, .order = {}}).energies));
       for (const SimplexMap map :
            {SimplexMap::softmax, SimplexMap::sparsemax, SimplexMap::entmax, SimplexMap::normmax}) {
         // Separate statements fix the order of the draws, because compilers may evaluate arguments in any order.
         const Vector query = random_vector(rng, n);
         const double beta = 0.5 + 4 * rng.uniform();
         const auto recall =
             core::recall_modern(patterns, query, {.beta = beta, .map = map, .max_steps = 50});
         worst = std::max({worst, largest_rise(recall.energies), -recall.energies.back()});
       }
       return worst;
     }},
};

}  // namespace

std::span<const Claim> hopfield_claims() { return hopfield_table; }

}  // namespace engram::experiments::equivalence
