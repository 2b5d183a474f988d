// SPDX-License-Identifier: MIT
// Identities between attention and modern Hopfield networks, and between attention and methods of other names.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/attention/attention.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/maps/prior_map.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/equivalence/equivalence.hpp"

namespace engram::experiments::equivalence {
namespace {

using core::PriorForm;
using core::Regulariser;
using core::SimplexMap;

double between(Rng& rng, double least, double most) { return least + (most - least) * rng.uniform(); }

Index keys_for(Index size) { return size + 3; }

Matrix rows_in(const std::vector<std::uint32_t>& order, const Matrix& rows) {
  Matrix moved(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) moved.row(i) = rows.row(order[static_cast<std::size_t>(i)]);
  return moved;
}

// Attention over n places with all scores 0. Therefore the weights depend only on the mask and the bias, which form a
// prior over places.
Matrix attend_to_places(const Matrix& values, const core::Mask& allow, const Matrix& bias) {
  const Matrix nothing = Matrix::Zero(values.rows(), 1);
  return core::attend(nothing, nothing, values, {.scale = 1, .allow = allow, .bias = bias}).output;
}

constexpr Claim attention_table[] = {
    {"attention_is_a_modern_hopfield_step", "softmax(beta q X') X = X' softmax(beta X q)",
     "attention with K = V = X and scale beta is one step of modern Hopfield retrieval",
     "Ramsauer et al. 2021, eq. 3",
     [](Index d, Rng& rng) {
       const Matrix x = random_matrix(rng, keys_for(d), d);
       const Vector q = random_vector(rng, d);
       const double beta = between(rng, 0.1, 8);
       return deviation_of(attended(x, x, q, beta), modern_step(x, q, beta));
     }},
    {"sparse_attention_is_a_sparse_hopfield_step", "p(beta q X') X = X' p(beta X q)",
     "sparse attention is one step of sparse retrieval (sparsemax, 1.5-entmax, 2-normmax, budget of two)",
     "Santos et al. 2024",
     [](Index d, Rng& rng) {
       const Matrix x = random_matrix(rng, keys_for(d), d);
       const Vector q = random_vector(rng, d);
       const double beta = between(rng, 0.1, 8);
       double worst = 0;
       for (const Regulariser& map :
            {Regulariser(SimplexMap::sparsemax), Regulariser(SimplexMap::entmax, 1.5),
             Regulariser(SimplexMap::normmax, 2), Regulariser(SimplexMap::budget, 1, 2)}) {
         const Vector output = core::attend(q.transpose(), x, x, beta, map).output.row(0).transpose();
         const Vector state = core::recall_modern(x, q, {.beta = beta, .map = map, .max_steps = 1}).state;
         worst = std::max(worst, deviation_of(output, state));
       }
       return worst;
     }},
    {"projected_attention_is_hopfield_on_keys",
     "softmax(beta (R Wq)(Y Wk)') Y Wk Wv = Hopfield(Y Wk; R Wq) Wv",
     "attention with learnt maps is a Hopfield step among the projected keys, then a linear map",
     "Ramsauer et al. 2021, eq. 10",
     [](Index d, Rng& rng) {
       // The Hopfield network works in the space of keys. The linear map from keys to values is applied to its result.
       const Index width = d + 1;  // dimensions of the keys
       const Matrix y = random_matrix(rng, keys_for(d), d), w_key = random_matrix(rng, d, width);
       const Matrix w_value = random_matrix(rng, width, d), w_query = random_matrix(rng, d, width);
       const Vector r = random_vector(rng, d);
       const double beta = 1 / std::sqrt(static_cast<double>(width));
       const Matrix keys = product(y, w_key);
       const Vector query = core::multiply_transposed(w_query, r);
       const Vector state = modern_step(keys, query, beta);
       return deviation_of(attended(keys, product(keys, w_value), query, beta),
                           core::multiply_transposed(w_value, state));
     }},
    {"heads_are_networks_side_by_side", "head h = Hopfield(X_h; q_h), beta = 1/sqrt(d_h)",
     "multi-head attention with identity maps is one Hopfield network for each head",
     "Vaswani et al. 2017, section 3.2.2",
     [](Index d, Rng& rng) {
       const Index width = 2 * d;
       const Matrix x = random_matrix(rng, keys_for(d), width);
       const Vector q = random_vector(rng, width);
       const Matrix output =
           core::attend_multihead(q.transpose(), x, x, 2, core::MultiheadMaps::identity(width)).output;
       Vector states(width);
       for (Index head = 0; head < 2; ++head)
         states.segment(head * d, d) = modern_step(x.middleCols(head * d, d), q.segment(head * d, d),
                                                   1 / std::sqrt(static_cast<double>(d)));
       return deviation_of(Vector(output.row(0).transpose()), states);
     }},
    {"graph_hopfield_without_coupling", "x_v <- M' softmax(beta M x_v) for every node v",
     "a graph Hopfield network with lambda = 0 and step 1 is a modern Hopfield step at each node",
     "methods of graph Hopfield networks, lambda = 0",
     [](Index d, Rng& rng) {
       const Matrix memories = random_matrix(rng, keys_for(d), d), nodes = random_matrix(rng, d + 1, d);
       const Matrix together = core::attend(nodes, memories, memories, 2.0).output;
       Matrix alone(nodes.rows(), d);
       for (Index v = 0; v < nodes.rows(); ++v)
         alone.row(v) = modern_step(memories, nodes.row(v).transpose(), 2.0).transpose();
       return deviation_of(together, alone);
     }},
    {"universal_form", "V' softmax(beta sim(K, q)) = softmax(beta q K') V",
     "a universal Hopfield network with dot product and softmax is attention", "Millidge et al. 2022",
     [](Index d, Rng& rng) {
       const Matrix k = random_matrix(rng, keys_for(d), d), v = random_matrix(rng, keys_for(d), d + 2);
       const Vector q = random_vector(rng, d);
       const double beta = between(rng, 0.1, 8);
       return deviation_of(
           core::recall_universal(k, v, q, core::Score::dot, core::Separation::softmax, beta).output,
           attended(k, v, q, beta));
     }},
    {"prior_counts_are_repeated_keys", "q_i exp(s_i) / sum = sum over q_i copies of key i",
     "a prior of n on a key has the effect of n copies of the key", "derived",
     [](Index d, Rng& rng) {
       const Index n = keys_for(d);
       const Vector s = 4 * random_vector(rng, n);
       Vector counts(n);
       for (double& count : counts) count = static_cast<double>(1 + rng.below(4));
       Vector repeated(static_cast<Index>(core::sum(counts)));
       for (Index i = 0, at = 0; i < n; ++i)
         for (int c = 0; c < static_cast<int>(counts[i]); ++c) repeated[at++] = s[i];
       const Vector spread = core::apply(Regulariser(SimplexMap::softmax), repeated);
       Vector summed(n);
       for (Index i = 0, at = 0; i < n; at += static_cast<Index>(counts[i]), ++i)
         summed[i] = core::sum(Vector(spread.segment(at, static_cast<Index>(counts[i]))));
       return deviation_of(core::apply({PriorForm::kl, counts}, s), summed);
     }},
    {"linear_age_bias_is_an_exponential_prior", "softmax((s - T r age)/T) = prior exp(-r age), scores s",
     "a linear bias on age is a prior that decays exponentially", "Press, Smith and Lewis 2022",
     [](Index d, Rng& rng) {
       const Index n = keys_for(d);
       const Vector s = 4 * random_vector(rng, n);
       const Vector times = Vector::LinSpaced(n, 0, static_cast<double>(n - 1));
       const double slope = between(rng, 0.01, 0.5), t = between(rng, 0.2, 3);
       const Vector now = Vector::Constant(1, times[n - 1]);
       const Vector bias = core::linear_age_bias(now, times, t * slope).row(0).transpose();
       const Vector biased = core::apply(Regulariser(SimplexMap::softmax), s + bias, t);
       const Vector q = core::age_prior(now[0] - times.array(), slope);
       return deviation_of(biased, core::apply({PriorForm::kl, q}, s, t));
     }},
    {"equal_scores_return_the_prior", "p(constant; q) = q",
     "if all scores are equal, the weights are the prior (all three forms of a prior)", "derived",
     [](Index d, Rng& rng) {
       const Index n = keys_for(d);
       Vector q(n);
       for (double& share : q) share = rng.uniform();
       q /= core::sum(q);
       const Vector s = Vector::Constant(n, between(rng, -5, 5));
       double worst = 0;
       for (const PriorForm form : {PriorForm::kl, PriorForm::alpha, PriorForm::euclidean})
         worst = std::max(worst, deviation_of(core::apply({form, q}, s, 0.7), q));
       return worst;
     }},
    {"kernel_smoother_is_attention", "softmax(-|q-k|^2/2h^2) = softmax(q k/h^2) with prior exp(-|k|^2/2h^2)",
     "Gaussian kernel smoothing is attention with a prior against long keys", "Nadaraya and Watson 1964",
     [](Index d, Rng& rng) {
       const Index n = keys_for(d);
       const Matrix keys = random_matrix(rng, n, d);
       const Vector q = random_vector(rng, d);
       const double h = between(rng, 0.5, 2);
       const Matrix distances = core::scores(core::Score::neg_sq_euclid, q.transpose(), keys);
       const Vector smoother =
           core::apply(Regulariser(SimplexMap::softmax), distances.row(0).transpose(), 2 * h * h);
       Vector lengths(n);
       for (Index i = 0; i < n; ++i) {
         const Vector key = keys.row(i).transpose();
         lengths[i] = std::sqrt(core::dot(key, key));
       }
       const Vector q_prior = core::kernel_prior(lengths, h);
       return deviation_of(smoother, core::apply({PriorForm::kl, q_prior}, core::multiply(keys, q), h * h));
     }},
    {"cache_is_the_masked_batch", "append(k_t, v_t), attend(q_t) = row t of the causal batch",
     "causal attention step by step with a growing cache equals a batch with a causal mask", "derived",
     [](Index d, Rng& rng) {
       const Index length = keys_for(d);
       const Matrix q = random_matrix(rng, length, d), k = random_matrix(rng, length, d);
       const Matrix v = random_matrix(rng, length, d + 1);
       const Matrix batch =
           core::attend(q, k, v, {.scale = 0.5, .allow = core::causal_mask(length), .bias = {}}).output;
       core::AttentionCache cache(d, d + 1, {.scale = 0.5, .map = SimplexMap::softmax, .window = {}});
       Matrix online(length, d + 1);
       for (Index t = 0; t < length; ++t) {
         cache.append(k.row(t).transpose(), v.row(t).transpose());
         online.row(t) = cache.attend(q.row(t).transpose()).output.transpose();
       }
       return deviation_of(batch, online);
     }},
    {"budget_of_one_is_sparsemax", "budget(k = 1) = sparsemax = entmax(alpha = 2)", "three maps are the same",
     "Martins and Astudillo 2016; Peters, Niculae and Martins 2019",
     [](Index d, Rng& rng) {
       const Vector s = 2 * random_vector(rng, keys_for(d));
       const Vector sparsemax = core::apply(Regulariser(SimplexMap::sparsemax), s);
       return std::max(deviation_of(core::apply(Regulariser(SimplexMap::budget, 1.5, 1), s), sparsemax),
                       deviation_of(core::apply(Regulariser(SimplexMap::entmax, 2), s), sparsemax));
     }},
    {"no_regulariser_gives_a_vertex", "argmax <p, s> over the simplex = e_i, i the best",
     "without a regulariser the best score gets all the weight; a sparse map gives it all from its margin on",
     "linear programming; Blondel, Martins and Niculae 2020",
     [](Index d, Rng& rng) {
       // A linear function on a simplex has its maximum at a vertex. Therefore the maximum is the best score, no matter
       // how ties are broken.
       const Vector s = 3 * random_vector(rng, keys_for(d));
       const Vector p = core::apply(Regulariser(SimplexMap::argmax), s);
       const double best = *std::max_element(s.begin(), s.end());
       double worst = std::max(deviation_of(core::dot(p, s), best), deviation_of(p.maxCoeff(), 1.0));
       for (const SimplexMap map : {SimplexMap::sparsemax, SimplexMap::entmax, SimplexMap::normmax}) {
         Vector others = s;
         others[static_cast<Index>(std::max_element(s.begin(), s.end()) - s.begin())] = -1e9;
         const double gap = best - others.maxCoeff();
         worst = std::max(worst,
                          deviation_of(core::apply(Regulariser(map), s, 0.5 * gap / core::margin(map)), p));
       }
       return worst;
     }},
    {"attention_knows_no_order", "weights(q, P K) = weights(q, K) P', output(q, P K, P V) = output(q, K, V)",
     "a permutation of the memory permutes the weights and does not change the answer",
     "Zaheer et al. 2017, \"Deep Sets\"; Vaswani et al. 2017, section 3.5",
     [](Index d, Rng& rng) {
       const Index n = keys_for(d);
       const Matrix q = random_matrix(rng, 2, d), k = random_matrix(rng, n, d),
                    v = random_matrix(rng, n, d + 1);
       const auto order = rng.permutation(static_cast<std::uint32_t>(n));
       const core::Attention set = core::attend(q, k, v, 2.0);
       const core::Attention moved = core::attend(q, rows_in(order, k), rows_in(order, v), 2.0);
       const Matrix weights = rows_in(order, set.weights.transpose()).transpose();
       return std::max(deviation_of(moved.weights, weights), deviation_of(moved.output, set.output));
     }},
    {"moving_average_is_a_uniform_prior", "mean of v_(t-w) ... v_t = attention, scores 0, causal window w",
     "a moving average is attention with equal scores and a uniform prior over the last places",
     "Nadaraya and Watson 1964",
     [](Index d, Rng& rng) {
       const Index n = keys_for(d);
       const auto before = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
       const Matrix v = random_matrix(rng, n, 2);
       Matrix averages(n, 2);
       for (Index t = 0; t < n; ++t) {
         const Index first = std::max<Index>(t - before, 0);
         for (Index c = 0; c < 2; ++c)
           averages(t, c) =
               core::sum(Vector(v.col(c).segment(first, t - first + 1))) / static_cast<double>(t - first + 1);
       }
       const core::Mask allow = core::causal_mask(n).array() && core::window_mask(n, before).array();
       return deviation_of(attend_to_places(v, allow, {}), averages);
     }},
    {"exponential_average_is_a_decaying_prior", "m_t / (1 - (1-a)^t), m <- (1-a) m + a v = prior (1-a)^age",
     "an exponential moving average is attention with a fixed prior that decays with age",
     "Kingma and Ba 2015, section 3; Press, Smith and Lewis 2022",
     [](Index d, Rng& rng) {
       // The recursion starts at 0, so its value is divided by the total weight of the items so far.
       const Index n = keys_for(d);
       const double a = between(rng, 0.05, 0.9);
       const Matrix v = random_matrix(rng, n, 2);
       Matrix averages(n, 2);
       Vector m = Vector::Zero(2);
       double left = 1;  // (1-a)^t
       for (Index t = 0; t < n; ++t) {
         m = (1 - a) * m + a * v.row(t).transpose();
         left *= 1 - a;
         averages.row(t) = m.transpose() / (1 - left);
       }
       const Vector times = Vector::LinSpaced(n, 0, static_cast<double>(n - 1));
       const Matrix bias = core::linear_age_bias(times, times, -core::log(1 - a));
       return deviation_of(attend_to_places(v, core::causal_mask(n), bias), averages);
     }},
    {"convolution_is_a_prior_over_places",
     "sum_u g_u v_(t-u) = attention, scores 0, prior g_(t-j) on place j",
     "a convolution (circular, g >= 0 of sum 1) is attention with a fixed prior over relative places",
     "Cordonnier, Loukas and Jaggi 2020",
     [](Index d, Rng& rng) {
       const Index n = keys_for(d);
       const Matrix v = random_matrix(rng, n, 2);
       Vector g(n);
       for (double& tap : g) tap = 0.01 + rng.uniform();
       g /= core::sum(g);
       Matrix convolved = Matrix::Zero(n, 2), bias(n, n);
       for (Index t = 0; t < n; ++t)
         for (Index u = 0; u < n; ++u) {
           const Index place = (t - u + n) % n;
           convolved.row(t) += g[u] * v.row(place);
           bias(t, place) = core::log(g[u]);
         }
       return deviation_of(attend_to_places(v, {}, bias), convolved);
     }},
};

}  // namespace

std::span<const Claim> attention_claims() { return attention_table; }

}  // namespace engram::experiments::equivalence
