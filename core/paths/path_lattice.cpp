// SPDX-License-Identifier: MIT
#include "core/paths/path_lattice.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>

#include "core/numbers/growth.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr double largest_exponent = 100;  // chosen: a path's weight and all sums stay within range

// Names whose statements are brought near before they are left, and how many of each: as fit in a cache. Chosen.
constexpr std::size_t names_ahead = 4, most_ahead = 64;

// So many times as many steps as are kept of a length stand there before the others are taken out. Chosen: of fewer the
// terms of those that weigh the same would be compared too often.
constexpr std::size_t beside_kept = 16;

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
  const auto is_said = [&](const Said& said) {
    return said.expectation == expectation && said.symbol == symbol;
  };
  if (!is_said(said_[last_said_])) {
    const auto bits = std::bit_cast<std::uint64_t>(expectation) ^
                      (std::uint64_t{symbol.relation} << 8U | static_cast<std::uint64_t>(symbol.kind) << 1U |
                       static_cast<std::uint64_t>(symbol.back));
    last_said_ = (bits * 0x9e3779b97f4a7c15U) >> 58U;
    if (!is_said(said_[last_said_]))
      said_[last_said_] = {symbol, expectation, weight_of_step(step.pass, step.from), number_of(symbol)};
  }
  step.symbol = said_[last_said_].number;
  step.weight = has_own_features_ ? weight_of_step(step.pass, step.from) : said_[last_said_].weight;
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
  for (std::uint32_t i = 0; const Step& step : steps) {
    if (step.goes_on) by_head.push_back({head(step), i});
    ++i;
  }
  std::ranges::sort(by_head);
  heads.of.resize(steps.size());
  std::size_t most = 0;
  for (const auto& [name, i] : by_head) {
    if (heads.names.empty() || heads.names.back() != name) {
      heads.names.push_back(name);
      heads.hubs.push_back(weight_of_hub(name));
      most += passes_.from(name).size();
    }
    heads.of[i] = static_cast<std::uint32_t>(heads.names.size() - 1);
  }
  if (is_last) find_arriving(heads.names, most);
  std::vector<Step> next;
  std::size_t room = beside_kept * options_.width;  // before those are taken out that will not be kept
  std::list<Claim> claims;
  const auto make_room_for = [&](std::size_t more) {
    const std::size_t capacity = grown_capacity(next, more);
    if (capacity == next.capacity()) return;
    claims.emplace_back((capacity - next.capacity()) * sizeof(Step));
    next.reserve(capacity);
  };
  make_room_for(std::min(most, room));
  double least = 0;  // what is below it will not be kept
  Coming coming;
  for (auto begin = by_head.begin(); begin != by_head.end();) {
    const ConceptId name = begin->name;
    if (!is_last) look_ahead(std::span(heads.names).subspan(heads.of[begin->step]));
    const auto end = std::find_if(begin, by_head.end(), [&](const ByHead& one) { return one.name != name; });
    const double hub = heads.hubs[heads.of[begin->step]];
    gather({begin, end}, steps, coming);
    begin = end;
    const auto leaving = steps_from(name, is_last);
    spend(16 * passes_.from(name).size() + 4 * leaving.size() +
          4 * coming.by_symbol.size() * symbols_.size() +
          coming.steps.size() * std::min(coming.steps.size(), leaving.size()));
    make_room_for(leaving.size());
    auto back = coming.statements.begin();
    for (const Step& out : leaving) {  // ascending by statement
      if (is_last && !out.arrives) continue;
      while (back != coming.statements.end() && *back < out.pass.statement) ++back;
      const bool returns = back != coming.statements.end() && *back == out.pass.statement;
      const double forward = forward_over(coming, out, returns) * (hub * out.weight);
      if (!(forward > 0) || (forward < least && !is_kept_anyway(out))) continue;
      next.push_back(out);
      next.back().forward = forward;
    }
    if (next.size() < room) continue;
    least = keep_best(next);
    room = 2 * next.size() + beside_kept * options_.width;  // twice: of those kept anyway there may be many
  }
  return next;
}

void PathLattice::gather(std::span<const ByHead> here, const std::vector<Step>& steps, Coming& coming) {
  coming.steps.clear();
  coming.by_symbol.clear();
  coming.statements.clear();
  for (const ByHead& one : here) {
    coming.steps.push_back(&steps[one.step]);
    coming.statements.push_back(steps[one.step].pass.statement);
  }
  const auto symbol = [](const Step* step) { return symbol_of(step->pass); };
  if (here.size() > 1) {
    std::ranges::stable_sort(coming.steps, {}, symbol);
    std::ranges::sort(coming.statements);
  }
  for (std::size_t i = 0; i < coming.steps.size(); ++i) {
    const Step* step = coming.steps[i];
    if (i == 0 || symbol(step) != symbol(coming.by_symbol.back().first))
      coming.by_symbol.push_back({step, 0, i, i});
    coming.by_symbol.back().forward += step->forward;
    ++coming.by_symbol.back().end;
  }
  if (coming.by_symbol.size() > 1) coming.onwards.assign(most_symbols, -1);
}

// Of ways by what comes to a name and on over a step, without the weights of the name and the step: as of all steps
// on that say the same, but where it goes back over a statement that comes there. None goes over its own.
double PathLattice::forward_over(Coming& coming, const Step& out, bool returns) const {
  const bool is_known = !returns && coming.by_symbol.size() > 1 && out.symbol < most_symbols;
  if (is_known && coming.onwards[out.symbol] >= 0) return coming.onwards[out.symbol];
  double forward = 0;
  for (const Coming::OfSymbol& before : coming.by_symbol) {
    double sum = before.forward;
    if (returns) {
      sum = 0;
      for (std::size_t k = before.begin; k < before.end; ++k)
        if (coming.steps[k]->pass.statement != out.pass.statement) sum += coming.steps[k]->forward;
    }
    if (sum > 0) forward += sum * weight_of_joint(*before.first, out);
  }
  if (is_known) coming.onwards[out.symbol] = forward;
  return forward;
}

// Those that are gone on from, or arrive.
void PathLattice::keep(std::vector<Step>& steps) const {
  keep_best(steps);
  steps.shrink_to_fit();
  for (Step& step : steps) step.goes_on = goes_on(step);
}

bool PathLattice::is_kept_anyway(const Step& step) const {
  return (step.arrives && goal_) || statements_.keeps(step.pass.statement);
}

// The last of the `width` largest sums of steps that are not kept anyway; nothing where there are no more of them.
std::optional<double> PathLattice::least_of_best(const std::vector<Step>& steps) const {
  if (steps.size() <= options_.width) return std::nullopt;
  std::vector<double> sums;
  sums.reserve(steps.size());
  for (const Step& step : steps)
    if (!is_kept_anyway(step)) sums.push_back(step.forward);
  if (sums.size() <= options_.width) return std::nullopt;
  const auto last = sums.begin() + static_cast<std::ptrdiff_t>(options_.width - 1);
  std::nth_element(sums.begin(), last, sums.end(), std::greater<>());
  return *last;
}

// The best in the order in which they stand, and those that are kept anyway. Returns what sums have at least that are
// kept.
double PathLattice::keep_best(std::vector<Step>& steps) const {
  const auto least = least_of_best(steps);
  if (!least) return 0;
  std::erase_if(steps, [&](const Step& step) { return step.forward < *least && !is_kept_anyway(step); });
  // Terms, which are far, are compared of those alone that are as large as the last, where not all have room.
  std::vector<std::size_t> ties;
  std::size_t room = options_.width;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is_kept_anyway(steps[i])) continue;
    if (steps[i].forward == *least)
      ties.push_back(i);
    else
      --room;
  }
  if (ties.size() <= room) return *least;
  const auto stands_before = [&](std::size_t x, std::size_t y) {
    const Step &a = steps[x], &b = steps[y];
    const auto order =
        narsese::compare(memory_.statement_term(a.pass.statement), memory_.statement_term(b.pass.statement));
    return order != 0 ? order < 0 : std::pair(head(a), tail(a)) < std::pair(head(b), tail(b));
  };
  const auto first_out = ties.begin() + static_cast<std::ptrdiff_t>(room);
  std::nth_element(ties.begin(), first_out, ties.end(), stands_before);
  std::sort(first_out, ties.end());
  std::size_t count = *first_out;
  auto out = first_out;
  for (std::size_t i = count; i < steps.size(); ++i)
    if (out != ties.end() && *out == i)
      ++out;
    else
      steps[count++] = steps[i];
  steps.resize(count);
  return *least;
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
    const double hub = heads.hubs[heads.of[i]];
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
