// SPDX-License-Identifier: MIT
#include "bridge/attachment.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

#include "bridge/systems/event_text.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;
using Outcome = ChildProcess::Outcome;
using std::chrono::milliseconds;

std::string failure(Outcome outcome, ChildProcess& child, const AttachOptions& options) {
  switch (outcome) {
    case Outcome::late:
      child.end();
      return "did not answer within " + std::to_string(options.patience.count()) + " ms" +
             (options.system->if_silent.empty() ? "" : " (" + std::string(options.system->if_silent) + ")");
    case Outcome::flooded:
      child.end();
      return "printed more than " + std::to_string(options.limits.max_exchange_bytes) + " bytes at once";
    case Outcome::ended:
    case Outcome::done:
      break;
  }
  return "ended (" + child.end() + ")";
}

// Less would be thrown away by OpenNARS and PyNARS (BUDGET_THRESHOLD).
constexpr double least_budget = 0.01;

// The question at hand has had its time.
struct TimeUp : std::runtime_error {
  TimeUp() : std::runtime_error("the question's time is up") {}
};

bool waits(const AttachOptions& options) {
  return !options.gate && (options.steering == Steering::order || options.steering == Steering::budgets);
}

}  // namespace

std::string why_not(const AttachOptions& options) {
  if (options.gate && options.fresh)
    return "a gate gives each question to a reasoner that knows nothing already";
  if (!options.steering) return "";
  const Steering steering = *options.steering;
  const std::string quoted = "'" + std::string(name(steering)) + "'";
  const auto& allowed = options.system->steering;
  if (std::ranges::find(allowed, steering) == allowed.end()) {
    std::string names;
    for (const Steering one : allowed) names += (names.empty() ? "" : ", ") + std::string(name(one));
    return std::string(options.system->program) + " cannot be steered by " + quoted + ", but by: " + names;
  }
  if (options.gate && (steering == Steering::repeat || steering == Steering::ask))
    return quoted + " steers one reasoner that is told everything: not with a gate";
  if (!options.gate && steering == Steering::reimport)
    return quoted + " needs a gate, which chooses what comes back after a reset";
  return "";
}

Attachment::Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries,
                       EventObserver events)
    : options_(std::move(options)),
      memory_(memory),
      entries_(std::move(entries)),
      events_(std::move(events)) {
  if (const std::string reason = why_not(options_); !reason.empty()) throw std::invalid_argument(reason);
  new_translator();
}

AttachedMemory::Effect Attachment::note(Entry kind, const std::string& text) {
  const TranscriptEntry entry{kind, text};
  if (entries_) entries_(entry);
  return memory_.apply(entry);
}

void Attachment::line(std::size_t number, const std::string& text) {
  const AttachedMemory::Effect effect = note(Entry::input, text);
  const narsese::NalLine& line = effect.line;
  using Kind = narsese::NalLine::Kind;
  if (!effect.refusal.empty()) summary_.rejected.push_back({number, 1, effect.refusal});
  if (line.kind == Kind::error)
    summary_.rejected.push_back({number, line.error.column, line.error.message()});
  if (line.kind == Kind::expectation) expect(line.expectation);
  if (line.kind == Kind::sentence && line.sentence.asks()) ask(number, line);
  if (line.kind == Kind::sentence && !line.sentence.asks()) take_sentence(number, effect);
  if (line.kind == Kind::cycles && line.cycles > 0 && !options_.gate)
    tell(options_.system->cycles(line.cycles));
  if (line.kind == Kind::command) {
    const auto command = translator_->line(line);
    if (!command || !command->text.starts_with("*")) return;
    if (!options_.gate) return tell(command->text);
    history_.push_back(command->text);
  }
}

void Attachment::finish() {
  release(nullptr);
  child_.reset();
}

// --- the reasoner --------------------------------------------------------------------------------

void Attachment::start() {
  child_ = std::make_unique<ChildProcess>(options_.command, options_.limits);
  note(Entry::fresh, "");
  say(options_.system->opening(), Entry::again);
  // A line at a time: each may take as long as one may.
  for (const std::string& line : history_) say({line}, Entry::again);
}

void Attachment::hear(std::string_view line, bool whole, Entry as) {
  // Half a line may look like a whole one that says something else: it is kept, but nothing is learnt of it.
  if (!whole && as == Entry::heard) {
    note(Entry::again, std::string(line));
    if (events_) events_({.raw = std::string(line)});
    return;
  }
  for (const NarsEvent& event : note(as, std::string(line)).events) {
    if (as == Entry::again) continue;
    if (event.kind == NarsEvent::Kind::answer && event.term) answer_ = event;
    if (events_) events_(event);
  }
}

// Tells it some lines, and waits until it has dealt with them.
void Attachment::say(const std::vector<std::string>& lines, Entry as) {
  std::string text;
  for (const std::string& line : lines) {
    note(Entry::sent, line);
    text += line + "\n";
  }
  const std::uint64_t marker = ++markers_;
  text += options_.system->marker(marker) + "\n";
  milliseconds patience = options_.patience;
  if (deadline_) {
    const auto left = std::chrono::duration_cast<milliseconds>(*deadline_ - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) throw TimeUp();
    patience = std::min(patience, left);
  }
  const Outcome outcome = child_->exchange(text, patience, [&](std::string_view line, bool whole) {
    const std::string plain = without_colours(line);
    const bool done = options_.system->is_marker(plain, marker);
    const bool ours = done || (plain == options_.system->marker_preface && !plain.empty());
    // It goes into the transcript, but is an answer to us, and nothing that the reasoner says.
    hear(line, whole, ours ? Entry::again : as);
    return done;
  });
  if (outcome == Outcome::late && patience < options_.patience) throw TimeUp();
  if (outcome != Outcome::done) throw ReasonerError(failure(outcome, *child_, options_));
}

void Attachment::listen(milliseconds time) {
  const Outcome outcome = child_->exchange("", time, [&](std::string_view line, bool whole) {
    hear(line, whole, Entry::heard);
    return false;
  });
  if (outcome != Outcome::late) throw ReasonerError(failure(outcome, *child_, options_));
}

void Attachment::run(std::uint64_t cycles) {
  if (cycles == 0) return;
  cycles_ += options_.system->runs_freely ? 0 : cycles;
  if (options_.system->runs_freely) return listen(options_.settling);
  say({options_.system->cycles(cycles)}, Entry::heard);
}

// Does something with the reasoner, as often as it takes to be done.
template <class Work>
void Attachment::persist(const std::string& what, const Work& work) {
  for (unsigned failures = 0;;) {
    try {
      if (!child_) start();
      work();
      return;
    } catch (const ReasonerError& error) {
      // A program that cannot even be started is not there: nothing gets better by waiting.
      const bool missing = !child_;
      child_.reset();
      if (missing) throw;
      if (++failures > options_.max_restarts)
        throw ReasonerError("the reasoner " + std::string(error.what()) + " at '" + what + "', " +
                            std::to_string(failures) + " times in a row");
      ++summary_.restarts;
      std::this_thread::sleep_for(options_.back_off * (1 << std::min(failures - 1, 10U)));
    }
  }
}

// --- sentences and questions ---------------------------------------------------------------------

std::optional<std::string> Attachment::translated(std::size_t number, const narsese::Sentence& sentence) {
  const auto text = written(sentence);
  if (text) return *text;
  summary_.rejected.push_back({number, 1, text.error().message});
  return std::nullopt;
}

narsese::Result<std::string, narsese::Refusal> Attachment::written(const narsese::Sentence& sentence) {
  const auto translation = translator_->sentence(sentence);
  if (!translation) return translation.error();
  return std::string(options_.system->before_sentence) + translation->text;
}

// For a reasoner that knows nothing: limits that hold for all that it reads begin anew.
void Attachment::new_translator() {
  translator_.emplace(memory_.session().change().terms(), options_.system->dialect);
}

// Tells the one reasoner that gets everything; where each question has its own, it is told then.
void Attachment::tell(const std::string& text) {
  if (!options_.fresh) persist(text, [&] { say({text}, Entry::heard); });
  history_.push_back(text);
}

void Attachment::take_sentence(std::size_t number, const AttachedMemory::Effect& effect) {
  if (options_.gate) new_translator();
  const narsese::Sentence& sentence = effect.line.sentence;
  const auto text = translated(number, sentence);
  if (!text || options_.gate) return;
  // What happens, happens now: only what holds always can wait.
  const bool eternal = sentence.punctuation == narsese::Punctuation::judgment &&
                       sentence.tense == narsese::Tense{} && effect.statement;
  if (eternal && waits(options_))
    waiting_.emplace_back(*effect.statement, sentence);
  else
    tell(*text);
}

// All that scores anything for a question, best first.
std::vector<core::Allocation> Attachment::ranked(const narsese::Sentence& question) {
  Session& session = memory_.session();
  const core::Memory& memory = session.memory();
  const core::Recall recall =
      session.recall(*options_.method, options_.method_options, core::cue_for(memory, question.term));
  return core::allocate_statements(memory, session.readings(), recall, memory.statements().size());
}

// The best of what the user said, or of what was inferred from it where that can be told as such.
std::vector<core::Allocation> Attachment::chosen(const narsese::Sentence& question, std::size_t count) {
  std::vector<core::Allocation> best;
  for (const core::Allocation& allocation : ranked(question)) {
    if (best.size() == count) break;
    const auto inferred = memory_.inferred().find(allocation.id);
    // One number alone is an input's: what has only that would be taken for the input.
    const bool comes_back = options_.steering == Steering::reimport && inferred != memory_.inferred().end() &&
                            inferred->second.size() > 1;
    if (memory_.told().contains(allocation.id) || comes_back) best.push_back(allocation);
  }
  return best;
}

// Gate: what the reasoner is told for a question.
void Attachment::give(const narsese::Sentence& question, AskedQuestion& asked) {
  std::vector<core::Allocation> best = chosen(question, *options_.gate);
  if (options_.steering == Steering::order) std::ranges::reverse(best);
  given_.clear();
  for (const core::Allocation& allocation : best) {
    narsese::Sentence statement = memory_.session().memory().statements()[allocation.id].sentence;
    if (options_.system->dialect != narsese::Dialect::ona) statement.budget = allocation.budget;
    const auto text = written(statement);
    if (!text) continue;
    if (options_.steering == Steering::reimport) {
      const bool told = memory_.told().contains(allocation.id);
      // Numbers of our own, the same for every question: those of the reasoner begin anew with each reset.
      given_.push_back(options_.system->stamp_import(told ? std::vector<std::uint64_t>{allocation.id + 1}
                                                          : memory_.inferred().at(allocation.id)));
    }
    given_.push_back(*text);
    asked.given.push_back(*text);
  }
}

// No gate: tells what has waited for a question, or for the end of the file.
void Attachment::release(const narsese::Sentence* question) {
  if (waiting_.empty()) return;
  std::map<core::StatementId, std::pair<std::size_t, narsese::BudgetValue>> found;  // place and budget
  if (question != nullptr)
    for (const core::Allocation& allocation : ranked(*question))
      found.try_emplace(allocation.id, found.size(), allocation.budget);
  std::ranges::stable_sort(waiting_, {}, [&](const auto& one) {
    return found.contains(one.first) ? found.at(one.first).first : found.size();
  });
  if (options_.steering == Steering::order) std::ranges::reverse(waiting_);
  for (auto& [id, sentence] : std::exchange(waiting_, {})) {
    if (options_.steering == Steering::budgets && question != nullptr) {
      auto& budget =
          sentence.budget.emplace(found.contains(id) ? found.at(id).second : narsese::BudgetValue{0, 0, 0});
      for (double* part : {&budget.priority, &budget.durability, &budget.quality})
        *part = std::max(*part, least_budget);
    }
    if (const auto text = written(sentence)) tell(*text);
  }
}

// Repeat, ask: makes the reasoner at work think of some statements, the best last.
void Attachment::wake(const std::vector<core::Allocation>& best, AskedQuestion& asked) {
  if (best.empty()) return;
  asked.given.clear();
  for (auto one = best.rbegin(); one != best.rend(); ++one) {
    narsese::Sentence statement = memory_.session().memory().statements()[one->id].sentence;
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
    const auto text = written(statement);
    if (!text) continue;
    lines.push_back(*text);
    asked.given.push_back(*text);
    // What it answers to questions of ours says nothing of what belongs together.
    say(lines, options_.steering == Steering::ask ? Entry::again : Entry::heard);
  }
}

// Asks, and if there is no answer once more after some cycles.
void Attachment::put(const std::string& question) {
  run(options_.cycles_before);
  say({question}, Entry::heard);
  if (!answer_) run(options_.cycles_after);
  if (!answer_ && options_.system->answers_at_once) say({question}, Entry::heard);
}

void Attachment::ask(std::size_t number, const narsese::NalLine& line) {
  if (options_.gate) new_translator();
  AskedQuestion asked{.narsese = narsese::print(line.sentence)};
  const auto question = translated(number, line.sentence);
  if (!question) {
    asked.refusal = summary_.rejected.back().message;
    summary_.questions.push_back(asked);
    return;
  }
  release(&line.sentence);
  const auto begun = std::chrono::steady_clock::now();
  if (options_.question_limit) deadline_ = begun + *options_.question_limit;
  answer_.reset();
  cycles_ = 0;
  try {
    put_to_reasoner(line.sentence, *question, asked);
  } catch (const TimeUp&) {
    child_.reset();
    asked.timed_out = true;
  }
  deadline_.reset();
  asked.took = std::chrono::steady_clock::now() - begun;
  asked.answer = answer_;
  asked.cycles = cycles_;
  summary_.questions.push_back(asked);
}

// To the one reasoner there is, to a new one, or to one that forgot everything.
void Attachment::put_to_reasoner(const narsese::Sentence& sentence, const std::string& question,
                                 AskedQuestion& asked) {
  const std::string_view reset = options_.restart_for_each_question ? "" : options_.system->reset;
  if (options_.gate) give(sentence, asked);
  if (options_.fresh || (options_.gate && reset.empty())) child_.reset();
  const bool wakes = options_.steering == Steering::repeat || options_.steering == Steering::ask;
  const auto best = wakes ? chosen(sentence, options_.steered) : std::vector<core::Allocation>{};
  persist(question, [&] {
    cycles_ = 0;
    if (options_.gate) {
      std::vector<std::string> lines;
      // One that was just started is told the same, so that all are in the same state.
      if (!reset.empty()) {
        note(Entry::fresh, "");
        lines = options_.system->opening();
        lines.insert(lines.begin(), std::string(reset));
        lines.insert(lines.end(), history_.begin(), history_.end());
      }
      lines.insert(lines.end(), given_.begin(), given_.end());
      say(lines, Entry::heard);
    }
    wake(best, asked);
    answer_.reset();
    put(question);
  });
}

void Attachment::expect(const narsese::Expectation& expectation) {
  if (expectation.kind != narsese::Expectation::Kind::answer || summary_.questions.empty()) return;
  AskedQuestion& asked = summary_.questions.back();
  if (!expectation.sentence || asked.as_expected) return;
  asked.as_expected = asked.answer && asked.answer->term == expectation.sentence->term;
}

}  // namespace engram::bridge
