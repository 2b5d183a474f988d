// SPDX-License-Identifier: MIT
#include "experiments/pages/pictures.hpp"

#include "core/maps/simplex_map.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;

TEST_CASE("the picture has the maps' exact numbers for the best statements", "[experiments][maps_picture]") {
  core::Vector scores = core::Vector::Zero(20);
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i) texts.push_back("s" + std::to_string(i) + " <&>.");
  for (core::Index i = 0; i < 15; ++i) scores[i] = 0.05 * static_cast<double>(i + 1);
  const Json maps = maps_json(scores, texts);
  REQUIRE(maps.at("statements").size() == 12);
  CHECK(maps.at("statements")[0] == Json({{"narsese", "s14 <&>."}, {"score", scores[14]}}));
  REQUIRE(maps.at("maps").size() == core::simplex_maps.size());
  const std::vector<core::Regulariser> expected{
      core::SimplexMap::argmax,  core::SimplexMap::sparsemax,      {core::SimplexMap::entmax, 1.5},
      core::SimplexMap::softmax, {core::SimplexMap::normmax, 2.0}, {core::SimplexMap::budget, 1.5, 4}};
  for (std::size_t m = 0; m < expected.size(); ++m)
    for (std::size_t t = 0; t < maps.at("temperatures").size(); ++t) {
      const core::Vector p = core::apply(expected[m], scores, maps.at("temperatures")[t].get<double>());
      const Json& map = maps.at("maps")[m];
      INFO(map.at("map"));
      for (std::size_t i = 0; i < 12; ++i)
        CHECK(map.at("weights")[t][i] == p[static_cast<core::Index>(14 - i)]);
      CHECK(map.at("support")[t] == core::support(p).size());
    }

  const Plot plot = maps_plot(maps, "<a --> ?1>?");
  REQUIRE(plot.panels.size() == 1 + expected.size());
  CHECK(plot.panels[0].series.size() == 1);
  CHECK(plot.panels[6].title == "budget, k 4");
  REQUIRE(plot.panels[6].series.size() == 3);
  CHECK(plot.panels[6].series[1].label == "T = 1/8");
  CHECK(plot.panels[6].series[1].points[2].y == maps.at("maps")[5].at("weights")[1][2]);
  CHECK(contains(plot.note_html, "&lt;a --&gt; ?1&gt;?"));
  CHECK(contains(plot.note_html, "s14 &lt;&amp;&gt;."));
}

TEST_CASE("with two statements the budget map has k 2 instead of 4", "[experiments][maps_picture]") {
  const Json maps = maps_json(core::Vector::Ones(2), {"a.", "b."});
  CHECK(maps.at("statements").size() == 2);
  CHECK(maps.at("maps")[5].at("map") == "budget, k 2");
}
