// SPDX-License-Identifier: MIT
#include "core/walks/bidirectional_spreading.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"
#include "core/walks/question_ends.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_places = 256;  // closure takes their cube; rules of more say too much to be joined

// Activation that has come into a statement at one of its leaves.
struct Pulse {
  StatementId statement = 0;
  std::uint32_t leaf = 0;
  double strength = 0;
};
using Wave = std::vector<Pulse>;  // ascending by statement and leaf, each once

bool before(const Pulse& a, const Pulse& b) {
  return a.statement != b.statement ? a.statement < b.statement : a.leaf < b.leaf;
}

// Pulses on their way out of statements, by the concept through which and the place from which they leave.
struct Departure {
  ConceptId through = 0;
  Position left_at{};
  StatementId from = 0;
  double strength = 0;
};

bool leaves_before(const Departure& a, const Departure& b) {
  return std::tie(a.through, a.left_at, a.from) < std::tie(b.through, b.left_at, b.from);
}

// All that leaves by a concept from one place of statements.
struct Outflow {
  Position left_at{};
  double total = 0;
  std::vector<std::pair<StatementId, double>> by_statement;  // ascending

  // A pulse does not come back to the statement that it left.
  double without(StatementId e) const {
    const auto own = std::ranges::lower_bound(by_statement, e, {}, &std::pair<StatementId, double>::first);
    const bool is_own = own != by_statement.end() && own->first == e;
    return is_own ? std::max(total - own->second, 0.0) : total;
  }
};

// A concept that passes activation on to its statements.
struct Passage {
  ConceptId through = 0;
  std::vector<Outflow> outflows;
  double most = 0;  // that any of its statements can get
};

// Departures that are alike are added, in the order of their statements.
std::vector<Passage> passages_of(std::vector<Departure> departures) {
  spend(64 * departures.size());
  std::stable_sort(departures.begin(), departures.end(), leaves_before);
  std::vector<Passage> passages;
  for (const Departure& d : departures) {
    if (passages.empty() || passages.back().through != d.through) passages.push_back({d.through, {}, 0});
    std::vector<Outflow>& outflows = passages.back().outflows;
    if (outflows.empty() || outflows.back().left_at != d.left_at) outflows.push_back({d.left_at, 0, {}});
    Outflow& outflow = outflows.back();
    if (outflow.by_statement.empty() || outflow.by_statement.back().first != d.from)
      outflow.by_statement.emplace_back(d.from, 0.0);
    outflow.by_statement.back().second += d.strength;
  }
  for (Passage& passage : passages)
    for (Outflow& outflow : passage.outflows)
      for (const auto& [statement, strength] : outflow.by_statement) outflow.total += strength;
  return passages;
}

std::vector<QuestionEnd> ends_of(const Readings& memory, const Cue& cue, const Joints& joints) {
  return question_ends(memory, cue, [&](Position p) { return joints.is_open(p); });
}

class Spreading {
 public:
  Spreading(const Readings& memory, const Joints& joints, const BidirectionalOptions& options)
      : memory_(memory), joints_(joints), options_(options) {}

  std::vector<Wave> waves_from(const QuestionEnd& end) const {
    Wave first;
    for (const StatementId e : memory_.mentions.columns_of(end.id)) {
      if (is_rule(e)) continue;
      const std::vector<Leaf> places = leaves(memory_.statement_terms[e]);
      for (std::uint32_t o = 0; o < places.size(); ++o)
        if (places[o].term == memory_.terms[end.id])
          send(first, e, o, weight(end.id, !end.place || joints_.carried(*end.place, places[o].position)));
    }
    std::size_t visits = options_.visits;
    std::vector<Wave> waves{std::move(first)};
    while (static_cast<int>(waves.size()) < options_.steps && !waves.back().empty())
      waves.push_back(next(waves.back(), visits));
    return waves;
  }

  // From an end to a pulse of its k-th wave, by the strongest pulses: concept, statement, ..., statement.
  std::vector<std::uint32_t> way_to(const QuestionEnd& end, const std::vector<Wave>& waves, std::size_t k,
                                    Pulse pulse) const {
    std::vector<std::uint32_t> way{pulse.statement};
    for (; k > 0; --k) {
      const Leaf entered = leaves(memory_.statement_terms[pulse.statement])[pulse.leaf];
      const auto through = concept_at(pulse.statement, entered);
      if (!through) break;
      Pulse best;
      for (const Pulse& before : waves[k - 1]) {
        const double strength = passed(before, pulse.statement, entered, *through);
        if (strength > best.strength) best = {before.statement, before.leaf, strength};
      }
      way.push_back(*through);
      way.push_back(best.statement);
      pulse = best;
    }
    way.push_back(end.id);
    return {way.rbegin(), way.rend()};
  }

 private:
  // What a pulse passes on to another statement, entered at a leaf: 0 where there is no way.
  double passed(const Pulse& pulse, StatementId to, const Leaf& entered, ConceptId through) const {
    if (pulse.statement == to) return 0;
    const std::vector<Leaf> places = leaves(memory_.statement_terms[pulse.statement]);
    double most = 0;
    for (std::uint32_t q = 0; q < places.size(); ++q) {
      if (q == pulse.leaf || places[q].term != entered.term) continue;
      const bool joined = joined_at(through, places[q].position, entered.position);
      most = std::max(most, pulse.strength * weight(through, joined));
    }
    return most;
  }

  // Where rules are silent, all places are alike; an operator, which is in all that is done by it, joins
  // none.
  bool joined_at(ConceptId through, Position left, Position entered) const {
    return joints_.empty() ? !is_operator(memory_, through) : joints_.joined(left, entered);
  }

  bool is_rule(StatementId e) const { return std::ranges::binary_search(memory_.rules, e); }

  std::size_t mentions(ConceptId id) const { return memory_.mentions.columns_of(id).size(); }

  double weight(ConceptId id, bool joined) const {
    if (!options_.inverse_frequency) return joined ? 1.0 : options_.other_joints;
    const auto n = static_cast<double>(mentions(id));
    return joined ? std::min(1.0, options_.fan / n) : options_.other_joints / n;
  }

  void send(Wave& wave, StatementId e, std::uint32_t leaf, double strength) const {
    wave.push_back({e, leaf, options_.belief ? strength * memory_.expectation[e] : strength});
  }

  // The concept of a statement that a leaf names, if it holds activation.
  std::optional<ConceptId> concept_at(StatementId e, const Leaf& leaf) const {
    for (const ConceptId id : memory_.episodes.columns_of(e))
      if (memory_.terms[id] == leaf.term) return id;
    return {};
  }

  Wave next(const Wave& wave, std::size_t& visits) const {
    Wave pulses;
    for (const Passage& passage : strongest_first(passages_of(departures_of(wave)))) {
      if (passage.most < options_.threshold) break;
      if (mentions(passage.through) > visits) continue;
      visits -= mentions(passage.through);
      pass_on(pulses, passage);
    }
    std::erase_if(pulses, [&](const Pulse& pulse) { return pulse.strength < options_.threshold; });
    std::ranges::sort(pulses, before);  // each statement and leaf is there once: its concept was passed once
    return pulses;
  }

  std::vector<Departure> departures_of(const Wave& wave) const {
    std::vector<Departure> departures;
    for (const Pulse& pulse : wave) {
      const std::vector<Leaf> places = leaves(memory_.statement_terms[pulse.statement]);
      for (std::uint32_t q = 0; q < places.size(); ++q) {
        const auto id = q == pulse.leaf ? std::nullopt : concept_at(pulse.statement, places[q]);
        if (id) departures.push_back({*id, places[q].position, pulse.statement, pulse.strength});
      }
    }
    return departures;
  }

  std::vector<Passage> strongest_first(std::vector<Passage> passages) const {
    for (Passage& passage : passages)
      for (const Outflow& outflow : passage.outflows) {
        const bool may_be_joined =
            joints_.empty() ? !is_operator(memory_, passage.through) : joints_.is_open(outflow.left_at);
        passage.most += outflow.total * std::max(weight(passage.through, false),
                                                 may_be_joined ? weight(passage.through, true) : 0.0);
      }
    std::ranges::stable_sort(passages, std::ranges::greater(), &Passage::most);  // ties: the lower id
    return passages;
  }

  void pass_on(Wave& pulses, const Passage& passage) const {
    const double by_rule = weight(passage.through, true), otherwise = weight(passage.through, false);
    for (const StatementId e : memory_.mentions.columns_of(passage.through)) {
      if (is_rule(e)) continue;
      const std::vector<Leaf> places = leaves(memory_.statement_terms[e]);
      for (std::uint32_t o = 0; o < places.size(); ++o) {
        if (places[o].term != memory_.terms[passage.through]) continue;
        spend(16 * passage.outflows.size());
        double strength = 0;
        for (const Outflow& outflow : passage.outflows) {
          const bool joined = joined_at(passage.through, outflow.left_at, places[o].position);
          strength += outflow.without(e) * (joined ? by_rule : otherwise);
        }
        send(pulses, e, o, strength);
      }
    }
  }

  const Readings& memory_;
  const Joints& joints_;
  const BidirectionalOptions& options_;
};

// Adds what a wave from one end and a wave from the other come to where they meet, each at a leaf of its own.
void add_meetings(const Wave& a, const Wave& b, double factor, Vector& scores) {
  spend(4 * (a.size() + b.size()));
  std::size_t j = 0;
  for (const Pulse& pulse : a) {
    while (j < b.size() && b[j].statement < pulse.statement) ++j;
    for (std::size_t k = j; k < b.size() && b[k].statement == pulse.statement; ++k)
      if (b[k].leaf != pulse.leaf) scores[pulse.statement] += factor * pulse.strength * b[k].strength;
  }
}

void close(std::vector<std::vector<char>>& relation) {
  for (std::size_t k = 0; k < relation.size(); ++k)
    for (std::size_t i = 0; i < relation.size(); ++i) {
      if (!relation[i][k]) continue;
      spend(relation.size());
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
        spend(16 * parts.size());
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
      spend(n);
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

// What pairs of ends come to; zeros if they never meet.
Vector met(const Waves& waves, const std::vector<double>& decayed, Index statements) {
  Vector scores = Vector::Zero(statements);
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

}  // namespace

Vector spread_from_both_ends(const Readings& memory, const Cue& cue, const Joints& joints,
                             const BidirectionalOptions& options) {
  const Spreading spreading(memory, joints, options);
  Waves waves;
  for (const QuestionEnd& end : ends_of(memory, cue, joints)) waves.push_back(spreading.waves_from(end));

  const std::vector<double> decayed = decays(options);
  Vector scores = met(waves, decayed, memory.statements());
  if ((scores.array() > 0).any()) return scores;
  for (const std::vector<Wave>& from_end : waves)
    for (std::size_t i = 0; i < from_end.size(); ++i)
      for (const Pulse& pulse : from_end[i]) scores[pulse.statement] += decayed[i] * pulse.strength;
  return scores;
}

std::vector<Meeting> meetings_at(const Readings& memory, const Cue& cue, const Joints& joints,
                                 const BidirectionalOptions& options, StatementId statement) {
  const Spreading spreading(memory, joints, options);
  const std::vector<QuestionEnd> ends = ends_of(memory, cue, joints);
  Waves waves;
  for (const QuestionEnd& end : ends) waves.push_back(spreading.waves_from(end));
  const std::vector<double> decayed = decays(options);
  const bool any_meet = (met(waves, decayed, memory.statements()).array() > 0).any();

  std::vector<Meeting> meetings;
  for (std::size_t a = 0; a < waves.size(); ++a)
    for (std::size_t i = 0; i < waves[a].size(); ++i)
      for (const Pulse& p : pulses_at(waves[a][i], statement)) {
        const auto way = spreading.way_to(ends[a], waves[a], i, p);
        if (!any_meet) meetings.push_back({ends[a].id, ends[a].id, i + 1, 0, decayed[i] * p.strength, way});
        for (std::size_t b = a + 1; b < waves.size(); ++b)
          for (std::size_t j = 0; j < waves[b].size() && i + j < decayed.size(); ++j)
            for (const Pulse& q : pulses_at(waves[b][j], statement)) {
              if (p.leaf == q.leaf) continue;
              meetings.push_back(
                  {ends[a].id, ends[b].id, i + 1, j + 1, decayed[i + j] * p.strength * q.strength, way});
              const auto back = spreading.way_to(ends[b], waves[b], j, q);
              meetings.back().way.insert(meetings.back().way.end(), back.rbegin() + 1, back.rend());
            }
      }
  return meetings;
}

}  // namespace engram::core
