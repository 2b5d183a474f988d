// SPDX-License-Identifier: MIT
#include "experiments/pages/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/ranking.hpp"
#include "core/numbers/shapes.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

// Sizes in SVG units, chosen so that a picture of sixteen methods fits a phone's width and letters are legible.
constexpr double square_side = 17, label_letters = 11, letter_width = 6;
constexpr std::size_t longest_label = 26;

// Squares with a greater correlation get white letters, other squares get black letters. The contrast between letters
// and square is always at least 4.5 to 1 (WCAG 2.1).
constexpr double dark_from = 0.81;
// Shade of the palest square. Pure white would glare on a dark page.
constexpr double palest = 0.06;

// Colour of a correlation: from nearly white to dark blue, or to orange if the correlation is negative.
std::string colour_of(double correlation) {
  const std::array<double, 3> end =
      correlation < 0 ? std::array{213.0, 94.0, 0.0} : std::array{10.0, 92.0, 158.0};
  std::string text = "rgb(";
  for (std::size_t i = 0; i < 3; ++i)
    text +=
        (i > 0 ? "," : "") + fixed(255 + (end[i] - 255) * std::clamp(std::abs(correlation), palest, 1.0), 0);
  return text + ")";
}

}  // namespace

Drawing agreement_picture(const std::vector<std::string>& methods,
                          const std::vector<std::vector<std::optional<double>>>& correlations) {
  const std::size_t count = std::min(methods.size(), most_pictured_methods);
  core::require(correlations.size() == methods.size(), "a row of correlations for every method is needed");
  std::vector<std::string> names;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(std::to_string(i + 1) + " " + shortened(legible(methods[i]), longest_label));
    longest = std::max(longest, narsese::count_code_points(names[i]));
  }
  const double left = letter_width * static_cast<double>(longest) + 4, top = square_side;
  std::string body;
  for (std::size_t row = 0; row < count; ++row) {
    core::require(correlations[row].size() == methods.size(), "a correlation for every method is needed");
    const double y = top + square_side * static_cast<double>(row);
    body += fill("<text x=\"0\" y=\"{}\">{}</text>\n", {y + 12, names[row]}) +
            fill("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                 {left + square_side * (static_cast<double>(row) + 0.5), top - 4, row + 1});
    for (std::size_t column = 0; column < count; ++column) {
      const auto& correlation = correlations[row][column];
      if (row == column || !correlation) continue;
      const double x = left + square_side * static_cast<double>(column);
      body += fill(
          "<g><title>{} and {}: {}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>"
          "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"8.5\" fill=\"{}\">{}</text></g>\n",
          {methods[row], methods[column], fixed(*correlation, 2), x + 0.5, y + 0.5, square_side - 1,
           square_side - 1, colour_of(*correlation), x + square_side / 2, y + 11.5,
           *correlation > dark_from ? "#fefefe" : "#010101", fixed(100 * *correlation, 0)});
    }
  }
  const auto width = static_cast<std::size_t>(std::ceil(left + square_side * static_cast<double>(count)));
  const auto height = static_cast<std::size_t>(std::ceil(top + square_side * static_cast<double>(count)));
  return drawing("agreement", width, height, static_cast<std::size_t>(label_letters), body);
}

namespace {

using core::Index;
using core::Regulariser;
using core::SimplexMap;

constexpr std::size_t shown = 12;  // limit of statements, chosen so that marks do not overlap
// Temperatures in the picture. 1/8 is that of the method `attention`; 4 times and 1/4 of it are chosen for comparison.
constexpr std::array<double, 3> temperatures{0.5, 0.125, 0.03125};

struct Shown {
  std::string name;
  Regulariser omega;
};
// Simplex maps in the picture, from concentrated to widely spread weights. The last one shares a budget of k items.
std::vector<Shown> shown_maps(Index scores) {
  const Index k = std::min<Index>(4, scores);
  return {{"argmax", SimplexMap::argmax},
          {"sparsemax", SimplexMap::sparsemax},
          {"entmax, alpha 1.5", {SimplexMap::entmax, 1.5}},
          {"softmax", SimplexMap::softmax},
          {"normmax, alpha 2", {SimplexMap::normmax, 2.0}},
          {"budget, k " + std::to_string(k), {SimplexMap::budget, 1.5, k}}};
}

Plot::Series series(std::string label, const std::vector<double>& values) {
  Plot::Series line{std::move(label)};
  for (std::size_t i = 0; i < values.size(); ++i) line.add(static_cast<double>(i + 1), values[i]);
  return line;
}

std::string temperature_label(double temperature) { return "T = 1/" + fixed(1 / temperature, 0); }

std::string statements_html(const Json& maps, const std::string& cue) {
  std::string list;
  for (const Json& statement : maps.at("statements"))
    list += "<li>" + code_of(statement, "narsese") + " " + fixed(statement.at("score").get<double>(), 3) +
            "</li>";
  Table table{"maps", "Number of statements with a positive weight.", {"map"}};
  for (const Json& temperature : maps.at("temperatures"))
    table.head.push_back(temperature_label(temperature.get<double>()));
  for (const Json& map : maps.at("maps")) {
    table.rows.push_back({cell(map.at("map").get<std::string>())});
    for (std::size_t t = 0; t < maps.at("temperatures").size(); ++t)
      table.rows.back().push_back(cell(std::to_string(whole(map.at("support").at(t)))));
  }
  return details(false, "One cue under every map: " + code(cue) + ", and the statements by their scores",
                 "<ol>" + list + "</ol>" + to_html(table));
}

}  // namespace

Json maps_json(const core::Vector& scores, const std::vector<std::string>& statements) {
  const auto best = core::rank(scores, shown);
  Json json = {{"statements", Json::array()}, {"temperatures", temperatures}, {"maps", Json::array()}};
  for (const auto id : best)
    json["statements"].push_back({{"narsese", statements[id]}, {"score", scores[id]}});
  for (const Shown& map : shown_maps(scores.size())) {
    Json weights = Json::array(), supports = Json::array();
    for (const double temperature : temperatures) {
      const core::Vector p = core::apply(map.omega, scores, temperature);
      Json of_best = Json::array();
      for (const auto id : best) of_best.push_back(p[id]);
      weights.push_back(of_best);
      supports.push_back(core::support(p).size());
    }
    json["maps"].push_back({{"map", map.name}, {"weights", weights}, {"support", supports}});
  }
  return json;
}

Plot maps_plot(const Json& maps, const std::string& cue) {
  Plot plot;
  plot.name = "maps";
  plot.title = "One cue under every map: weights of the " + std::to_string(maps.at("statements").size()) +
               " best statements";
  std::vector<double> scores;
  for (const Json& statement : maps.at("statements")) scores.push_back(statement.at("score").get<double>());
  plot.panels.push_back({"", "the scores", "", ""});
  plot.panels.back().series = {series("score", scores)};
  for (const Json& map : maps.at("maps")) {
    plot.panels.push_back({"", map.at("map").get<std::string>(), "", ""});
    for (std::size_t t = 0; t < maps.at("temperatures").size(); ++t)
      plot.panels.back().series.push_back(
          series(temperature_label(maps.at("temperatures").at(t).get<double>()),
                 map.at("weights").at(t).get<std::vector<double>>()));
  }
  plot.note_html = statements_html(maps, cue);
  return plot;
}

}  // namespace engram::experiments
