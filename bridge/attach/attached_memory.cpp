// SPDX-License-Identifier: MIT
#include "bridge/attach/attached_memory.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <utility>

#include "bridge/files/sha256.hpp"
#include "bridge/systems/event_text.hpp"
#include "core/index/unification.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using EntryKind = TranscriptEntry::Kind;

// Least confidence of an answer that trains the model. Evidence w has confidence w / (w + 1), so a single abduction or
// induction, one unit of evidence, does not count as a proof.
constexpr double least_confidence = 0.5;

core::MemoryOptions memory_options(const SessionStart& start, core::MemoryObserver* observer) {
  core::MemoryOptions options;
  options.limits = start.limits;
  options.observer = observer;
  return options;
}

// The key of an inference: its sentence and its stamp.
std::string inference(const narsese::Sentence& sentence, const std::vector<std::uint64_t>& stamp) {
  std::string text = narsese::print(sentence.term) + symbol(sentence.punctuation);
  for (const std::uint64_t number : stamp) text += " " + std::to_string(number);
  return text;
}

bool mentions(narsese::Term term, const std::vector<std::string_view>& operators) {
  if (term.kind() == narsese::TermKind::op)
    return std::ranges::find(operators, narsese::print(term)) != operators.end();
  return std::ranges::any_of(term.components(),
                             [&](narsese::Term component) { return mentions(component, operators); });
}

}  // namespace

AttachedMemory::AttachedMemory(const SessionStart& start, core::MemoryObserver* observer)
    : system_(*start.system),
      learning_(start.learning),
      session_(memory_options(start, observer), {.policy = start.forgetting}),
      heard_(most_remembered(start.limits)),
      reinforced_(most_remembered(start.limits)),
      taught_(most_remembered(start.limits)) {
  if (start.model) model_.emplace(*start.model);
  note_bytes();
}

SessionEnd AttachedMemory::end() const {
  SessionEnd end{sha256_of_text(memory_text(session_.memory()))};
  if (model_) end.model = sha256_of_text(to_text(model_->model()));
  return end;
}

std::string AttachedMemory::named_back(const std::string& sentence) try {
  if (names_.empty()) return sentence;
  narsese::TermTable& table = session_.mutable_memory().terms();
  const auto read = narsese::parse_sentence(sentence, table);
  if (!read) return sentence;
  narsese::Sentence named = *read;
  named.term = names_(table, read->term);
  return named.term == read->term ? sentence : narsese::print(named);
} catch (const narsese::TermTableFull&) {
  return sentence;
}

// The events of a line, translated to the user's names.
std::vector<NarsEvent> AttachedMemory::events_of(const std::string& line) {
  narsese::TermTable& table = session_.mutable_memory().terms();
  std::vector<NarsEvent> events = system_.read(line, table);
  if (names_.empty()) return events;
  for (NarsEvent& event : events) {
    if (event.term) event.term = names_(table, *event.term);
    for (std::string& argument : event.arguments)
      if (const auto term = narsese::parse_term(argument, table))
        if (const narsese::Term named = names_(table, *term); named != *term)
          argument = narsese::print(named);
  }
  return events;
}

AttachedMemory::Effect AttachedMemory::apply(const TranscriptEntry& entry) {
  // Applying an entry must not be interrupted, so the caller's limits do not apply here.
  const core::WorkBudget::ThreadScope of_none(nullptr);
  Effect effect = learn_from(entry);
  note_bytes();
  return effect;
}

AttachedMemory::Effect AttachedMemory::learn_from(const TranscriptEntry& entry) {
  Effect effect;
  if (entry.kind == EntryKind::named) {
    const std::size_t blank = entry.text.find(' ');
    if (blank == entry.text.npos)
      names_.clear();
    else
      names_.add({entry.text.substr(0, blank), entry.text.substr(blank + 1)});
  }
  if (entry.kind == EntryKind::fresh) forget_inputs();
  if (entry.kind == EntryKind::input) {
    if (model_) teach_failure();
    // An empty first line prevents the reader from removing a byte order mark from the entry.
    std::istringstream text("\n" + entry.text);
    core::Memory& memory = session_.mutable_memory();
    narsese::NalReader reader(text, memory.terms());
    reader.set_in_links(in_links_);
    reader.next();
    if (auto line = reader.next()) effect.line = *line;
    in_links_ = reader.in_links();
    effect.line.number = effect.line.error.line = 1;
    if (effect.line.kind == narsese::NalLine::Kind::cycles) memory.advance(effect.line.cycles);
    if (effect.line.kind != narsese::NalLine::Kind::sentence) return effect;
    if (model_ && effect.line.sentence.asks()) open_question_ = narsese::print(effect.line.sentence.term);
    const auto accepted = accept(effect.line.sentence, effect.line.tells_link);
    if (!accepted) effect.refusal = accepted.error();
    if (!accepted || !*accepted) return effect;
    origins_[**accepted].told = true;
    effect.statement = **accepted;
  }
  if (entry.kind != EntryKind::heard && entry.kind != EntryKind::again) return effect;
  try {
    effect.events = events_of(entry.text);
  } catch (const narsese::TermTableFull&) {
    effect.events = {{.raw = entry.text}};
  }
  for (const NarsEvent& event : effect.events) {
    hear_input(event);
    if (entry.kind != EntryKind::heard) continue;
    if (model_ && event.kind == NarsEvent::Kind::answer) teach(event);
    if (learning_ != Learning::nothing) learn(event);
  }
  return effect;
}

void AttachedMemory::learn(const NarsEvent& event) {
  const auto sentence = event.sentence();
  if (!sentence || sentence->asks()) return;
  if (event.kind == NarsEvent::Kind::answer) return reinforce(event);
  const bool inferred = event.kind == NarsEvent::Kind::derived || event.kind == NarsEvent::Kind::revised;
  if (!inferred || learning_ != Learning::all) return;
  if (!system_.mental.empty() && mentions(sentence->term, system_.mental)) return;
  const auto known = session_.memory().find(*sentence);
  if (known && origins_[*known].told) return;
  if (!heard_.add(inference(*sentence, event.stamp)) && known)
    return;  // a forgotten sentence may be learnt again
  const std::size_t stamp_bytes = event.stamp.size() * sizeof(std::uint64_t);
  const auto accepted = accept(*sentence, false, stamp_bytes);
  if (!accepted || !*accepted || !origins_[**accepted].stamp.empty()) return;
  origins_[**accepted].stamp = event.stamp;
  stamp_bytes_ += stamp_bytes;
}

std::optional<std::uint64_t> AttachedMemory::number_of(const narsese::Term& term) const {
  const std::string text = narsese::print(term);
  const auto found =
      std::ranges::find_if(inputs_, [&](const auto& input) { return input.second.term == text; });
  return found == inputs_.end() ? std::nullopt : std::optional(found->first);
}

// The key of an answer: its term and the inputs in its stamp. If a reasoner failed after its answer and was asked
// again, the key is the same, so the evidence counts once.
std::string AttachedMemory::evidence_of(const NarsEvent& answer) const {
  std::string evidence = narsese::print(*answer.term);
  for (const std::uint64_t number : answer.stamp)
    if (const auto input = inputs_.find(number); input != inputs_.end()) evidence += " " + input->second.term;
  return evidence;
}

void AttachedMemory::reinforce(const NarsEvent& answer) try {
  const double confidence = answer.truth.value_or(narsese::TruthValue{}).confidence;
  core::Memory& memory = session_.mutable_memory();
  if (!reinforced_.add(evidence_of(answer))) return;
  for (const std::uint64_t number : answer.stamp) {
    const auto input = inputs_.find(number);
    if (input == inputs_.end()) continue;
    const auto said = narsese::parse_term(input->second.term, memory.terms());
    if (!said) continue;  // the memory is full
    const std::vector<narsese::Term> active = memory.active_terms(*said);
    for (std::size_t a = 0; a < active.size(); ++a)
      for (std::size_t b = a + 1; b < std::min(active.size(), a + 1 + core::max_partners); ++b) {
        narsese::Sentence link;
        link.term = memory.terms().statement(narsese::Copula::similarity, active[a], active[b]);
        link.truth = narsese::TruthValue{input->second.frequency, confidence};
        if (confidence > 0 && confidence < 1) accept(link, true);
      }
  }
} catch (const narsese::TermTableFull&) {  // the table is full: learns no more
}

std::vector<core::StatementId> AttachedMemory::only_inferred() const {
  std::vector<core::StatementId> found;
  for (std::size_t id = 0; id < origins_.size(); ++id)
    if (!origins_[id].told) found.push_back(static_cast<core::StatementId>(id));
  return found;
}

// The statements for these inputs of the reasoner, ascending. Empty if an input is not a statement of the memory, or no
// longer.
std::optional<std::vector<core::StatementId>> AttachedMemory::statements_of(
    const std::vector<std::uint64_t>& stamp) {
  std::set<core::StatementId> found;
  for (const std::uint64_t number : stamp) {
    const auto input = inputs_.find(number);
    if (input == inputs_.end()) return std::nullopt;
    narsese::Sentence sentence;
    const auto term = narsese::parse_term(input->second.term, session_.mutable_memory().terms());
    if (!term) return std::nullopt;
    sentence.term = *term;
    const auto said = session_.memory().find(sentence);
    if (!said || !origins_[*said].told) return std::nullopt;
    found.insert(*said);
  }
  return std::vector(found.begin(), found.end());
}

void AttachedMemory::teach(const NarsEvent& answer) try {
  if (!answer.term) return;
  narsese::TermTable& table = session_.mutable_memory().terms();
  const auto question = narsese::parse_term(open_question_, table);
  if (question && core::fits(*question, *answer.term, table)) open_question_.clear();
  if (answer.truth && !(answer.truth->confidence > least_confidence)) return;
  const auto used = statements_of(answer.stamp);
  if (!used || used->empty() || !taught_.add(evidence_of(answer))) return;
  model_->answered(session_, *answer.term, *used, only_inferred());
} catch (const narsese::TermTableFull&) {  // the table is full: learns no more
}

void AttachedMemory::teach_failure() try {
  const std::string asked = std::exchange(open_question_, "");
  if (asked.empty() || !system_.answers_at_once || inputs_.size() > ModelLearning::most_given) return;
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, input] : inputs_) numbers.push_back(number);
  const auto given = statements_of(numbers);
  const auto question = narsese::parse_term(asked, session_.mutable_memory().terms());
  if (given && !given->empty() && question) model_->failed(session_, *question, *given, only_inferred());
} catch (const narsese::TermTableFull&) {
}

std::string memory_text(const core::Memory& memory) {
  std::ostringstream text;
  const auto exact = [](double number) {
    std::array<char, 32> digits{};
    return std::string(digits.data(),
                       std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
  };
  const core::ConceptGraph& graph = memory.graph();
  text << "now " << memory.now() << " evidence " << exact(memory.total_evidence()) << '\n';
  for (core::ConceptId id = 0; id < graph.size(); ++id)
    text << "concept " << narsese::print(graph[id].term) << ' ' << exact(graph[id].activity) << ' '
         << exact(graph[id].judged) << ' ' << graph[id].updated << '\n';
  for (const core::TermLink& link : graph.term_links())
    text << "term link " << link.compound << ' ' << link.component << '\n';
  for (const core::HebbianLink& link : graph.hebbian_links())
    text << "link " << link.source << ' ' << link.target << ' ' << exact(link.together) << ' '
         << exact(link.denied) << ' ' << exact(link.judged.frequency) << ' ' << exact(link.judged.confidence)
         << ' ' << link.updated << '\n';
  for (const core::Statement& statement : memory.statements())
    text << "statement " << narsese::print(statement.sentence) << ' ' << exact(statement.evidence) << ' '
         << exact(statement.denied) << ' ' << statement.times << ' ' << statement.updated << '\n';
  return text.str();
}

}  // namespace engram::bridge
