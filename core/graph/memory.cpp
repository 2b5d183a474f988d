// SPDX-License-Identifier: MIT
#include "core/graph/memory.hpp"

#include <algorithm>
#include <numeric>

#include "core/graph/memory_image.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/link_judgement.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/printer.hpp"

namespace engram::core {

using narsese::Sentence;
using narsese::Term;
using narsese::TermKind;

namespace {

// W computed from the truth value, as a reader of the judgement has it; the exact W can differ in the last bit.
double positive(narsese::TruthValue truth) {
  return narsese::to_evidence(truth, narsese::greatest_confidence).positive;
}

bool is_better(const LinkJudgement& a, const LinkJudgement& b) {
  const double x = positive(a.truth), y = positive(b.truth);
  if (x != y) return x > y;
  if (a.truth.confidence != b.truth.confidence) return a.truth.confidence > b.truth.confidence;
  if (const auto order = compare(a.source, b.source); order != 0) return order < 0;
  return compare(a.target, b.target) < 0;
}

LinkJudgement judgement_of(const ConceptGraph& graph, const HebbianLink& link, Time now) {
  LinkJudgement judgement{graph[link.source].term, graph[link.target].term, graph.weight(link, now),
                          graph.truth(link, now)};
  if (compare(judgement.target, judgement.source) < 0) std::swap(judgement.source, judgement.target);
  return judgement;
}

}  // namespace

void Memory::advance(Time cycles) {
  ++version_;
  now_ += std::min(cycles, last_moment - now_);
  if (options_.observer != nullptr) options_.observer->advanced(cycles);
}

Memory::Memory(MemoryOptions options) : options_(options), graph_(options.decay) {
  if (options.learning) learner_.emplace(*options.learning);
  limit_terms();
  if (options_.observer != nullptr) options_.observer->begun();
}

std::size_t Memory::bytes() const {
  return terms_.reserved_bytes() + graph_.bytes() + (learner_ ? learner_->bytes() : 0) + statements_.bytes() +
         statement_index_.bytes();
}

// Terms are made before accept() checks the limits, so the table gets its own limit.
void Memory::limit_terms() {
  const std::size_t others = bytes() - terms_.reserved_bytes() + external_bytes_;
  const std::size_t most = options_.limits.max_bytes;
  // Forgetting copies the terms, so they get only half of the rest.
  terms_.limit((most - std::min(most, others)) / (options_.reserves_forgetting_space ? 2 : 1));
}

void Memory::set_external_bytes(std::size_t external_bytes) {
  external_bytes_ = external_bytes;
  limit_terms();
}

void Memory::release_terms_since(std::size_t concepts, std::size_t statements) {
  if (terms_.new_since_mark() > 0) {
    ++version_;
    std::vector<Term> kept;
    for (std::size_t id = concepts; id < graph_.size(); ++id)
      kept.push_back(graph_.term(static_cast<ConceptId>(id)));
    const std::size_t named = kept.size();
    for (std::size_t id = statements; id < statements_.size(); ++id)
      kept.push_back(statements_.term(static_cast<StatementId>(id)));
    terms_.rollback(kept);
    graph_.rename(static_cast<ConceptId>(concepts), std::span(kept).first(named));
    for (std::size_t id = statements; id < statements_.size(); ++id)
      statements_.rename(static_cast<StatementId>(id), kept[named + id - statements]);
  }
  release_forgotten_terms();
  terms_.mark();
  limit_terms();
}

std::string Memory::full(ForgettingReason limit, const char* items) {
  exceeded_limit_ = limit;
  const MemoryLimits& limits = options_.limits;
  if (limit == ForgettingReason::bytes)
    return "the memory is full: with this it would take more than " + std::to_string(limits.max_bytes) +
           " bytes, the limit; it takes " + std::to_string(bytes());
  const std::size_t most = limit == ForgettingReason::concepts ? limits.max_concepts
                           : limit == ForgettingReason::links  ? limits.max_hebbian_links
                                                               : limits.max_statements;
  return "the memory is full: the limit is " + std::to_string(most) + " " + items;
}

bool Memory::fits(Term fresh, std::span<const Term> active) const {
  const std::vector<ConceptId> known = ids_of(active);
  GrowthBound growth;
  growth.add(terms_.reserved_bytes() + headroom());
  if (fresh) {
    graph_.add_growth(growth, fresh, known, pairs_joined(active.size()));
    growth.add(statements_.bytes_with_one_more(active.size()));
    growth.add(statement_index_, 1);
  } else {
    growth.add(bytes() - terms_.reserved_bytes() - (learner_ ? learner_->bytes() : 0));
  }
  if (learner_)
    learner_->add_growth(growth, known, active.size() - known.size(),
                         graph_.size() + (fresh ? fresh.complexity() : 0));
  return growth.bytes() <= options_.limits.max_bytes;
}

bool Memory::holds_activation(Term term, bool inner_holds) const {
  switch (term.kind()) {
    case TermKind::atom:
      return options_.activation.self || term.name() != "SELF";
    case TermKind::op:
      return true;
    case TermKind::compound:
      return options_.activation.compounds && inner_holds && !term.has_variables();
    case TermKind::statement:
      return options_.activation.statements && inner_holds && !term.has_variables();
    case TermKind::variable:
    case TermKind::interval:
      break;
  }
  return false;
}

void Memory::collect(Term term, std::vector<Term>& found) const {
  const std::size_t before = found.size();
  for (const Term component : term.components()) collect(component, found);
  if (holds_activation(term, found.size() > before)) found.push_back(term);
}

bool Memory::holds_activation(Term term) const {
  std::vector<Term> found;
  collect(term, found);
  return !found.empty() && found.back() == term;  // a term comes after its components
}

std::vector<Term> Memory::active_terms(Term term) const {
  constexpr std::size_t few = 16;  // chosen: scanning so few is cheaper than an index
  std::vector<Term> found;
  found.reserve(few);
  collect(term, found);
  if (found.size() <= few) {
    auto end = found.begin();
    for (const Term t : found)
      if (std::find(found.begin(), end, t) == end) *end++ = t;
    found.erase(end, found.end());
    return found;
  }
  std::vector<Term> unique;
  narsese::HashIndex seen;
  for (const Term t : found) {
    if (seen.find(t.hash(), [&](std::uint32_t i) { return unique[i] == t; }) != narsese::HashIndex::none)
      continue;
    seen.insert(t.hash(), static_cast<std::uint32_t>(unique.size()));
    unique.push_back(t);
  }
  return unique;
}

std::vector<ConceptId> Memory::ids_of(std::span<const Term> terms) const {
  std::vector<ConceptId> ids;
  ids.reserve(terms.size());
  for (const Term term : terms)
    if (const auto id = graph_.find(term)) ids.push_back(*id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<ConceptId> Memory::known_concepts(Term term) const { return ids_of(active_terms(term)); }

double Memory::evidence(const Statement& statement) const {
  return statement.evidence * graph_.retention(now_ - statement.updated);
}

std::uint64_t Memory::statement_hash(const Sentence& sentence) {
  return narsese::hash_combine(sentence.term.hash(), static_cast<std::uint64_t>(sentence.punctuation));
}

bool Memory::is_statement(StatementId e, const Sentence& sentence) const {
  return statements_.term(e) == sentence.term && statements_.punctuation(e) == sentence.punctuation;
}

std::optional<StatementId> Memory::find(const Sentence& sentence) const {
  const StatementId e = statement_index_.find(
      statement_hash(sentence), [&](StatementId other) { return is_statement(other, sentence); });
  return e == narsese::HashIndex::none ? std::nullopt : std::optional(e);
}

std::string Memory::check_limits(const Sentence& sentence, std::span<const Term> active, bool is_new) {
  const MemoryLimits& limits = options_.limits;
  if (learner_ && learner_->links() + learner_->max_new_links(active.size()) > limits.max_hebbian_links)
    return full(ForgettingReason::links, "learnt links");
  if (is_new) {
    if (graph_.size() + sentence.term.complexity() > limits.max_concepts)
      return full(ForgettingReason::concepts, "concepts");
    if (graph_.hebbian_links().size() + pairs_joined(active.size()) > limits.max_hebbian_links)
      return full(ForgettingReason::links, "Hebbian links");
    if (statements_.size() >= limits.max_statements) return full(ForgettingReason::statements, "statements");
  }
  if ((is_new || learner_) && !fits(is_new ? sentence.term : Term(), active))
    return full(ForgettingReason::bytes);
  return {};
}

AcceptResult Memory::accept(const Sentence& sentence) {
  exceeded_limit_.reset();
  const std::vector<Term> active = active_terms(sentence.term);
  const std::size_t max_active = std::min(options_.limits.max_active, Statements::max_active);
  if (active.size() > max_active)
    return "the sentence mentions " + std::to_string(active.size()) + " concepts, the limit is " +
           std::to_string(max_active);
  if (now_ >= last_moment) return std::string("the memory's time is over: it is the last cycle");
  std::optional<StatementId> id;
  if (!sentence.asks()) {
    id = find(sentence);
    if (std::string refusal = check_limits(sentence, active, !id); !refusal.empty()) return refusal;
    if (learner_) charge(4 * learner_->links_visited(ids_of(active)));
  }
  ++version_;
  ++now_;
  if (!sentence.asks()) {
    const bool is_new = !id;
    if (is_new) id = add_statement(sentence, active);
    add_episode(*id, sentence, is_new);
  }
  if (options_.observer != nullptr) options_.observer->accepted(sentence, false);
  return id;
}

StatementId Memory::add_statement(const Sentence& sentence, std::span<const Term> active) {
  const auto id = static_cast<StatementId>(statements_.size());
  statement_index_.insert(statement_hash(sentence), id);
  if (sentence.term.kind() != TermKind::variable) graph_.intern(sentence.term);
  const std::vector<ConceptId> ids = ids_of(active);
  statements_.push_back({sentence, ids, 0, 0, now_});
  return id;
}

void Memory::add_episode(StatementId id, const Sentence& sentence, bool is_new) {
  Statement statement = statements_[id];
  bool eternal = false;
  if (!is_new) {
    eternal = sentence.tense.kind == narsese::Tense::Kind::eternal &&
              statement.sentence.tense.kind == narsese::Tense::Kind::eternal;
    const auto revised = narsese::revise(statement.sentence.truth_or_default(), sentence.truth_or_default());
    statement.sentence = sentence;
    if (eternal) statement.sentence.truth = revised;
  }
  const auto [frequency, weight] = sentence.truth_or_default();
  const double denied_before = statement.denied * graph_.retention(now_ - statement.updated);
  statement.evidence = add_capped(evidence(statement), weight);
  statement.denied = eternal ? (1 - statement.sentence.truth->frequency) * statement.evidence
                             : add_capped(denied_before, (1 - frequency) * weight);
  statement.updated = now_;
  ++statement.times;
  statements_.set(id, statement);
  total_ = add_capped(total_evidence(), weight);
  total_updated_ = now_;
  graph_.co_activate(statement.active, weight, now_);
  if (statement.denied != denied_before)
    graph_.deny(statement.active, statement.denied - denied_before, now_);
  if (learner_) learner_->learn(statement.active, frequency * weight, now_);
  limit_terms();
}

narsese::Result<std::array<Term, 2>, std::string> Memory::ends_of_link(const Sentence& judgement) const {
  using narsese::print;
  const Term term = judgement.term;
  const auto ends = narsese::link_ends(term);
  if (!ends || !judgement.truth || judgement.asks())
    return std::string("a link must be a judgement <(*,a,b) --> associated>. %f;c%");
  for (const Term end : *ends)
    if (!holds_activation(end)) return "a link needs two concepts: " + print(end) + " holds no activation";
  const auto [source, target] = *ends;
  if (source == target) return std::string("a concept has no link with itself");
  const auto truth = *judgement.truth;
  if (!(truth.confidence > 0 && truth.confidence < 1))
    return std::string("a link's confidence must be above 0 and below 1");
  if (!(truth.frequency >= 0 && truth.frequency <= 1))
    return std::string("a link's frequency must be in [0, 1]");
  return *ends;
}

narsese::Result<std::uint32_t, std::string> Memory::accept_link(const Sentence& judgement) {
  const MemoryLimits& limits = options_.limits;
  exceeded_limit_.reset();
  const auto ends = ends_of_link(judgement);
  if (!ends) return ends.error();
  const Term term = judgement.term;
  const auto [source, target] = *ends;
  const auto truth = *judgement.truth;
  if (graph_.size() + source.complexity() + target.complexity() > limits.max_concepts)
    return full(ForgettingReason::concepts, "concepts");
  if (graph_.hebbian_links().size() >= limits.max_hebbian_links)
    return full(ForgettingReason::links, "Hebbian links");

  GrowthBound growth;
  growth.add(bytes() - graph_.bytes() + headroom());
  graph_.add_growth(growth, term, known_concepts(term), 1);
  if (growth.bytes() > limits.max_bytes) return full(ForgettingReason::bytes);

  ++version_;
  const ConceptId a = graph_.intern(source), b = graph_.intern(target);
  total_ = add_capped(total_evidence(), narsese::to_evidence(truth, narsese::greatest_confidence).total);
  total_updated_ = now_;
  const std::uint32_t link = graph_.revise(std::min(a, b), std::max(a, b), truth, now_);
  limit_terms();
  if (options_.observer != nullptr) options_.observer->accepted(judgement, true);
  return link;
}

void Memory::prefetch(std::span<const narsese::NalLine> lines) const {
  std::vector<narsese::Term> terms;
  for (const narsese::NalLine& line : lines)
    if (line.sentence.term) {
      terms.push_back(line.sentence.term);
      if (!statements_.empty()) statement_index_.prefetch(statement_hash(line.sentence));
    }
  graph_.prefetch(terms);
}

std::size_t Memory::bytes_to_forget() const {
  // The larger of two needs: keep() copies statements, concept terms and numbers; moving terms copies the table.
  const std::size_t numbers = statements_.size() * 2 * sizeof(std::uint32_t) +
                              graph_.size() * (sizeof(Term) + sizeof(std::uint32_t)) +
                              (learner_ ? 2 * learner_->bytes() : 0);
  const std::size_t handles = (graph_.size() + statements_.size()) * sizeof(Term);
  return std::max(statements_.bytes() + numbers, terms_.reserved_bytes() + handles);
}

Renumbering Memory::keep(const std::vector<bool>& kept_statements, const std::vector<bool>& kept_links,
                         ForgettingReason reason) {
  require(kept_statements.size() == statements_.size() && kept_links.size() == graph_.hebbian_links().size(),
          "keep() needs one flag for each statement and each link");
  ++version_;
  std::vector<ConceptGraph::JudgedLink> judged = graph_.judged_links(kept_links);
  Renumbering numbers;
  numbers.concepts.assign(graph_.size(), Renumbering::gone);
  numbers.statements.assign(statements_.size(), Renumbering::gone);
  std::vector<Term> terms;
  terms.reserve(graph_.size());
  for (ConceptId id = 0; id < graph_.size(); ++id) terms.push_back(graph_.term(id));
  graph_ = ConceptGraph(options_.decay);  // frees the old graph before the new one grows
  statement_index_ = narsese::HashIndex();

  const Statements before = std::exchange(statements_, Statements());
  std::vector<ConceptId> active;
  for (StatementId e = 0; e < before.size(); ++e) {
    if (!kept_statements[e]) continue;
    Statement statement = before[e];
    const auto id = static_cast<StatementId>(statements_.size());
    numbers.statements[e] = id;
    if (statement.sentence.term.kind() != narsese::TermKind::variable) graph_.intern(statement.sentence.term);
    active.clear();
    for (const ConceptId old : statement.active) {
      ConceptId& number = numbers.concepts[old];
      if (number == Renumbering::gone) number = *graph_.find(terms[old]);
      active.push_back(number);
    }
    std::ranges::sort(active);
    statement.active = active;
    statement_index_.insert(statement_hash(statement.sentence), id);
    statements_.push_back(statement);
  }

  replay(std::move(judged));
  for (std::size_t old = 0; old < terms.size(); ++old)
    if (numbers.concepts[old] == Renumbering::gone)
      numbers.concepts[old] = graph_.find(terms[old]).value_or(Renumbering::gone);
  if (learner_) learner_->keep(numbers.concepts);
  limit_terms();
  if (options_.observer != nullptr) options_.observer->kept(kept_statements, kept_links, reason);
  return numbers;
}

// Rebuilds activity, links and the total evidence from the statements and these judgements, in order of time.
void Memory::replay(std::vector<ConceptGraph::JudgedLink> judged) {
  std::vector<StatementId> by_time(statements_.size());
  std::iota(by_time.begin(), by_time.end(), 0U);
  std::ranges::stable_sort(by_time, {}, [&](StatementId e) { return statements_.updated(e); });
  total_ = 0;
  total_updated_ = 0;
  const auto add_to_total = [&](double evidence, Time now) {
    total_ = add_capped(total_ * graph_.retention(now - total_updated_), evidence);
    total_updated_ = now;
  };
  for (const auto& one : judged)
    for (const Term end : {one.source, one.target}) graph_.intern(end);
  std::ranges::stable_sort(judged, {}, &ConceptGraph::JudgedLink::updated);
  auto next_judged = judged.begin();
  const auto revise_until = [&](Time time) {
    for (; next_judged != judged.end() && next_judged->updated <= time; ++next_judged) {
      const ConceptId a = *graph_.find(next_judged->source), b = *graph_.find(next_judged->target);
      add_to_total(narsese::to_evidence(next_judged->truth, narsese::greatest_confidence).total,
                   next_judged->updated);
      graph_.revise(std::min(a, b), std::max(a, b), next_judged->truth, next_judged->updated);
    }
  };
  std::vector<ConceptGraph::Episode> episodes;
  constexpr std::size_t batch = 128;
  const auto activate = [&] {
    graph_.co_activate(episodes);
    episodes.clear();
  };
  for (const StatementId e : by_time) {
    const Statement statement = statements_[e];
    const Time cycle_before = statement.updated - std::min<Time>(statement.updated, 1);
    if (next_judged != judged.end() && next_judged->updated <= cycle_before) {
      activate();
      revise_until(cycle_before);
    }
    add_to_total(statement.evidence, statement.updated);
    episodes.push_back({statement.active, statement.evidence, statement.updated});
    if (statement.denied != 0 || episodes.size() == batch) activate();
    if (statement.denied != 0) graph_.deny(statement.active, statement.denied, statement.updated);
  }
  activate();
  revise_until(now_);
}

bool Memory::fits_when_empty(const narsese::Sentence& sentence) const {
  const MemoryLimits& limits = options_.limits;
  return sentence.term.complexity() <= limits.max_concepts && limits.max_statements > 0 &&
         pairs_joined(active_terms(sentence.term).size()) <= limits.max_hebbian_links;
}

void Memory::release_forgotten_terms() {
  constexpr std::size_t few = 1024;
  if (terms_.size() <= graph_.size() + unnamed_ + graph_.size() / 4 + few) return;
  ++version_;
  std::vector<Term> kept;
  kept.reserve(graph_.size() + statements_.size());
  for (ConceptId id = 0; id < graph_.size(); ++id) kept.push_back(graph_.term(id));
  for (StatementId e = 0; e < statements_.size(); ++e) kept.push_back(statements_.term(e));
  terms_.keep_only(kept);
  const std::span all(kept);
  graph_.rename(0, all.first(graph_.size()));
  for (StatementId e = 0; e < statements_.size(); ++e) statements_.rename(e, kept[graph_.size() + e]);
  limit_terms();
  unnamed_ = terms_.size() - std::min(terms_.size(), graph_.size());
}

std::vector<LinkJudgement> best_links(const Memory& memory, std::optional<ConceptId> of, std::size_t top) {
  const ConceptGraph& graph = memory.graph();
  std::vector<LinkJudgement> links;
  const auto add = [&](const HebbianLink& link) {
    charge(64);
    LinkJudgement judgement = judgement_of(graph, link, memory.now());
    if (judgement.truth.confidence > 0) links.push_back(judgement);
  };
  if (of) {
    for (const std::uint32_t number : graph.links_of(*of)) add(graph.link(number, *of));
  } else {
    for (const HebbianLink& link : graph.hebbian_links()) add(link);
  }
  const std::size_t kept = std::min(top, links.size());
  std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(kept), links.end(), is_better);
  links.resize(kept);
  return links;
}

}  // namespace engram::core
