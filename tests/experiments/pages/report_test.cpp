// SPDX-License-Identifier: MIT
#include "experiments/pages/report.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

using namespace engram::experiments;
using namespace engram::testing;

namespace {

// Two points of a sweep. Each lacks one measure that the other has.
std::vector<SweepPoint> two_points() {
  Table first{"t", "Caption.", {"method", "a", "b"}, {{cell("m"), cell(0.128, 2), cell(2, 0)}}};
  Table second{"t",
               "Caption.",
               {"method", "c", "a"},
               {{cell("m"), cell(3, 0), cell(0.5, 2)}, {cell("<n>"), cell("-"), cell(0.25, 2)}}};
  second.rows[0][2].winner = true;
  return {{"cells/1", {{"decay", 0}, {"method", "x"}}, "Which?", "The first.", first},
          {"cells/2", {{"decay", 0.1}, {"method", "<y>"}}, "Which?", "The second & last.", second}};
}

std::vector<std::vector<std::string>> texts(const Table& table) {
  std::vector<std::vector<std::string>> all;
  for (const auto& row : table.rows) {
    all.emplace_back();
    for (const Cell& c : row) all.back().push_back(c.text);
  }
  return all;
}

}  // namespace

TEST_CASE("a sweep's table has a row for each point and method, and every measure", "[experiments][sweep]") {
  const Table table = sweep_table(two_points());
  CHECK(table.head == std::vector<std::string>{"point", "decay", "method", "method", "a", "b", "c"});
  CHECK(texts(table) == std::vector<std::vector<std::string>>{{"1", "0", "x", "m", "0.13", "2", "-"},
                                                              {"2", "0.1", "<y>", "m", "0.50", "-", "3"},
                                                              {"2", "0.1", "<y>", "<n>", "0.25", "-", "-"}});
  CHECK(table.rows[0][0].link == "cells/1/report.html");
  CHECK(table.rows[2][0].link == "cells/2/report.html");
  CHECK(table.rows[1][4].winner);
  CHECK_FALSE(table.rows[0][4].winner);
  CHECK(contains(table.caption, "Caption."));
}

TEST_CASE("a sweep's CSV has one exact number per row", "[experiments][sweep]") {
  CHECK(to_csv(sweep_numbers(two_points())) ==
        "decay,method,row,measure,value,with interval\n0,x,m,a,0.128,0.13\n0,x,m,b,2,2\n"
        "0.1,<y>,m,c,3,3\n0.1,<y>,m,a,0.5,0.50\n0.1,<y>,<n>,c,-,-\n0.1,<y>,<n>,a,0.25,0.25\n");
}

TEST_CASE("a sweep's page shows each point's conclusion and links to it", "[experiments][sweep]") {
  const Folder folder("sweep_page");
  write_sweep(folder.path, two_points());
  const std::string page = read(folder.path / "report.html");
  for (const char* part :
       {"<h1>Which?</h1>", "a sweep of 2 points over decay, method", "The second &amp; last.",
        "<a href=\"cells/2/report.html\">2</a>", "&lt;n&gt;", "href=\"sweep.csv\""})
    CHECK(contains(page, part));
  CHECK_FALSE(contains(page, "These are the first"));
  for (const char* name : {"sweep.csv", "sweep.md", "sweep.tex"})
    CHECK_FALSE(read(folder.path / name).empty());

  std::vector<SweepPoint> many(1, two_points()[0]);
  many[0].table.rows.assign(2001, many[0].table.rows[0]);
  write_sweep(folder.path, many);
  CHECK(contains(read(folder.path / "report.html"), "These are the first 2000 of 2001 rows"));
  const std::string csv = read(folder.path / "sweep.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 2 * 2001);
}
