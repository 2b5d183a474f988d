// SPDX-License-Identifier: MIT
// Tests of attachments to the embedded reasoner. They work like attachments to an external NARS, but start no process.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "bridge/attach/attachment.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

namespace engram::bridge::attachment_tests {
namespace {

using EntryKind = TranscriptEntry::Kind;
using std::chrono::milliseconds;

AttachOptions in_this_program() {
  AttachOptions options;
  options.system = &engram_nars();
  options.method = core::ConfiguredMethod(core::default_method);
  options.back_off = milliseconds(1);
  return options;
}

// An attachment to the embedded reasoner that records all lines in both directions.
struct Attached {
  explicit Attached(AttachOptions options, Learning learning = Learning::answers)
      : memory({&engram_nars(), learning}),
        attachment(
            std::move(options), memory, [this](const TranscriptEntry& entry) { entries.push_back(entry); },
            [this](const NarsEvent& event) { events.push_back(event); }) {}

  Attached& tell(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) attachment.line(++number, line);
    return *this;
  }
  const AttachSummary& summary() const { return attachment.summary(); }
  std::string answer(std::size_t question) const {
    const auto& answer = summary().questions.at(question).answer;
    return answer && answer->term ? narsese::print(*answer->term) : "none";
  }
  // The texts of all entries of this kind between the last reset before `question` and the question itself.
  std::vector<std::string> of_question(EntryKind kind, const std::string& question) const {
    std::vector<std::string> lines;
    for (const TranscriptEntry& entry : entries) {
      if (entry.kind == EntryKind::fresh) lines.clear();
      if (entry.kind == kind) lines.push_back(entry.text);
      if (entry.kind == EntryKind::sent && entry.text == question) return lines;
    }
    return {};
  }
  std::size_t count(EntryKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(entries, kind, &TranscriptEntry::kind));
  }

  AttachedMemory memory;
  std::vector<TranscriptEntry> entries;
  std::vector<NarsEvent> events;
  Attachment attachment;
  std::size_t number = 0;
};

// Facts and rules of two families that share only the names of relations.
std::vector<std::string> families() {
  return {"<<($1 * $2) --> mother> ==> <($1 * $2) --> parent>>.",
          "<(<($1 * #2) --> father> && <(#2 * $3) --> father>) ==> <($1 * $3) --> grandfather>>.",
          "<(<($1 * #2) --> father> && <(#2 * $3) --> mother>) ==> <($1 * $3) --> grandfather>>.",
          "<(olav * lars) --> father>.",
          "<(lars * nils) --> father>.",
          "<(olav * marit) --> father>.",
          "<(marit * tora) --> mother>.",
          "<(adam * beth) --> father>.",
          "<(beth * carl) --> mother>.",
          "<(adam * dora) --> father>.",
          "<(dora * emma) --> mother>."};
}

const std::vector<std::string> kinship_questions{
    "<(olav * nils) --> ?1>?",          "//expected: Answer: <(olav * nils) --> grandfather>.",
    "<(adam * carl) --> grandfather>?", "//expected: Answer: <(adam * carl) --> grandfather>.",
    "<(marit * tora) --> parent>?",     "//expected: Answer: <(marit * tora) --> parent>.",
    "<(olav * carl) --> grandfather>?", "//expected: Answer: None."};

// Knowledge that allows far more inferences than a test can wait for.
std::vector<std::string> much_to_think_of() {
  std::vector<std::string> lines = families();
  for (int i = 0; i < 40; ++i)
    lines.push_back("<n" + std::to_string(i % 9) + " --> n" + std::to_string((i * 7 + 1) % 17) + ">.");
  return lines;
}

}  // namespace

TEST_CASE("the embedded reasoner answers behind a gate, without a command", "[bridge][attach]") {
  AttachOptions options = in_this_program();
  options.gate = 6;
  Attached attached(options);
  attached.tell(families()).tell(kinship_questions);
  attached.attachment.finish();
  REQUIRE(attached.summary().questions.size() == 4);
  CHECK(attached.answer(0) == "<(*,olav,nils) --> grandfather>");
  CHECK(attached.answer(1) == "<(*,adam,carl) --> grandfather>");
  CHECK(attached.answer(2) == "<(*,marit,tora) --> parent>");
  CHECK(attached.answer(3) == "none");
  for (const AskedQuestion& question : attached.summary().questions) {
    // The expected answers give a term without a truth value, so the outcome is `term`. The last question expects no
    // answer, so its outcome is `truth`.
    CHECK(question.outcome ==
          (&question == &attached.summary().questions[3] ? AnswerOutcome::truth : AnswerOutcome::term));
    CHECK_FALSE(question.timed_out);
    CHECK(question.refusal.empty());
    CHECK(question.given.size() <= 6);
    CHECK(question.cycles >= options.cycles_before);
  }
  // All inputs have confidence 0.9, so the conclusion of one deduction has 0.81.
  CHECK(attached.summary().questions[2].answer->truth->confidence == Approx(0.81));
  CHECK(attached.summary().restarts == 0);
  CHECK(attached.summary().rejected.empty());
  CHECK(std::ranges::count(attached.events, NarsEvent::Kind::other, &NarsEvent::kind) == 0);
  CHECK(std::ranges::count(attached.events, NarsEvent::Kind::error, &NarsEvent::kind) == 0);
  CHECK(std::ranges::count(attached.events, NarsEvent::Kind::derived, &NarsEvent::kind) > 0);
}

TEST_CASE("without a gate one embedded reasoner gets all input, or each question gets a new reasoner",
          "[bridge][attach]") {
  for (const bool fresh : {false, true}) {
    AttachOptions options = in_this_program();
    options.fresh = fresh;
    Attached attached(options);
    attached.tell({"<a --> b>.", "<b --> c>.", "7", "<a --> c>?", "<c --> d>.", "<a --> d>?", "<a --> e>?"});
    attached.attachment.finish();
    CHECK(attached.answer(0) == "<a --> c>");
    CHECK(attached.answer(1) == "<a --> d>");
    CHECK(attached.answer(2) == "none");
    CHECK(attached.summary().restarts == 0);
    CHECK(attached.count(EntryKind::fresh) == (fresh ? 3 : 1));
    CHECK(attached.memory.stated_count() == 3);
  }
}

TEST_CASE("behind a gate each question goes to an embedded reasoner without knowledge", "[bridge][attach]") {
  const std::vector<std::string> lines{"<a --> b>.", "<b --> c>.", "<a --> b>?", "<b --> c>?", "<a --> c>?"};
  for (const bool restarts : {false, true}) {
    AttachOptions options = in_this_program();
    options.gate = 1;
    options.resets = !restarts;
    Attached attached(options);
    attached.tell(lines);
    attached.attachment.finish();
    CHECK(attached.answer(0) == "<a --> b>");
    CHECK(attached.answer(1) == "<b --> c>");
    // Each premise was selected for an earlier question. For the last question the gate passes only one of the two.
    CHECK(attached.answer(2) == "none");
    CHECK(attached.summary().questions[2].given.size() == 1);
    for (const AskedQuestion& asked : attached.summary().questions) {
      const auto heard = attached.of_question(EntryKind::heard, asked.narsese);
      const auto inputs =
          std::ranges::count_if(heard, [](const std::string& line) { return line.starts_with("Input: "); });
      CHECK(inputs == 1);
      REQUIRE_FALSE(heard.empty());
      CHECK(heard[0].ends_with(" Stamp=[1]"));  // the reasoner starts its stamps from 1 again after a reset
    }
    CHECK(attached.summary().restarts == 0);
  }
  AttachOptions both = in_this_program();
  both.gate = 2;
  CHECK(Attached(both).tell(lines).answer(2) == "<a --> c>");
}

TEST_CASE("the embedded reasoner gets higher-valued statements with larger budgets", "[bridge][attach]") {
  AttachOptions options = in_this_program();
  options.gate = 6;
  options.method = core::ConfiguredMethod("attention");
  Attached attached(options);
  attached.tell(families()).tell({kinship_questions[2]});
  narsese::TermTable table;
  std::vector<double> priorities;
  for (const std::string& line : attached.summary().questions.at(0).given) {
    const auto sentence = narsese::parse_sentence(line, table);
    REQUIRE(sentence);
    REQUIRE(sentence->budget);
    priorities.push_back(sentence->budget->priority);
  }
  REQUIRE(priorities.size() == 6);
  CHECK(priorities.front() == 1);
  CHECK(priorities.back() < 1);
  CHECK(std::ranges::is_sorted(priorities, std::greater()));
  AttachOptions steered = in_this_program();
  steered.steering = Steering::repeat;
  CHECK(options_error(steered).find("Engram's own reasoner cannot be steered by 'repeat'") == 0);
}

TEST_CASE("sessions with the embedded reasoner are deterministic and replayable", "[bridge][attach]") {
  AttachOptions options = in_this_program();
  options.gate = 6;
  Attached one(options, Learning::all), other(options, Learning::all);
  for (Attached* attached : {&one, &other}) attached->tell(families()).tell(kinship_questions);
  CHECK(one.entries == other.entries);
  AttachedMemory replayed({&engram_nars()});
  for (const TranscriptEntry& entry : one.entries) replayed.apply(entry);
  CHECK(memory_text(replayed.session().memory()) == memory_text(one.memory.session().memory()));
  CHECK(memory_text(other.memory.session().memory()) == memory_text(one.memory.session().memory()));
}

TEST_CASE("the patience limit stops an embedded reasoner that runs too long", "[bridge][attach]") {
  AttachOptions options = in_this_program();
  options.gate = 60;
  options.share = 0;
  options.cycles_before = 1'000'000'000;
  options.patience = milliseconds(50);
  options.max_restarts = 2;
  Attached attached(options);
  attached.tell(much_to_think_of());
  const auto begun = std::chrono::steady_clock::now();
  CHECK(testing::message_of<ReasonerError>([&] { attached.tell({"<n1 --> unknown>?"}); }) ==
        "the reasoner did not answer within 50 ms at '<n1 --> unknown>?', 3 times in a row");
  CHECK(attached.summary().restarts == 2);
  CHECK(std::chrono::steady_clock::now() - begun >= milliseconds(150));
  CHECK(std::chrono::steady_clock::now() - begun < milliseconds(5000));
  // The failure of the reasoner does not affect the memory, which still has all input.
  CHECK(attached.memory.stated_count() == attached.memory.session().memory().statements().size());
}

TEST_CASE("a question that takes the embedded reasoner too long has no answer, and the next question has one",
          "[bridge][attach]") {
  AttachOptions options = in_this_program();
  options.question_limit = milliseconds(60);
  options.cycles_before = 0;
  // Cycles for a question without an answer; far more than fit into the time limit.
  options.cycles_after = 1'000'000'000;
  Attached attached(options);
  attached.tell(much_to_think_of()).tell({"<n1 --> unknown>?", "<(olav * lars) --> father>?"});
  attached.attachment.finish();
  REQUIRE(attached.summary().questions.size() == 2);
  CHECK(attached.summary().questions[0].timed_out);
  CHECK(attached.answer(0) == "none");
  CHECK_FALSE(attached.summary().questions[1].timed_out);
  CHECK(attached.answer(1) == "<(*,olav,lars) --> father>");
  CHECK(attached.summary().restarts == 0);
}

TEST_CASE("the embedded reasoner obeys the output limit and stops with the enclosing work",
          "[bridge][attach]") {
  AttachOptions options = in_this_program();
  options.limits.max_exchange_bytes = 100'000;
  options.max_restarts = 1;
  Attached flooding(options);
  flooding.tell(much_to_think_of());
  CHECK(testing::message_of<ReasonerError>([&] { flooding.tell({"100000"}); }) ==
        "the reasoner printed more than 100000 bytes at once at '100000', 2 times in a row");
  CHECK(flooding.summary().restarts == 1);

  Attached stopped(in_this_program());
  stopped.tell(much_to_think_of());
  struct Enough {};
  int looks = 0;
  const core::WorkBudget work({}, [&] {
    if (++looks > 50) throw Enough();
  });
  CHECK_THROWS_AS(stopped.tell({"1000000000"}), Enough);
}

}  // namespace engram::bridge::attachment_tests
