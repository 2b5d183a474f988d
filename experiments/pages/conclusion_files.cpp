// SPDX-License-Identifier: MIT
#include "experiments/pages/conclusion_files.hpp"

#include "experiments/formats/files.hpp"
#include "experiments/formats/gnuplot.hpp"
#include "experiments/formats/graphviz.hpp"
#include "experiments/pages/page.hpp"
#include "experiments/pages/report.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

namespace {

void write_tables(const fs::path& folder, const std::vector<Table>& tables) {
  fs::create_directories(folder);
  for (const Table& table : tables) {
    const std::string name = file_name(table.name);
    write_file(folder / (name + ".csv"), to_csv(table));
    write_file(folder / (name + ".md"), to_markdown(table));
    write_file(folder / (name + ".tex"), to_latex(table));
  }
}

std::vector<std::string> write_pictures(const fs::path& folder, const Conclusion& conclusion) {
  fs::create_directories(folder);
  std::vector<std::string> undrawn;
  const auto note = [&](const std::string& name, const std::optional<std::string>& why) {
    if (why) undrawn.push_back("the picture " + name + " was not drawn: " + *why);
  };
  for (const Plot& plot : conclusion.plots) {
    const std::string name = file_name(plot.name);
    write_file(folder / (name + ".gp"), to_gnuplot(plot));
    note(name, run_gnuplot(folder, name));
  }
  for (const GraphPicture& graph : conclusion.graphs) {
    const std::string name = file_name(graph.name);
    write_file(folder / (name + ".dot"), graph.script);
    note(name, run_graphviz(folder, name));
  }
  for (const Drawing& drawing : conclusion.drawings)
    write_file(folder / (file_name(drawing.name) + ".svg"), drawing.svg);
  return undrawn;
}

}  // namespace

std::vector<std::string> write_conclusion(const fs::path& folder, const Spec& spec,
                                          const Conclusion& conclusion, const UnreadLines& unread) {
  write_tables(folder / "tables", conclusion.tables);
  std::vector<std::string> undrawn = write_pictures(folder / "plots", conclusion);
  for (const Page& page : conclusion.pages) {
    fs::create_directories((folder / page.path).parent_path());
    write_file(folder / page.path, page_html(page.title, page.html));
  }
  write_file(folder / "summary.json", pretty({{"experiment", spec.experiment->name()},
                                              {"question", conclusion.question},
                                              {"answer", conclusion.answer},
                                              {"results", conclusion.summary}}));
  write_file(folder / "report.html", report_html(folder, spec, conclusion, unread));
  return undrawn;
}

}  // namespace engram::experiments
