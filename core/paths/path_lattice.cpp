// SPDX-License-Identifier: MIT
#include "core/paths/path_lattice.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <queue>
#include <tuple>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr double largest_exponent = 100;  // chosen: a path's weight and all sums stay within range

// Of more the joints are not kept. Chosen: relations are seldom so many where a question leads.
constexpr std::size_t most_symbols = 48;

}  // namespace

PathLattice::PathLattice(const Readings& memory, const Passes& passes, const PathScorer& scorer,
                         const PathWeights& theta, const PathOptions& options, bool from_end,
                         const PathStatements& statements)
    : memory_(memory),
      passes_(passes),
      scorer_(scorer),
      theta_(theta),
      options_(options),
      from_end_(from_end),
      statements_(statements) {
  require(options.temperature >= 0.1 && options.temperature <= 100, "temperature must be in [0.1, 100]");
  require(!from_end || scorer.question().to, "without an end there is nothing to go back from");
  for (std::size_t f = 0; f < path_features; ++f) weight_of_one_[f] = weight_of(theta[f]);
  layers_.push_back({first_steps(), {}});
  keep_best(layers_.back().steps);
  while (!layers_.back().steps.empty() && layers_.size() < static_cast<std::size_t>(options.steps)) {
    Layer next{next_steps(layers_.back().steps), {}};
    keep_best(next.steps);
    add_edges(layers_.back(), next.steps);
    layers_.push_back(std::move(next));
  }
  add_backward();
}

std::span<const PathLattice::Edge> PathLattice::Layer::edges_of(std::size_t step) const {
  const auto begin = std::ranges::lower_bound(edges, step, {}, &Edge::from);
  return {begin, std::ranges::upper_bound(begin, edges.end(), step, {}, &Edge::from)};
}

double PathLattice::weight_of(double score) const {
  const auto bits = std::bit_cast<std::uint64_t>(score);
  Known& known = weights_[(bits * 0x9e3779b97f4a7c15U) >> 57U];
  if (known.score != score)
    known = {score, exp(std::clamp(score / options_.temperature, -largest_exponent, largest_exponent))};
  return known.weight;
}

// What has no weight is not worked out.
double PathLattice::weight_of_step(const Pass& pass, ConceptId from) const {
  double score = 0;
  scorer_.said(pass, [&](PathFeature f, double x) { score += at(theta_, f) * x; });
  if (const double weight = at(theta_, PathFeature::evidence); weight != 0)
    score += weight * scorer_.evidence(pass);
  if (const double weight = at(theta_, PathFeature::link); weight != 0)
    score += weight * scorer_.link(from, pass.to);
  if (scorer_.has_embedding())
    scorer_.bands(from, pass.to, [&](PathFeature f, double x) { score += at(theta_, f) * x; });
  return weight_of(score);
}

double PathLattice::weight_of_joint(const Step& nearer, const Step& farther) const {
  const auto weigh = [&] {
    const auto kind =
        from_end_ ? scorer_.joint(farther.pass, nearer.pass) : scorer_.joint(nearer.pass, farther.pass);
    return kind ? weight_of_one_[static_cast<std::size_t>(*kind)] : 1.0;
  };
  const auto place_of = [&](const Step& step) {
    const StepSymbol symbol = symbol_of(step.pass);
    const auto found = std::ranges::find(symbols_, symbol);
    const auto place = static_cast<std::size_t>(found - symbols_.begin());
    if (found == symbols_.end() && place < most_symbols) symbols_.push_back(symbol);
    return place;
  };
  const std::size_t first = place_of(nearer), second = place_of(farther);
  if (first >= most_symbols || second >= most_symbols) return weigh();
  if (joints_.empty()) joints_.assign(most_symbols * most_symbols, -1);
  double& known = joints_[first * most_symbols + second];
  if (known < 0) known = weigh();
  return known;
}

double PathLattice::weight_of_hub(ConceptId between) const {
  return weight_of(at(theta_, PathFeature::hub) * scorer_.hub(between));
}

double PathLattice::weight_of_edge(const Step& step, bool of_start) const {
  double score = 0;
  const auto add = [&](PathFeature f, double x) { score += at(theta_, f) * x; };
  if (of_start)
    scorer_.first(step.pass, add);
  else
    scorer_.last(step.pass, add);
  return weight_of(score);
}

bool PathLattice::may_use(StatementId e) const {
  return memory_.evidence(static_cast<Index>(e)) > 0 && statements_.may_use(e);
}

// Whether a path may leave where the step leads.
bool PathLattice::goes_on(const Step& step) const {
  return (!step.arrives || !scorer_.question().to) &&
         memory_.mentions(static_cast<Index>(head(step))).size() <= most_left_by;
}

// The step that leaves a name by one of its passes; of one against the path's direction, turned.
std::optional<PathLattice::Step> PathLattice::step_over(const Pass& out, ConceptId name,
                                                        bool must_arrive) const {
  if (out.to == source()) return std::nullopt;
  const PathQuestion& question = scorer_.question();
  const bool arrives =
      question.to ? out.to == (from_end_ ? question.from : *question.to) : out.to != question.not_to;
  if ((must_arrive && !arrives) || !may_use(out.statement)) return std::nullopt;
  Step step{out, name};
  if (from_end_) {
    step = {out.turned(), out.to};
    step.pass.to = name;
  }
  step.arrives = arrives;
  step.weight = weight_of_step(step.pass, step.from);
  return step;
}

std::vector<PathLattice::Step> PathLattice::first_steps() const {
  const auto passes = passes_.from(source());
  const Claim claim(passes.size() * sizeof(Step));
  spend(16 * passes.size());
  std::vector<Step> steps;
  for (const Pass& out : passes)
    if (auto step = step_over(out, source(), false)) {
      step->forward = step->weight * weight_of_edge(*step, !from_end_);
      steps.push_back(*step);
    }
  return steps;
}

std::vector<PathLattice::Step> PathLattice::next_steps(const std::vector<Step>& steps) const {
  const bool is_last = layers_.size() + 1 == static_cast<std::size_t>(options_.steps);
  // By where they lead, and there by their symbols: of one symbol all have the same joint with what follows.
  std::map<ConceptId, std::map<StepSymbol, std::vector<const Step*>>> coming;
  for (const Step& step : steps)
    if (goes_on(step)) coming[head(step)][symbol_of(step.pass)].push_back(&step);
  std::size_t most = 0;
  for (const auto& [name, before] : coming) most += passes_.from(name).size();
  const Claim claim(most * sizeof(Step));
  std::vector<Step> next;
  for (const auto& [name, by_symbol] : coming) {
    const double hub = weight_of_hub(name);
    for (const Pass& out : passes_.from(name)) {
      auto step = step_over(out, name, is_last);
      spend(16);
      if (!step) continue;
      for (const auto& [symbol, before] : by_symbol) {
        spend(4 + before.size());
        double sum = 0;
        for (const Step* one : before)
          if (one->pass.statement != out.statement) sum += one->forward;
        if (sum > 0) step->forward += sum * weight_of_joint(*before.front(), *step);
      }
      step->forward *= hub * step->weight;
      if (step->forward > 0) next.push_back(*step);
    }
  }
  return next;
}

// The best in the order in which they stand, and all that arrive or are kept anyway.
void PathLattice::keep_best(std::vector<Step>& steps) const {
  if (steps.size() <= options_.width) return;
  const auto stays = [&](const Step& step) {
    return (step.arrives && scorer_.question().to) || statements_.keeps(step.pass.statement);
  };
  std::vector<const Step*> going_on;
  for (const Step& step : steps)
    if (!stays(step)) going_on.push_back(&step);
  if (going_on.size() <= options_.width) return;
  const auto better = [&](const Step* a, const Step* b) {
    if (a->forward != b->forward) return a->forward > b->forward;
    const auto order = narsese::compare(memory_.statement_term(a->pass.statement),
                                        memory_.statement_term(b->pass.statement));
    return order != 0 ? order < 0 : head(*a) < head(*b);
  };
  std::nth_element(going_on.begin(), going_on.begin() + static_cast<std::ptrdiff_t>(options_.width),
                   going_on.end(), better);
  std::vector<bool> kept(steps.size());
  for (std::size_t i = 0; i < options_.width; ++i)
    kept[static_cast<std::size_t>(going_on[i] - steps.data())] = true;
  std::vector<Step> best;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (kept[i] || stays(steps[i])) best.push_back(steps[i]);
  steps = std::move(best);
}

void PathLattice::add_edges(Layer& layer, const std::vector<Step>& next) {
  const auto after = [&](const Step& step) {
    const auto by_tail = [&](const Step& s) { return tail(s); };
    const auto begin = std::ranges::lower_bound(next, head(step), {}, by_tail);
    return std::span(begin, std::ranges::upper_bound(begin, next.end(), head(step), {}, by_tail));
  };
  std::size_t most = 0;
  for (const Step& step : layer.steps)
    if (goes_on(step)) most += after(step).size();
  claims_.emplace_back(most * sizeof(Edge));
  layer.edges.reserve(most);
  for (std::size_t i = 0; i < layer.steps.size(); ++i) {
    const Step& step = layer.steps[i];
    if (!goes_on(step)) continue;
    const auto all = after(step);
    if (all.empty()) continue;
    spend(8 * all.size());
    const double hub = weight_of_hub(head(step));
    for (const Step& farther : all)
      if (farther.pass.statement != step.pass.statement)
        layer.edges.push_back({i, static_cast<std::size_t>(&farther - next.data()),
                               hub * weight_of_joint(step, farther) * farther.weight});
  }
}

void PathLattice::add_backward() {
  for (std::size_t l = layers_.size(); l-- > 0;) {
    std::vector<Step>& steps = layers_[l].steps;
    for (Step& step : steps) step.backward = step.arrives ? weight_of_edge(step, from_end_) : 0;
    for (const Edge& edge : layers_[l].edges)
      steps[edge.from].backward += edge.weight * layers_[l + 1].steps[edge.to].backward;
  }
  for (const Step& step : layers_.front().steps) total_ += step.forward * step.backward;
}

std::vector<std::pair<StatementId, double>> PathLattice::marginals() const {
  std::map<StatementId, double> sums;
  for (const Layer& layer : layers_)
    for (const Step& step : layer.steps)
      if (step.forward * step.backward > 0)
        sums[step.pass.statement] += step.forward * step.backward / total_;
  return {sums.begin(), sums.end()};
}

PathWeights PathLattice::expected_features() const {
  PathWeights expected{};
  if (!(total_ > 0)) return expected;
  double share = 0;
  const auto add = [&](PathFeature f, double x) { at(expected, f) += share * x; };
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const std::vector<Step>& steps = layers_[l].steps;
    for (const Step& step : steps) {
      share = step.forward * step.backward / total_;
      if (share > 0) scorer_.step(step.pass, step.from, add);
      if (l == 0 && share > 0) from_end_ ? scorer_.last(step.pass, add) : scorer_.first(step.pass, add);
      share = step.arrives ? step.forward * weight_of_edge(step, from_end_) / total_ : 0;
      if (share > 0) from_end_ ? scorer_.first(step.pass, add) : scorer_.last(step.pass, add);
    }
    for (const Edge& edge : layers_[l].edges) {
      const Step &nearer = steps[edge.from], &farther = layers_[l + 1].steps[edge.to];
      share = nearer.forward * edge.weight * farther.backward / total_;
      if (!(share > 0)) continue;
      if (from_end_)
        scorer_.joint(farther.pass, head(nearer), nearer.pass, add);
      else
        scorer_.joint(nearer.pass, head(nearer), farther.pass, add);
    }
  }
  return expected;
}

// Best first, by the weight of what is gone and the largest weight of what is left: exact.
std::vector<PathLattice::Way> PathLattice::best(std::size_t count) const {
  std::vector<std::vector<double>> left(layers_.size());
  for (std::size_t l = layers_.size(); l-- > 0;) {
    for (const Step& step : layers_[l].steps)
      left[l].push_back(step.arrives ? weight_of_edge(step, from_end_) : 0);
    for (const Edge& edge : layers_[l].edges)
      left[l][edge.from] = std::max(left[l][edge.from], edge.weight * left[l + 1][edge.to]);
  }
  struct Partial {
    double promise = 0, gone = 0;
    bool done = false;
    std::vector<std::size_t> places;
    bool operator<(const Partial& other) const {  // ties: the shorter, then who stands first
      return std::tuple(promise, other.places.size(), other.places) <
             std::tuple(other.promise, places.size(), places);
    }
  };
  std::priority_queue<Partial> open;
  for (std::size_t i = 0; i < layers_[0].steps.size(); ++i)
    if (const double gone = layers_[0].steps[i].forward; gone * left[0][i] > 0)
      open.push({gone * left[0][i], gone, false, {i}});
  std::vector<Way> ways;
  while (!open.empty() && ways.size() < count) {
    const Partial way = open.top();
    open.pop();
    spend(64);
    const std::size_t l = way.places.size() - 1, i = way.places.back();
    const Step& step = layers_[l].steps[i];
    if (way.done) {
      ways.push_back({{}, way.promise});
      for (std::size_t k = 0; k <= l; ++k) ways.back().steps.push_back(&layers_[k].steps[way.places[k]]);
      if (from_end_) std::ranges::reverse(ways.back().steps);
      continue;
    }
    if (step.arrives) open.push({way.gone * weight_of_edge(step, from_end_), way.gone, true, way.places});
    for (const Edge& edge : layers_[l].edges_of(i)) {
      const double gone = way.gone * edge.weight;
      if (!(gone * left[l + 1][edge.to] > 0)) continue;
      Partial on{gone * left[l + 1][edge.to], gone, false, way.places};
      on.places.push_back(edge.to);
      open.push(std::move(on));
    }
  }
  return ways;
}

}  // namespace engram::core
