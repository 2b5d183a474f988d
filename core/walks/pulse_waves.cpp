// SPDX-License-Identifier: MIT
#include "core/walks/pulse_waves.hpp"

#include <algorithm>
#include <functional>

namespace engram::core {
namespace {

std::size_t size_of(Index count) { return static_cast<std::size_t>(count); }

}  // namespace

std::vector<Surroundings> surroundings(const Readings& memory, std::span<const QuestionEnd> ends,
                                       std::size_t radius) {
  const Occurrences& occurrences = memory.occurrences();
  const std::size_t statements = size_of(memory.statements());
  spend((statements + size_of(memory.concepts())) / 64);
  std::vector<Surroundings> found;
  Surroundings within{IdSet(statements), IdSet(size_of(memory.concepts()))};
  std::vector<ConceptId> fresh;
  for (const QuestionEnd& end : ends) fresh.push_back(end.id);
  std::size_t mentions = 0;
  while (found.size() <= radius) {
    for (std::size_t i = 0; i < fresh.size() && 4 * mentions < statements; ++i)
      mentions += occurrences.of_name(fresh[i]).size();
    if (4 * mentions >= statements) break;
    std::vector<StatementId> border;
    for (const ConceptId id : fresh)
      for (const Mention& mention : occurrences.of_name(id))
        if (within.statements.insert(mention.statement)) border.push_back(mention.statement);
    fresh.clear();
    for (const StatementId e : border)
      for (const Occurrence& occurrence : occurrences.of_statement(e))
        if (within.names.insert(occurrence.id)) fresh.push_back(occurrence.id);
    spend(8 * border.size());
    found.push_back(within);
  }
  return found;
}

PulseWaves::PulseWaves(const Readings& memory, const Joints& joints, const BidirectionalOptions& options)
    : memory_(memory),
      occurrences_(memory.occurrences()),
      joints_(joints),
      options_(options),
      bytes_(2 * sizeof(double) * occurrences_.all().size() +
             (size_of(memory.concepts()) + size_of(memory.statements())) / 8),
      leaving_(occurrences_.mentions().size()),
      entering_(occurrences_.all().size()),
      left_by_(size_of(memory.concepts())),
      entered_(size_of(memory.statements())) {}

std::vector<Wave> PulseWaves::from(const QuestionEnd& end, std::span<const Surroundings> destination) {
  std::size_t visits = options_.visits;
  std::vector<Wave> waves{first_wave(end)};
  while (static_cast<int>(waves.size()) < options_.steps && !waves.back().empty()) {
    const std::size_t further = static_cast<std::size_t>(options_.steps) - 1 - waves.size();
    waves.push_back(
        next(waves.back(), further < destination.size() ? &destination[further] : nullptr, visits));
  }
  return waves;
}

Wave PulseWaves::first_wave(const QuestionEnd& end) const {
  Wave wave;
  for (const auto& [place, first, last] : occurrences_.places_of(end.id)) {
    const double strength = weight(end.id, !end.place || joints_.carried(*end.place, position(place)));
    for (const Mention& mention : occurrences_.mentions().subspan(first, last - first))
      wave.push_back({mention.statement, mention.occurrence, believed(mention.statement, strength)});
  }
  spend(16 * wave.size());
  std::ranges::sort(wave, {}, &Pulse::occurrence);
  return wave;
}

Wave PulseWaves::next(const Wave& wave, const Surroundings* within, std::size_t& visits) {
  leave(wave, within);
  std::vector<Passage> strong = passages();
  leave_out_what_exceeds(strong, visits);
  for (const Passage& passage : strong) pass_on(passage, within);
  for (const Pulse& pulse : wave)
    for (const Occurrence& occurrence : occurrences_.of_statement(pulse.statement))
      leaving_[occurrence.mention] = 0;
  return entered();
}

// By every name but the one by which a pulse has come, if it leads to where it is to go.
void PulseWaves::leave(const Wave& wave, const Surroundings* within) {
  spend(16 * wave.size());
  for (const Pulse& pulse : wave) {
    const std::uint32_t end = occurrences_.begin_of(pulse.statement + 1);
    for (std::uint32_t o = occurrences_.begin_of(pulse.statement); o < end; ++o) {
      const Occurrence& occurrence = occurrences_.all()[o];
      if (o == pulse.occurrence || (within != nullptr && !within->names.contains(occurrence.id))) continue;
      leaving_[occurrence.mention] += pulse.strength;
      left_by_.insert(occurrence.id);
    }
  }
}

// Those of which a statement may get as much as the threshold, by name.
std::vector<PulseWaves::Passage> PulseWaves::passages() {
  std::vector<Passage> strong;
  outflows_.clear();
  left_by_.take_all([&](ConceptId id) {
    const Passage passage = passage_through(id);
    if (passage.most < options_.threshold)
      outflows_.resize(passage.first);
    else
      strong.push_back(passage);
  });
  return strong;
}

PulseWaves::Passage PulseWaves::passage_through(ConceptId id) {
  Passage passage{id, outflows_.size(), 0, weight(id, true), weight(id, false), 0};
  for (const auto& [place, first, last] : occurrences_.places_of(id)) {
    spend(last - first);
    double total = 0;  // in the order of statements
    for (std::uint32_t m = first; m < last; ++m) total += leaving_[m];
    if (!(total > 0)) continue;
    outflows_.push_back({place, total});
    passage.most += total * std::max(passage.otherwise, may_be_joined(id, place) ? passage.by_rule : 0.0);
  }
  passage.last = outflows_.size();
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
  spend(16 * passages.size());
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
void PulseWaves::pass_on(const Passage& passage, const Surroundings* within) {
  const bool repeated = occurrences_.is_repeated(passage.through);
  for (const auto& [place, first, last] : occurrences_.places_of(passage.through)) {
    const double all = set_weights(passage, place);
    if (all < options_.threshold) continue;  // no expectation is above 1
    spend(4 * (last - first));
    for (std::uint32_t m = first; m < last; ++m) {
      const auto [e, occurrence] = occurrences_.mentions()[m];
      if (within != nullptr && !within->statements.contains(e)) continue;
      double strength = all;
      if (repeated)
        strength = share_of(e, passage);
      else if (leaving_[m] > 0)
        strength = share(passage,
                         [&, here = place](std::uint32_t left) { return left == here ? leaving_[m] : 0.0; });
      strength = believed(e, strength);
      if (strength < options_.threshold) continue;
      entering_[occurrence] = strength;
      entered_.insert(e);
    }
  }
}

// Of what leaves where a name is entered at a place. Returns  what comes there in all
double PulseWaves::set_weights(const Passage& passage, std::uint32_t place) {
  weights_.resize(passage.last - passage.first);
  spend(16 * weights_.size());
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
  const std::span<const Occurrence> places = occurrences_.of_statement(e);
  spend((4 + places.size()) * weights_.size());
  return share(passage, [&](std::uint32_t left) {
    const auto own = std::ranges::find_if(places, [&](const Occurrence& occurrence) {
      return occurrence.id == passage.through && occurrence.place == left;
    });
    return own != places.end() ? leaving_[own->mention] : 0.0;
  });
}

Wave PulseWaves::entered() {
  Wave wave;
  wave.reserve(entered_.size());
  entered_.take_all([&](StatementId e) {
    const std::uint32_t end = occurrences_.begin_of(e + 1);
    for (std::uint32_t o = occurrences_.begin_of(e); o < end; ++o)
      if (const double strength = std::exchange(entering_[o], 0.0); strength > 0)
        wave.push_back({e, o, strength});
  });
  return wave;
}

std::vector<std::uint32_t> PulseWaves::way_to(const QuestionEnd& end, const std::vector<Wave>& waves,
                                              std::size_t k, Pulse pulse) const {
  std::vector<std::uint32_t> way{pulse.statement};
  for (; k > 0; --k) {
    const Occurrence entered = occurrences_.all()[pulse.occurrence];
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
    const Occurrence& left = occurrences_.all()[o];
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
