// SPDX-License-Identifier: MIT
#include "experiments/formats/conclusion.hpp"
#include "experiments/formats/markup.hpp"

#include "tests/support/catch.hpp"

using namespace engram::experiments;

namespace {

Table sample() {
  return {"t",
          "50% of <a & b>",
          {"method", "value, all"},
          {{cell("x_1"), cell(0.5, 2)}, {cell("naïve \"q\""), cell("-")}}};
}

}  // namespace

TEST_CASE("tables for the terminal align columns by code points", "[experiments][output]") {
  CHECK(to_text(sample()) ==
        "method     value, all\n"
        "x_1              0.50\n"
        "naïve \"q\"           -\n");
}

TEST_CASE("empty tables and columns are dropped, but the first column stays", "[experiments][output]") {
  const Cell none = cell("-"), empty = cell("");
  std::vector<Table> tables{
      {"full", "", {"a", "b"}, {{cell("x"), cell("1")}}},
      {"rows", "", {"a", "b"}, {}},
      {"columns", "", {"a", "b", "c", "d"}, {{none, none, cell("1"), empty}, {none, none, none, none}}}};
  drop_empty(tables);
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].head == std::vector<std::string>{"a", "b"});
  CHECK(tables[1].head == std::vector<std::string>{"a", "c"});
  REQUIRE(tables[1].rows.size() == 2);
  CHECK(tables[1].rows[0].size() == 2);
  CHECK(tables[1].rows[0][1].text == "1");
}

TEST_CASE("text wraps at spaces, and an overlong word gets its own line", "[experiments][output]") {
  CHECK(wrapped("one two three", 7) == "one two\nthree\n");
  CHECK(wrapped("é é é", 3) == "é é\né\n");
  CHECK(wrapped("a incomprehensibilities b", 4) == "a\nincomprehensibilities\nb\n");
  CHECK(wrapped("", 4) == "");
}

TEST_CASE("CSV quotes cells only if needed and keeps all digits", "[experiments][output]") {
  Table table = sample();
  table.rows[0][1] = cell(1.0 / 3, 2);
  CHECK(to_csv(table) == "method,\"value, all\"\nx_1,0.3333333333333333\n\"naïve \"\"q\"\"\",-\n");
}

TEST_CASE("LaTeX escapes its special characters", "[experiments][output]") {
  const std::string latex = to_latex(sample());
  CHECK(latex.find("50\\% of \\textless{}a \\& b\\textgreater{}") != std::string::npos);
  CHECK(latex.find("x\\_1 & 0.50 \\\\") != std::string::npos);
  CHECK(latex.find("\\toprule") != std::string::npos);
}

TEST_CASE("HTML escapes text", "[experiments][output]") {
  CHECK(escape_html("<a --> b> & \"c's\"") == "&lt;a --&gt; b&gt; &amp; &quot;c&#39;s&quot;");
  CHECK(to_html(sample()).find("50% of &lt;a &amp; b&gt;") != std::string::npos);
}

TEST_CASE("fill() replaces placeholders in order and escapes texts", "[experiments][output]") {
  CHECK(fill("<b x=\"{}\">{}{}</b>", {"a\"<", 2, Markup{"<i/>"}}) == "<b x=\"a&quot;&lt;\">2<i/></b>");
  CHECK(fill("{}{}", {std::string("<"), std::string_view("&")}) == "&lt;&amp;");
  CHECK(fill("{} {}", {"{}", 0.75}) == "{} 0.8");
  CHECK_THROWS_AS(fill("{}", {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(fill("{} {}", {1}), std::invalid_argument);
}

TEST_CASE("an interval is shown after its mean, and CSV has separate columns for it",
          "[experiments][output]") {
  const Cell shown = interval_cell(Estimate{0.5, 0.25, 0.75}, 2);
  CHECK(shown.text == "0.50 [0.25, 0.75]");
  CHECK(shown.raw == "0.5");
  CHECK(interval_cell(Estimate{0.5, 0.5, 0.5}, 2).text == "0.50");
  CHECK(interval_cell({}, 2).text == "-");
  const Table table{"t",
                    "",
                    {"a", "b", "c"},
                    {{cell("x"), shown, cell("1")},
                     {cell("y"), interval_cell({}, 2), cell("2")},
                     {cell("z"), interval_cell(Estimate{1, 1, 1}, 2), cell("3")}}};
  CHECK(to_csv(table) == "a,b,b low,b high,c\nx,0.5,0.25,0.75,1\ny,-,-,-,2\nz,1,1,1,3\n");
}

TEST_CASE("Markdown cells are escaped and stay on one line", "[experiments][output]") {
  Table table{"t", "a|b", {"m_1", "v"}, {{cell("<a --> *b*>\nc|d"), cell(0.5, 2)}}};
  table.rows[0][1].winner = true;
  CHECK(to_markdown(table) ==
        "a\\|b\n\n| m\\_1 | v |\n| :--- | ---: |\n| &lt;a --&gt; \\*b\\*&gt; c\\|d | **0.50** |\n");
}

TEST_CASE("a winner is bold in every format that supports it", "[experiments][output]") {
  Table table = sample();
  table.rows[0][1].winner = true;
  CHECK(to_html(table).find("<b>0.50</b>") != std::string::npos);
  CHECK(to_latex(table).find("\\textbf{0.50}") != std::string::npos);
  CHECK(to_text(table).find(" 0.50*\n") != std::string::npos);
  CHECK(to_csv(table) == to_csv(sample()));
  CHECK(to_html(sample()).find("<b>") == std::string::npos);
}

TEST_CASE("a table longer than a page becomes a longtable", "[experiments][output]") {
  Table table = sample();
  for (int i = 0; i < 60; ++i) table.rows.push_back(table.rows[0]);
  CHECK(to_latex(table).find("\\begin{longtable}{@{}lr@{}}") != std::string::npos);
  CHECK(to_latex(table).find("\\begin{table}") == std::string::npos);
}

TEST_CASE("a LaTeX caption has a label and at most two lines, and the rest becomes a note",
          "[experiments][output]") {
  Table table = sample();
  table.caption = "Short.";
  CHECK(to_latex(table).find("\\caption{Short.}\\label{tab:") != std::string::npos);
  CHECK(to_latex(table).find("\\parbox") == std::string::npos);
  const std::string sentence =
      "One sentence of this caption, which goes on, is as long as a line of a page is.";
  table.caption = sentence + " " + sentence + " " + sentence;
  CHECK(to_latex(table).find("\\caption{" + sentence + "}") != std::string::npos);
  CHECK(to_latex(table).find("\\footnotesize " + sentence + " " + sentence + "}") != std::string::npos);
  table.caption = "A sentence that does not end, " + std::string(200, 'x') + ".";
  CHECK(to_latex(table).find("\\caption{A sentence that does not end.}") != std::string::npos);
  CHECK(to_latex(table).find("\\footnotesize A sentence that does not end, x") != std::string::npos);
}

TEST_CASE("a wide table gets a smaller font, then parts that repeat the naming columns",
          "[experiments][output]") {
  Table table{"wide", "", {"name", "kind"}, {{cell("a"), cell("k")}, {cell("a"), cell("l")}}};
  const auto widen = [&](int columns) {
    for (int i = 0; i < columns; ++i) {
      table.head.push_back("measure_of_many");
      for (auto& row : table.rows) row.push_back(cell("0.25 [0.00, 0.50]"));
    }
  };
  widen(2);
  CHECK(to_latex(table).find("tabcolsep") == std::string::npos);
  CHECK(to_latex(table).find("name & kind & measure\\_of\\_many &") != std::string::npos);
  widen(2);
  CHECK(to_latex(table).find("tabcolsep") != std::string::npos);
  CHECK(to_latex(table).find("{@{}r@{}}measure\\_of\\_ \\\\ many\\end{tabular}") != std::string::npos);
  CHECK(to_latex(table).find("\\medskip") == std::string::npos);
  widen(4);
  const std::string parts = to_latex(table);
  CHECK(parts.find("\\par\\medskip\n\\begin{tabular}{@{}lr") != std::string::npos);
  std::size_t rows = 0;
  for (auto at = parts.find("\na & l & 0.25"); at != std::string::npos;
       at = parts.find("\na & l & 0.25", at + 1))
    ++rows;
  CHECK(rows >= 2);  // the second column distinguishes the rows
  CHECK(parts.find("\\label{", parts.find("\\label{") + 1) == std::string::npos);
}

TEST_CASE("LaTeX escapes prevent dashes from consecutive hyphens", "[experiments][output]") {
  CHECK(escape_latex("<a --> b>") == "\\textless{}a -{}-\\textgreater{} b\\textgreater{}");
  CHECK(escape_latex("a-b ---") == "a-b -{}-{}-");
}

TEST_CASE("a plot's script contains texts as data, and every point", "[experiments][output]") {
  Plot plot{"p", "it's", "x", "y", {{"a'b", {{1, 0.5, 0.25, 0.75}}}}, {}};
  const std::string script = to_gnuplot(plot);
  CHECK(script.find("$captions << END\n| it's\n| x\n| y\n| a'b\nEND\n") != std::string::npos);
  CHECK(script.find("set title caption(1)") != std::string::npos);
  CHECK(script.find(" title caption(4) lc") != std::string::npos);
  CHECK(script.find("1 0.5 0.25 0.75\n") != std::string::npos);
  CHECK(script.find("set output 'p.'.format") != std::string::npos);
}

TEST_CASE("a logarithmic x axis starts at the first point and has ticks at 1, 2 and 5",
          "[experiments][output]") {
  Plot plot{"p", "", "x", "y", {{"a", {{1, 0.5, 0.5, 0.5}, {60, 0.25, 0.25, 0.25}}}}, {}};
  CHECK(to_gnuplot(plot).find("logscale") == std::string::npos);
  plot.log_x = true;
  CHECK(to_gnuplot(plot).find("set logscale x 10\nset xrange [1:66]\nset xtics (1, 2, 5, 10, 20, 50)\n") !=
        std::string::npos);
  plot.series[0].points[0].x = 0.01;
  CHECK(to_gnuplot(plot).find("set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1") != std::string::npos);
  plot.series[0].points[1].x = 100000;
  CHECK(to_gnuplot(plot).find("set xtics (0.01, 0.1, 1, 10, 100, 1000, 10000, 100000)") != std::string::npos);
}

TEST_CASE("a title wider than its picture is wrapped", "[experiments][output]") {
  Plot plot{"p", "one two three four five six seven eight nine ten eleven twelve thirteen fourteen", "x",
            "y"};
  plot.series = {{"a", {{1, 0.5, 0.5, 0.5}}}};
  CHECK(to_gnuplot(plot).find("set title caption(1).line_feed.caption(2)\n") != std::string::npos);
}

TEST_CASE("unordered points are not joined by lines", "[experiments][output]") {
  Plot plot{"p", "", "x", "y", {{"a", {{1, 0.5, 0.5, 0.5}, {2, 0.25, 0.25, 0.25}}}}, {}};
  CHECK(to_gnuplot(plot).find(" with yerrorlines ") != std::string::npos);
  plot.joined = false;
  CHECK(to_gnuplot(plot).find(" with points ") != std::string::npos);
  CHECK(to_gnuplot(plot).find("lines") == std::string::npos);
}

TEST_CASE("many or long category names are listed vertically, and so are long keys",
          "[experiments][output]") {
  Plot plot{"p", "t", "", "share", {{"a", {{1, 0.5, 0.25, 0.75}}}, {"b", {{1, 0.5, 0.5, 0.5}}}}, {"it's"}};
  CHECK(to_gnuplot(plot).find("xtics rotate by 35 right (caption(4) 1)") != std::string::npos);
  plot.categories[0] += " a name of more than twenty-four bytes";
  const std::string script = to_gnuplot(plot);
  CHECK(script.find("xtics") == std::string::npos);
  CHECK(script.find("| it's a name of more than twenty-four bytes\n") != std::string::npos);
  CHECK(script.find("ytics (caption(4) 1)") != std::string::npos);
  CHECK(script.find("set yrange [1.6:0.4]") != std::string::npos);  // the first category is on top
  CHECK(script.find("$series1 using 2:($1 + (0.04)):3:4 with xerrorbars title caption(6)") !=
        std::string::npos);
  plot.categories.clear();
  plot.series.assign(30, {"theirs", {{1, 0.5, 0.5, 0.5}}});
  plot.series.push_back({"theory", {{1, 0.5, 0.5, 0.5}}, true});
  plot.series.push_back({"law", {{1, 0.5, 0.5, 0.5}}, true});
  const std::string lines = to_gnuplot(plot);
  CHECK(lines.find("size 620,736") != std::string::npos);  // 400, plus 21 for each row of names
  CHECK(lines.find("maxcols 2 maxrows 16") != std::string::npos);
  CHECK(lines.find("set bmargin 20") != std::string::npos);
  CHECK(lines.find("| theirs\n| theory\n| law\nEND\n") != std::string::npos);  // each once
  CHECK(lines.find("caption(5) lc rgb '#444444' lw 2 dt 2,") != std::string::npos);
  CHECK(lines.find("caption(6) lc rgb '#444444' lw 2 dt 3") != std::string::npos);
}

TEST_CASE("a plot of panels draws each one, with the key in the cell after the last",
          "[experiments][output]") {
  Plot plot{"many", "it's", "", "", {}, {}};
  plot.panels.resize(4);
  for (std::size_t i = 0; i < 4; ++i)
    plot.panels[i] = {"", "panel " + std::to_string(i), "", "", {{"T = 1", {{1, 0.5, 0.5, 0.5}}}}, {}};
  plot.panels[3].series.push_back({"T = 2", {{1, 0.25, 0, 0}, {2, 0.125, 0, 0}}});
  const std::string script = to_gnuplot(plot);
  CHECK(script.find("layout 2,3") != std::string::npos);  // the key needs a second row
  CHECK(script.find("title caption(1)") != std::string::npos);
  CHECK(script.find("$panel3_1 << END\n1 0.25 0 0\n2 0.125 0 0\nEND") != std::string::npos);
  CHECK(script.find("set title caption(5)\nplot $panel2_0 using") != std::string::npos);
  CHECK(script.find("NaN with linespoints title caption(7)") != std::string::npos);
  CHECK(script.find("xrange [0.3:2.7]") != std::string::npos);
}
