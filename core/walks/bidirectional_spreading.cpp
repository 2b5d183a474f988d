// SPDX-License-Identifier: MIT
#include "core/walks/bidirectional_spreading.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/walks/pulse_waves.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_places = 256;  // closure takes their cube; rules of more say too much to be joined

std::vector<QuestionEnd> ends_of(const MemoryIndex& memory, const Cue& cue, const Joints& joints) {
  return question_ends(memory, cue, [&](Position p) { return joints.is_open(p); });
}

// Of pulses before `last`, the first whose statement is not below `e`; near the first, if it is near.
const Pulse* skip_to(const Pulse* first, const Pulse* last, StatementId e) {
  std::ptrdiff_t step = 1;
  while (step < last - first && first[step].statement < e) step *= 2;
  return std::lower_bound(first + step / 2, std::min(first + step + 1, last), e,
                          [](const Pulse& pulse, StatementId id) { return pulse.statement < id; });
}

// Adds what a wave from one end and a wave from the other come to where they meet, each at an occurrence of
// its own.
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
  // A fact's place p may become a conclusion's place p', which a rule joins with q', which comes from q.
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

using Waves = std::vector<std::vector<Wave>>;  // of each end, by the statements gone

std::vector<double> decays(const BidirectionalOptions& options) {
  std::vector<double> decayed{1.0};
  for (int i = 1; i < options.steps; ++i) decayed.push_back(decayed.back() * options.decay);
  return decayed;
}

// What pairs of ends come to; nothing if they never meet.
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

// What goes out from the ends of a question, and what it comes to.
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

  // What comes nowhere near the other ends meets nothing.
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
        const auto way = spreading.pulses.way_to(ends[a], waves[a], i, p);
        if (!spreading.ends_meet)
          meetings.push_back({ends[a].id, ends[a].id, i + 1, 0, decayed[i] * p.strength, way});
        for (std::size_t b = a + 1; b < waves.size(); ++b)
          for (std::size_t j = 0; j < waves[b].size() && i + j < decayed.size(); ++j)
            for (const Pulse& q : pulses_at(waves[b][j], statement)) {
              if (p.occurrence == q.occurrence) continue;
              meetings.push_back(
                  {ends[a].id, ends[b].id, i + 1, j + 1, decayed[i + j] * p.strength * q.strength, way});
              const auto back = spreading.pulses.way_to(ends[b], waves[b], j, q);
              meetings.back().way.insert(meetings.back().way.end(), back.rbegin() + 1, back.rend());
            }
      }
  return meetings;
}

}  // namespace engram::core
