// SPDX-License-Identifier: MIT
#include "experiments/pages/forgotten_page.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/formats/markup.hpp"

namespace engram::experiments {
namespace {

using Texts = std::pair<std::string_view, std::string_view>;

// Description of what each policy keeps.
constexpr std::array<Texts, 6> kept_by{{
    {"learnt", "what its learnt budget says comes up again"},
    {"recent", "what was said last"},
    {"frequent", "what was said most often"},
    {"useful", "what ONA's formula calls useful, by how often and how lately it was said"},
    {"evidence", "what has most evidence"},
    {"random", "what the lot says"},
}};
// For each reason, a description and the name of its lane in the picture.
constexpr std::array<std::pair<std::string_view, Texts>, 5> reasons{{
    {"concepts", {"there was no room for another concept", "no room: concepts"}},
    {"links", {"there was no room for another link", "no room: links"}},
    {"statements", {"there was no room for another statement", "no room: statements"}},
    {"bytes", {"there were no bytes left", "no room: bytes"}},
    {"decayed", {"their evidence had decayed away", "decayed away"}},
}};

std::string times_text(std::uint64_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

std::string reasons_text(const Json& times) {
  std::string text;
  for (const auto& [name, texts] : reasons)
    if (times.contains(name))
      text += (text.empty() ? "" : "; ") + times_text(whole(times.at(std::string(name)))) + " because " +
              std::string(texts.first);
  return text;
}

std::string summary_html(const Json& forgotten) {
  const auto policy = forgotten.at("policy").get<std::string>();
  const auto kept = std::ranges::find(kept_by, std::string_view(policy), &Texts::first);
  return fill(
      "<p>{} statements went, and with them {} concepts and {} links: {}. In a full memory stays, by the "
      "policy "
      "{}, {}. {} are left.</p>\n",
      {whole(forgotten.at("statements")), whole(forgotten.at("concepts")), whole(forgotten.at("links")),
       reasons_text(forgotten.at("times")), Markup{code(policy)},
       kept == kept_by.end() ? std::string_view("what there is") : kept->second,
       whole(forgotten.at("held"))});
}

constexpr double width = 640, left = 120, right = 8, top = 8, curve_height = 120, lane_height = 14;

// Picture of the number of statements over cycles. Below it, a lane for each reason marks when it caused forgetting.
std::string picture(const Json& forgotten) {
  const Json& moments = forgotten.at("moments");
  double last = std::max(1.0, forgotten.at("cycles").get<double>()), most = 1;
  for (const Json& moment : moments) {
    most = std::max(most, moment.at("before").get<double>());
    last = std::max(last, moment.at("to").get<double>());
  }
  most = std::max(most, forgotten.at("held").get<double>());
  const auto x = [&](const Json& cycle) {
    return left + (width - left - right) * cycle.get<double>() / last;
  };
  const double bottom = top + curve_height;
  const auto y = [&](const Json& statements) {
    return bottom - curve_height * statements.get<double>() / most;
  };
  std::string points = fill("{},{}", {left, bottom}), marks;
  for (const Json& moment : moments)
    points += fill(" {},{} {},{}",
                   {x(moment.at("from")), y(moment.at("before")), x(moment.at("to")), y(moment.at("left"))});
  points += fill(" {},{}", {x(forgotten.at("cycles")), y(forgotten.at("held"))});
  double lane = bottom + 2 * lane_height;
  for (const auto& [name, texts] : reasons) {
    if (!forgotten.at("times").contains(name)) continue;
    marks += fill(R"(<text x="{}" y="{}" text-anchor="end">{}</text>)", {left - 6, lane + 4, texts.second});
    for (const Json& moment : moments)
      if (moment.at("times").contains(name))
        marks += fill(R"(<path class="mark" d="M{} {}V{}"/>)",
                      {x(moment.at("to")), lane - lane_height / 2 + 2, lane + lane_height / 2 - 2});
    lane += lane_height;
  }
  return fill(R"svg(<figure class="forgotten"><svg viewBox="0 0 {} {}" role="img"
aria-label="statements in memory over time"><path class="axis" d="M{} {}V{}H{}"/><polyline points="{}"/>
<text x="{}" y="{}" text-anchor="end">statements {}</text><text x="{}" y="{}" text-anchor="end">0</text>
<text x="{}" y="{}">cycle 0</text><text x="{}" y="{}" text-anchor="end">{}</text>{}</svg>
<figcaption>Statements in memory while sentences came in: each fall is a time of forgetting, and the marks below
tell why.</figcaption></figure>
)svg",
              {width, lane, left, top, bottom, width - right, Markup{points}, left - 6, top + 8,
               fixed(most, 0), left - 6, bottom, left, bottom + lane_height, width - right,
               bottom + lane_height, fixed(last, 0), Markup{marks}});
}

std::string why(const Json& times) {
  std::string text;
  for (const auto& [name, texts] : reasons)
    if (times.contains(name)) text += (text.empty() ? "" : ", ") + std::string(texts.second);
  return text;
}

std::string moments_html(const Json& forgotten) {
  std::string rows;
  for (const Json& moment : forgotten.at("moments")) {
    std::size_t times = 0;
    for (const auto& [name, count] : moment.at("times").items()) times += whole(count);
    std::string examples;
    for (const Json& example : moment.at("examples"))
      examples += (examples.empty() ? "" : ", ") + code(example.get<std::string>());
    const std::string from = moment.at("from").dump(), to = moment.at("to").dump();
    rows += fill(
        "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td class=\"prose\">{}</td></tr>\n",
        {from == to ? from : from + "–" + to, why(moment.at("times")), times, whole(moment.at("statements")),
         whole(moment.at("concepts")), whole(moment.at("links")), whole(moment.at("left")),
         Markup{examples}});
  }
  return "<figure class=\"table\"><figcaption>Times of forgetting, where there were many several in a row. "
         "Examples: of the statements that went, those said last.</figcaption><div class=\"scroll\"><table>"
         "<thead><tr><th>cycle</th><th>why</th><th>times</th><th>statements</th><th>concepts</th><th>links</"
         "th>"
         "<th>left</th><th class=\"prose\">examples</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></figure>\n";
}

}  // namespace

std::string forgotten_html(const Json& forgotten) {
  if (forgotten.at("moments").empty())
    return "<p>Nothing: no limit was reached, and nothing had decayed away.</p>\n";
  return summary_html(forgotten) + picture(forgotten) +
         details(forgotten.at("moments").size() <= 12, "When, why, and what", moments_html(forgotten));
}

}  // namespace engram::experiments
