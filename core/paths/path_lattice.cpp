// SPDX-License-Identifier: MIT
#include "core/paths/path_lattice.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr double largest_exponent = 100;  // chosen: a path's weight and all sums stay within range

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
  has_own_features_ =
      at(theta, PathFeature::evidence) != 0 || at(theta, PathFeature::link) != 0 || scorer.has_embedding();
  goal_ = from_end ? scorer.question().from : scorer.question().to;
  for (std::size_t f = 0; f < path_features; ++f) weight_of_one_[f] = weight_of(theta[f]);
  joints_.assign(std::size_t{most_symbols} * most_symbols, -1);
  layers_.push_back({first_steps(), {}});
  keep(layers_.back().steps);
  while (!layers_.back().steps.empty() && layers_.size() < static_cast<std::size_t>(options.steps)) {
    Heads heads;
    Layer next{next_steps(layers_.back().steps, heads), {}};
    keep(next.steps);
    add_edges(layers_.back(), heads, next.steps);
    layers_.push_back(std::move(next));
  }
  add_backward();
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

// Gives a step its symbol's number and its weight: as a rule those of a step before it that says the same, and is
// believed as far.
void PathLattice::say(Step& step) {
  const StepSymbol symbol = symbol_of(step.pass);
  const double expectation = memory_.expectation(static_cast<Index>(step.pass.statement));
  const auto bits = std::bit_cast<std::uint64_t>(expectation) ^
                    (std::uint64_t{symbol.relation} << 8U | static_cast<std::uint64_t>(symbol.kind) << 1U |
                     static_cast<std::uint64_t>(symbol.back));
  Said& said = said_[(bits * 0x9e3779b97f4a7c15U) >> 58U];
  if (said.expectation != expectation || said.symbol != symbol)
    said = {symbol, expectation, weight_of_step(step.pass, step.from), number_of(symbol)};
  step.symbol = said.number;
  step.weight = has_own_features_ ? weight_of_step(step.pass, step.from) : said.weight;
}

double PathLattice::worked_out_joint(const Step& nearer, const Step& farther) const {
  const auto kind =
      from_end_ ? scorer_.joint(farther.pass, nearer.pass) : scorer_.joint(nearer.pass, farther.pass);
  return kind ? weight_of_one_[static_cast<std::size_t>(*kind)] : 1.0;
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
  return (!step.arrives || !goal_) && memory_.mentions(static_cast<Index>(head(step))).size() <= most_left_by;
}

// The step that leaves a name by one of its passes, if a path may go over it; of one against the path's direction,
// turned.
void PathLattice::add_step_over(const Pass& out, ConceptId name, std::vector<Step>& steps) {
  if (out.to == source() || !may_use(out.statement)) return;
  Step& step = steps.emplace_back(Step{out, name});
  if (from_end_) {
    step = {out.turned(), out.to};
    step.pass.to = name;
  }
  step.arrives = arrives(out.to);
  say(step);
}

// The last steps are looked for from the goal, where that has no more passes than all names that may lead there.
void PathLattice::find_arriving(std::span<const ConceptId> names, std::size_t passes) {
  if (!goal_ || passes_.from(*goal_).size() > passes) return;
  std::vector<Pass>& arriving = arriving_.emplace();
  for (const Pass& back : passes_.from(*goal_))
    if (std::ranges::binary_search(names, back.to)) arriving.push_back(back);
  std::ranges::stable_sort(arriving, {}, &Pass::to);
}

// All steps that leave a name, by its passes: as far as there is room they are kept, as names are left at several
// lengths.
std::span<const PathLattice::Step> PathLattice::steps_from(ConceptId name, bool must_arrive) {
  if (must_arrive && arriving_) {
    passing_.clear();
    auto back = std::ranges::lower_bound(*arriving_, name, {}, &Pass::to);
    for (; back != arriving_->end() && back->to == name; ++back) {
      Pass out = back->turned();
      out.to = *goal_;
      add_step_over(out, name, passing_);
    }
    return passing_;
  }
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
    if (!must_arrive || arrives(out.to)) add_step_over(out, name, steps);
  if (is_kept) {
    known_names_.insert(name);
    ranges_.emplace_back(begin, steps.size() - begin);
  }
  return std::span(steps).subspan(begin);
}

// As much again as there is, so that it is seldom made.
void PathLattice::make_room_to_leave(std::size_t more) {
  constexpr std::size_t least = 1024;
  const std::size_t before = leaving_.capacity();
  if (leaving_.size() + more <= before) return;
  const std::size_t room = std::clamp(2 * before, std::max(least, leaving_.size() + more), most_leaving);
  claims_.emplace_back((room - before) * sizeof(Step));
  leaving_.reserve(room);
}

// Asks memory for the statements of a name that is left soon and was not yet, and for the row of one further on.
void PathLattice::look_ahead(std::span<const ConceptId> names) const {
  if (names.size() > 2 * names_ahead) __builtin_prefetch(passes_.from(names[2 * names_ahead]).data());
  if (names.size() <= names_ahead) return;
  const ConceptId name = names[names_ahead];
  const auto passes = passes_.from(name);
  if (passes.size() > most_ahead || known_names_.find(name)) return;
  for (const Pass& out : passes) memory_.memory().statements().look_ahead(out.statement);
}

std::vector<PathLattice::Step> PathLattice::first_steps() {
  const auto passes = passes_.from(source());
  const Claim claim(passes.size() * sizeof(Step));
  spend(16 * passes.size());
  std::vector<Step> steps;
  for (const Pass& out : passes) add_step_over(out, source(), steps);
  for (Step& step : steps) step.forward = step.weight * weight_of_edge(step, !from_end_);
  return steps;
}

std::vector<PathLattice::Step> PathLattice::next_steps(const std::vector<Step>& steps, Heads& heads) {
  const bool is_last = layers_.size() + 1 == static_cast<std::size_t>(options_.steps);
  std::vector<ByHead> by_head;
  by_head.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].goes_on) by_head.emplace_back(head(steps[i]), symbol_of(steps[i].pass), i);
  std::ranges::sort(by_head);
  heads.of.resize(steps.size());
  std::size_t most = 0;
  for (const auto& [name, symbol, i] : by_head) {
    if (heads.names.empty() || heads.names.back() != name) {
      heads.names.push_back(name);
      most += passes_.from(name).size();
    }
    heads.of[i] = static_cast<std::uint32_t>(heads.names.size() - 1);
  }
  if (is_last) find_arriving(heads.names, most);
  const Claim claim(most * sizeof(Step));
  std::vector<Step> next;
  constexpr std::size_t usual = 1024;
  next.reserve(std::min(most, usual));
  Coming coming;
  auto begin = by_head.begin();
  for (std::size_t number = 0; number < heads.names.size(); ++number) {
    const ConceptId name = heads.names[number];
    if (!is_last) look_ahead(std::span(heads.names).subspan(number));
    const auto end =
        std::find_if(begin, by_head.end(), [&](const auto& one) { return std::get<0>(one) != name; });
    gather({begin, end}, steps, coming);
    begin = end;
    const double hub = weight_of_hub(name);
    const auto leaving = steps_from(name, is_last);
    spend(16 * passes_.from(name).size() +
          leaving.size() * (4 * coming.by_symbol.size() + coming.steps.size()));
    for (const Step& out : leaving) {
      if (is_last && !out.arrives) continue;
      const double forward = forward_over(coming, out) * (hub * out.weight);
      if (!(forward > 0)) continue;
      next.push_back(out);
      next.back().forward = forward;
    }
  }
  return next;
}

void PathLattice::gather(std::span<const ByHead> here, const std::vector<Step>& steps, Coming& coming) {
  coming.steps.clear();
  coming.by_symbol.clear();
  const StepSymbol* known = nullptr;
  for (const auto& [name, symbol, i] : here) {
    if (known == nullptr || *known != symbol)
      coming.by_symbol.push_back({&steps[i], 0, coming.steps.size(), coming.steps.size()});
    known = &symbol;
    Coming::OfSymbol& own = coming.by_symbol.back();
    own.forward += steps[i].forward;
    ++own.end;
    coming.steps.emplace_back(steps[i].pass.statement, steps[i].forward);
  }
}

// Of ways by what comes to a name and on over a step, without the weights of the name and the step. None goes back
// over its own statement.
double PathLattice::forward_over(const Coming& coming, const Step& out) const {
  const StatementId e = out.pass.statement;
  const bool returns =
      std::ranges::any_of(coming.steps, [&](const auto& before) { return before.first == e; });
  double forward = 0;
  for (const Coming::OfSymbol& before : coming.by_symbol) {
    double sum = before.forward;
    if (returns) {
      sum = 0;
      for (std::size_t k = before.begin; k < before.end; ++k)
        if (coming.steps[k].first != e) sum += coming.steps[k].second;
    }
    if (sum > 0) forward += sum * weight_of_joint(*before.first, out);
  }
  return forward;
}

// Those that are gone on from, or arrive.
void PathLattice::keep(std::vector<Step>& steps) const {
  keep_best(steps);
  for (Step& step : steps) step.goes_on = goes_on(step);
}

// The best in the order in which they stand, and all that arrive or are kept anyway.
void PathLattice::keep_best(std::vector<Step>& steps) const {
  if (steps.size() <= options_.width) return;
  std::vector<char> kept(steps.size());
  std::vector<std::pair<double, std::size_t>> going_on;  // by place
  going_on.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    if ((steps[i].arrives && goal_) || statements_.keeps(steps[i].pass.statement))
      kept[i] = 1;
    else
      going_on.emplace_back(steps[i].forward, i);
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
  for (auto one = going_on.begin(); one != last; ++one) kept[one->second] = 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (kept[i] != 0) steps[count++] = steps[i];
  steps.resize(count);
  steps.shrink_to_fit();
}

void PathLattice::add_edges(Layer& layer, const Heads& heads, const std::vector<Step>& next) {
  // The next steps stand by the names that they leave.
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; const ConceptId name : heads.names) {
    begins.push_back(i);
    while (i < next.size() && tail(next[i]) == name) ++i;
  }
  begins.push_back(next.size());
  const auto after = [&](std::size_t i) {
    if (!layer.steps[i].goes_on) return std::span<const Step>();
    const std::size_t name = heads.of[i];
    return std::span(next).subspan(begins[name], begins[name + 1] - begins[name]);
  };
  std::size_t most = 0;
  for (std::size_t i = 0; i < layer.steps.size(); ++i) most += after(i).size();
  claims_.emplace_back(most * sizeof(Edge));
  layer.edges.reserve(most);
  for (std::size_t i = 0; i < layer.steps.size(); ++i) {
    const Step& step = layer.steps[i];
    const auto all = after(i);
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

}  // namespace engram::core
