// SPDX-License-Identifier: MIT
// Claims about parts of a NARS: the concept graph, spreading activation, and NAL's revision and choice.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/attention.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/index/memory_index.hpp"
#include "core/learning/hebbian.hpp"
#include "core/maps/prior_map.hpp"
#include "core/numbers/numeric.hpp"
#include "core/walks/page_rank.hpp"
#include "experiments/equivalence/equivalence.hpp"
#include "narsese/parser.hpp"
#include "narsese/truth.hpp"

namespace engram::experiments::equivalence {
namespace {

using core::Regulariser;
using core::SimplexMap;
using core::SparseRows;
using narsese::evidential_horizon;
using narsese::TruthValue;

// --- the concept graph

constexpr double damping = 0.85;

// Random links between size + 1 nodes, because random_links() needs at least two nodes.
SparseRows links_for(Index size, Rng& rng) { return random_links(rng, size + 1, 0.3); }

// Attention weights of each node to its neighbours: the softmax of log w, with w the weights of its links.
Matrix masked_attention(const SparseRows& links) {
  const Index n = links.rows();
  const Matrix w = links.dense();
  Matrix scores = Matrix::Zero(n, n);
  core::Mask allow(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      allow(i, j) = w(i, j) > 0;
      if (allow(i, j)) scores(i, j) = core::log(w(i, j));
    }
  return core::attend_by(scores, Matrix::Identity(n, n), {.scale = 1, .allow = allow, .bias = {}}).weights;
}

Vector random_restart(Index n, Rng& rng) {
  Vector v(n);
  for (double& share : v) share = rng.uniform();
  return v / core::sum(v);
}

// A memory with decay that contains statements about random names.
core::Memory random_memory(Index size, Rng& rng) {
  core::MemoryOptions options;
  options.decay = 0.01;
  core::Memory memory(options);
  const auto name = [&] { return "c" + std::to_string(rng.below(static_cast<std::uint64_t>(size) + 3)); };
  for (Index said = 0; said < 2 * size + 2; ++said) {
    const std::string confidence = std::to_string(1 + rng.below(9));
    const auto sentence = narsese::parse_sentence(
        "<(*," + name() + "," + name() + ") --> " + name() + ">. %1;0." + confidence + "%", memory.terms());
    if (!sentence || !memory.accept(*sentence)) throw std::logic_error("a random sentence was refused");
  }
  return memory;
}

// --- NAL

// Frequencies f_i with amounts of evidence w_i. They belong to one statement from several sources, or to several
// statements. The total evidence gives a confidence below 0.99, because NAL ignores evidence beyond that confidence.
struct Testimony {
  Vector frequency, evidence;

  Testimony(Index n, Rng& rng) : frequency(n), evidence(n) {
    const double most = std::min(1.5, 90 / static_cast<double>(n));
    for (double& f : frequency) f = rng.uniform();
    for (double& w : evidence) w = most * (0.05 + 0.95 * rng.uniform());
  }

  Index size() const { return frequency.size(); }
  TruthValue truth(Index i) const { return {frequency[i], evidence[i] / (evidence[i] + evidential_horizon)}; }
  TruthValue revised() const {
    TruthValue all = truth(0);
    for (Index i = 1; i < size(); ++i) all = narsese::revise(all, truth(i));
    return all;
  }
  Vector expectations() const {
    Vector e(size());
    for (Index i = 0; i < size(); ++i) e[i] = narsese::expectation(truth(i));
    return e;
  }
  // One-hot vector of the statement that NAL chooses.
  Vector choice() const {
    Index best = 0;
    for (Index i = 1; i < size(); ++i)
      if (narsese::expectation(truth(i)) > narsese::expectation(truth(best))) best = i;
    return Vector::Unit(size(), best);
  }
};

Testimony testimony_for(Index size, Rng& rng) { return {size + 3, rng}; }

// Weight of a Hebbian link between two units. The pairs of activities (2 f_i - 1, 1) are learnt one after the other at
// the rates w_i. Without decay, the weight is sum w_i (2 f_i - 1), which is positive minus negative evidence.
double hebbian_link(const Testimony& said, double decay = 0) {
  Matrix w = Matrix::Zero(2, 2);
  for (Index i = 0; i < said.size(); ++i)
    core::hebb_step(w, Vector{{2 * said.frequency[i] - 1, 1}}, said.evidence[i], decay);
  return w(0, 1);
}

constexpr Claim nars_table[] = {
    {"graph_links_are_coactivation", "W = A' D A, learnt a pair at a time with lazy decay",
     "the links that the concept graph learns online are the product of its episodes", "derived",
     [](Index size, Rng& rng) {
       const core::Memory memory = random_memory(size, rng);
       const core::MemoryIndex readings(memory);
       const Matrix a = readings.episodes().dense();
       Matrix learnt = readings.links().dense(), counted(a.cols(), a.cols());
       learnt.diagonal() = readings.activity();
       for (Index i = 0; i < a.cols(); ++i)
         for (Index j = 0; j < a.cols(); ++j) {
           const Vector both = a.col(i).cwiseProduct(a.col(j));
           counted(i, j) = core::dot(both, readings.evidence());
         }
       return deviation_of(learnt, counted);
     }},
    {"graph_links_are_attention_scores", "X X' = W for X = A' D^(1/2)",
     "the links are the attention scores of concepts that are embedded by their episodes", "derived",
     [](Index size, Rng& rng) {
       const core::Memory memory = random_memory(size, rng);
       const core::MemoryIndex readings(memory);
       Matrix learnt = readings.links().dense();
       learnt.diagonal() = readings.activity();
       Matrix x =
           readings.episodes().dense().transpose();  // each row: the episodes of a concept, times D^(1/2)
       for (Index e = 0; e < x.cols(); ++e) x.col(e) *= std::sqrt(readings.evidence(e));
       return deviation_of(core::scores(core::Score::dot, x, x), learnt);
     }},
    {"masked_softmax_is_the_random_walk", "softmax(log w_ij) over neighbours = w_ij / sum_j w_ij",
     "attention to the neighbours with scores log w is a step of the random walk", "derived",
     [](Index size, Rng& rng) {
       const SparseRows links = links_for(size, rng);
       const Index n = links.rows();
       Matrix walk(n, n);
       for (Index i = 0; i < n; ++i) {
         const Vector start = Vector::Unit(n, i);
         walk.row(i) =
             (2 * core::page_rank_steps(links, start, 0.5, 1).row(0).transpose() - start).transpose();
       }
       return deviation_of(masked_attention(links), walk);
     }},
    {"spreading_activation_is_iterated_attention", "x <- (1-d) v + d P' x, P = softmax(log w)",
     "spreading activation with restart is iterated attention to the neighbours", "Haveliwala 2002",
     [](Index size, Rng& rng) {
       const SparseRows links = links_for(size, rng);
       const Vector v = random_restart(links.rows(), rng);
       const Matrix walk = masked_attention(links), steps = core::page_rank_steps(links, v, damping, 6);
       Vector x = v;
       double worst = 0;
       for (Index t = 0; t < steps.rows(); ++t) {
         x = (1 - damping) * v + damping * core::multiply_transposed(walk, x);
         worst = std::max(worst, deviation_of(x, Vector(steps.row(t).transpose())));
       }
       return worst;
     }},
    {"page_rank_is_a_series_of_attention", "r = sum (1-d) d^k (P')^k v",
     "Personalized PageRank is attention over paths of every length", "Haveliwala 2002",
     [](Index size, Rng& rng) {
       const SparseRows links = links_for(size, rng);
       const Vector v = random_restart(links.rows(), rng);
       const Matrix walk = masked_attention(links);
       Vector term = (1 - damping) * v, series = term;
       for (int k = 1; k < 300; ++k) {  // later terms are negligible: 0.85^300 < 1e-21
         term = damping * core::multiply_transposed(walk, term);
         series += term;
       }
       return deviation_of(core::personalized_page_rank(links, v, damping, 1e-15).rank, series);
     }},
    {"attention_economy_is_lazy_page_rank", "fixed point of rent, wages, spreading = A r, r = PageRank of A",
     "the funds of an attention economy (rent 0.75, spreading 0.1) converge to PageRank of a lazy walk",
     "singnet/das AttentionBroker; derived",
     [](Index size, Rng& rng) {
       // Linear attention economy, as in singnet/das. Every node pays a share of its funds as rent. The total rent is
       // paid out as wages for stimulus. Then every node passes a share to its neighbours.
       constexpr double rent = 0.75, spread = 0.1;
       const SparseRows links = links_for(size, rng);
       const Index n = links.rows();
       const Vector stimulus = random_restart(n, rng);
       const Matrix walk = masked_attention(links);
       const auto pass_on = [&](const Vector& funds) {
         return Vector((1 - spread) * funds + spread * core::multiply_transposed(walk, funds));
       };
       Vector funds = Vector::Constant(n, 1 / static_cast<double>(n));
       for (int t = 0; t < 60; ++t)  // converges: the remaining error is below 0.25^60 < 1e-36
         funds = pass_on((1 - rent) * funds + rent * core::sum(funds) * stimulus);

       // The lazy walk stays at a node with probability 1 - spread. The node gets a link to itself with the weight that
       // gives this probability.
       Matrix lazy = links.dense();
       for (Index i = 0; i < n; ++i) lazy(i, i) = core::sum(links.values_of(i)) * (1 - spread) / spread;
       const Vector rank = core::personalized_page_rank(sparse(lazy), stimulus, 1 - rent, 1e-16).rank;
       return deviation_of(funds, pass_on(rank));
     }},
    {"revision_is_attention_to_the_evidence", "f = sum w_i f_i / sum w_i, w = c/(1-c)",
     "revision is attention with equal scores; the evidence is the prior, and the frequencies are the values",
     "Wang 2013, \"Non-Axiomatic Logic\"; derived",
     [](Index size, Rng& rng) {
       const Testimony said = testimony_for(size, rng);
       const Vector equal = Vector::Zero(said.size());
       const Vector weights = core::apply({core::PriorForm::kl, said.evidence}, equal);
       const double total = core::sum(said.evidence);
       const TruthValue revised = said.revised();
       return std::max(deviation_of(revised.frequency, core::dot(weights, said.frequency)),
                       deviation_of(revised.confidence, total / (total + evidential_horizon)));
     }},
    {"revision_is_hebbs_rule", "f = 1/2 + W/(2 sum w_i), W = sum w_i (2 f_i - 1)",
     "Hebb's rule without decay learns the revised frequency if the learning rates are the evidence",
     "Wang 2013; Hebb 1949; derived",
     [](Index size, Rng& rng) {
       const Testimony said = testimony_for(size, rng);
       return deviation_of(said.revised().frequency,
                           0.5 + hebbian_link(said) / (2 * core::sum(said.evidence)));
     }},
    {"belief_is_a_spin_update", "sign(e - 1/2) = sign(W s), W = sum w_i (2 f_i - 1), s = 1",
     "NAL expects a statement to be true if and only if a Hopfield spin with this coupling becomes +1",
     "Wang 2013; Hopfield 1982; derived",
     [](Index size, Rng& rng) {
       const Testimony said = testimony_for(size, rng);
       const double link = hebbian_link(said), before = rng.below(2) == 0 ? 1 : -1;
       const Matrix w{{0, link}, {link, 0}};
       const Vector state = core::recall_hopfield(w, Vector{{before, 1}}).state;
       return deviation_of(narsese::expectation(said.revised()) > 0.5 ? 1.0 : -1.0, state[0]);
     }},
    {"choice_is_hard_attention", "the i of the greatest e_i = argmax <p, e> over the simplex",
     "NAL's choice among answers is attention without a regulariser, with expectations as scores",
     "Wang 2013; derived",
     [](Index size, Rng& rng) {
       const Testimony said = testimony_for(size, rng);
       return deviation_of(said.choice(), core::apply(Regulariser(SimplexMap::argmax), said.expectations()));
     }},
    {"choice_or_soft_attention", "choice by e_i against softmax(e)",
     "choice gives one answer all the weight; softmax mixes the answers", "derived",
     [](Index size, Rng& rng) {
       const Testimony said = testimony_for(size, rng);
       return deviation_of(said.choice(), core::apply(Regulariser(SimplexMap::softmax), said.expectations()));
     },
     Sides::different},
    {"choice_or_the_largest_field", "largest c (f - 1/2) against largest w (2 f - 1)",
     "an expectation saturates as evidence grows, but a Hopfield field does not", "derived",
     [](Index size, Rng& rng) {
       const Testimony said = testimony_for(size, rng);
       const Vector field = said.evidence.array() * (2 * said.frequency.array() - 1);
       return deviation_of(said.choice(), core::apply(Regulariser(SimplexMap::argmax), field));
     },
     Sides::different},
    {"one_stamp_twice", "choice among a belief and itself against the pattern stored twice",
     "NAL uses stamps to count evidence once; Hebb's rule and attention count it twice", "Wang 2013",
     [](Index size, Rng& rng) {
       // NAL does not revise two beliefs with a common stamp, but keeps the more confident belief. The beliefs are
       // equal here, so either may be kept.
       const TruthValue belief = testimony_for(size, rng).truth(0);
       return deviation_of(belief.confidence, narsese::revise(belief, belief).confidence);
     },
     Sides::different},
    {"counted_or_forgotten", "revision against Hebb's rule with decay 0.1",
     "revision does not depend on the order; with decay the newest evidence counts most", "derived",
     [](Index size, Rng& rng) {
       constexpr double decay = 0.1;
       const Testimony said = testimony_for(size, rng);
       double total = 0;
       for (const double w : said.evidence) total = (1 - decay) * total + w;
       return deviation_of(said.revised().frequency, 0.5 + hebbian_link(said, decay) / (2 * total));
     },
     Sides::different},
};

}  // namespace

std::span<const Claim> nars_claims() { return nars_table; }

}  // namespace engram::experiments::equivalence
