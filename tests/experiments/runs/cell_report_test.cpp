// SPDX-License-Identifier: MIT
#include "experiments/runs/cell_report.hpp"

#include "experiments/formats/json.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;

TEST_CASE("a cell's report survives transfer from another process", "[experiments][cells]") {
  const Folder folder("cell_report");
  write(folder.path / "a.nal",
        "<tim --> cat>.\n<cat --> animal>.\nnone <\n<tom --> dog>.\n<dog --> animal>.\n<bee --> insect>.\n");
  const Spec spec =
      resolve_spec({{"experiment", "completion"}, {"inputs", {"a.nal"}}, {"seeds", {1, 2, 3}}, {"load", {1}}},
                   folder.path);
  CellReport report = carry_out(CellJob{spec, {.out = folder.path / "cell"}});
  REQUIRE(report.rejections.size() == 1);
  REQUIRE(report.table.rows.size() > 2);
  report.undrawn = {"a.svg: no gnuplot"};
  report.table.rows[0][0].winner = true;
  report.table.rows[1][1].bounds.emplace("0.25", "0.75");
  report.table.rows[2][0].link = "elsewhere.html";

  const auto told = cell_report_of(*json_in(to_json(report).dump()));
  CHECK(told.question == report.question);
  CHECK(told.answer == report.answer);
  CHECK(told.undrawn == report.undrawn);
  CHECK(told.rejections[0].first == "a.nal");
  CHECK(told.rejections[0].second.line == 3);
  CHECK(told.rejections[0].second.message == report.rejections[0].second.message);
  for (const auto format : {to_text, to_csv, to_markdown, to_latex, to_html})
    CHECK(format(told.table) == format(report.table));
}
