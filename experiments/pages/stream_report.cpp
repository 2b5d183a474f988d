// SPDX-License-Identifier: MIT
#include "experiments/pages/stream_report.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "experiments/formats/markup.hpp"
#include "experiments/pages/lanes.hpp"
#include "experiments/pages/page.hpp"
#include "page_files.hpp"

namespace engram::experiments {
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

// Splits the samples into stretches of a minimum number of cycles. An incomplete last stretch is left out.
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

// Timeline of a value, with restarts as marks behind the curve.
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
              "What leads to a goal, with frequency and confidence; what has most of the attention first.",
              {"", "Narsese"}};
  for (const std::string& link : learnt)
    table.rows.push_back({cell(std::to_string(table.rows.size() + 1)), cell(link)});
  return table.rows.empty() ? "<p>Nothing: no operation was followed by a goal that was wanted.</p>\n"
                            : to_html(table);
}

std::string counts_html(const StreamCounts& counts) {
  const std::pair<const char*, std::uint64_t> rows[] = {
      {"events that came", counts.events},
      {"passed on", counts.passed},
      {"not chosen", counts.not_passed},
      {"dropped: too many in a cycle", counts.dropped},
      {"too late to be told", counts.late},
      {"too far from now, or yet to come", counts.far},
      {"goals", counts.goals},
      {"operations executed", counts.executed},
      {"executed, and none of --operations", counts.unknown_operations},
      {"operations of others", counts.done_by_others},
      {"operations that reached their goal", counts.reached},
      {"operations that did not, in time", counts.failed},
      {"sentences that always hold", counts.sentences},
      {"answers", counts.answers},
      {"sentences that the NARS cannot read", counts.refused},
      {"dropped: the NARS was busy", counts.crowded_out},
      {"told to a NARS that failed", counts.lost_events + counts.lost_goals + counts.lost_others},
      {"restarts of the NARS", counts.restarts},
      {"wrong lines", counts.wrong_lines},
  };
  Table table{"counts", "What went through; what there was none of is left out.", {"what", "how many"}};
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
<p class="answer">{} events came, {} were passed on; {} goals, {} operations executed, {} of which reached a goal
that was wanted.</p>
<h2>Timeline</h2>
<p><small>From left to right the cycles of the stream; grey bands: new processes.</small></p>
<div class="lanes">
{}{}{}</div>
<h2>What was learnt</h2>
{}<h2>What went through</h2>
{})",
      {nars, counts.events, counts.passed, counts.goals, counts.executed, counts.reached,
       Markup{picture(all, last, "share of operations that reached their goal", share_reached, 1)},
       Markup{picture(all, last, "events passed on a cycle", a_cycle(&StreamCounts::passed), 1)},
       Markup{picture(all, last, "events that came a cycle", a_cycle(&StreamCounts::events), 1)},
       Markup{learnt_html(learnt)}, Markup{counts_html(counts)}});
  return page_html("Engram: a stream with " + std::string(nars), html, lanes_css);
}

}  // namespace engram::experiments
