// SPDX-License-Identifier: MIT
#include "bridge/attach/attachment.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/index/unification.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;

// OpenNARS and PyNARS discard smaller budgets (BUDGET_THRESHOLD).
constexpr double min_budget = 0.01;
// Number of recent questions that a late answer may belong to.
constexpr std::size_t max_late_questions = 16;

}  // namespace

std::string options_error(const AttachOptions& options) {
  if (options.gate && options.fresh) return "a gate already sends each question to a new reasoner";
  if (!options.gate && options.share.value_or(0) > 0) return "a share of the largest budget needs a gate";
  if (!options.steering) return "";
  const Steering steering = *options.steering;
  const std::string quoted = "'" + std::string(name_of(steerings, steering)) + "'";
  const auto& allowed = options.system->steering;
  if (std::ranges::find(allowed, steering) == allowed.end()) {
    std::string names;
    for (const Steering one : allowed)
      names += (names.empty() ? "" : ", ") + std::string(name_of(steerings, one));
    return std::string(options.system->program) + " cannot be steered by " + quoted + ", but by: " + names;
  }
  if (options.gate && (steering == Steering::repeat || steering == Steering::ask))
    return quoted + " needs one reasoner that receives everything: not with a gate";
  if (!options.gate && steering == Steering::reimport) return quoted + " needs a gate";
  return "";
}

Attachment::Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries,
                       EventObserver events)
    : options_(std::move(options)),
      memory_(memory),
      events_(std::move(events)),
      reasoner_(options_, memory,
                {.entries = std::move(entries),
                 .events = [this](const NarsEvent& event) { handle_event(event); },
                 .restarted = [this] { ++summary_.restarts; }}) {
  if (const std::string reason = options_error(options_); !reason.empty())
    throw std::invalid_argument(reason);
}

void Attachment::line(std::size_t number, const std::string& text) {
  const core::Session::Request request(memory_.session());
  answer_.reset();
  const AttachedMemory::Effect effect = reasoner_.note(Entry::input, text);
  const narsese::NalLine& line = effect.line;
  using Kind = narsese::NalLine::Kind;
  if (!effect.refusal.empty()) summary_.rejected.push_back({number, 1, effect.refusal});
  if (line.kind == Kind::error)
    summary_.rejected.push_back({number, line.error.column, line.error.message()});
  if (line.kind == Kind::expectation) expect(line.expectation);
  if (line.kind == Kind::sentence && line.sentence.asks()) ask(number, line);
  if (line.kind == Kind::sentence && !line.sentence.asks()) take_sentence(number, effect);
  if (line.kind == Kind::cycles && line.cycles > 0 && !options_.gate)
    send({.text = options_.system->cycles(line.cycles)});
  // An empty line lets ONA's shell run one cycle.
  if (line.kind == Kind::blank && options_.system->dialect == narsese::Dialect::ona && !options_.gate)
    send({.text = options_.system->cycles(1)});
  if (line.kind == Kind::command) {
    const auto command = reasoner_.command(line);
    if (!command) return;
    if (!options_.gate) return send({.text = *command});
    reasoner_.remember({.text = *command});
  }
}

void Attachment::finish() {
  const core::Session::Request request(memory_.session());
  send_waiting(nullptr);
  reasoner_.end_all();
}

// --- the reasoner --------------------------------------------------------------------------------

void Attachment::handle_event(const NarsEvent& event) {
  if (event.kind != NarsEvent::Kind::input && event.kind != NarsEvent::Kind::other) inferred_ = true;
  if (event.kind == NarsEvent::Kind::answer && event.term && !is_late(*event.term)) answer_ = event;
  if (events_) events_(event);
}

void Attachment::run(std::uint64_t cycles) {
  cycles_ += options_.system->runs_freely ? 0 : cycles;
  reasoner_.run(cycles);
}

// --- sentences -----------------------------------------------------------------------------------

std::optional<std::string> Attachment::translated(std::size_t number, const narsese::Sentence& sentence) {
  const auto text = reasoner_.written(sentence);
  if (text) return *text;
  summary_.rejected.push_back({number, 1, text.error().message});
  return std::nullopt;
}

// The sentence under the user's names. `written` is the sentence as sent to the reasoner.
std::string Attachment::under_own_names(const narsese::Sentence& sentence, const std::string& written) {
  if (reasoner_.renamed(sentence.term) == sentence.term) return written;
  return std::string(options_.system->sentence_prefix) + narsese::print(sentence);
}

// Sends a line to the reasoner, unless each question has its own reasoner, and remembers it for later reasoners.
void Attachment::send(const ReasonerLine& line) {
  if (!options_.fresh) reasoner_.persist(line.text, [&] { reasoner_.say({line.text}); });
  reasoner_.remember(line);
}

void Attachment::take_sentence(std::size_t number, const AttachedMemory::Effect& effect) {
  if (options_.gate) reasoner_.reset_translator();
  const narsese::Sentence& sentence = effect.line.sentence;
  const auto text = translated(number, sentence);
  if (!text || options_.gate) return;
  // Events must be sent at once; only eternal judgments can wait.
  const bool waits = options_.steering == Steering::order || options_.steering == Steering::budgets;
  const bool eternal = sentence.punctuation == narsese::Punctuation::judgment &&
                       sentence.tense == narsese::Tense{} && effect.statement;
  const std::uint64_t statement = effect.statement ? memory_.origins()[*effect.statement].number : 0;
  if (!eternal || !waits) return send({statement, *text});
  send_forgotten();
  waiting_.push_back({{statement, *text}, sentence});
  waiting_.back().sentence.term = {};  // terms are only valid while this line is processed
}

// --- questions ------------------------------------------------------------------------------------

AnswerOutcome outcome_of(const std::optional<AnswerText>& expected, const std::optional<AnswerText>& answer,
                         bool put) {
  // If the question was not processed to its end, the absence of an answer proves nothing.
  if (!expected) return put && !answer ? AnswerOutcome::truth : AnswerOutcome::wrong;
  if (!answer || answer->term != expected->term) return AnswerOutcome::wrong;
  const auto near = [](double x, double y) {
    return std::abs(x - y) <= truth_tolerance + 1e-9;
  };  // rounding of printed digits
  const auto side = [](const narsese::TruthValue& truth) {
    return (truth.frequency > 0.5) - (truth.frequency < 0.5);
  };
  const bool has_truths = expected->truth && answer->truth;
  if (has_truths && side(*expected->truth) * side(*answer->truth) < 0) return AnswerOutcome::wrong;
  const bool same_truth = has_truths && near(answer->truth->frequency, expected->truth->frequency) &&
                          near(answer->truth->confidence, expected->truth->confidence);
  return same_truth ? AnswerOutcome::truth : AnswerOutcome::term;
}

std::optional<std::optional<AnswerText>> expected_answer(const narsese::Expectation& expectation) {
  if (expectation.kind != narsese::Expectation::Kind::answer) return std::nullopt;
  if (expectation.expects_none()) return std::optional<AnswerText>();
  if (!expectation.sentence) return std::nullopt;
  return AnswerText{narsese::print(expectation.sentence->term), expectation.sentence->truth};
}

// Ranks all statements with a score for a question, best first.
Attachment::Ranking Attachment::ranked(const narsese::Sentence& question) {
  core::Session& session = memory_.session();
  const core::Memory& memory = session.memory();
  const core::ConfiguredMethod method =
      memory_.model() ? core::ConfiguredMethod(options_.method->method(), memory_.model()->model().options)
                      : *options_.method;
  const core::Recall recall = session.recall(method, core::cue_for(memory, question.term));
  return {core::allocate_statements(memory, session.index(), recall, memory.statements().size()),
          recall.promises};
}

// Selects the best statements that the user stated. With `reimport`, inferred statements can be selected as well.
Attachment::Ranking Attachment::chosen(const narsese::Sentence& question, std::size_t count) {
  Ranking of_all = ranked(question), chosen{{}, of_all.promises};
  for (const core::Allocation& allocation : of_all.best) {
    if (chosen.best.size() == count) break;
    const AttachedMemory::Origin& origin = memory_.origins()[allocation.id];
    // A stamp with one number would look like an input.
    const bool comes_back = options_.steering == Steering::reimport && origin.stamp.size() > 1;
    if (origin.stated || comes_back) chosen.best.push_back(allocation);
  }
  return chosen;
}

// Gate: collects the lines to send for a question.
void Attachment::select_for_gate(const narsese::Sentence& question, AskedQuestion& asked) {
  auto [best, promises] = chosen(question, *options_.gate);
  core::Vector priorities(static_cast<core::Index>(best.size()));
  for (core::Index i = 0; i < priorities.size(); ++i)
    priorities[i] = best[static_cast<std::size_t>(i)].budget.priority;
  best.resize(core::leading_count(priorities, options_.share.value_or(promises ? core::default_doubt : 0)));
  if (options_.steering == Steering::order) std::ranges::reverse(best);
  gate_lines_.clear();
  for (const core::Allocation& allocation : best) {
    narsese::Sentence statement = memory_.session().memory().statements()[allocation.id].sentence;
    if (options_.system->dialect != narsese::Dialect::ona) statement.budget = allocation.budget;
    const auto text = reasoner_.written(statement);
    if (!text) continue;
    if (options_.steering == Steering::reimport) {
      const AttachedMemory::Origin& origin = memory_.origins()[allocation.id];
      // Uses our own numbers, which are the same for every question. The numbers of the reasoner restart with each
      // reset.
      gate_lines_.push_back(options_.system->stamp_import(
          origin.stated ? std::vector<std::uint64_t>{origin.number} : origin.stamp));
    }
    gate_lines_.push_back(*text);
    asked.given.push_back(under_own_names(statement, *text));
  }
}

// No gate: sends waiting statements that the memory has forgotten, as the user wrote them.
void Attachment::send_forgotten() {
  std::vector<ReasonerLine> forgotten;
  std::erase_if(waiting_, [&](Waiting& one) {
    if (memory_.find(one.line.statement)) return false;
    forgotten.push_back(std::move(one.line));
    return true;
  });
  for (const ReasonerLine& line : forgotten) send(line);
}

// No gate: sends the statements that wait for a question or for the end of the file.
void Attachment::send_waiting(const narsese::Sentence* question) {
  send_forgotten();
  if (waiting_.empty()) return;
  std::map<core::StatementId, std::pair<std::size_t, narsese::BudgetValue>> found;  // place and budget
  if (question != nullptr)
    for (const core::Allocation& allocation : ranked(*question).best)
      found.try_emplace(allocation.id, found.size(), allocation.budget);
  // All lines are prepared first, because the memory may forget more while they are sent.
  std::vector<std::pair<std::size_t, ReasonerLine>> lines;
  for (auto& [line, sentence] : std::exchange(waiting_, {})) {
    const auto id = memory_.find(line.statement);
    const auto place = id ? found.find(*id) : found.end();
    if (id) {
      sentence.term = memory_.session().memory().statements()[*id].sentence.term;
      if (options_.steering == Steering::budgets && question != nullptr) {
        auto& budget = sentence.budget.emplace(place != found.end() ? place->second.second
                                                                    : narsese::BudgetValue{0, 0, 0});
        for (double* part : {&budget.priority, &budget.durability, &budget.quality})
          *part = std::max(*part, min_budget);
      }
      const auto text = reasoner_.written(sentence);
      if (!text) continue;
      line.text = *text;
    }
    lines.emplace_back(place != found.end() ? place->second.first : found.size(), std::move(line));
  }
  std::ranges::stable_sort(lines, {}, &std::pair<std::size_t, ReasonerLine>::first);
  if (options_.steering == Steering::order) std::ranges::reverse(lines);
  for (const auto& [place, line] : lines) send(line);
}

// Repeat, ask: directs the attention of the running reasoner to some statements, the best last.
void Attachment::prime(const std::vector<narsese::Sentence>& best, AskedQuestion& asked) {
  if (best.empty()) return;
  asked.given.clear();
  for (auto one = best.rbegin(); one != best.rend(); ++one) {
    narsese::Sentence statement = *one;
    std::vector<std::string> lines;
    if (options_.steering == Steering::repeat) {
      const auto number = memory_.number_of(statement.term);
      if (!number || statement.tense != narsese::Tense{}) continue;
      lines.push_back(options_.system->stamp_import({*number}));
    } else {
      const narsese::Term term = statement.term;
      statement = {};
      statement.term = term;
      statement.punctuation = narsese::Punctuation::question;
    }
    const auto text = reasoner_.written(statement);
    if (!text) continue;
    lines.push_back(*text);
    asked.given.push_back(under_own_names(statement, *text));
    // The memory does not learn from answers to our own questions, because they do not show relevance.
    reasoner_.say(lines, options_.steering == Steering::ask ? Entry::again : Entry::heard);
  }
}

// Whether an answer belongs to an earlier question. A reasoner that runs freely may answer after the next question was
// asked. An answer that fits no question counts for the current one, because some systems print answers in another
// form.
bool Attachment::is_late(const narsese::Term& answer) {
  narsese::TermTable& table = memory_.session().mutable_memory().terms();
  const auto fits_one = [&](const std::string& question) {
    const auto term = narsese::parse_term(question, table);
    return term && core::fits(*term, answer, table);
  };
  return !asked_.empty() && !fits_one(asked_.back()) && std::any_of(asked_.begin(), asked_.end(), fits_one);
}

// Asks the question. Without an answer, runs more cycles and asks once again.
void Attachment::put_question(const std::string& question) {
  inferred_ = false;
  run(options_.cycles_before);
  reasoner_.say({question});
  if (!answer_) run(options_.cycles_after);
  if (!answer_ && options_.system->answers_at_once) reasoner_.say({question});
  if (!inferred_) reasoner_.check_liveness();
}

void Attachment::ask(std::size_t number, const narsese::NalLine& line) {
  if (options_.gate) reasoner_.reset_translator();
  AskedQuestion asked{.narsese = narsese::print(line.sentence)};
  const auto question = translated(number, line.sentence);
  if (!question) {
    asked.refusal = summary_.rejected.back().message;
    summary_.questions.push_back(asked);
    return;
  }
  send_waiting(&line.sentence);
  if (asked_.size() == max_late_questions) asked_.erase(asked_.begin());
  asked_.push_back(narsese::print(line.sentence.term));
  const auto begun = std::chrono::steady_clock::now();
  if (options_.question_limit) reasoner_.set_deadline(begun + *options_.question_limit);
  answer_.reset();
  cycles_ = 0;
  try {
    ask_reasoner(line.sentence, *question, asked);
  } catch (const LiveReasoner::TimeUp&) {
    reasoner_.end();
    asked.timed_out = true;
  } catch (const ReasonerLate&) {  // the reasoner hangs
    throw;
  } catch (const ReasonerError& error) {
    // A reasoner that fails before it gets the question would fail at every question.
    if (!reasoner_.has_started() || ++failed_questions_ == most_failed_questions) throw;
    asked.failure = error.what();
    answer_.reset();
  }
  if (asked.failure.empty()) failed_questions_ = 0;
  reasoner_.set_deadline(std::nullopt);
  asked.took = std::chrono::steady_clock::now() - begun;
  asked.answer = answer_;
  if (answer_ && answer_->term) asked.answer->term = narsese::TermCopies(*summary_.terms)(*answer_->term);
  asked.cycles = cycles_;
  summary_.questions.push_back(asked);
}

// Asks the current reasoner, a new one, or one after a reset, as the options require.
void Attachment::ask_reasoner(const narsese::Sentence& sentence, const std::string& question,
                              AskedQuestion& asked) {
  const std::string_view reset = options_.resets ? options_.system->reset : "";
  const bool anew = options_.fresh || (options_.gate && reset.empty());
  if (options_.gate) select_for_gate(sentence, asked);
  if (anew) reasoner_.end();
  const bool primes = options_.steering == Steering::repeat || options_.steering == Steering::ask;
  // Copies the sentences, because the reasoner's output may renumber the statements.
  std::vector<narsese::Sentence> best;
  if (primes)
    for (const core::Allocation& one : chosen(sentence, options_.steered).best)
      best.push_back(memory_.session().memory().statements()[one.id].sentence);
  reasoner_.persist(question, [&] {
    cycles_ = 0;
    if (anew) reasoner_.prepare_next();
    if (options_.gate) {
      std::vector<std::string> lines;
      // A new process receives the same lines, so both are in the same state.
      if (!reset.empty()) {
        reasoner_.note(Entry::fresh, "");
        lines.emplace_back(reset);
        for (const auto* more : {&options_.system->after_reset, &options_.system->opening})
          lines.insert(lines.end(), more->begin(), more->end());
        for (std::string& line : reasoner_.remembered()) lines.push_back(std::move(line));
      }
      lines.insert(lines.end(), gate_lines_.begin(), gate_lines_.end());
      reasoner_.say(lines);
    }
    prime(best, asked);
    answer_.reset();
    put_question(question);
  });
}

void Attachment::expect(const narsese::Expectation& expectation) {
  if (summary_.questions.empty()) return;
  AskedQuestion& asked = summary_.questions.back();
  const auto expected = expected_answer(expectation);
  if (asked.outcome || !expected) return;
  asked.expects_truth = *expected && (*expected)->truth;
  std::optional<AnswerText> answer;
  if (asked.answer && asked.answer->term)
    answer = AnswerText{narsese::print(*asked.answer->term), asked.answer->truth};
  asked.outcome =
      outcome_of(*expected, answer, !asked.timed_out && asked.refusal.empty() && asked.failure.empty());
}

}  // namespace engram::bridge
