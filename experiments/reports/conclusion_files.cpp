// SPDX-License-Identifier: MIT
#include "experiments/reports/conclusion_files.hpp"

#include "experiments/reports/gnuplot.hpp"
#include "experiments/reports/graphviz.hpp"
#include "experiments/reports/report.hpp"
#include "experiments/runs/files.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

namespace {

void write_tables(const fs::path& folder, const std::vector<Table>& tables) {
  fs::create_directories(folder);
  for (const Table& table : tables) {
    write_file(folder / (table.name + ".csv"), to_csv(table));
    write_file(folder / (table.name + ".md"), to_markdown(table));
    write_file(folder / (table.name + ".tex"), to_latex(table));
  }
}

void write_pictures(const fs::path& folder, const Conclusion& conclusion) {
  fs::create_directories(folder);
  for (const Plot& plot : conclusion.plots) {
    write_file(folder / (plot.name + ".gp"), to_gnuplot(plot));
    run_gnuplot(folder, plot.name);
  }
  for (const GraphPicture& graph : conclusion.graphs) {
    write_file(folder / (graph.name + ".dot"), graph.script);
    run_graphviz(folder, graph.name);
  }
  for (const Drawing& drawing : conclusion.drawings)
    write_file(folder / (drawing.name + ".svg"), drawing.svg);
}

}  // namespace

void write_conclusion(const fs::path& folder, const Spec& spec, const Conclusion& conclusion) {
  write_tables(folder / "tables", conclusion.tables);
  write_pictures(folder / "plots", conclusion);
  for (const Page& page : conclusion.pages) {
    fs::create_directories((folder / page.path).parent_path());
    write_file(folder / page.path, page_html(page.title, page.html));
  }
  write_file(folder / "summary.json", pretty({{"experiment", spec.experiment},
                                              {"question", conclusion.question},
                                              {"answer", conclusion.answer},
                                              {"results", conclusion.summary}}));
  write_file(folder / "report.html", report_html(folder, spec, conclusion));
}

}  // namespace engram::experiments
