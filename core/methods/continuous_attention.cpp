// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/attention/continuous_attention.hpp"
#include "core/methods/declaration.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// The statements that are not forgotten, and their times, from 0 at the first to 1 at the last.
struct History {
  std::vector<Index> statements;
  Vector times;
};

History history_of(const MemoryIndex& memory) {
  History history;
  for (Index e = 0; e < memory.statements(); ++e)
    if (memory.evidence(e) > 0) history.statements.push_back(e);
  history.times.resize(static_cast<Index>(history.statements.size()));
  for (Index l = 0; l < history.times.size(); ++l)
    history.times[l] = memory.last_said(history.statements[static_cast<std::size_t>(l)]);
  if (history.statements.empty()) return history;
  const double first = history.times.minCoeff(), span = history.times.maxCoeff() - first;
  for (double& t : history.times) t = span > 0 ? (t - first) / span : 0.5;
  return history;
}

// What belongs to the events of a history, over all statements; 0 for the others.
Vector over_statements(const MemoryIndex& memory, const History& history, const Vector& of_events) {
  Vector out = Vector::Zero(memory.statements());
  for (Index l = 0; l < of_events.size(); ++l)
    out[history.statements[static_cast<std::size_t>(l)]] = of_events[l];
  return out;
}

// Centres even over [0, 1], each as wide as they are apart.
GaussianBasis even_basis(int functions) {
  const double apart = 1.0 / std::max(functions - 1, 1);
  GaussianBasis basis{Vector(functions), Vector::Constant(functions, apart)};
  for (Index j = 0; j < functions; ++j)
    basis.centres[j] = functions > 1 ? static_cast<double>(j) * apart : 0.5;
  return basis;
}

/// Attention over the event history: where in time is what the cue is about, and what was active then?
///   time      of a statement: its last episode, the history's first at 0 and its last at 1 (alone: 1/2);
///             statements whose evidence is forgotten are no part of the history
///   density   mu and sigma^2 of the times under softmax(beta s), s the cosines of cue and statements, sigma
///             at least `least_width`; the density of these and alpha
///             (core/attention/continuous_attention.hpp)
///   budgets   a statement's is the density at its time, over the sum of all: whatever was said then, alike.
///             There is always one above 0: some event lies within sigma of mu, and a > sigma as sigma <= 1
///   concepts  V(t), the events' activations smoothed by basis functions (centres even over the history), in
///             the mean over the density; what that makes negative is 0. Only if nothing is left are they
///             the concepts of the budgeted statements
/// A density has one peak: of a cue whose statements were said at two times far apart it covers all between.
/// Cost O(p b^2 + b^3) time and O(p b) memory for b basis functions.
/// Source  Martins et al. 2020, "Sparse and Continuous Attention Mechanisms", its attention over a sequence
struct ContinuousAttentionRetriever {
  double alpha = 2;
  double beta = 32;  // chosen: among some hundred statements most of the softmax should be on the cued ones
  int basis_functions = 16;
  double ridge = 0.1;
  double least_width = 0.02;  // chosen: a fiftieth of the history
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    const History history = history_of(memory);
    if (history.statements.empty()) return no_recall(memory);
    const Vector cosines = memory.statement_scores(cue);
    Vector scores(history.times.size());
    for (Index l = 0; l < scores.size(); ++l)
      scores[l] = cosines[history.statements[static_cast<std::size_t>(l)]];
    const TimeMoments cued = time_moments(apply(SimplexMap::softmax, scores, 1.0 / beta), history.times);
    const TimeDensity density(alpha, cued.mean, std::max(cued.variance, least_width * least_width));

    Vector budget(scores.size());
    for (Index l = 0; l < budget.size(); ++l) budget[l] = density.at(history.times[l]);
    budget /= sum(budget);
    Recall recall = from_statements(memory, over_statements(memory, history, budget));

    const Reservation claim(2 * sizeof(double) * history.statements.size() *
                            static_cast<std::size_t>(basis_functions));
    const GaussianBasis basis = even_basis(basis_functions);
    const Vector weights = RidgeFit(history.times, basis, ridge).event_weights(basis.expectations(density));
    const Vector active =
        memory.concept_scores(over_statements(memory, history, weights)).whole().cwiseMax(0.0);
    if ((active.array() > 0).any()) recall.concepts = active;
    recall.iterations = 1;
    return recall;
  }
  static constexpr const char* no_sum =
      "weights go by time, not by concepts: every statement has the density at the time when it was "
      "said last, so there is no sum over what is shared";
};

}  // namespace

Method continuous_attention_method() {
  using R = ContinuousAttentionRetriever;
  return Declaration<R>("continuous_attention", "attention",
                        "attention to a stretch of the event history: when it was, and what was active then")
      .support(Support::sparse)
      .choice("alpha", &R::alpha,
              std::array<NamedValue<double>, 4>{{{2.0, "2"}, {1.5, "3/2"}, {4.0 / 3, "4/3"}, {1.0, "1"}}},
              "the density: 2 a parabola, 3/2, 4/3 smoother ends, 1 a Gaussian")
      .number("beta", &R::beta, 1e-6, 1e6, "inverse temperature: how sharply the best are preferred")
      .whole("basis_functions", &R::basis_functions, 1, 128, "of the curve through the events")
      .number("ridge", &R::ridge, 1e-6, 1e6, "how stiff that curve is")
      .number("least_width", &R::least_width, 1e-6, 1, "of the density, as a share of the history");
}

}  // namespace engram::core
