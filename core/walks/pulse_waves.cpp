// SPDX-License-Identifier: MIT
#include "core/walks/pulse_waves.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

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
  leave_out_what_exceeds(strong, visits);
  for (const Passage& passage : strong) pass_on(passage, within);
  charge(16 * entering_.size());
  std::ranges::sort(entering_, {}, &Pulse::occurrence);
  return std::exchange(entering_, {});
}

// By every name but the one by which a pulse has come, if it leads to where it is to go. By name, position,
// statement.
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

// Those of which a statement may get as much as the threshold, by name.
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
  for (const Leaving& one : by_one_name) {  // in the order of statements
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

// What is stronger goes first; ties: the lower id.
void PulseWaves::leave_out_what_exceeds(std::vector<Passage>& passages, std::size_t& visits) const {
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

// All statements that name it in one place get the same, but for those from which it comes: nothing is looked
// at where that is too little.
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

// Of what leaves where a name is entered at a place. Returns  what comes there in all
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

// What is left for a statement from which some of it comes, `own` of a place: a pulse does not come back to
// the statement that it left.
template <class Own>
double PulseWaves::share(const Passage& passage, const Own& own) const {
  double share = 0;
  for (std::size_t f = 0; f < weights_.size(); ++f) {
    const Outflow& outflow = outflows_[passage.first + f];
    share += std::max(outflow.total - own(outflow.place), 0.0) * weights_[f];
  }
  return share;
}

// The same where statements may name it in several places.
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

std::vector<std::uint32_t> PulseWaves::way_to(const QuestionEnd& end, const std::vector<Wave>& waves,
                                              std::size_t k, Pulse pulse) const {
  std::vector<std::uint32_t> way{pulse.statement};
  for (; k > 0; --k) {
    const Occurrence entered = occurrences_[pulse.occurrence];
    Pulse best;
    for (const Pulse& before : waves[k - 1]) {
      const double strength = passed(before, pulse.statement, entered);
      if (strength > best.strength) best = {before.statement, before.occurrence, strength};
    }
    way.push_back(entered.id);
    way.push_back(best.statement);
    pulse = best;
  }
  way.push_back(end.id);
  return {way.rbegin(), way.rend()};
}

// What a pulse passes on to another statement, entered at an occurrence: 0 where there is no way.
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

// Where rules are silent, all places are alike; an operator, which is in all that is done by it, joins none.
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

}  // namespace engram::core
