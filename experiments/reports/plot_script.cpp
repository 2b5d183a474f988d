// SPDX-License-Identifier: MIT
// Plots as gnuplot's scripts.
#include <algorithm>
#include <array>

#include "experiments/reports/output.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

// gnuplot reads single-quoted text literally but for the quote itself.
std::string quote_gnuplot(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string gnuplot_data(const Plot& plot, const std::string& prefix) {
  std::string out;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    out += prefix + std::to_string(i) + " << END\n";
    for (const Plot::Point& p : plot.series[i].points)
      out += narsese::print_number(p.x) + ' ' + narsese::print_number(p.y) + ' ' +
             narsese::print_number(p.low) + ' ' + narsese::print_number(p.high) + '\n';
    out += "END\n";
  }
  return out;
}

// Okabe and Ito's colours, which the colour-blind tell apart; dashes and marks for print in grey.
std::string gnuplot_line(const std::string& label, std::size_t i, bool dashed) {
  static const std::array<const char*, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#999999"};
  return " title " + quote_gnuplot(label) + " lc rgb '" + colours[i % colours.size()] + "' lw 2 pt " +
         std::to_string(i + 4) + " dt " + std::to_string(dashed ? i % 5 + 1 : 1);
}

// What follows is drawn twice: as SVG, and as PDF where gnuplot was built with that.
std::string begin_drawing(const std::string& name, std::size_t height, int font) {
  const std::string style = "noenhanced font 'sans-serif," + std::to_string(font) + "' background 'white'";
  return "do for [format in 'svg pdf'] {\nreset\nif (format eq 'svg') {\n  set terminal svg size 760," +
         std::to_string(height) + " " + style + " name " + quote_gnuplot(name) +
         "\n} else {\n  if (strstrt(GPVAL_TERMINALS, 'pdfcairo') == 0) { break }\n"
         "  set terminal pdfcairo size 7.6in," +
         narsese::print_number(static_cast<double>(height) / 100) + "in " + style + "\n}\nset output " +
         quote_gnuplot(name + ".") + ".format\n";
}
constexpr const char* end_drawing = "set output\n}\n";

std::string panels_gnuplot(const Plot& plot) {
  constexpr std::size_t columns = 4;
  const std::size_t rows = plot.panels.size() / columns + 1;  // with a cell for the labels
  std::string out;
  std::size_t longest = 0;
  for (const Plot& panel : plot.panels)
    for (const Plot::Series& line : panel.series) longest = std::max(longest, line.points.size());
  for (std::size_t i = 0; i < plot.panels.size(); ++i)
    out += gnuplot_data(plot.panels[i], "$panel" + std::to_string(i) + "_");
  out += begin_drawing(plot.name, 60 + 200 * rows, 13) + "set multiplot layout " + std::to_string(rows) +
         "," + std::to_string(columns) +
         " margins screen 0.05, 0.985, 0.08, 0.84 spacing screen 0.05, 0.17 title " +
         quote_gnuplot(plot.title) +
         "\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset key off\nset pointsize 0.5\n"
         "set yrange [0:1.05]\nset ytics 0.5\nset xtics 4\nset xrange [0.3:" +
         narsese::print_number(static_cast<double>(longest) + 0.7) + "]\n";
  for (std::size_t i = 0; i < plot.panels.size(); ++i) {
    const Plot& panel = plot.panels[i];
    out += "set title " + quote_gnuplot(panel.title) + "\nplot ";
    for (std::size_t j = 0; j < panel.series.size(); ++j)
      out += (j > 0 ? ", \\\n  $panel" : "$panel") + std::to_string(i) + "_" + std::to_string(j) +
             " using 1:2 with linespoints" + gnuplot_line(panel.series[j].label, j, true);
    out += "\n";
  }
  out += "unset title\nunset border\nunset tics\nunset grid\nset key center center\nset xrange [0:1]\nplot ";
  const std::vector<Plot::Series>& labels = plot.panels.back().series;
  for (std::size_t j = 0; j < labels.size(); ++j)
    out += (j > 0 ? ", \\\n  " : "") + std::string("NaN with linespoints") +
           gnuplot_line(labels[j].label, j, true);
  return out + "\nunset multiplot\n" + end_drawing;
}

// Many names, or long ones, below one another: turned, they would take the height from the picture.
bool is_list(const Plot& plot) {
  constexpr std::size_t most_turned = 12, longest_turned = 24;
  const auto is_long = [](const std::string& name) { return name.size() > longest_turned; };
  return plot.bars && plot.joined && plot.marks.empty() &&
         (plot.categories.size() > most_turned || std::ranges::any_of(plot.categories, is_long));
}

// A line a category, what was measured along it, series beside one another. Title and key stand in the middle
// of the picture, not of the axes, which long names push aside; the margins make room for all.
std::string list_gnuplot(const Plot& plot) {
  const std::size_t n = plot.categories.size(), many = plot.series.size();
  const std::size_t key_rows = many > 1 ? (many + 1) / 2 : 0;
  std::size_t longest = 0;
  for (const std::string& name : plot.categories) longest = std::max(longest, name.size());
  std::string out = gnuplot_data(plot, "$series");
  out += begin_drawing(plot.name, 130 + 26 * n + 18 * key_rows, 14) + "set label " +
         quote_gnuplot(plot.title) + " at screen 0.5, screen 1 center offset 0,-1.5\nset xlabel " +
         quote_gnuplot(plot.y_label) + "\nset ylabel " + quote_gnuplot(plot.x_label) +
         "\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset xrange [" +
         std::string(plot.from_zero ? "0:" : "*:") + std::string(plot.shares ? "1.05" : "*") +
         "]\nset yrange [" + std::to_string(n) + ".6:0.4]\nset tmargin 3\nset bmargin " +
         std::to_string(4 + key_rows) + "\nset lmargin " + std::to_string(6 + 4 * longest / 5) +
         "\nset key " +
         (many > 1 ? "at screen 0.5, screen 0.01 center bottom samplen 2 maxrows " + std::to_string(key_rows)
                   : "off") +
         "\nset ytics (";
  for (std::size_t i = 0; i < n; ++i)
    out += (i > 0 ? ", " : "") + quote_gnuplot(plot.categories[i]) + " " + std::to_string(i + 1);
  out += ")\nplot ";
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const double middle = static_cast<double>(plot.series.size() - 1) / 2;
    const double beside = 0.08 * (static_cast<double>(i) - middle);
    out += (i > 0 ? ", \\\n  $series" : "$series") + std::to_string(i) + " using 2:($1 + (" +
           narsese::print_number(beside) + ")):3:4 with xerrorbars" +
           gnuplot_line(plot.series[i].label, i, false);
  }
  return out + "\n" + end_drawing;
}

}  // namespace

std::string to_gnuplot(const Plot& plot) {
  std::string out = "# gnuplot " + plot.name + ".gp writes " + plot.name + ".svg and .pdf\n";
  if (!plot.panels.empty()) return out + panels_gnuplot(plot);
  if (is_list(plot)) return out + list_gnuplot(plot);
  out += gnuplot_data(plot, "$series");
  // Names that do not fit below one another would take the width from the picture.
  const std::size_t names = plot.categories.empty() ? plot.series.size() : 0;
  out += begin_drawing(plot.name, std::max<std::size_t>(440, 60 + 22 * names), 14) + "set title " +
         quote_gnuplot(plot.title) + "\nset xlabel " + quote_gnuplot(plot.x_label) + "\nset ylabel " +
         quote_gnuplot(plot.y_label) +
         "\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\n"
         "set offsets graph " +
         std::string(plot.bars ? "0.04" : "0") + ", graph 0.04, 0, 0\nset yrange [" +
         std::string(plot.from_zero ? "0:" : "*:") + std::string(plot.shares ? "1.05" : "*") + "]\n";
  for (const auto& [x, text] : plot.marks)
    out += "set arrow from " + narsese::print_number(x) + ", graph 0 to " + narsese::print_number(x) +
           ", graph 1 nohead dt 2 lc rgb '#555555'\nset label " + quote_gnuplot(text) + " at " +
           narsese::print_number(x) + ", graph 0.95 offset 0.7,0 tc rgb '#555555'\n";
  if (plot.categories.empty()) {
    out += "set key outside right top maxcols 1\n";
  } else {
    out += std::string("set key ") + (plot.series.size() > 1 ? "outside right top" : "off") +
           // The first name must not reach out of the picture.
           "\nset lmargin " +
           std::to_string(std::max<std::size_t>(9, 3 * plot.categories.front().size() / 4)) +
           "\nset xtics rotate by 35 right (";
    for (std::size_t i = 0; i < plot.categories.size(); ++i)
      out += (i > 0 ? ", " : "") + quote_gnuplot(plot.categories[i]) + " " + std::to_string(i + 1);
    out += ")\n";
  }
  const char* shape = !plot.joined              ? "points"
                      : !plot.bars              ? "lines"
                      : plot.categories.empty() ? "yerrorlines"
                                                : "yerrorbars";
  out += "plot ";
  std::size_t theories = 0;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Plot::Series& series = plot.series[i];
    out += (i > 0 ? ", \\\n  $series" : "$series") + std::to_string(i);
    if (series.theory)
      out += " using 1:2 with lines title " + quote_gnuplot(series.label) + " lc rgb '#444444' lw 2 dt " +
             std::to_string(2 + theories++ % 4);
    else
      out += std::string(" using ") + (plot.bars && plot.joined ? "1:2:3:4" : "1:2") + " with " + shape +
             gnuplot_line(series.label, i, plot.categories.empty());
  }
  return out + "\n" + end_drawing;
}

}  // namespace engram::experiments
