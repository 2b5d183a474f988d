// SPDX-License-Identifier: MIT
// Conclusion of the experiment `icons`: pictures, tables and sentences from its rows.
#include "experiments/formats/markup.hpp"
#include "experiments/icons/icons.hpp"

#include <algorithm>
#include <vector>

namespace engram::experiments::icons {
namespace {

// Draws one frame of a row. `place` is the SVG position within another picture.
std::string picture_svg(const Json& row, std::size_t frame, const std::string& place = "") {
  const auto digits = row.at("frames").at(frame).get<std::string>();
  const std::size_t width = whole(row.at("width"));
  if (width == 0) throw SpecError("results.jsonl", "must hold pictures of some width, found 0");
  const std::size_t height = digits.size() / width;
  std::string pixels;
  for (std::size_t from = 0, to = 0; from < digits.size(); from = to) {
    // Merges runs of one level within a row into one rectangle.
    for (to = from + 1; to < digits.size() && to % width != 0 && digits[to] == digits[from];) ++to;
    if (digits[from] != '0')
      pixels += fill(R"(<rect x="{}" y="{}" width="{}" height="1" fill-opacity="{}"/>)",
                     {from % width, from / width, to - from, fixed((digits[from] - '0') / 9.0, 2)});
  }
  return fill(R"(<svg{} viewBox="0 0 {} {}" shape-rendering="crispEdges" role="img">)"
              R"(<rect width="{}" height="{}" fill="#fff"/>{}</svg>)",
              {Markup{place}, width, height, width, height, Markup{pixels}});
}

// The first `most` frames of a row, without frames that repeat the one before.
std::vector<std::size_t> frames_of(const Json& row, std::size_t most) {
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < row.at("frames").size() && frames.size() < most; ++i)
    if (i == 0 || row.at("frames").at(i) != row.at("frames").at(i - 1)) frames.push_back(i);
  return frames;
}

// Describes the cue: "40 % of its pixels flipped", or the name of its picture.
std::string cue_words(const IconsOptions& options, double damage) {
  const std::string flipped = fixed(100 * damage, 0) + " % of its pixels flipped";
  if (options.query.empty()) return flipped;
  return std::filesystem::path(options.query).stem().string() + (damage > 0 ? ", " + flipped : "");
}

// Picture of the largest damage: a row for each method, from the cue to the final state.
Drawing film(const IconsOptions& options, const std::vector<Json>& rows) {
  constexpr std::size_t columns = 7, left = 170, size = 84, gap = 8, top = 26;
  const double damage = *std::ranges::max_element(options.damage);
  std::string body = fill("<text x=\"{}\" y=\"17\">the cue, {}, and what becomes of it</text>\n",
                          {left, cue_words(options, damage)});
  std::size_t y = top;
  for (const Json& row : rows) {
    if (row.at("damage") != damage || !row.contains("frames")) continue;
    body += fill("<text x=\"10\" y=\"{}\">{}</text>\n", {y + size / 2, Markup{text_of(row, "method")}});
    std::size_t x = left;
    for (const std::size_t frame : frames_of(row, columns)) {
      const std::string place = fill(R"( x="{}" y="{}" width="{}" height="{}")", {x, y, size, size});
      body += picture_svg(row, frame, place) + "<rect" + place + " fill=\"none\" stroke=\"#999\"/>\n";
      x += size + gap;
    }
    y += size + gap;
  }
  return drawing("film", left + columns * (size + gap), y, 14, body);
}

Section pictures_section(const IconsOptions& options, const std::vector<Json>& rows) {
  std::string html;
  for (const double damage : options.damage) {
    html += options.query.empty() ? "<h3>" + fixed(100 * damage, 0) + " % of the pixels flipped</h3>\n"
                                  : fill("<h3>{}</h3>\n", {cue_words(options, damage)});
    for (const Json& row : rows) {
      if (row.at("damage") != damage || !row.contains("frames")) continue;
      html += "<div class=\"film\"><b>" + text_of(row, "method") + "</b><div>";
      for (const std::size_t frame : frames_of(row, row.at("frames").size()))
        html += "<figure>" + picture_svg(row, frame) + "<figcaption>" +
                (frame == 0 ? "cue" : "step " + std::to_string(frame)) +
                "<br>E = " + fixed(row.at("energies").at(frame).get<double>(), 2) + "</figcaption></figure>";
      html += "</div></div>\n";
    }
  }
  return {"Step by step", html};
}

// Results of one method and damage, one value for each seed.
struct Restoring {
  std::vector<double> restored, exact, cue_overlap;
  std::vector<std::pair<std::string, std::vector<double>>> overlaps;  // overlap with each stored picture
};

Restoring restoring_of(const std::vector<Json>& rows, const std::string& method, double damage) {
  Restoring found;
  for (const Json& row : rows) {
    if (row.at("method") != method || row.at("damage") != damage) continue;
    found.restored.push_back(row.at("restored").get<bool>() ? 1.0 : 0.0);
    found.exact.push_back(row.at("exact").get<bool>() ? 1.0 : 0.0);
    found.cue_overlap.push_back(row.at("overlap_of_cue").get<double>());
    for (const auto& [name, value] : row.at("overlaps").items()) {
      auto place =
          std::ranges::find(found.overlaps, name, &std::pair<std::string, std::vector<double>>::first);
      if (place == found.overlaps.end()) place = found.overlaps.insert(found.overlaps.end(), {name, {}});
      place->second.push_back(value.get<double>());
    }
  }
  return found;
}

// The pictures that rows were restored to, each with its share of the rows: "skull 1.00".
std::vector<std::pair<std::string, double>> restored_shares(const std::vector<Json>& rows,
                                                            const std::string& method, double damage) {
  std::vector<std::pair<std::string, double>> shares;
  double count = 0;
  for (const Json& row : rows) {
    if (row.at("method") != method || row.at("damage") != damage) continue;
    ++count;
    const std::string name = row.at("restored_to").is_null() ? "none" : text_of(row, "restored_to");
    auto place = std::ranges::find(shares, name, &std::pair<std::string, double>::first);
    if (place == shares.end()) place = shares.insert(shares.end(), {name, 0});
    ++place->second;
  }
  for (auto& [name, share] : shares) share /= count;
  return shares;
}

// Table of the results for a query that is not stored.
Table query_table(const Spec& spec, const IconsOptions& options, const std::vector<Json>& rows) {
  Table table{
      "query",
      "The query is another picture than those stored: its mean overlap with each of them, and to which "
      "it is restored, every pixel ink or paper as there, with the share of the seeds.",
      {"method", "damage", "restored to"}};
  for (const auto& [name, value] : rows.front().at("overlaps_of_cue").items())
    table.head.push_back("overlap of query with " + name);
  for (const MethodChoice& choice : spec.methods)
    for (const double damage : options.damage) {
      std::string restored;
      for (const auto& [name, share] : restored_shares(rows, choice.label, damage))
        restored += (restored.empty() ? "" : ", ") + name + " " + fixed(share, 2);
      if (restored.empty()) continue;
      std::vector<Cell> cells{cell(choice.label), cell(damage, 2), cell(restored)};
      for (const auto& [name, value] : rows.front().at("overlaps_of_cue").items()) {
        std::vector<double> values;
        for (const Json& row : rows)
          if (row.at("method") == choice.label && row.at("damage") == damage)
            values.push_back(row.at("overlaps_of_cue").at(name).get<double>());
        cells.push_back(cell(bootstrap_mean(values)->mean, 3));
      }
      table.rows.push_back(std::move(cells));
    }
  return table;
}

std::string answer_sentence(const std::vector<std::string>& restoring, const std::string& picture,
                            const IconsOptions& options, std::size_t seeds) {
  const auto [least, most] = std::ranges::minmax(options.damage);
  std::string range = fixed(100 * least, 0) + " to " + fixed(100 * most, 0) + " % of its pixels flipped";
  if (!options.query.empty())
    range = cue_words(options, 0) + " the query" + (most > 0 ? " and " + range : "");
  if (restoring.empty())
    return "No method gives the " + picture + " back pixel by pixel at every damage, " + range + ".";
  std::string names;
  for (std::size_t i = 0; i < restoring.size(); ++i)
    names += (i == 0 ? "" : i + 1 == restoring.size() ? " and " : ", ") + restoring[i];
  return names + (restoring.size() == 1 ? " gives" : " give") + " the " + picture +
         " back, every pixel of it, with " + range + ", for every one of " + std::to_string(seeds) +
         " seeds.";
}

}  // namespace

Conclusion conclude_icons(const Spec& spec, const IconsOptions& options, const std::vector<Json>& rows) {
  Conclusion conclusion;
  const auto picture = rows.front().at("picture").get<std::string>();
  const bool damaged = options.query.empty();
  conclusion.question =
      damaged ? "A damaged picture in: does the memory give the picture back, and not another one?"
              : "A picture in that is not stored: does the memory give the one back that it resembles?";
  Table table{
      "restored",
      (damaged
           ? "Share of the damaged pictures whose every pixel is ink or paper again as it was, share that is "
           : "Share of the trials after which every pixel is ink or paper as in the " + picture +
                 ", share that is ") +
          "exactly the stored picture (softmax never gives all its weight to one, so it leaves a shade), "
          "and mean overlap (1/d) x.s of the cue and of the result with the stored pictures, over " +
          std::to_string(spec.seeds.size()) + " seeds.",
      {"method", "damage", "restored", "exact", "overlap of cue"}};
  Plot plot{"overlap", "Overlap with the original after recall", "share of pixels flipped", "overlap"};
  Plot::Series without{"no recall: the cue itself"};
  conclusion.summary = Json::array();
  std::vector<std::string> restoring;
  for (const MethodChoice& choice : spec.methods) {
    Plot::Series series{choice.label};
    double least_restored = 1;
    bool measured = true;  // whether every damage has results
    for (const double damage : options.damage) {
      const Restoring found = restoring_of(rows, choice.label, damage);
      measured = measured && !found.restored.empty();
      if (found.restored.empty()) continue;
      const double share = bootstrap_mean(found.restored)->mean, exact = bootstrap_mean(found.exact)->mean;
      const Estimate cue_estimate = *bootstrap_mean(found.cue_overlap);
      if (&choice == &spec.methods.front()) without.add(damage, cue_estimate);
      least_restored = std::min(least_restored, share);
      std::vector<Cell> cells{cell(choice.label), cell(damage, 2), cell(share, 2), cell(exact, 2),
                              cell(cue_estimate.mean, 3)};
      Json means = Json::object();
      for (const auto& [name, values] : found.overlaps) {
        const Estimate estimate = *bootstrap_mean(values);
        const std::string column = "overlap with " + name;
        if (std::ranges::find(table.head, column) == table.head.end()) table.head.push_back(column);
        cells.push_back(cell(estimate.mean, 3));
        means[name] = estimate.mean;
        if (name == picture) series.add(damage, estimate);
      }
      table.rows.push_back(std::move(cells));
      conclusion.summary.push_back({{"method", choice.label},
                                    {"damage", damage},
                                    {"restored", share},
                                    {"exact", exact},
                                    {"overlaps", means}});
    }
    if (measured && least_restored == 1) restoring.push_back(choice.label);
    plot.series.push_back(series);
  }
  plot.series.push_back(without);
  conclusion.tables = {table};
  if (!damaged) conclusion.tables.insert(conclusion.tables.begin(), query_table(spec, options, rows));
  conclusion.plots = {plot};
  conclusion.drawings = {film(options, rows)};
  conclusion.sections = {pictures_section(options, rows)};
  conclusion.answer = answer_sentence(restoring, picture, options, spec.seeds.size());
  return conclusion;
}

}  // namespace engram::experiments::icons
