// SPDX-License-Identifier: MIT
#include "bridge/attach/attached_memory.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "bridge/files/sha256.hpp"
#include "bridge/systems/event_text.hpp"
#include "core/index/unification.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/proofs/proof_methods.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using EntryKind = TranscriptEntry::Kind;

// Least confidence of an answer that trains the model. Evidence w has confidence w / (w + 1), so a single abduction or
// induction, one unit of evidence, does not count as a proof.
constexpr double least_confidence = 0.5;

// The key of an inference: its sentence and its stamp.
std::string inference_key(const narsese::Sentence& sentence, const std::vector<std::uint64_t>& stamp) {
  std::string text = narsese::print(sentence.term) + symbol(sentence.punctuation);
  for (const std::uint64_t number : stamp) text += " " + std::to_string(number);
  return text;
}

bool mentions_any(narsese::Term term, const std::vector<std::string_view>& operators) {
  if (term.kind() == narsese::TermKind::op)
    return std::ranges::find(operators, narsese::print(term)) != operators.end();
  return std::ranges::any_of(term.components(),
                             [&](narsese::Term component) { return mentions_any(component, operators); });
}

constexpr std::size_t record_kinds = 5;  // AttachedMemory::max_record_bytes
// Bytes of one recorded input without its text: its number, the string and the map node.
constexpr std::size_t input_overhead_bytes = 112;

// Most records of one kind.
std::size_t max_records(const core::MemoryLimits& limits) {
  return std::min(limits.max_statements, AttachedMemory::max_record_bytes(limits) / SeenSet::bytes_each);
}

core::ProofLearner learner_of(const Model& model, const std::vector<core::ProofFeature>& frozen) {
  if (model.method != core::proof_attention_name)
    throw std::invalid_argument("a model that continues to learn must be one of " +
                                std::string(core::proof_attention_name) + ", found " + model.method);
  const core::ProofLearnerOptions options{.frozen = frozen};
  return model.learning ? core::ProofLearner(*model.learning, options)
                        : core::ProofLearner(core::proof_settings(model.options).theta, options);
}

}  // namespace

bool SeenSet::add(std::string_view text) {
  const std::string hexadecimal = sha256_of_text(text);
  Digest digest{};
  constexpr std::size_t digits = 16;  // hexadecimal digits of 64 bits
  for (std::size_t i = 0; i < digest.size(); ++i)
    std::from_chars(&hexadecimal[i * digits], &hexadecimal[(i + 1) * digits], digest[i], 16);
  if (!known_.insert(digest).second) return false;
  order_.push_back(digest);
  if (order_.size() > most_) {
    known_.erase(order_.front());
    order_.pop_front();
  }
  return true;
}

ModelLearning::ModelLearning(Model model, const std::vector<core::ProofFeature>& frozen)
    : model_(std::move(model)),
      attention_(core::proof_settings(model_.options).options),
      learner_(learner_of(model_, frozen)) {
  model_.learning = learner_.state();
}

// Only trains on questions with exactly one pair of names. Other questions have several candidate sets, or none.
template <class Learn>
void ModelLearning::learn(core::Session& session, const narsese::Term& sentence,
                          const std::vector<core::StatementId>& without, Learn learn) {
  const core::MemoryIndex& memory = session.index();
  core::ProofQuery asked = core::proof_query(memory, core::cue_for(session.memory(), sentence));
  if (asked.pairs.size() != 1) return;
  asked.question.without = without;
  if (!learn(core::ProofExample{&memory, std::move(asked), {}})) return;
  for (auto& [name, weight] : core::options_of(learner_.weights())) model_.options[name] = weight;
  model_.learning = learner_.state();
}

void ModelLearning::answered(core::Session& session, const narsese::Term& answer,
                             const std::vector<core::StatementId>& used,
                             const std::vector<core::StatementId>& without) {
  learn(session, answer, without, [&](core::ProofExample example) {
    example.proofs = {used};
    return learner_.answered(example, attention_);
  });
}

void ModelLearning::failed(core::Session& session, const narsese::Term& question,
                           const std::vector<core::StatementId>& given,
                           const std::vector<core::StatementId>& without) {
  if (given.size() > most_given) return;
  learn(session, question, without,
        [&](const core::ProofExample& example) { return learner_.failed(example, given, attention_); });
}

AttachedMemory::AttachedMemory(const SessionStart& start, core::MemoryObserver* observer)
    : system_(*start.system),
      learning_(start.learning),
      session_({.activation = {}, .limits = start.limits, .observer = observer},
               {.policy = start.forgetting}),
      seen_inferences_(max_records(start.limits)),
      seen_reinforcements_(max_records(start.limits)),
      seen_proofs_(max_records(start.limits)) {
  if (start.model) model_.emplace(*start.model);
  charge_records();
}

SessionEnd AttachedMemory::end() const {
  SessionEnd end{sha256_of_text(memory_text(session_.memory()))};
  if (model_) end.model = sha256_of_text(to_text(model_->model()));
  return end;
}

std::string AttachedMemory::with_original_names(const std::string& sentence) try {
  if (names_.empty()) return sentence;
  narsese::TermTable& table = session_.mutable_memory().terms();
  const auto read = narsese::parse_sentence(sentence, table);
  if (!read) return sentence;
  narsese::Sentence named = *read;
  named.term = bridge::with_original_names(names_, table, read->term);
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
    if (event.term) event.term = bridge::with_original_names(names_, table, *event.term);
    for (std::string& argument : event.arguments)
      if (const auto term = narsese::parse_term(argument, table))
        if (const narsese::Term named = bridge::with_original_names(names_, table, *term); named != *term)
          argument = narsese::print(named);
  }
  return events;
}

AttachedMemory::Effect AttachedMemory::apply(const TranscriptEntry& entry) {
  // Applying an entry must not be interrupted, so the caller's limits do not apply here.
  const core::WorkBudget::ThreadScope of_none(nullptr);
  Effect effect = learn_from(entry);
  charge_records();
  return effect;
}

AttachedMemory::Effect AttachedMemory::learn_from(const TranscriptEntry& entry) {
  Effect effect;
  if (entry.kind == EntryKind::named) {
    const std::size_t blank = entry.text.find(' ');
    if (blank == entry.text.npos)
      names_.clear();
    else
      names_.insert_or_assign(entry.text.substr(0, blank), entry.text.substr(blank + 1));
  }
  if (entry.kind == EntryKind::fresh) {
    inputs_.clear();
    input_bytes_ = 0;
  }
  if (entry.kind == EntryKind::input) {
    if (model_) train_on_failure();
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
    origins_[**accepted].stated = true;
    effect.statement = **accepted;
  }
  if (entry.kind != EntryKind::heard && entry.kind != EntryKind::again) return effect;
  try {
    effect.events = events_of(entry.text);
  } catch (const narsese::TermTableFull&) {
    effect.events = {{.raw = entry.text}};
  }
  for (const NarsEvent& event : effect.events) {
    record_input(event);
    if (entry.kind != EntryKind::heard) continue;
    if (model_ && event.kind == NarsEvent::Kind::answer) train_on_answer(event);
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
  if (!system_.mental_operators.empty() && mentions_any(sentence->term, system_.mental_operators)) return;
  const auto known = session_.memory().find(*sentence);
  if (known && origins_[*known].stated) return;
  if (!seen_inferences_.add(inference_key(*sentence, event.stamp)) && known)
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
std::string AttachedMemory::evidence_key(const NarsEvent& answer) const {
  std::string evidence = narsese::print(*answer.term);
  for (const std::uint64_t number : answer.stamp)
    if (const auto input = inputs_.find(number); input != inputs_.end()) evidence += " " + input->second.term;
  return evidence;
}

void AttachedMemory::reinforce(const NarsEvent& answer) try {
  const double confidence = answer.truth.value_or(narsese::TruthValue{}).confidence;
  core::Memory& memory = session_.mutable_memory();
  if (!seen_reinforcements_.add(evidence_key(answer))) return;
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

std::vector<core::StatementId> AttachedMemory::inferred_statements() const {
  std::vector<core::StatementId> found;
  for (std::size_t id = 0; id < origins_.size(); ++id)
    if (!origins_[id].stated) found.push_back(static_cast<core::StatementId>(id));
  return found;
}

// The statements of these inputs, ascending. Empty if an input is not a statement of the memory.
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
    if (!said || !origins_[*said].stated) return std::nullopt;
    found.insert(*said);
  }
  return std::vector(found.begin(), found.end());
}

void AttachedMemory::train_on_answer(const NarsEvent& answer) try {
  if (!answer.term) return;
  narsese::TermTable& table = session_.mutable_memory().terms();
  const auto question = narsese::parse_term(open_question_, table);
  if (question && core::fits(*question, *answer.term, table)) open_question_.clear();
  if (answer.truth && !(answer.truth->confidence > least_confidence)) return;
  const auto used = statements_of(answer.stamp);
  if (!used || used->empty() || !seen_proofs_.add(evidence_key(answer))) return;
  model_->answered(session_, *answer.term, *used, inferred_statements());
} catch (const narsese::TermTableFull&) {  // the table is full: learns no more
}

void AttachedMemory::train_on_failure() try {
  const std::string asked = std::exchange(open_question_, "");
  if (asked.empty() || !system_.answers_at_once || inputs_.size() > ModelLearning::most_given) return;
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, input] : inputs_) numbers.push_back(number);
  const auto given = statements_of(numbers);
  const auto question = narsese::parse_term(asked, session_.mutable_memory().terms());
  if (given && !given->empty() && question)
    model_->failed(session_, *question, *given, inferred_statements());
} catch (const narsese::TermTableFull&) {
}

// --- records about statements and inputs ----------------------------------------------------------

void AttachedMemory::adopt_statements() {
  const std::uint64_t before = session_.forgetting().state().so_far.statements;
  for (std::size_t id = 0; id < session_.memory().statements().size(); ++id)
    origins_.push_back({.number = before + id + 1, .stated = true});
  charge_records();
}

std::size_t AttachedMemory::stated_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(origins_, &Origin::stated));
}

std::optional<core::StatementId> AttachedMemory::find(std::uint64_t number) const {
  const auto found = std::ranges::lower_bound(origins_, number, {}, &Origin::number);
  if (found == origins_.end() || found->number != number) return std::nullopt;
  return static_cast<core::StatementId>(found - origins_.begin());
}

narsese::Result<std::optional<core::StatementId>, std::string> AttachedMemory::accept(
    const narsese::Sentence& sentence, bool tells_link, std::size_t stamp_bytes) {
  session_.mutable_memory();  // may drop the index to make room
  // Looks the sentence up only if the list must grow, because session_.accept() looks it up again.
  const bool grows = origins_.size() == origins_.capacity() && !sentence.asks() && !tells_link &&
                     !session_.memory().find(sentence);
  const std::size_t more = grows ? origins_.size() / 2 + 1 : 0, room = session_.room();
  if (more * sizeof(Origin) + stamp_bytes > room)
    return "the memory is full: there are " + std::to_string(room) +
           " bytes left, too few for the origin of the sentence";
  origins_.reserve(origins_.size() + more);
  charge_records();
  auto accepted = session_.accept(sentence, tells_link, [this](const core::Renumbering& numbers) {
    renumber_records(numbers.statements);
  });
  const std::size_t held = session_.memory().statements().size();
  if (origins_.size() < held)
    origins_.push_back({.number = session_.forgetting().state().so_far.statements + held});
  return accepted;
}

// Removes the records of forgotten statements. The remaining statements keep their order and move together.
void AttachedMemory::renumber_records(std::span<const std::uint32_t> numbers) {
  std::size_t left = 0;
  for (std::size_t id = 0; id < origins_.size(); ++id) {
    if (numbers[id] == core::Renumbering::gone) {
      stamp_bytes_ -= origins_[id].stamp.size() * sizeof(std::uint64_t);
      continue;
    }
    if (left != id) origins_[left] = std::move(origins_[id]);
    ++left;
  }
  origins_.resize(left);
}

void AttachedMemory::record_input(const NarsEvent& event) {
  if (event.kind != NarsEvent::Kind::input || event.stamp.size() != 1 || !event.term) return;
  Input& input = inputs_[event.stamp[0]];
  if (input.term.empty())
    input_bytes_ += input_overhead_bytes;
  else
    input_bytes_ -= input.term.size();
  input = {narsese::print(*event.term), event.truth.value_or(narsese::TruthValue{}).frequency};
  input_bytes_ += input.term.size();
  const core::MemoryLimits& limits = session_.limits();
  while (inputs_.size() > max_records(limits) || input_bytes_ > max_record_bytes(limits)) {
    input_bytes_ -= input_overhead_bytes + inputs_.begin()->second.term.size();
    inputs_.erase(inputs_.begin());  // the oldest
  }
}

void AttachedMemory::charge_records() {
  session_.set_external_bytes(record_kinds * max_record_bytes(session_.limits()) +
                              origins_.capacity() * sizeof(Origin) + stamp_bytes_);
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
