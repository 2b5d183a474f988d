// SPDX-License-Identifier: MIT
// Pictures of single runs for the report of `prediction`.
#include <algorithm>

#include "experiments/formats/markup.hpp"
#include "experiments/prediction/prediction.hpp"

namespace engram::experiments::prediction {
namespace {

// Finds the row that has this picture, or null.
const Json* shown_row(const StreamRows& stream, const std::string& method, const char* picture) {
  for (const Json* row : stream.rows)
    if (row->at("method") == method && row->contains(picture)) return row;
  return nullptr;
}

Plot curve_plot(const StreamRows& stream, const Json& row, std::size_t number) {
  const Json& curve = row.at("curve");
  Plot plot{"training_" + std::to_string(number),
            "Training on " + stream.title + ": " + row.at("method").get<std::string>() + ", seed " +
                row.at("seed").dump(),
            "epoch", "log-loss, nats"};
  plot.shares = plot.bars = false;
  for (const char* part : {"training", "validation"}) {
    Plot::Series series{part};
    for (std::size_t epoch = 0; epoch < curve.at(part).size(); ++epoch)
      series.add(static_cast<double>(epoch), curve.at(part).at(epoch).get<double>());
    plot.series.push_back(std::move(series));
  }
  const double best = curve.at("best_epoch").get<double>();
  plot.marks = {{best, "kept: epoch " + fixed(best, 0)}};
  return plot;
}

// Heat map with a row for each situation and a column for each concept. Darker means more probable.
std::string heat_map(const Json& rows, const std::string& title, std::size_t left, std::size_t size) {
  const std::size_t columns = rows.at(0).size(), top = 44;
  double most = 0;
  for (const Json& row : rows)
    for (const Json& p : row) most = std::max(most, p.get<double>());
  std::string svg = fill(R"(<text x="{}" y="18">{}</text>
<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="#999"/>
<text x="{}" y="36" font-size="11" fill="#555">columns: concepts, the last ones noise; rows: situations</text>
)",
                         {left, title, left, top, columns * size, rows.size() * size, left});
  for (std::size_t z = 0; z < rows.size(); ++z)
    for (std::size_t c = 0; c < columns; ++c)
      if (const double share = rows.at(z).at(c).get<double>() / most; share >= 0.005)
        svg += fill(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="#0072b2" fill-opacity="{}"/>)"
                    "\n",
                    {left + c * size, top + z * size, size, size, fixed(share, 3)});
  return svg;
}

std::optional<Drawing> learnt_beside_true(const StreamRows& stream, const std::string& method) {
  const Json* learnt = shown_row(stream, method, "after_situation");
  const Json* truth = shown_row(stream, true_structure, "after_situation");
  if (learnt == nullptr || truth == nullptr) return {};
  constexpr std::size_t left = 30, gap = 40;
  const std::size_t columns = truth->at("concepts").size(), rows = truth->at("after_situation").size();
  const std::size_t size = std::max<std::size_t>(4, 14 * 24 / std::max<std::size_t>(columns, 24));
  const std::size_t second = left + columns * size + gap;
  return drawing("learnt_beside_true", second + columns * size + 10, 60 + rows * size, 13,
                 heat_map(truth->at("after_situation"), "true chances of what comes next", left, size) +
                     heat_map(learnt->at("after_situation"), "predicted by " + method, second, size));
}

std::string joined(const Json& names) {
  std::string text;
  for (const Json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}

// Table of the first predictions of one run, in words.
Table example_table(const StreamRows& stream, const Json& row, std::size_t number) {
  Table table{
      "examples_" + std::to_string(number),
      "What " + row.at("method").get<std::string>() + " predicts on " + stream.title +
          ", from the last origin on: the concepts of the present episode, its three best guesses with "
          "their weights, and the concepts that came.",
      {"present", "predicted", "came"}};
  for (const Json& example : row.at("examples")) {
    std::string guesses;
    for (const Json& guess : example.at("predicted"))
      guesses += (guesses.empty() ? "" : ", ") + guess.at(0).get<std::string>() + " " +
                 fixed(guess.at(1).get<double>(), 2);
    table.rows.push_back(
        {cell(joined(example.at("present"))), cell(guesses), cell(joined(example.at("next")))});
  }
  return table;
}

}  // namespace

void add_pictures(const std::vector<StreamRows>& streams, const std::string& method, Conclusion& conclusion) {
  for (std::size_t s = 0; s < streams.size(); ++s) {
    if (const Json* row = shown_row(streams[s], method, "curve"))
      conclusion.plots.push_back(curve_plot(streams[s], *row, s + 1));
    if (const Json* row = shown_row(streams[s], method, "examples"); row != nullptr && !streams[s].generated)
      conclusion.tables.push_back(example_table(streams[s], *row, s + 1));
    if (const auto drawing = learnt_beside_true(streams[s], method)) {
      conclusion.sections.push_back(
          {"The learnt world beside the true one", "<figure class=\"plot\">" + drawing->svg + "</figure>\n"});
      conclusion.drawings.push_back(*drawing);
    }
  }
}

}  // namespace engram::experiments::prediction
