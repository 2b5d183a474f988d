// SPDX-License-Identifier: MIT
#include "experiments/formats/conclusion.hpp"
#include "experiments/formats/markup.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram::experiments;
using namespace engram::testing;

namespace {

Table sample() {
  return {"t",
          "50% of <a & b>",
          {"method", "value, all"},
          {{cell("x_1"), cell(0.5, 2)}, {cell("naïve \"q\""), cell("-")}}};
}

}  // namespace

TEST_CASE("tables for the terminal align columns by code points", "[experiments][tables]") {
  CHECK(to_text(sample()) ==
        "method     value, all\n"
        "x_1              0.50\n"
        "naïve \"q\"           -\n");
}

TEST_CASE("empty tables and columns are dropped, but the first column stays", "[experiments][tables]") {
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

TEST_CASE("text wraps at spaces, and an overlong word gets its own line", "[experiments][tables]") {
  CHECK(wrapped("one two three", 7) == "one two\nthree\n");
  CHECK(wrapped("é é é", 3) == "é é\né\n");
  CHECK(wrapped("a incomprehensibilities b", 4) == "a\nincomprehensibilities\nb\n");
  CHECK(wrapped("", 4) == "");
}

TEST_CASE("CSV quotes cells only if needed and keeps all digits", "[experiments][tables]") {
  Table table = sample();
  table.rows[0][1] = cell(1.0 / 3, 2);
  CHECK(to_csv(table) == "method,\"value, all\"\nx_1,0.3333333333333333\n\"naïve \"\"q\"\"\",-\n");
}

TEST_CASE("LaTeX escapes its special characters", "[experiments][tables]") {
  const std::string latex = to_latex(sample());
  CHECK(first_missing(
            latex, {"50\\% of \\textless{}a \\& b\\textgreater{}", "x\\_1 & 0.50 \\\\", "\\toprule"}) == "");
}

TEST_CASE("HTML escapes text", "[experiments][tables]") {
  CHECK(escape_html("<a --> b> & \"c's\"") == "&lt;a --&gt; b&gt; &amp; &quot;c&#39;s&quot;");
  CHECK(contains(to_html(sample()), "50% of &lt;a &amp; b&gt;"));
}

TEST_CASE("fill() replaces placeholders in order and escapes texts", "[experiments][tables]") {
  CHECK(fill("<b x=\"{}\">{}{}</b>", {"a\"<", 2, Markup{"<i/>"}}) == "<b x=\"a&quot;&lt;\">2<i/></b>");
  CHECK(fill("{}{}", {std::string("<"), std::string_view("&")}) == "&lt;&amp;");
  CHECK(fill("{} {}", {"{}", 0.75}) == "{} 0.8");
  CHECK_THROWS_AS(fill("{}", {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(fill("{} {}", {1}), std::invalid_argument);
}

TEST_CASE("an interval is shown after its mean, and CSV has separate columns for it",
          "[experiments][tables]") {
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

TEST_CASE("Markdown cells are escaped and stay on one line", "[experiments][tables]") {
  Table table{"t", "a|b", {"m_1", "v"}, {{cell("<a --> *b*>\nc|d"), cell(0.5, 2)}}};
  table.rows[0][1].winner = true;
  CHECK(to_markdown(table) ==
        "a\\|b\n\n| m\\_1 | v |\n| :--- | ---: |\n| &lt;a --&gt; \\*b\\*&gt; c\\|d | **0.50** |\n");
}

TEST_CASE("a winner is bold in every format that supports it", "[experiments][tables]") {
  Table table = sample();
  table.rows[0][1].winner = true;
  CHECK(contains(to_html(table), "<b>0.50</b>"));
  CHECK(contains(to_latex(table), "\\textbf{0.50}"));
  CHECK(contains(to_text(table), " 0.50*\n"));
  CHECK(to_csv(table) == to_csv(sample()));
  CHECK_FALSE(contains(to_html(sample()), "<b>"));
}

TEST_CASE("a table longer than a page becomes a longtable", "[experiments][tables]") {
  Table table = sample();
  for (int i = 0; i < 60; ++i) table.rows.push_back(table.rows[0]);
  CHECK(contains(to_latex(table), "\\begin{longtable}{@{}lr@{}}"));
  CHECK_FALSE(contains(to_latex(table), "\\begin{table}"));
}

TEST_CASE("a LaTeX caption has a label and at most two lines, and the rest becomes a note",
          "[experiments][tables]") {
  Table table = sample();
  table.caption = "Short.";
  CHECK(contains(to_latex(table), "\\caption{Short.}\\label{tab:"));
  CHECK_FALSE(contains(to_latex(table), "\\parbox"));
  const std::string sentence =
      "One sentence of this caption, which goes on, is as long as a line of a page is.";
  table.caption = sentence + " " + sentence + " " + sentence;
  CHECK(contains(to_latex(table), "\\caption{" + sentence + "}"));
  CHECK(contains(to_latex(table), "\\footnotesize " + sentence + " " + sentence + "}"));
  table.caption = "A sentence that does not end, " + std::string(200, 'x') + ".";
  CHECK(contains(to_latex(table), "\\caption{A sentence that does not end.}"));
  CHECK(contains(to_latex(table), "\\footnotesize A sentence that does not end, x"));
  table.caption =
      "A sentence that does not end, about parentheses (or brackets, " + std::string(200, 'x') + ").";
  CHECK(contains(to_latex(table), "\\caption{A sentence that does not end.}"));
}

TEST_CASE("a wide table has a smaller font, and a wider table has parts that repeat the naming columns",
          "[experiments][tables]") {
  Table table{"wide", "", {"name", "kind"}, {{cell("a"), cell("k")}, {cell("a"), cell("l")}}};
  const auto widen = [&](int columns) {
    for (int i = 0; i < columns; ++i) {
      table.head.push_back("measure_of_many");
      for (auto& row : table.rows) row.push_back(cell("0.25 [0.00, 0.50]"));
    }
  };
  widen(2);
  CHECK_FALSE(contains(to_latex(table), "tabcolsep"));
  CHECK(contains(to_latex(table), "name & kind & measure\\_of\\_many &"));
  widen(2);
  CHECK(contains(to_latex(table), "tabcolsep"));
  CHECK(contains(to_latex(table), "{@{}r@{}}measure\\_of\\_ \\\\ many\\end{tabular}"));
  CHECK_FALSE(contains(to_latex(table), "\\medskip"));
  widen(4);
  const std::string parts = to_latex(table);
  CHECK(contains(parts, "\\par\\medskip\n\\begin{tabular}{@{}lr"));
  // Each part of the split table repeats the second column, because only it distinguishes the rows.
  CHECK(times(parts, "\na & l & 0.25") >= 2);
  CHECK(times(parts, "\\label{") == 1);
}

TEST_CASE("LaTeX escapes prevent dashes from consecutive hyphens", "[experiments][tables]") {
  CHECK(escape_latex("<a --> b>") == "\\textless{}a -{}-\\textgreater{} b\\textgreater{}");
  CHECK(escape_latex("a-b ---") == "a-b -{}-{}-");
}
