// SPDX-License-Identifier: MIT
#include "core/walks/bidirectional_spreading.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

Surroundings::Surroundings(const MemoryIndex& memory, std::span<const QuestionEnd> ends, std::size_t radius) {
  const Occurrences& occurrences = memory.occurrences();
  const auto statements = static_cast<std::size_t>(memory.statements());
  std::vector<ConceptId> fresh;
  for (const QuestionEnd& end : ends) fresh.push_back(end.id);
  std::size_t mentions = 0;
  const auto are_too_many = [&] { return 4 * mentions >= statements || mentions >= most_mentions; };
  for (; radii_ <= radius; ++radii_) {
    for (std::size_t i = 0; i < fresh.size() && !are_too_many(); ++i)
      mentions += occurrences.count_of(fresh[i]);
    if (are_too_many()) break;
    std::vector<StatementId> border;
    for (const ConceptId id : fresh)
      for (const PlaceOfName& at : occurrences.places_of(id))
        for (const Mention& mention : occurrences.mentions(at))
          if (statements_.insert(mention.statement, radii_)) border.push_back(mention.statement);
    fresh.clear();
    for (const StatementId e : border)
      for (const Occurrence& occurrence : occurrences.of_statement(e))
        if (names_.insert(occurrence.id, radii_)) fresh.push_back(occurrence.id);
    charge(32 * border.size());
  }
}

PulseWaves::PulseWaves(const MemoryIndex& memory, const Joints& joints, const BidirectionalOptions& options)
    : memory_(memory), occurrences_(memory.occurrences()), joints_(joints), options_(options) {}

std::vector<Wave> PulseWaves::from(const QuestionEnd& end, const Surroundings* destination) {
  std::size_t visits = options_.visits;
  std::vector<Wave> waves{first_wave(end)};
  while (static_cast<int>(waves.size()) < options_.steps && !waves.back().empty()) {
    const std::size_t further = static_cast<std::size_t>(options_.steps) - 1 - waves.size();
    std::optional<Within> within;
    if (destination != nullptr && further < destination->radii())
      within.emplace(Within{*destination, further});
    waves.push_back(next(waves.back(), within ? &*within : nullptr, visits));
  }
  return waves;
}

Wave PulseWaves::first_wave(const QuestionEnd& end) const {
  Wave wave;
  for (const PlaceOfName& at : occurrences_.places_of(end.id)) {
    const double strength = weight(end.id, !end.place || joints_.carried(*end.place, position(at.place)));
    for (const Mention& mention : occurrences_.mentions(at))
      wave.push_back({mention.statement, mention.occurrence, believed(mention.statement, strength)});
  }
  charge(16 * wave.size());
  std::ranges::sort(wave, {}, &Pulse::occurrence);
  return wave;
}

Wave PulseWaves::next(const Wave& wave, const Within* within, std::size_t& visits) {
  std::vector<Passage> strong = passages(leave(wave, within));
  limit_visits(strong, visits);
  for (const Passage& passage : strong) pass_on(passage, within);
  charge(16 * entering_.size());
  std::ranges::sort(entering_, {}, &Pulse::occurrence);
  return std::exchange(entering_, {});
}

// Sums what leaves through every name within the limit, except the name at which a pulse entered. Ordered by name,
// position, statement.
std::vector<PulseWaves::Leaving> PulseWaves::leave(const Wave& wave, const Within* within) {
  charge(16 * wave.size());
  leaving_ = SparseSums();
  for (const Pulse& pulse : wave) {
    const std::uint32_t end = occurrences_.begin_of(pulse.statement + 1);
    for (std::uint32_t o = occurrences_.begin_of(pulse.statement); o < end; ++o) {
      const Occurrence& occurrence = occurrences_[o];
      if (o == pulse.occurrence || (within != nullptr && !within->has_name(occurrence.id))) continue;
      leaving_.add(occurrence.first, pulse.strength);
    }
  }
  std::vector<Leaving> all;
  for (const auto& [o, strength] : leaving_.ascending()) {
    const Occurrence& occurrence = occurrences_[o];
    all.push_back({occurrence.id, position(occurrence.place), occurrence.place, o, strength});
  }
  charge(32 * all.size());
  std::ranges::stable_sort(all, {}, [](const Leaving& one) { return std::pair(one.through, one.position); });
  return all;
}

// The passages through which a statement can get at least the threshold, ordered by name.
std::vector<PulseWaves::Passage> PulseWaves::passages(std::span<const Leaving> leaving) {
  std::vector<Passage> strong;
  outflows_.clear();
  while (!leaving.empty()) {
    const auto end = std::ranges::find_if(
        leaving, [&](const Leaving& one) { return one.through != leaving.front().through; });
    const auto count = static_cast<std::size_t>(end - leaving.begin());
    const Passage passage = passage_through(leaving.first(count));
    if (passage.most < options_.threshold)
      outflows_.resize(passage.first);
    else
      strong.push_back(passage);
    leaving = leaving.subspan(count);
  }
  return strong;
}

PulseWaves::Passage PulseWaves::passage_through(std::span<const Leaving> by_one_name) {
  const ConceptId id = by_one_name.front().through;
  Passage passage{id, outflows_.size(), 0, weight(id, true), weight(id, false), 0};
  for (const Leaving& one : by_one_name) {  // ordered by statement
    if (outflows_.size() == passage.first || outflows_.back().place != one.place)
      outflows_.push_back({one.place, 0});
    outflows_.back().total += one.strength;
  }
  std::erase_if(outflows_, [](const Outflow& outflow) { return !(outflow.total > 0); });
  passage.last = outflows_.size();
  for (std::size_t f = passage.first; f < passage.last; ++f) {
    const auto [place, total] = outflows_[f];
    passage.most += total * std::max(passage.otherwise, may_be_joined(id, place) ? passage.by_rule : 0.0);
  }
  return passage;
}

// Takes the strongest passages first (ties: lower id) until the visits are used up.
void PulseWaves::limit_visits(std::vector<Passage>& passages, std::size_t& visits) const {
  std::size_t all = 0;
  for (const Passage& passage : passages) all += mentions(passage.through);
  if (all <= visits) {
    visits -= all;
    return;
  }
  charge(16 * passages.size());
  std::ranges::stable_sort(passages, std::ranges::greater(), &Passage::most);
  std::erase_if(passages, [&](const Passage& passage) {
    const std::size_t more = mentions(passage.through);
    if (more > visits) return true;
    visits -= more;
    return false;
  });
}

// All statements with the name at one place get the same strength, except the statements that the pulses left. A place
// whose strength is below the threshold is skipped.
void PulseWaves::pass_on(const Passage& passage, const Within* within) {
  const bool repeated = occurrences_.is_repeated(passage.through);
  for (const PlaceOfName& at : occurrences_.places_of(passage.through)) {
    const double all = set_weights(passage, at.place);
    if (all < options_.threshold) continue;  // no expectation is above 1
    const auto mentions = occurrences_.mentions(at);
    charge(8 * mentions.size());
    for (const auto& [e, occurrence] : mentions) {
      if (within != nullptr && !within->has_statement(e)) continue;
      double strength = all;
      if (repeated)
        strength = share_of(e, passage);
      else if (const double own = leaving_[occurrence]; own > 0)
        strength =
            share(passage, [&, here = at.place](std::uint32_t left) { return left == here ? own : 0.0; });
      strength = believed(e, strength);
      if (strength >= options_.threshold) entering_.push_back({e, occurrence, strength});
    }
  }
}

// Sets the weights of a passage's outflows for a place that is entered. Returns  the total strength there
double PulseWaves::set_weights(const Passage& passage, std::uint32_t place) {
  weights_.resize(passage.last - passage.first);
  charge(16 * weights_.size());
  double all = 0;
  for (std::size_t f = 0; f < weights_.size(); ++f) {
    const Outflow& outflow = outflows_[passage.first + f];
    weights_[f] = joined_at(passage.through, outflow.place, place) ? passage.by_rule : passage.otherwise;
    all += outflow.total * weights_[f];
  }
  return all;
}

// The share of a statement that contributed `own(place)` to the outflows: pulses do not return to the statement that
// they left.
template <class Own>
double PulseWaves::share(const Passage& passage, const Own& own) const {
  double share = 0;
  for (std::size_t f = 0; f < weights_.size(); ++f) {
    const Outflow& outflow = outflows_[passage.first + f];
    share += std::max(outflow.total - own(outflow.place), 0.0) * weights_[f];
  }
  return share;
}

// The share of a statement that may mention the name at several places.
double PulseWaves::share_of(StatementId e, const Passage& passage) const {
  const auto places = occurrences_.of_statement(e);
  charge((4 + static_cast<std::size_t>(places.size())) * weights_.size());
  return share(passage, [&](std::uint32_t left) {
    const auto own = std::ranges::find_if(places, [&](const Occurrence& occurrence) {
      return occurrence.id == passage.through && occurrence.place == left;
    });
    return own != places.end() ? leaving_[own->first] : 0.0;
  });
}

std::vector<std::uint32_t> PulseWaves::path_to(const QuestionEnd& end, const std::vector<Wave>& waves,
                                               std::size_t k, Pulse pulse) const {
  std::vector<std::uint32_t> path{pulse.statement};
  for (; k > 0; --k) {
    const Occurrence entered = occurrences_[pulse.occurrence];
    Pulse best;
    for (const Pulse& before : waves[k - 1]) {
      const double strength = passed(before, pulse.statement, entered);
      if (strength > best.strength) best = {before.statement, before.occurrence, strength};
    }
    path.push_back(entered.id);
    path.push_back(best.statement);
    pulse = best;
  }
  path.push_back(end.id);
  return {path.rbegin(), path.rend()};
}

// The strength that a pulse passes to another statement, entered at an occurrence; 0 if they share no name.
double PulseWaves::passed(const Pulse& pulse, StatementId to, const Occurrence& entered) const {
  if (pulse.statement == to) return 0;
  double most = 0;
  const std::uint32_t end = occurrences_.begin_of(pulse.statement + 1);
  for (std::uint32_t o = occurrences_.begin_of(pulse.statement); o < end; ++o) {
    const Occurrence& left = occurrences_[o];
    if (o == pulse.occurrence || left.id != entered.id) continue;
    most = std::max(most, pulse.strength * weight(left.id, joined_at(left.id, left.place, entered.place)));
  }
  return most;
}

// Without joints in rules, all places are joined, except through operators.
bool PulseWaves::may_be_joined(ConceptId through, std::uint32_t left) const {
  return joints_.empty() ? !occurrences_.is_operator(through) : joints_.is_open(position(left));
}

bool PulseWaves::joined_at(ConceptId through, std::uint32_t left, std::uint32_t entered) const {
  return joints_.empty() ? !occurrences_.is_operator(through)
                         : joints_.joined(position(left), position(entered));
}

double PulseWaves::weight(ConceptId id, bool joined) const {
  if (!options_.inverse_frequency) return joined ? 1.0 : options_.other_joints;
  const auto n = static_cast<double>(mentions(id));
  return joined ? std::min(1.0, options_.fan / n) : options_.other_joints / n;
}

namespace {

constexpr std::size_t most_places =
    256;  // chosen: closure is cubic, and rules with more places join almost all of them

std::vector<QuestionEnd> ends_of(const MemoryIndex& memory, const Cue& cue, const Joints& joints) {
  return question_ends(memory, cue, [&](Position p) { return joints.is_open(p); });
}

// Galloping search for the first pulse in [first, last) with a statement of at least `e`.
const Pulse* skip_to(const Pulse* first, const Pulse* last, StatementId e) {
  std::ptrdiff_t step = 1;
  while (step < last - first && first[step].statement < e) step *= 2;
  return std::lower_bound(first + step / 2, std::min(first + step + 1, last), e,
                          [](const Pulse& pulse, StatementId id) { return pulse.statement < id; });
}

// Adds the products of two ends' pulses that enter a statement at different occurrences.
void add_meetings(const Wave& a, const Wave& b, double factor, SparseSums& scores) {
  const Pulse *i = a.data(), *j = b.data();
  const Pulse *const a_end = i + a.size(), *const b_end = j + b.size();
  while (i != a_end && j != b_end) {
    charge(8);
    if (i->statement < j->statement) {
      i = skip_to(i, a_end, j->statement);
    } else if (j->statement < i->statement) {
      j = skip_to(j, b_end, i->statement);
    } else {
      for (const Pulse* k = j; k != b_end && k->statement == i->statement; ++k)
        if (k->occurrence != i->occurrence) scores.add(i->statement, factor * i->strength * k->strength);
      ++i;
    }
  }
}

void close(std::vector<std::vector<char>>& relation) {
  for (std::size_t k = 0; k < relation.size(); ++k)
    for (std::size_t i = 0; i < relation.size(); ++i) {
      if (!relation[i][k]) continue;
      charge(relation.size());
      for (std::size_t j = 0; j < relation.size(); ++j) relation[i][j] |= relation[k][j];
    }
}

}  // namespace

Joints::Joints(const std::vector<RulePattern>& rules) {
  std::set<std::pair<Position, Position>> joined, carried;
  std::set<Position> places;
  for (const RulePattern& rule : rules) {
    std::vector<std::vector<Leaf>> parts;
    for (const narsese::Term premise : rule.premises) parts.push_back(leaves(premise));
    parts.push_back(leaves(rule.conclusion));
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (const Leaf& a : parts[i]) {
        if (a.term.kind() != narsese::TermKind::variable) continue;
        charge(16 * parts.size());
        places.insert(a.position);
        for (std::size_t j = 0; j + 1 < parts.size(); ++j)
          for (const Leaf& b : parts[j])
            if (i != j && a.term == b.term)
              (i + 1 < parts.size() ? joined : carried).insert({a.position, b.position});
      }
  }
  if (places.size() > most_places) return;
  places_.assign(places.begin(), places.end());
  const std::size_t n = places_.size();
  joined_.assign(n, std::vector<char>(n, 0));
  carried_ = joined_;
  const auto at = [&](Position p) { return static_cast<std::size_t>(index_of(p)); };
  for (std::size_t i = 0; i < n; ++i) carried_[i][i] = 1;
  for (const auto& [p, q] : carried) carried_[at(p)][at(q)] = 1;
  close(carried_);
  // Fact position p can become conclusion position p', which a rule joins with q', which can come from q.
  for (const auto& [p, q] : joined)
    for (std::size_t i = 0; i < n; ++i) {
      if (!carried_[at(p)][i]) continue;
      charge(n);
      for (std::size_t j = 0; j < n; ++j)
        if (carried_[at(q)][j]) joined_[i][j] = 1;
    }
  any_ = !joined.empty();
}

int Joints::index_of(Position p) const {
  const auto found = std::ranges::lower_bound(places_, p);
  return found != places_.end() && *found == p ? static_cast<int>(found - places_.begin()) : -1;
}

bool Joints::related(const Relation& relation, Position p, Position q) const {
  const int i = index_of(p), j = index_of(q);
  return i >= 0 && j >= 0 && relation[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] != 0;
}

namespace {

using Waves = std::vector<std::vector<Wave>>;  // indexed by end, then by distance in statements

std::vector<double> decays(const BidirectionalOptions& options) {
  std::vector<double> decayed{1.0};
  for (int i = 1; i < options.steps; ++i) decayed.push_back(decayed.back() * options.decay);
  return decayed;
}

// The scores of all pairs of ends; empty if no two ends meet.
SparseSums met(const Waves& waves, const std::vector<double>& decayed) {
  SparseSums scores;
  for (std::size_t a = 0; a < waves.size(); ++a)
    for (std::size_t b = a + 1; b < waves.size(); ++b)
      for (std::size_t i = 0; i < waves[a].size(); ++i)
        for (std::size_t j = 0; j < waves[b].size() && i + j < decayed.size(); ++j)
          add_meetings(waves[a][i], waves[b][j], decayed[i + j], scores);
  return scores;
}

std::vector<Pulse> pulses_at(const Wave& wave, StatementId statement) {
  std::vector<Pulse> pulses;
  for (auto at = std::ranges::lower_bound(wave, statement, {}, &Pulse::statement);
       at != wave.end() && at->statement == statement; ++at)
    pulses.push_back(*at);
  return pulses;
}

// The waves from the ends of a question, and the scores.
struct Spreading {
  Spreading(const MemoryIndex& memory, const Cue& cue, const Joints& joints,
            const BidirectionalOptions& options)
      : pulses(memory, joints, options), ends(ends_of(memory, cue, joints)), decayed(decays(options)) {
    if (ends.size() > 1) {
      for (std::size_t a = 0; a < ends.size(); ++a) waves.push_back(towards_others(memory, a));
      scores = {memory.statements(), met(waves, decayed).ascending()};
      ends_meet = scores.any_above_zero();
    }
    if (ends_meet) return;
    waves.clear();
    for (const QuestionEnd& end : ends) waves.push_back(pulses.from(end));
    SparseSums reached;
    for (const std::vector<Wave>& from_end : waves)
      for (std::size_t i = 0; i < from_end.size(); ++i)
        for (const Pulse& pulse : from_end[i]) reached.add(pulse.statement, decayed[i] * pulse.strength);
    scores = {memory.statements(), reached.ascending()};
  }

  // The waves from end a, limited to statements from which another end is within reach.
  std::vector<Wave> towards_others(const MemoryIndex& memory, std::size_t a) {
    std::vector<QuestionEnd> others = ends;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
    const Surroundings around(memory, others, decayed.size() - 1);
    return pulses.from(ends[a], &around);
  }

  PulseWaves pulses;
  std::vector<QuestionEnd> ends;
  std::vector<double> decayed;
  Waves waves;
  SparseVector scores;
  bool ends_meet = false;
};

}  // namespace

SparseVector spread_from_both_ends(const MemoryIndex& memory, const Cue& cue, const Joints& joints,
                                   const BidirectionalOptions& options) {
  return std::move(Spreading(memory, cue, joints, options).scores);
}

std::vector<Meeting> meetings_at(const MemoryIndex& memory, const Cue& cue, const Joints& joints,
                                 const BidirectionalOptions& options, StatementId statement) {
  const Spreading spreading(memory, cue, joints, options);
  const std::vector<QuestionEnd>& ends = spreading.ends;
  const Waves& waves = spreading.waves;
  const std::vector<double>& decayed = spreading.decayed;

  std::vector<Meeting> meetings;
  for (std::size_t a = 0; a < waves.size(); ++a)
    for (std::size_t i = 0; i < waves[a].size(); ++i)
      for (const Pulse& p : pulses_at(waves[a][i], statement)) {
        const auto path = spreading.pulses.path_to(ends[a], waves[a], i, p);
        if (!spreading.ends_meet)
          meetings.push_back({ends[a].id, ends[a].id, i + 1, 0, decayed[i] * p.strength, path});
        for (std::size_t b = a + 1; b < waves.size(); ++b)
          for (std::size_t j = 0; j < waves[b].size() && i + j < decayed.size(); ++j)
            for (const Pulse& q : pulses_at(waves[b][j], statement)) {
              if (p.occurrence == q.occurrence) continue;
              meetings.push_back(
                  {ends[a].id, ends[b].id, i + 1, j + 1, decayed[i + j] * p.strength * q.strength, path});
              const auto back = spreading.pulses.path_to(ends[b], waves[b], j, q);
              meetings.back().path.insert(meetings.back().path.end(), back.rbegin() + 1, back.rend());
            }
      }
  return meetings;
}

}  // namespace engram::core
