// SPDX-License-Identifier: MIT
#include "core/methods/continuous_attention.hpp"

#include <algorithm>

#include "core/attention/continuous_attention.hpp"
#include "core/methods/declaration.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

// The statements that are not forgotten, and their times, from 0 at the first to 1 at the last.
struct History {
  std::vector<Index> statements;
  Vector times;
};

History history_of(const Readings& memory) {
  History history;
  for (Index e = 0; e < memory.statements(); ++e)
    if (memory.evidence[e] > 0) history.statements.push_back(e);
  history.times.resize(static_cast<Index>(history.statements.size()));
  for (Index l = 0; l < history.times.size(); ++l)
    history.times[l] = memory.last_said[history.statements[static_cast<std::size_t>(l)]];
  if (history.statements.empty()) return history;
  const double first = history.times.minCoeff(), span = history.times.maxCoeff() - first;
  for (double& t : history.times) t = span > 0 ? (t - first) / span : 0.5;
  return history;
}

// What belongs to the events of a history, over all statements; 0 for the others.
Vector over_statements(const Readings& memory, const History& history, const Vector& of_events) {
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

}  // namespace

Recall ContinuousAttentionRetriever::recall(const Readings& memory, const Vector& cue) const {
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

  const Claim claim(2 * sizeof(double) * history.statements.size() *
                    static_cast<std::size_t>(basis_functions));
  const GaussianBasis basis = even_basis(basis_functions);
  const Vector weights = RidgeFit(history.times, basis, ridge).event_weights(basis.expectations(density));
  const Vector active = memory.concept_scores(over_statements(memory, history, weights)).cwiseMax(0.0);
  if ((active.array() > 0).any()) recall.concepts = active;
  recall.iterations = 1;
  return recall;
}

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
