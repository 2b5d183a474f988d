// SPDX-License-Identifier: MIT
#include "core/paths/path_lattice.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <queue>
#include <tuple>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr double largest_exponent = 100;  // chosen: a path's weight and all sums stay within range

// Of more the joints are not kept. Chosen: relations are seldom so many where a question leads.
constexpr std::uint8_t most_symbols = 48;

// Names whose statements are brought near before they are left, and how many of each: as fit in a cache. Chosen.
constexpr std::size_t names_ahead = 4, most_ahead = 64;

// Steps that are worked out once for all lengths. Chosen: some hundred names, and 3 MB.
constexpr std::size_t most_leaving = std::size_t{1} << 16;

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
  require(options.width >= 1, "at least one step must be gone on from");
  require(!from_end || scorer.question().to, "without an end there is nothing to go back from");
  for (std::size_t f = 0; f < path_features; ++f) weight_of_one_[f] = weight_of(theta[f]);
  layers_.push_back({first_steps(), {}});
  keep(layers_.back().steps);
  while (!layers_.back().steps.empty() && layers_.size() < static_cast<std::size_t>(options.steps)) {
    Layer next{next_steps(layers_.back().steps), {}};
    keep(next.steps);
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
  if (nearer.symbol == most_symbols || farther.symbol == most_symbols) return weigh();
  if (joints_.empty()) joints_.assign(std::size_t{most_symbols} * most_symbols, -1);
  double& known = joints_[std::size_t{nearer.symbol} * most_symbols + farther.symbol];
  if (known < 0) known = weigh();
  return known;
}

std::uint8_t PathLattice::number_of(const StepSymbol& symbol) {
  const auto number = static_cast<std::uint8_t>(std::ranges::find(symbols_, symbol) - symbols_.begin());
  if (number == symbols_.size() && number < most_symbols) symbols_.push_back(symbol);
  return number;
}

double PathLattice::weight_of_hub(ConceptId between) const {
  const auto weigh = [&] { return weight_of(at(theta_, PathFeature::hub) * scorer_.hub(between)); };
  const std::size_t mentions = memory_.mentions(static_cast<Index>(between)).size();
  if (mentions >= hubs_.size()) return weigh();
  if (hubs_[mentions] == 0) hubs_[mentions] = weigh();
  return hubs_[mentions];
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
std::optional<PathLattice::Step> PathLattice::step_over(const Pass& out, ConceptId name, bool must_arrive) {
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
  step.symbol = number_of(symbol_of(step.pass));
  step.weight = weight_of_step(step.pass, step.from);
  return step;
}

// All steps that leave a name, by its passes: as far as there is room they are kept, as names are left at several
// lengths.
std::span<const PathLattice::Step> PathLattice::steps_from(ConceptId name, bool must_arrive) {
  if (const auto number = known_names_.find(name)) {
    const auto [begin, count] = ranges_[*number];
    return std::span(leaving_).subspan(begin, count);
  }
  const auto passes = passes_.from(name);
  const bool is_kept = !must_arrive && leaving_.size() + passes.size() <= most_leaving;
  std::vector<Step>& steps = is_kept ? leaving_ : passing_;
  if (is_kept)
    make_room_to_leave(passes.size());
  else
    steps.clear();
  const std::size_t begin = steps.size();
  for (const Pass& out : passes)
    if (const auto step = step_over(out, name, must_arrive)) steps.push_back(*step);
  if (is_kept) {
    known_names_.insert(name);
    ranges_.emplace_back(begin, steps.size() - begin);
  }
  return std::span(steps).subspan(begin);
}

// As much again as there is, so that it is seldom made.
void PathLattice::make_room_to_leave(std::size_t more) {
  constexpr std::size_t least = 256;
  if (leaving_.size() + more <= leaving_room_) return;
  const std::size_t room =
      std::clamp(2 * leaving_room_, std::max(least, leaving_.size() + more), most_leaving);
  claims_.emplace_back((room - leaving_room_) * sizeof(Step));
  leaving_.reserve(room);
  leaving_room_ = room;
}

// Asks memory for the statements of a name that was not left yet.
void PathLattice::look_ahead(ConceptId name) const {
  const auto passes = passes_.from(name);
  if (passes.size() > most_ahead || known_names_.find(name)) return;
  for (const Pass& out : passes) memory_.memory().statements().look_ahead(out.statement);
}

std::vector<PathLattice::Step> PathLattice::first_steps() {
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

std::vector<PathLattice::Step> PathLattice::next_steps(const std::vector<Step>& steps) {
  const bool is_last = layers_.size() + 1 == static_cast<std::size_t>(options_.steps);
  // By where they lead, and there by their symbols.
  std::vector<std::tuple<ConceptId, StepSymbol, std::size_t>> coming;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].goes_on) coming.emplace_back(head(steps[i]), symbol_of(steps[i].pass), i);
  std::ranges::sort(coming);
  const auto name_of = [](const auto& one) { return std::get<0>(one); };
  const auto step_of = [&](const auto& one) -> const Step& { return steps[std::get<2>(one)]; };
  std::vector<ConceptId> names;
  std::size_t most = 0;
  for (std::size_t i = 0; i < coming.size(); ++i) {
    if (i > 0 && name_of(coming[i]) == names.back()) continue;
    names.push_back(name_of(coming[i]));
    most += passes_.from(names.back()).size();
  }
  const Claim claim(most * sizeof(Step));
  std::vector<Step> next;
  constexpr std::size_t usual = 1024;
  next.reserve(std::min(most, usual));
  std::vector<Coming> by_symbol;
  for (std::size_t i = 0, number = 0; i < coming.size(); ++number) {
    const ConceptId name = names[number];
    if (number + names_ahead < names.size() && !is_last) look_ahead(names[number + names_ahead]);
    const std::size_t begin = i;
    by_symbol.clear();
    for (; i < coming.size() && name_of(coming[i]) == name; ++i) {
      if (i == begin || std::get<1>(coming[i]) != std::get<1>(coming[i - 1]))
        by_symbol.push_back({&step_of(coming[i]), 0, i, i});
      by_symbol.back().forward += step_of(coming[i]).forward;
      ++by_symbol.back().end;
    }
    const auto here = std::span(coming).subspan(begin, i - begin);
    const double hub = weight_of_hub(name);
    spend(16 * passes_.from(name).size());
    for (const Step& out : steps_from(name, is_last)) {
      if (is_last && !out.arrives) continue;
      Step step = out;
      const StatementId e = out.pass.statement;
      const bool returns =
          std::ranges::any_of(here, [&](const auto& one) { return step_of(one).pass.statement == e; });
      for (const Coming& before : by_symbol) {
        spend(4 + before.end - before.begin);
        double sum = before.forward;
        if (returns) {
          sum = 0;
          for (std::size_t k = before.begin; k < before.end; ++k)
            if (step_of(coming[k]).pass.statement != e) sum += step_of(coming[k]).forward;
        }
        if (sum > 0) step.forward += sum * weight_of_joint(*before.first, step);
      }
      step.forward *= hub * step.weight;
      if (step.forward > 0) next.push_back(step);
    }
  }
  return next;
}

// Those that are gone on from, or arrive.
void PathLattice::keep(std::vector<Step>& steps) const {
  keep_best(steps);
  for (Step& step : steps) step.goes_on = goes_on(step);
}

// The best in the order in which they stand, and all that arrive or are kept anyway.
void PathLattice::keep_best(std::vector<Step>& steps) const {
  if (steps.size() <= options_.width) return;
  const auto stays = [&](const Step& step) {
    return (step.arrives && scorer_.question().to) || statements_.keeps(step.pass.statement);
  };
  std::vector<std::pair<double, std::size_t>> going_on;  // by place
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!stays(steps[i])) going_on.emplace_back(steps[i].forward, i);
  if (going_on.size() <= options_.width) return;
  const auto last = going_on.begin() + static_cast<std::ptrdiff_t>(options_.width);
  const auto larger = [](const auto& a, const auto& b) { return a.first > b.first; };
  std::nth_element(going_on.begin(), last - 1, going_on.end(), larger);
  // Terms, which are far, are compared of those alone that are as large as the last, where not all have room.
  const double least = (last - 1)->first;
  const auto is_above = [&](const auto& one) { return one.first > least; };
  const auto ties = std::partition(going_on.begin(), last, is_above);
  const auto end = std::partition(last, going_on.end(), [&](const auto& one) { return one.first == least; });
  const auto stands_before = [&](const auto& x, const auto& y) {
    const Step &a = steps[x.second], &b = steps[y.second];
    const auto order =
        narsese::compare(memory_.statement_term(a.pass.statement), memory_.statement_term(b.pass.statement));
    return order != 0 ? order < 0 : std::pair(head(a), tail(a)) < std::pair(head(b), tail(b));
  };
  if (end != last) std::nth_element(ties, last - 1, end, stands_before);
  std::vector<bool> kept(steps.size());
  for (auto one = going_on.begin(); one != last; ++one) kept[one->second] = true;
  std::vector<Step> best;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (kept[i] || stays(steps[i])) best.push_back(steps[i]);
  steps = std::move(best);
}

void PathLattice::add_edges(Layer& layer, const std::vector<Step>& next) {
  std::vector<std::span<const Step>> after;  // each step, where it goes on
  std::size_t most = 0;
  for (const Step& step : layer.steps) {
    const auto by_tail = [&](const Step& s) { return tail(s); };
    const auto begin = std::ranges::lower_bound(next, head(step), {}, by_tail);
    const auto end =
        step.goes_on ? std::ranges::upper_bound(begin, next.end(), head(step), {}, by_tail) : begin;
    after.emplace_back(begin, end);
    most += after.back().size();
  }
  claims_.emplace_back(most * sizeof(Edge));
  layer.edges.reserve(most);
  for (std::size_t i = 0; i < layer.steps.size(); ++i) {
    const Step& step = layer.steps[i];
    const auto all = after[i];
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
  std::vector<std::pair<StatementId, double>> shares, sums;
  for (const Layer& layer : layers_)
    for (const Step& step : layer.steps)
      if (step.forward * step.backward > 0)
        shares.emplace_back(step.pass.statement, step.forward * step.backward / total_);
  // Those of a statement stay in their order: so they add up to the same bits, whatever else there is.
  std::ranges::stable_sort(shares, {}, [](const auto& one) { return one.first; });
  for (const auto& [e, share] : shares)
    if (!sums.empty() && sums.back().first == e)
      sums.back().second += share;
    else
      sums.emplace_back(e, share);
  return sums;
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
  struct Place {  // of a way, and where it was before
    std::size_t step = 0, before = 0;
  };
  constexpr auto beginning = static_cast<std::size_t>(-1);
  std::vector<Place> places;
  struct Partial {
    double promise = 0, gone = 0;
    bool done = false;
    std::size_t length = 0, last = 0;  // places
  };
  // Whether the steps of one stand before those of another, of the same length.
  const auto stands_before = [&](std::size_t a, std::size_t b) {
    bool before = false;
    for (; a != b && a != beginning; a = places[a].before, b = places[b].before)
      if (places[a].step != places[b].step) before = places[a].step < places[b].step;
    return before;
  };
  const auto comes_later = [&](const Partial& a,
                               const Partial& b) {  // ties: the shorter, then who stands first
    if (a.promise != b.promise) return a.promise < b.promise;
    return a.length != b.length ? a.length > b.length : stands_before(b.last, a.last);
  };
  std::priority_queue<Partial, std::vector<Partial>, decltype(comes_later)> open(comes_later);
  const auto add = [&](double promise, double gone, std::size_t length, std::size_t step,
                       std::size_t before) {
    places.push_back({step, before});
    open.push({promise, gone, false, length, places.size() - 1});
  };
  for (std::size_t i = 0; i < layers_[0].steps.size(); ++i)
    if (const double gone = layers_[0].steps[i].forward; gone * left[0][i] > 0)
      add(gone * left[0][i], gone, 1, i, beginning);
  std::vector<Way> ways;
  while (!open.empty() && ways.size() < count) {
    const Partial way = open.top();
    open.pop();
    spend(64);
    const std::size_t l = way.length - 1, i = places[way.last].step;
    const Step& step = layers_[l].steps[i];
    if (way.done) {
      ways.push_back({{}, way.promise});
      for (std::size_t at = way.last, k = l + 1; k-- > 0; at = places[at].before)
        ways.back().steps.push_back(&layers_[k].steps[places[at].step]);
      if (!from_end_) std::ranges::reverse(ways.back().steps);
      continue;
    }
    if (step.arrives)
      open.push({way.gone * weight_of_edge(step, from_end_), way.gone, true, way.length, way.last});
    for (const Edge& edge : layers_[l].edges_of(i)) {
      const double gone = way.gone * edge.weight;
      if (gone * left[l + 1][edge.to] > 0)
        add(gone * left[l + 1][edge.to], gone, way.length + 1, edge.to, way.last);
    }
  }
  return ways;
}

}  // namespace engram::core
