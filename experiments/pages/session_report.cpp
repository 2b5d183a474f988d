// SPDX-License-Identifier: MIT
#include "experiments/pages/session_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>

#include "bridge/attach/attachment.hpp"
#include "core/numbers/numeric.hpp"
#include "core/proofs/proof_methods.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/inputs/forgotten.hpp"
#include "experiments/pages/forgotten_page.hpp"
#include "experiments/pages/lanes.hpp"
#include "experiments/pages/page.hpp"
#include "narsese/printer.hpp"
#include "page_files.hpp"

namespace engram::experiments {
namespace {

using bridge::NarsEvent;
using bridge::TranscriptEntry;
using Entry = TranscriptEntry::Kind;

constexpr std::size_t most_moments = 120, most_dots = 800, most_listed_links = 20;

struct TimelinePoint {
  std::size_t entry = 0;
  double statements = 0, concepts = 0, links = 0;
};

struct Dot {
  std::size_t entry = 0;
  double priority = 0;
  bool inferred = false;
};

struct AskedInSession {
  std::size_t entry = 0;
  std::string narsese;
  std::vector<std::string> told = {};
  std::optional<bridge::AnswerText> answer = {};
  std::optional<std::optional<bridge::AnswerText>> expected = {};
  bool put = false;  // sent to the system; some questions it cannot read
};

struct Timeline {
  std::size_t entries = 0, processes = 0, resets = 0, told = 0;
  std::vector<TimelinePoint> moments;
  std::vector<Dot> dots;
  std::vector<AskedInSession> questions;
  std::vector<std::size_t> starts;  // entries at which a process started
  ForgottenOverTime forgotten;
};

// --- the transcript -------------------------------------------------------------------------------

void take_input(const bridge::AttachedMemory::Effect& effect, std::size_t at, Timeline& timeline) {
  using Kind = narsese::NalLine::Kind;
  if (effect.line.kind == Kind::sentence && effect.line.sentence.asks())
    timeline.questions.push_back({.entry = at, .narsese = narsese::print(effect.line.sentence)});
  if (effect.line.kind != Kind::expectation || timeline.questions.empty()) return;
  AskedInSession& question = timeline.questions.back();
  const auto& expectation = effect.line.expectation;
  if (!question.expected) question.expected = bridge::expected_answer(expectation);
}

void take_heard(const std::vector<NarsEvent>& events, std::size_t at, bool asking, Timeline& timeline) {
  for (const NarsEvent& event : events) {
    if (event.kind == NarsEvent::Kind::answer && event.term && asking)
      timeline.questions.back().answer = {narsese::print(*event.term), event.truth};
    const bool inferred = event.kind == NarsEvent::Kind::derived || event.kind == NarsEvent::Kind::revised;
    if (event.budget && (inferred || event.kind == NarsEvent::Kind::input))
      timeline.dots.push_back({at, event.budget->priority, inferred});
  }
}

// The sentence in a line sent to the system. Empty for commands, comments, numbers of cycles and questions.
std::string_view told_by(const bridge::NarsSystem& system, const TranscriptEntry& entry) {
  std::string_view line = entry.text;
  if (entry.kind != Entry::sent || !line.starts_with(system.sentence_prefix)) return "";
  line.remove_prefix(system.sentence_prefix.size());
  const bool tells = line.find_first_not_of("0123456789") != std::string::npos &&
                     std::string_view("*'/").find(line[0]) == std::string_view::npos && line.back() != '?';
  return tells ? line : "";
}

// Priority in a line of the form $p;d;q$ sentence. Use it for systems that read budgets but do not print them.
std::optional<double> told_priority(std::string_view sentence) {
  if (!sentence.starts_with("$")) return std::nullopt;
  double priority = 0;
  const auto [stop, error] =
      std::from_chars(sentence.data() + 1, sentence.data() + sentence.size(), priority);
  return error == std::errc() && priority >= 0 && priority <= 1 ? std::optional(priority) : std::nullopt;
}

TimelinePoint look(const core::Memory& memory, std::size_t entry) {
  return {entry, static_cast<double>(memory.statements().size()), static_cast<double>(memory.graph().size()),
          static_cast<double>(memory.graph().hebbian_links().size())};
}

Timeline follow(const bridge::NarsSystem& system, const std::vector<TranscriptEntry>& entries,
                bridge::AttachedMemory& memory) {
  Timeline timeline;
  timeline.entries = entries.size();
  const std::size_t step = entries.size() / most_moments + 1;
  bool asking = false;                            // following output belongs to the last question
  std::optional<core::Session::Request> request;  // one for each input, as in the session
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TranscriptEntry& entry = entries[i];
    if (entry.kind == Entry::input) {
      request.reset();
      request.emplace(memory.session());
    }
    const auto effect = memory.apply(entry);
    timeline.forgotten.look(memory.session());
    if (entry.kind == Entry::input) {
      const std::size_t before = timeline.questions.size();
      take_input(effect, i, timeline);
      asking = timeline.questions.size() > before;
    }
    if (entry.kind == Entry::fresh) {
      const bool reset =
          i + 1 < entries.size() && entries[i + 1].kind == Entry::sent && entries[i + 1].text == system.reset;
      ++(reset ? timeline.resets : timeline.processes);
      if (!reset) timeline.starts.push_back(i);
      if (asking) timeline.questions.back().told.clear();
    }
    const std::string_view told = told_by(system, entry);
    if (asking && entry.kind == Entry::sent && entry.text.find('?') != std::string::npos)
      timeline.questions.back().put = true;
    if (asking && !told.empty())
      timeline.questions.back().told.push_back(memory.with_original_names(std::string(told)));
    if (const auto priority = told_priority(told)) timeline.dots.push_back({i, *priority, false});
    if (entry.kind == Entry::heard) take_heard(effect.events, i, asking, timeline);
    if (i % step == 0 || i + 1 == entries.size())
      timeline.moments.push_back(look(memory.session().memory(), i));
  }
  timeline.told = memory.stated_count();
  return timeline;
}

// --- pictures ------------------------------------------------------------------------------------

// A timeline with axes, marks and drawn content.
std::string picture(const Timeline& timeline, const Lane& lane, const std::string& name,
                    const std::string& drawn) {
  std::string marks;
  for (const std::size_t start : timeline.starts)
    marks += lane_mark(lane, static_cast<double>(start), "start", "a new process");
  for (const AskedInSession& question : timeline.questions)
    marks += lane_mark(lane, static_cast<double>(question.entry), question.answer ? "answered" : "open",
                       question.narsese);
  return lane_picture(lane, name, "entry 1", std::to_string(timeline.entries), marks, drawn);
}

// Coordinates of a picture with y in 0 .. `most`.
Lane lane_of(const Timeline& timeline, double most) {
  return {static_cast<double>(timeline.entries) - 1, most};
}

std::string curve(const Timeline& timeline, const std::string& name, double TimelinePoint::*value) {
  Lane lane = lane_of(timeline, 1);
  for (const TimelinePoint& moment : timeline.moments) lane.most = std::max(lane.most, moment.*value);
  std::string points;
  for (const TimelinePoint& moment : timeline.moments)
    points += fill("{},{} ", {lane.x(static_cast<double>(moment.entry)), lane.y(moment.*value)});
  return picture(timeline, lane, name, "<polyline points=\"" + points + "\"/>");
}

std::string budgets(const Timeline& timeline) {
  const Lane lane = lane_of(timeline, 1);
  const std::size_t step = timeline.dots.size() / most_dots + 1;
  std::string dots;
  for (std::size_t i = 0; i < timeline.dots.size(); i += step) {
    const Dot& dot = timeline.dots[i];
    dots += fill(
        R"(<circle class="{}" cx="{}" cy="{}" r="1.7"/>)",
        {dot.inferred ? "inferred" : "input", lane.x(static_cast<double>(dot.entry)), lane.y(dot.priority)});
  }
  return picture(timeline, lane,
                 timeline.dots.empty() ? "priority: nothing tells of any"
                                       : "priority of what it was told (rings), inferred (dots)",
                 dots);
}

// --- tables --------------------------------------------------------------------------------------

std::string questions_html(const Timeline& timeline) {
  Table table{"questions",
              "Each question with its last answer. Expected: the truth as well, the term alone, or wrong.",
              {"", "question", "answer", "frequency", "confidence", "expected", "told for it"}};
  std::string lists;
  for (const AskedInSession& question : timeline.questions) {
    const auto& answer = question.answer;
    const auto part = [&answer](double narsese::TruthValue::*of) {
      return answer && answer->truth ? cell((*answer->truth).*of, 3) : cell("-");
    };
    const std::string row = std::to_string(table.rows.size() + 1);
    const std::string outcome(
        question.expected
            ? name_of(bridge::answer_outcomes, bridge::outcome_of(*question.expected, answer, question.put))
            : "-");
    table.rows.push_back({cell(row), cell(question.narsese), cell(answer ? answer->term : "-"),
                          part(&narsese::TruthValue::frequency), part(&narsese::TruthValue::confidence),
                          cell(outcome), cell(static_cast<double>(question.told.size()), 0)});
    std::string told;
    for (const std::string& line : question.told) told += "<li>" + code(line) + "</li>";
    if (!told.empty()) lists += details(false, row + ": " + code(question.narsese), "<ol>" + told + "</ol>");
  }
  if (table.rows.empty()) return "<p>Nothing was asked.</p>\n";
  return to_html(table) + (lists.empty() ? "" : "<h3>What was told for each</h3>\n" + lists);
}

std::string links_html(const core::Memory& memory) {
  const auto held = memory.graph().hebbian_links();
  std::vector<core::HebbianLink> links(held.begin(), held.end());
  const auto strength = [](const core::HebbianLink& link) {
    return std::tuple(-link.judged.confidence, -link.together, link.source, link.target);
  };
  std::ranges::sort(links, {}, strength);
  Table table{"links",
              "The strongest of " + std::to_string(links.size()) +
                  " links: first those that answers reinforced most.",
              {"concept", "and", "together", "told frequency", "told confidence"}};
  for (std::size_t i = 0; i < std::min(links.size(), most_listed_links); ++i)
    table.rows.push_back({cell(narsese::print(memory.graph()[links[i].source].term)),
                          cell(narsese::print(memory.graph()[links[i].target].term)),
                          cell(links[i].together, 2), cell(links[i].judged.frequency, 3),
                          cell(links[i].judged.confidence, 3)});
  return table.rows.empty() ? "<p>There are none.</p>\n" : to_html(table);
}

std::string counted(std::size_t count, const std::string& one, const std::string& more) {
  return std::to_string(count) + " " + (count == 1 ? one : more);
}

std::string counted(std::size_t count, const std::string& one) { return counted(count, one, one + "s"); }

// Table of the current weights of proof_attention, by the size of their change.
std::string learnt_html(const bridge::Model& model, const core::ProofWeights& before) {
  const core::ProofLearnerState& state = *model.learning;
  const double temperature = core::proof_settings(model.options).options.temperature;
  std::array<std::size_t, core::proof_features> order{};
  std::iota(order.begin(), order.end(), 0);
  const auto change = [&](std::size_t f) { return state.weights[f] - state.start[f]; };
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t f) { return std::abs(change(f)); });
  Table table{
      "learnt",
      "The weight of each feature of a proof in the original model, before this session and now, and the "
      "factor by which one unit of the feature now changes the probability of a proof, compared with the "
      "original model.",
      {"feature of a proof", "name", "original", "before", "now", "factor"}};
  constexpr double least_told = 0.005;
  for (const std::size_t f : order) {
    if (std::abs(change(f)) < least_told) continue;
    const core::ProofFeatureFacts& facts = core::proof_feature_facts[f];
    table.rows.push_back({cell(std::string(facts.meaning.substr(std::string_view("of ").size()))),
                          cell(std::string(facts.name)), cell(state.start[f], 2), cell(before[f], 2),
                          cell(state.weights[f], 2), cell(core::exp(change(f) / temperature), 2)});
  }
  const std::string from = "<p>In all from " + counted(state.answered, "answer") + " and " +
                           counted(state.failed, "question") + " without one";
  if (table.rows.empty()) return from + ", which moved no weight by " + fixed(least_told, 3) + ".</p>\n";
  return from + "; weights that are not in the table moved by less than " + fixed(least_told, 3) + ".</p>\n" +
         to_html(table);
}

}  // namespace

std::string session_report(const bridge::SessionStart& start, const std::vector<TranscriptEntry>& entries) {
  const bridge::NarsSystem& system = *start.system;
  bridge::AttachedMemory memory(start);
  const Timeline timeline = follow(system, entries, memory);
  const auto answered = static_cast<std::size_t>(std::ranges::count_if(
      timeline.questions, [](const AskedInSession& q) { return q.answer.has_value(); }));
  const std::string html = fill(
      R"(<h1>A session with {}</h1>
<p class="answer">{}, {}: {} answered. {} started, {}.</p>
<h2>Timeline</h2>
<p><small>From left to right the entries of the transcript. Upright lines: questions, whole where they were
answered, broken where not; grey bands: new processes.</small></p>
<div class="lanes">
{}{}{}{}</div>
<h2>Questions</h2>
{}{}{}<h2>Links</h2>
{})",
      {system.program, counted(timeline.told, "statement"), counted(timeline.questions.size(), "question"),
       answered, counted(timeline.processes, "process was", "processes were"),
       counted(timeline.resets, "reset"),
       Markup{curve(timeline, "statements in memory", &TimelinePoint::statements)},
       Markup{curve(timeline, "concepts", &TimelinePoint::concepts)},
       Markup{curve(timeline, "links", &TimelinePoint::links)}, Markup{budgets(timeline)},
       Markup{questions_html(timeline)},
       Markup{memory.model()
                  ? "<h2>What the model learnt</h2>\n" +
                        learnt_html(memory.model()->model(), core::proof_settings(start.model->options).theta)
                  : ""},
       Markup{memory.session().forgetting().is_on()
                  ? "<h2>What was forgotten</h2>\n" +
                        forgotten_html(timeline.forgotten.json(memory.session()))
                  : ""},
       Markup{links_html(memory.session().memory())}});
  return page_html("Engram: a session with " + std::string(system.program), html, lanes_css);
}

}  // namespace engram::experiments
