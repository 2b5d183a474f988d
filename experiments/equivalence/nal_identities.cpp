// SPDX-License-Identifier: MIT
// Identities between NAL's revision and choice, attention, and the update of a Hopfield network.
#include <algorithm>

#include "core/hopfield/hopfield.hpp"
#include "core/learning/hebbian.hpp"
#include "core/maps/prior_map.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/equivalence/identity.hpp"
#include "narsese/truth.hpp"

namespace engram::experiments::equivalence {
namespace {

using core::Regulariser;
using core::SimplexMap;
using narsese::evidential_horizon;
using narsese::TruthValue;

// Frequencies f_i with amounts of evidence w_i, for one statement from several sources or for several statements. The
// total evidence stays below that of confidence 0.99, above which NAL does not count further evidence.
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

// Hebbian link between units (2 f_i - 1, 1) that are learnt one after the other at the rates w_i. Without decay it is
// sum w_i (2 f_i - 1), positive minus negative evidence.
double hebbian_link(const Testimony& said, double decay = 0) {
  Matrix w = Matrix::Zero(2, 2);
  for (Index i = 0; i < said.size(); ++i)
    core::hebb_step(w, Vector{{2 * said.frequency[i] - 1, 1}}, said.evidence[i], decay);
  return w(0, 1);
}

double revision_is_attention(Index size, Rng& rng) {
  const Testimony said = testimony_for(size, rng);
  const Vector equal = Vector::Zero(said.size());
  const Vector weights = core::apply({core::PriorForm::kl, said.evidence}, equal);
  const double total = core::sum(said.evidence);
  const TruthValue revised = said.revised();
  return std::max(deviation_of(revised.frequency, core::dot(weights, said.frequency)),
                  deviation_of(revised.confidence, total / (total + evidential_horizon)));
}

double revision_is_hebbs_rule(Index size, Rng& rng) {
  const Testimony said = testimony_for(size, rng);
  return deviation_of(said.revised().frequency, 0.5 + hebbian_link(said) / (2 * core::sum(said.evidence)));
}

double belief_is_a_spin_update(Index size, Rng& rng) {
  const Testimony said = testimony_for(size, rng);
  const double link = hebbian_link(said), before = rng.below(2) == 0 ? 1 : -1;
  const Matrix w{{0, link}, {link, 0}};
  const Vector state = core::recall_hopfield(w, Vector{{before, 1}}).state;
  return deviation_of(narsese::expectation(said.revised()) > 0.5 ? 1.0 : -1.0, state[0]);
}

double choice_is_hard_attention(Index size, Rng& rng) {
  const Testimony said = testimony_for(size, rng);
  return deviation_of(said.choice(), core::apply(Regulariser(SimplexMap::argmax), said.expectations()));
}

double choice_or_soft_attention(Index size, Rng& rng) {
  const Testimony said = testimony_for(size, rng);
  return deviation_of(said.choice(), core::apply(Regulariser(SimplexMap::softmax), said.expectations()));
}

double choice_or_the_largest_field(Index size, Rng& rng) {
  const Testimony said = testimony_for(size, rng);
  const Vector field = said.evidence.array() * (2 * said.frequency.array() - 1);
  return deviation_of(said.choice(), core::apply(Regulariser(SimplexMap::argmax), field));
}

// Two beliefs with a common stamp: NAL keeps the more confident one and does not revise. Both are equal here, so either
// may be kept.
double one_stamp_twice(Index size, Rng& rng) {
  const TruthValue belief = testimony_for(size, rng).truth(0);
  return deviation_of(belief.confidence, narsese::revise(belief, belief).confidence);
}

double counted_or_forgotten(Index size, Rng& rng) {
  constexpr double decay = 0.1;
  const Testimony said = testimony_for(size, rng);
  double total = 0;
  for (const double w : said.evidence) total = (1 - decay) * total + w;
  return deviation_of(said.revised().frequency, 0.5 + hebbian_link(said, decay) / (2 * total));
}

constexpr Identity nal_rows[] = {
    {"revision_is_attention_to_the_evidence", "f = sum w_i f_i / sum w_i, w = c/(1-c)",
     "NAL's revision is attention with equal scores: evidence is the prior, frequencies are the values",
     "Wang 2013, \"Non-Axiomatic Logic\"; derived", revision_is_attention},
    {"revision_is_hebbs_rule", "f = 1/2 + W/(2 sum w_i), W = sum w_i (2 f_i - 1)",
     "the revised frequency is what Hebb's rule learns without forgetting, at rates that are the evidence",
     "Wang 2013; Hebb 1949; derived", revision_is_hebbs_rule},
    {"belief_is_a_spin_update", "sign(e - 1/2) = sign(W s), W = sum w_i (2 f_i - 1), s = 1",
     "whether NAL expects it to be so is where a Hopfield spin goes that has this coupling",
     "Wang 2013; Hopfield 1982; derived", belief_is_a_spin_update},
    {"choice_is_hard_attention", "the i of the greatest e_i = argmax <p, e> over the simplex",
     "NAL's choice among answers is attention without a regulariser, with expectations as scores",
     "Wang 2013; derived", choice_is_hard_attention},
};

constexpr Identity nal_settings[] = {
    {"choice_or_soft_attention", "choice by e_i against softmax(e)",
     "choice takes one answer whole; softmax mixes all of them", "derived", choice_or_soft_attention},
    {"choice_or_the_largest_field", "largest c (f - 1/2) against largest w (2 f - 1)",
     "an expectation saturates as evidence grows, a Hopfield field does not", "derived",
     choice_or_the_largest_field},
    {"one_stamp_twice", "choice among a belief and itself against the pattern stored twice",
     "NAL keeps stamps and counts no evidence twice; Hebb's rule and attention do", "Wang 2013",
     one_stamp_twice},
    {"counted_or_forgotten", "revision against Hebb's rule with decay 0.1",
     "revision knows no order; with decay the newest evidence counts most", "derived", counted_or_forgotten},
};

}  // namespace

std::span<const Identity> nal_identities() { return nal_rows; }
std::span<const Identity> nal_partings() { return nal_settings; }

}  // namespace engram::experiments::equivalence
