// SPDX-License-Identifier: MIT
#include "experiments/pages/live_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "bridge/attach/attachment.hpp"
#include "core/numbers/numeric.hpp"
#include "core/proofs/proof_methods.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/pages/memory_history.hpp"
#include "experiments/pages/page.hpp"
#include "narsese/printer.hpp"
#include "page_files.hpp"

namespace engram::experiments {
namespace {

// --- timelines, from left to right ---------------------------------------------------------------

// Converts values of a timeline to coordinates in its picture. Values on the x axis go from 0 to `last`, on the y axis
// from 0 to `most`.
struct Lane {
  double last = 1, most = 1;

  static constexpr double width = 360, height = 150, left = 44, right = 8, top = 8, bottom = 22;
  double x(double at) const { return left + (width - left - right) * at / std::max(1.0, last); }
  double y(double value) const { return height - bottom - (height - top - bottom) * value / most; }
};

// A vertical line with a tooltip. `kind` is a class of lanes.css.
std::string lane_mark(const Lane& lane, double at, const char* kind, const std::string& title) {
  const double x = lane.x(at);
  return fill(R"(<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"><title>{}</title></line>)",
              {kind, x, x, Lane::top, Lane::height - Lane::bottom, title});
}

// Picture of a timeline with labels at both ends of the x axis. `marks` and `drawn` are SVG elements, of which `marks`
// are in the background.
std::string lane_picture(const Lane& lane, const std::string& name, const std::string& first,
                         const std::string& last, const std::string& marks, const std::string& drawn) {
  return fill(R"svg(<figure class="lane"><figcaption>{}</figcaption><svg viewBox="0 0 360 150" role="img"
aria-label="{}">{}<path class="axis" d="M44 8V128H352"/>{}<text x="40" y="16" text-anchor="end">{}</text>
<text x="40" y="128" text-anchor="end">0</text><text x="44" y="144">{}</text>
<text x="352" y="144" text-anchor="end">{}</text></svg></figure>
)svg",
              {name, name, Markup{marks}, Markup{drawn}, fixed(lane.most, 0), first, last});
}

// --- sessions: the transcript --------------------------------------------------------------------

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
  bool put = false;  // whether the question was sent: a system may be unable to read it
};

struct Timeline {
  std::size_t entries = 0, processes = 0, resets = 0, told = 0;
  std::vector<TimelinePoint> moments;
  std::vector<Dot> dots;
  std::vector<AskedInSession> questions;
  std::vector<std::size_t> starts;  // entries at which a process started
  ForgottenOverTime forgotten;
};

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
  bool asking = false;                            // whether output may answer the last question
  std::optional<core::Session::Request> request;  // a new request for each input, as in the session
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TranscriptEntry& entry = entries[i];
    if (entry.kind == Entry::input) {
      request.reset();
      request.emplace(memory.session());
    }
    const auto effect = memory.apply(entry);
    timeline.forgotten.update(memory.session());
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

// --- sessions: pictures --------------------------------------------------------------------------

// Timeline of a session. `drawn` is the SVG of its curve or dots; marks show new processes and questions.
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

// Coordinates of a timeline over all entries of the transcript, with a y axis from 0 to `most`.
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
                 timeline.dots.empty() ? "priority: the system printed none"
                                       : "priority of input (rings) and inferences (dots)",
                 dots);
}

// --- sessions: tables ----------------------------------------------------------------------------

std::string questions_html(const Timeline& timeline) {
  Table table{
      "questions",
      "Each question with its last answer. The column expected compares the answer with the file: it has "
      "the expected truth (truth), only the expected term (term), or neither (wrong).",
      {"", "question", "answer", "frequency", "confidence", "expected", "statements sent"}};
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
  if (table.rows.empty()) return "<p>The session has no questions.</p>\n";
  return to_html(table) + (lists.empty() ? "" : "<h3>Statements sent for each question</h3>\n" + lists);
}

std::string links_html(const core::Memory& memory) {
  const auto held = memory.graph().hebbian_links();
  std::vector<core::HebbianLink> links(held.begin(), held.end());
  const auto strength = [](const core::HebbianLink& link) {
    return std::tuple(-link.judged.confidence, -link.together, link.source, link.target);
  };
  std::ranges::sort(links, {}, strength);
  Table table{
      "links",
      "The strongest of " + std::to_string(links.size()) + " links, by the confidence of link judgements.",
      {"concept", "and", "together", "judged frequency", "judged confidence"}};
  for (std::size_t i = 0; i < std::min(links.size(), most_listed_links); ++i)
    table.rows.push_back({cell(narsese::print(memory.graph()[links[i].source].term)),
                          cell(narsese::print(memory.graph()[links[i].target].term)),
                          cell(links[i].together, 2), cell(links[i].judged.frequency, 3),
                          cell(links[i].judged.confidence, 3)});
  return table.rows.empty() ? "<p>The memory has no links.</p>\n" : to_html(table);
}

std::string counted(std::size_t count, const std::string& one, std::string more = "") {
  if (more.empty()) more = one + "s";
  return std::to_string(count) + " " + (count == 1 ? one : more);
}

// Table of the current weights of proof_attention. The weight with the largest change comes first.
std::string learnt_html(const bridge::Model& model, const core::ProofWeights& before) {
  const core::ProofLearnerState& state = *model.learning;
  const double temperature = core::proof_settings(model.options).options.temperature;
  std::array<std::size_t, core::proof_features> order{};
  std::iota(order.begin(), order.end(), 0);
  const auto change = [&](std::size_t f) { return state.weights[f] - state.start[f]; };
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t f) { return std::abs(change(f)); });
  Table table{
      "learnt",
      "Weight of each feature of a proof in the original model, before this session and now. The factor says "
      "how one unit of the feature now changes the probability of a proof, compared with the original model.",
      {"feature of a proof", "name", "original", "before", "now", "factor"}};
  constexpr double least_told = 0.005;
  for (const std::size_t f : order) {
    if (std::abs(change(f)) < least_told) continue;
    const core::ProofFeatureFacts& facts = core::proof_feature_facts[f];
    table.rows.push_back({cell(std::string(facts.meaning.substr(std::string_view("of ").size()))),
                          cell(std::string(facts.name)), cell(state.start[f], 2), cell(before[f], 2),
                          cell(state.weights[f], 2), cell(core::exp(change(f) / temperature), 2)});
  }
  const std::string html =
      fill("<p>Learnt from {} and {} without an answer. {} moved by less than {}.</p>\n",
           {counted(state.answered, "answer"), counted(state.failed, "question"),
            table.rows.empty() ? "All weights" : "Weights that are not in the table", fixed(least_told, 3)});
  return table.rows.empty() ? html : html + to_html(table);
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
<p><small>Time runs from left to right over the entries of the transcript. Vertical lines are questions: solid if
answered, dashed if not. Grey bands mark new processes.</small></p>
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

namespace {

using bridge::StreamCounts;
using Count = std::uint64_t StreamCounts::*;

constexpr core::Moment most_stretches = 40;

// A stretch of a stream between two samples.
struct Stretch {
  StreamCounts from, to;

  double grown(Count count) const {
    return static_cast<double>(to.*count) - static_cast<double>(from.*count);
  }
  double middle() const { return static_cast<double>(from.now + to.now) / 2; }
};

// Splits the samples into stretches of a minimum number of cycles. Drops an incomplete last stretch.
std::vector<Stretch> stretches(const std::vector<StreamCounts>& moments) {
  std::vector<Stretch> found;
  if (moments.empty()) return found;
  const core::Moment length = moments.back().now / most_stretches + 1;
  StreamCounts from;
  for (const StreamCounts& moment : moments)
    if (moment.now - from.now >= length) found.push_back({std::exchange(from, moment), moment});
  return found;
}

using Value = std::function<std::optional<double>(const Stretch&)>;

std::string curve(const std::vector<Stretch>& all, const Lane& lane, const Value& value) {
  std::string points;
  for (const Stretch& stretch : all)
    if (const auto y = value(stretch)) points += fill("{},{} ", {lane.x(stretch.middle()), lane.y(*y)});
  return "<polyline points=\"" + points + "\"/>";
}

// Timeline of a value, with restarts as marks behind the curve. The y axis ends at `least_most` or a larger value.
std::string picture(const std::vector<Stretch>& all, core::Moment last, const std::string& name,
                    const Value& value, double least_most) {
  Lane lane{static_cast<double>(last), least_most};
  for (const Stretch& stretch : all) lane.most = std::max(lane.most, value(stretch).value_or(0));
  std::string marks;
  for (const Stretch& stretch : all)
    if (stretch.grown(&StreamCounts::restarts) > 0)
      marks += lane_mark(lane, stretch.middle(), "start", "a new process");
  return lane_picture(lane, name, "cycle 0", std::to_string(last), marks, curve(all, lane, value));
}

Value a_cycle(Count count) {
  return [count](const Stretch& s) { return s.grown(count) / static_cast<double>(s.to.now - s.from.now); };
}

std::optional<double> share_reached(const Stretch& stretch) {
  const double reached = stretch.grown(&StreamCounts::reached);
  const double known = reached + stretch.grown(&StreamCounts::failed);
  return known > 0 ? std::optional(reached / known) : std::nullopt;
}

std::string learnt_html(const std::vector<std::string>& learnt) {
  Table table{"learnt",
              "Implications that lead to a goal, with frequency and confidence, by falling attention.",
              {"", "Narsese"}};
  for (const std::string& link : learnt)
    table.rows.push_back({cell(std::to_string(table.rows.size() + 1)), cell(link)});
  return table.rows.empty() ? "<p>Nothing: no operation was followed by a wanted goal.</p>\n"
                            : to_html(table);
}

std::string counts_html(const StreamCounts& counts) {
  const std::pair<const char*, std::uint64_t> rows[] = {
      {"input events", counts.events},
      {"events selected", counts.passed},
      {"events not selected", counts.not_passed},
      {"events beyond the limit of a cycle", counts.dropped},
      {"events selected, but sent too late", counts.late},
      {"events too old, or in the future", counts.far},
      {"goals", counts.goals},
      {"operations executed", counts.executed},
      {"operations executed, but not in --operations", counts.unknown_operations},
      {"operations by others", counts.done_by_others},
      {"operations that reached their goal", counts.reached},
      {"operations that missed their goal", counts.failed},
      {"eternal sentences", counts.sentences},
      {"answers", counts.answers},
      {"sentences that the NARS cannot read", counts.refused},
      {"input dropped because the NARS was busy", counts.crowded_out},
      {"input lost because the NARS failed", counts.lost_events + counts.lost_goals + counts.lost_others},
      {"restarts of the NARS", counts.restarts},
      {"invalid lines", counts.wrong_lines},
  };
  Table table{"counts", "Counts of the whole stream, without zeros.", {"what", "count"}};
  for (const auto& [what, count] : rows)
    if (count > 0) table.rows.push_back({cell(what), cell(static_cast<double>(count), 0)});
  return to_html(table);
}

}  // namespace

void StreamHistory::look(const StreamCounts& counts) {
  if (looks_++ % every_ != 0) return;
  moments_.push_back(counts);
  if (moments_.size() < most) return;
  // Keep every second sample, so that the distance between samples doubles.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < moments_.size(); i += 2) moments_[kept++] = moments_[i];
  moments_.resize(kept);
  every_ *= 2;
}

std::string stream_report(std::string_view nars, StreamHistory history, const StreamCounts& counts,
                          const std::vector<std::string>& learnt) {
  history.end(counts);
  const std::vector<Stretch> all = stretches(history.moments());
  const core::Moment last = history.moments().empty() ? 1 : history.moments().back().now;
  const std::string html = fill(
      R"(<h1>A stream with {}</h1>
<p class="answer">{} input events, {} selected; {} goals; {} operations executed, {} of which reached their
goal.</p>
<h2>Timeline</h2>
<p><small>Time runs from left to right over the cycles of the stream. Grey bands mark new processes.</small></p>
<div class="lanes">
{}{}{}</div>
<h2>What was learnt</h2>
{}<h2>Counts</h2>
{})",
      {nars, counts.events, counts.passed, counts.goals, counts.executed, counts.reached,
       Markup{picture(all, last, "share of operations that reached their goal", share_reached, 1)},
       Markup{picture(all, last, "events selected in a cycle", a_cycle(&StreamCounts::passed), 1)},
       Markup{picture(all, last, "input events in a cycle", a_cycle(&StreamCounts::events), 1)},
       Markup{learnt_html(learnt)}, Markup{counts_html(counts)}});
  return page_html("Engram: a stream with " + std::string(nars), html, lanes_css);
}

}  // namespace engram::experiments
