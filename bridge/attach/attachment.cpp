// SPDX-License-Identifier: MIT
#include "bridge/attach/attachment.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using Entry = TranscriptEntry::Kind;

bool waits(const AttachOptions& options) {
  return !options.gate && (options.steering == Steering::order || options.steering == Steering::budgets);
}

// Checks the options and returns them.  Errors  std::invalid_argument
AttachOptions valid(AttachOptions options) {
  if (const std::string reason = why_not(options); !reason.empty()) throw std::invalid_argument(reason);
  return options;
}

}  // namespace

std::string why_not(const AttachOptions& options) {
  if (options.gate && options.fresh)
    return "a gate gives each question to a reasoner that knows nothing already";
  if (!options.gate && options.share.value_or(0) > 0)
    return "a share of the largest budget needs a gate, which leaves out what has less";
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
    return quoted + " steers one reasoner that is told everything: not with a gate";
  if (!options.gate && steering == Steering::reimport)
    return quoted + " needs a gate, which chooses what comes back after a reset";
  return "";
}

Attachment::Attachment(AttachOptions options, AttachedMemory& memory, EntryObserver entries,
                       EventObserver events)
    : options_(valid(std::move(options))),
      memory_(memory),
      events_(std::move(events)),
      reasoner_(options_, memory,
                {.entries = std::move(entries),
                 .events = [this](const NarsEvent& event) { hear(event); },
                 .restarted = [this] { ++summary_.restarts; }}) {}

void Attachment::line(std::size_t number, const std::string& text) {
  const core::Session::Request request(memory_.session());
  answer_.reset();
  take(number, reasoner_.note(Entry::input, text));
}

void Attachment::take(std::size_t number, const AttachedMemory::Effect& effect) {
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
  // An empty line lets ONA's shell run one cycle.
  if (line.kind == Kind::blank && options_.system->dialect == narsese::Dialect::ona && !options_.gate)
    tell(options_.system->cycles(1));
  if (line.kind == Kind::command) {
    const auto command = reasoner_.command(line);
    if (!command) return;
    if (!options_.gate) return tell(*command);
    reasoner_.remember(*command);
  }
}

void Attachment::finish() {
  const core::Session::Request request(memory_.session());
  release(nullptr);
  reasoner_.end_all();
}

// --- the reasoner --------------------------------------------------------------------------------

void Attachment::hear(const NarsEvent& event) {
  if (event.kind != NarsEvent::Kind::input && event.kind != NarsEvent::Kind::other) inferred_ = true;
  if (event.kind == NarsEvent::Kind::answer && event.term && !is_late(*event.term)) answer_ = event;
  if (events_) events_(event);
}

void Attachment::run(std::uint64_t cycles) {
  cycles_ += options_.system->runs_freely ? 0 : cycles;
  reasoner_.run(cycles);
}

// --- sentences and questions ---------------------------------------------------------------------

std::optional<std::string> Attachment::translated(std::size_t number, const narsese::Sentence& sentence) {
  const auto text = reasoner_.written(sentence);
  if (text) return *text;
  summary_.rejected.push_back({number, 1, text.error().message});
  return std::nullopt;
}

// The sentence under the user's names. `written` is the sentence as sent to the reasoner.
std::string Attachment::under_own_names(const narsese::Sentence& sentence, const std::string& written) {
  if (reasoner_.renamed(sentence.term) == sentence.term) return written;
  return std::string(options_.system->before_sentence) + narsese::print(sentence);
}

// Sends a line to the reasoner, unless each question has its own reasoner, and remembers it for later reasoners.
void Attachment::tell(const std::string& text, std::uint64_t statement) {
  if (!options_.fresh) reasoner_.persist(text, [&] { reasoner_.say({text}); });
  reasoner_.remember(text, statement);
}

void Attachment::take_sentence(std::size_t number, const AttachedMemory::Effect& effect) {
  if (options_.gate) reasoner_.translate_anew();
  const narsese::Sentence& sentence = effect.line.sentence;
  const auto text = translated(number, sentence);
  if (!text || options_.gate) return;
  // Events must be sent at once; only eternal judgments can wait.
  const bool eternal = sentence.punctuation == narsese::Punctuation::judgment &&
                       sentence.tense == narsese::Tense{} && effect.statement;
  const std::uint64_t statement = effect.statement ? memory_.origins()[*effect.statement].number : 0;
  if (!eternal || !waits(options_)) return tell(*text, statement);
  tell_forgotten();
  waiting_.push_back({{statement, *text}, sentence});
  waiting_.back().sentence.term = {};  // terms are only valid while this line is processed
}

}  // namespace engram::bridge
