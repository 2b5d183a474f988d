// SPDX-License-Identifier: MIT
#include "experiments/formats/plots.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram::experiments;
using namespace engram::testing;

TEST_CASE("a plot's script contains texts as data, and every point", "[experiments][plots]") {
  Plot plot{"p", "it's", "x", "y", {{"a'b", {{1, 0.5, 0.25, 0.75}}}}, {}};
  const std::string script = to_gnuplot(plot);
  CHECK(first_missing(script, {"$captions << END\n| it's\n| x\n| y\n| a'b\nEND\n", "set title caption(1)",
                               " title caption(4) lc", "1 0.5 0.25 0.75\n", "set output 'p.'.format"}) == "");
}

TEST_CASE("a logarithmic x axis starts at the first point and has ticks at 1, 2 and 5",
          "[experiments][plots]") {
  Plot plot{"p", "", "x", "y", {{"a", {{1, 0.5, 0.5, 0.5}, {60, 0.25, 0.25, 0.25}}}}, {}};
  CHECK_FALSE(contains(to_gnuplot(plot), "logscale"));
  plot.log_x = true;
  CHECK(
      contains(to_gnuplot(plot), "set logscale x 10\nset xrange [1:66]\nset xtics (1, 2, 5, 10, 20, 50)\n"));
  plot.series[0].points[0].x = 0.01;
  CHECK(contains(to_gnuplot(plot), "set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1"));
  plot.series[0].points[1].x = 100000;
  CHECK(contains(to_gnuplot(plot), "set xtics (0.01, 0.1, 1, 10, 100, 1000, 10000, 100000)"));
}

TEST_CASE("a title wider than its picture is wrapped", "[experiments][plots]") {
  Plot plot{"p", "one two three four five six seven eight nine ten eleven twelve thirteen fourteen", "x",
            "y"};
  plot.series = {{"a", {{1, 0.5, 0.5, 0.5}}}};
  CHECK(contains(to_gnuplot(plot), "set title caption(1).line_feed.caption(2)\n"));
}

TEST_CASE("unordered points are not joined by lines", "[experiments][plots]") {
  Plot plot{"p", "", "x", "y", {{"a", {{1, 0.5, 0.5, 0.5}, {2, 0.25, 0.25, 0.25}}}}, {}};
  CHECK(contains(to_gnuplot(plot), " with yerrorlines "));
  plot.joined = false;
  CHECK(contains(to_gnuplot(plot), " with points "));
  CHECK_FALSE(contains(to_gnuplot(plot), "lines"));
}

TEST_CASE("many or long category names are listed vertically, and so are long keys", "[experiments][plots]") {
  Plot plot{"p", "t", "", "share", {{"a", {{1, 0.5, 0.25, 0.75}}}, {"b", {{1, 0.5, 0.5, 0.5}}}}, {"it's"}};
  CHECK(contains(to_gnuplot(plot), "xtics rotate by 35 right (caption(4) 1)"));
  plot.categories[0] += " a name of more than twenty-four bytes";
  const std::string script = to_gnuplot(plot);
  CHECK_FALSE(contains(script, "xtics"));
  CHECK(contains(script, "| it's a name of more than twenty-four bytes\n"));
  CHECK(contains(script, "ytics (caption(4) 1)"));
  // The axis is reversed, so that the first category is on top.
  CHECK(contains(script, "set yrange [1.6:0.4]"));
  CHECK(contains(script, "$series1 using 2:($1 + (0.04)):3:4 with xerrorbars title caption(6)"));
  plot.categories.clear();
  plot.series.assign(30, {"theirs", {{1, 0.5, 0.5, 0.5}}});
  plot.series.push_back({"theory", {{1, 0.5, 0.5, 0.5}}, true});
  plot.series.push_back({"law", {{1, 0.5, 0.5, 0.5}}, true});
  const std::string lines = to_gnuplot(plot);
  CHECK(contains(lines, "size 620,736"));  // 400, plus 21 pixels for each of 16 rows of names in the key
  CHECK(contains(lines, "maxcols 2 maxrows 16"));
  CHECK(contains(lines, "set bmargin 20"));
  CHECK(contains(lines, "| theirs\n| theory\n| law\nEND\n"));  // equal names have one entry in the key
  CHECK(contains(lines, "caption(5) lc rgb '#444444' lw 2 dt 2,"));
  CHECK(contains(lines, "caption(6) lc rgb '#444444' lw 2 dt 3"));
}

TEST_CASE("a plot of panels draws each one, with the key in the cell after the last",
          "[experiments][plots]") {
  Plot plot{"many", "it's", "", "", {}, {}};
  plot.panels.resize(4);
  for (std::size_t i = 0; i < 4; ++i)
    plot.panels[i] = {"", "panel " + std::to_string(i), "", "", {{"T = 1", {{1, 0.5, 0.5, 0.5}}}}, {}};
  plot.panels[3].series.push_back({"T = 2", {{1, 0.25, 0, 0}, {2, 0.125, 0, 0}}});
  const std::string script = to_gnuplot(plot);
  CHECK(contains(script, "layout 2,3"));  // the key below the four panels needs a second row of the layout
  CHECK(first_missing(script, {"title caption(1)", "$panel3_1 << END\n1 0.25 0 0\n2 0.125 0 0\nEND",
                               "set title caption(5)\nplot $panel2_0 using",
                               "NaN with linespoints title caption(7)", "xrange [0.3:2.7]"}) == "");
}
