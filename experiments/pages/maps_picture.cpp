// SPDX-License-Identifier: MIT
#include "experiments/pages/maps_picture.hpp"

#include <algorithm>
#include <array>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/ranking.hpp"
#include "experiments/formats/markup.hpp"

namespace engram::experiments {
namespace {

using core::Index;
using core::Regulariser;
using core::SimplexMap;

constexpr std::size_t shown = 12;  // statements; chosen so that the marks of a panel do not overlap
// Chosen: 1/8 is the temperature of the method `attention`; the others are 4 times and 1/4 of it.
constexpr std::array<double, 3> temperatures{0.5, 0.125, 0.03125};

struct Shown {
  std::string name;
  Regulariser omega;
};
// Maps in the picture: from argmax to those that spread most, then the budget of several items.
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
  Table table{"maps", "How many statements get any weight.", {"map"}};
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
