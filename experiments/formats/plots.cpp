// SPDX-License-Identifier: MIT
#include "experiments/formats/plots.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "experiments/formats/markup.hpp"
#include "experiments/formats/tables.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

// Maximum lengths in code points: of a title, and of a name in the key or at an axis.
constexpr std::size_t longest_title = 200, longest_name = 80;
// Widths in pixels. A phone shows curves at two thirds of their width, where they are still legible.
constexpr std::size_t usual_width = 760, width_of_curves = 620;

// Text for pictures. gnuplot does not escape > in SVG, and ]]> is not allowed in XML text.
std::string picture_text(const std::string& text, std::size_t most) {
  std::string line = legible(text);
  for (auto at = line.find("]]>"); at != std::string::npos; at = line.find("]]>", at))
    line.insert(at + 2, " ");
  return shortened(line, most);
}

std::string name_of(const std::string& text) { return picture_text(text, longest_name); }
std::size_t width_of(const std::string& name) { return narsese::count_code_points(name_of(name)); }

// Texts of a script. The script begins with a block of data that has one text in each line, after a prefix, so that no
// text can end the block. Commands refer to texts by number and contain no foreign text.
class Captions {
 public:
  // Returns the gnuplot expression for a text, for use in a command.
  std::string operator()(const std::string& text) { return kept(picture_text(text, longest_title)); }
  std::string name(const std::string& text) { return kept(name_of(text)); }
  // Returns the expression for a title, wrapped to lines of at most `most` code points.
  std::string title(const std::string& text, std::size_t most) {
    std::string call;
    std::istringstream lines(wrapped(picture_text(text, longest_title), most));
    for (std::string line; std::getline(lines, line);)
      call += (call.empty() ? "" : ".line_feed.") + kept(line);
    return call.empty() ? kept("") : call;
  }
  // Returns the expression for a label at an axis, where gnuplot would interpret % as a number format.
  std::string at_axis(const std::string& text) {
    std::string doubled;
    for (const char c : name_of(text)) doubled += std::string(c == '%' ? 2 : 1, c);
    return kept(doubled);
  }
  std::string data() const {
    std::string out = "set encoding utf8\n$captions << END\n";
    for (const std::string& line : lines_) out += "| " + line + '\n';
    return out + "END\ncaption(i) = $captions[i][3:*]\nline_feed = sprintf('%c', 10)\n";
  }

 private:
  std::string kept(const std::string& line) {
    const auto place = std::ranges::find(lines_, line);
    const std::string call = "caption(" + std::to_string(place - lines_.begin() + 1) + ")";
    if (place == lines_.end()) lines_.push_back(line);
    return call;
  }
  std::vector<std::string> lines_;
};

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

// Style of a line. The colours (Okabe and Ito) are distinguishable for colour-blind readers. Dashes and marks
// distinguish lines in grey print.
std::string gnuplot_line(const std::string& title, std::size_t i, bool dashed) {
  static const std::array<const char*, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#999999"};
  return " title " + title + " lc rgb '" + colours[i % colours.size()] + "' lw 2 pt " +
         std::to_string(i + 4) + " dt " + std::to_string(dashed ? i % 5 + 1 : 1);
}

// Begins a loop that draws the following commands twice: as SVG, and as PDF if gnuplot supports that.
std::string begin_drawing(const Plot& plot, std::size_t width, std::size_t height, int font) {
  const std::string name = file_name(plot.name);
  const std::string style = "noenhanced font 'sans-serif," + std::to_string(font) + "' background 'white'";
  return "do for [format in 'svg pdf'] {\nreset\nif (format eq 'svg') {\n  set terminal svg size " +
         std::to_string(width) + "," + std::to_string(height) + " " + style + " name '" + name +
         "'\n} else {\n  if (strstrt(GPVAL_TERMINALS, 'pdfcairo') == 0) { break }\n"
         "  set terminal pdfcairo size " +
         narsese::print_number(static_cast<double>(width) / 100) + "in," +
         narsese::print_number(static_cast<double>(height) / 100) + "in " + style + "\n}\nset output '" +
         name + ".'.format\n";
}
constexpr const char* end_drawing = "set output\n}\n";

std::string panels_gnuplot(const Plot& plot, Captions& caption) {
  constexpr std::size_t columns = 3;
  const std::size_t rows = plot.panels.size() / columns + 1;  // the cell after the panels has the key
  std::string out;
  std::size_t longest = 0;
  for (const Plot& panel : plot.panels)
    for (const Plot::Series& line : panel.series) longest = std::max(longest, line.points.size());
  for (std::size_t i = 0; i < plot.panels.size(); ++i)
    out += gnuplot_data(plot.panels[i], "$panel" + std::to_string(i) + "_");
  out += begin_drawing(plot, width_of_curves, 60 + 200 * rows, 13) + "set multiplot layout " +
         std::to_string(rows) + "," + std::to_string(columns) +
         " margins screen 0.06, 0.985, 0.06, 0.88 spacing screen 0.06, 0.11 title " + caption(plot.title) +
         "\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset key off\nset pointsize 0.5\n"
         "set yrange [0:1.05]\nset ytics 0.5\nset xtics 4\nset xrange [0.3:" +
         narsese::print_number(static_cast<double>(longest) + 0.7) + "]\n";
  for (std::size_t i = 0; i < plot.panels.size(); ++i) {
    const Plot& panel = plot.panels[i];
    out += "set title " + caption(panel.title) + "\nplot ";
    for (std::size_t j = 0; j < panel.series.size(); ++j)
      out += (j > 0 ? ", \\\n  $panel" : "$panel") + std::to_string(i) + "_" + std::to_string(j) +
             " using 1:2 with linespoints" + gnuplot_line(caption.name(panel.series[j].label), j, true);
    out += "\n";
  }
  out += "unset title\nunset border\nunset tics\nunset grid\nset key center center\nset xrange [0:1]\nplot ";
  const std::vector<Plot::Series>& labels = plot.panels.back().series;
  for (std::size_t j = 0; j < labels.size(); ++j)
    out += (j > 0 ? ", \\\n  " : "") + std::string("NaN with linespoints") +
           gnuplot_line(caption.name(labels[j].label), j, true);
  return out + "\nunset multiplot\n" + end_drawing;
}

// Returns whether the categories are listed vertically. Many or long names would need too much height if they were
// rotated.
bool is_list(const Plot& plot) {
  constexpr std::size_t most_turned = 12, longest_turned = 24;
  const auto is_long = [](const std::string& name) { return width_of(name) > longest_turned; };
  return plot.bars && plot.joined && plot.marks.empty() &&
         (plot.categories.size() > most_turned || std::ranges::any_of(plot.categories, is_long));
}

// Script for a plot with one horizontal line for each category, and its series side by side. Title and key are centred
// on the whole picture, because long names move the axes. The margins leave space for names, title and key.
std::string list_gnuplot(const Plot& plot, Captions& caption) {
  // Separate statements, because the evaluation order within an expression is unspecified.
  const std::string title = caption(plot.title), x = caption(plot.x_label), y = caption(plot.y_label);
  const std::size_t n = plot.categories.size(), many = plot.series.size();
  const std::size_t key_rows = many > 1 ? (many + 1) / 2 : 0;
  std::size_t longest = 0;
  for (const std::string& name : plot.categories) longest = std::max(longest, width_of(name));
  const bool is_narrow = longest <= 32 && narsese::count_code_points(plot.title) <= 68;
  const std::size_t width = is_narrow ? width_of_curves : usual_width;
  std::string out = gnuplot_data(plot, "$series");
  out += begin_drawing(plot, width, 130 + 26 * n + 18 * key_rows, 14) + "set label " + title +
         " at screen 0.5, screen 1 center offset 0,-1.5\nset xlabel " + y + "\nset ylabel " + x +
         "\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset xrange [" +
         std::string(plot.from_zero ? "0:" : "*:") + std::string(plot.shares ? "1.05" : "*") +
         "]\nset yrange [" + std::to_string(n) + ".6:0.4]\nset tmargin 3\nset bmargin " +
         std::to_string(4 + key_rows) + "\nset lmargin " + std::to_string(6 + 4 * longest / 5) +
         "\nset key " +
         (many > 1 ? "at screen 0.5, screen 0.01 center bottom samplen 2 maxrows " + std::to_string(key_rows)
                   : "off") +
         "\nset ytics (";
  for (std::size_t i = 0; i < n; ++i)
    out += (i > 0 ? ", " : "") + caption.at_axis(plot.categories[i]) + " " + std::to_string(i + 1);
  out += ")\nplot ";
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const double middle = static_cast<double>(plot.series.size() - 1) / 2;
    const double beside = 0.08 * (static_cast<double>(i) - middle);
    out += (i > 0 ? ", \\\n  $series" : "$series") + std::to_string(i) + " using 2:($1 + (" +
           narsese::print_number(beside) + ")):3:4 with xerrorbars" +
           gnuplot_line(caption.name(plot.series[i].label), i, false);
  }
  return out + "\n" + end_drawing;
}

// Ticks 1, 2, 5, 10, 20, 50, ... within the range; only powers of ten if there are many.
std::string logarithmic_ticks(double least, double most) {
  const bool many = most / least > 1e4;
  std::string ticks;
  double first = 1;
  while (first > least) first /= 10;
  while (10 * first <= least) first *= 10;
  for (double decade = first; decade <= most; decade *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (const double tick = decade * factor; tick >= least && tick <= most && (factor == 1 || !many))
        ticks += (ticks.empty() ? "" : ", ") + narsese::print_number(tick);
  return "(" + ticks + ")";
}

std::string axes_gnuplot(const Plot& plot) {
  if (plot.log_log) return "set logscale xy 10\nset format xy '%g'\n";
  std::string out;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Plot::Series& series : plot.series)
    for (const Plot::Point& point : series.points) {
      least = std::min(least, point.x);
      most = std::max(most, point.x);
    }
  if (plot.log_x && least > 0 && most > least)
    out += "set logscale x 10\nset xrange [" + narsese::print_number(least) + ":" +
           narsese::print_number(1.1 * most) + "]\nset xtics " + logarithmic_ticks(least, most) + "\n";
  else
    out += "set offsets graph " + std::string(plot.bars ? "0.04" : "0") + ", graph 0.04, 0, 0\n";
  return out + "set yrange [" + std::string(plot.from_zero ? "0:" : "*:") +
         std::string(plot.shares ? "1.05" : "*") + "]\n";
}

// gnuplot style of points and lines. Without error bars, points have marks only if every series has few of them.
std::string shape_of(const Plot& plot) {
  constexpr std::size_t most_marked = 24;
  const bool few = std::ranges::all_of(
      plot.series, [](const Plot::Series& series) { return series.points.size() <= most_marked; });
  if (!plot.joined) return "points";
  if (!plot.bars) return few ? "linespoints" : "lines";
  return plot.categories.empty() ? "yerrorlines" : "yerrorbars";
}

// Script for a plot of curves. The key is below the plot, because it would take half of the width at the side. It has
// two columns if its names are short.
std::string curves_gnuplot(const Plot& plot, Captions& caption) {
  const std::string title = caption.title(plot.title, 58), x = caption(plot.x_label),
                    y = caption(plot.y_label);
  std::size_t longest = 0;
  for (const Plot::Series& series : plot.series) longest = std::max(longest, width_of(series.label));
  const std::size_t columns = longest <= 28 ? 2 : 1, many = plot.series.size();
  const std::size_t key_rows = plot.categories.empty() || many > 1 ? (many + columns - 1) / columns : 0;
  std::string out = gnuplot_data(plot, "$series");
  out += begin_drawing(plot, width_of_curves, 400 + 21 * key_rows, 15) + "set title " + title +
         "\nset xlabel " + x + "\nset ylabel " + y +
         "\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset pointsize 0.7\n" +
         axes_gnuplot(plot);
  for (const auto& [at, text] : plot.marks)
    out += "set arrow from " + narsese::print_number(at) + ", graph 0 to " + narsese::print_number(at) +
           ", graph 1 nohead dt 2 lc rgb '#555555'\nset label " + caption(text) + " at " +
           narsese::print_number(at) + ", graph 0.95 offset 0.7,0 tc rgb '#555555'\n";
  out += key_rows == 0 ? "set key off\n"
                       : "set key at screen 0.5, screen 0.01 center bottom Left reverse samplen 3 maxcols " +
                             std::to_string(columns) + " maxrows " + std::to_string(key_rows) + "\n";
  if (plot.categories.empty()) out += "set bmargin " + std::to_string(4 + key_rows) + "\n";
  if (!plot.categories.empty()) {
    // The names are rotated, so the left margin must keep the first one inside the picture.
    out += "set lmargin " +
           std::to_string(std::max<std::size_t>(9, 3 * width_of(plot.categories.front()) / 4)) +
           "\nset xtics rotate by 35 right (";
    for (std::size_t i = 0; i < plot.categories.size(); ++i)
      out += (i > 0 ? ", " : "") + caption.at_axis(plot.categories[i]) + " " + std::to_string(i + 1);
    out += ")\n";
  }
  const std::string shape = shape_of(plot);
  out += "plot ";
  std::size_t theories = 0;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Plot::Series& series = plot.series[i];
    out += (i > 0 ? ", \\\n  $series" : "$series") + std::to_string(i);
    if (series.theory)
      out += " using 1:2 with lines title " + caption.name(series.label) + " lc rgb '#444444' lw 2 dt " +
             std::to_string(2 + theories++ % 4);
    else
      out += std::string(" using ") + (plot.bars && plot.joined ? "1:2:3:4" : "1:2") + " with " + shape +
             gnuplot_line(caption.name(series.label), i, plot.categories.empty());
  }
  return out + "\n" + end_drawing;
}

std::string picture_gnuplot(const Plot& plot, Captions& caption) {
  if (!plot.panels.empty()) return panels_gnuplot(plot, caption);
  return is_list(plot) ? list_gnuplot(plot, caption) : curves_gnuplot(plot, caption);
}

}  // namespace

std::string to_gnuplot(const Plot& plot) {
  const std::string name = file_name(plot.name);
  Captions captions;
  const std::string picture = picture_gnuplot(plot, captions);
  return "# gnuplot " + name + ".gp writes " + name + ".svg and .pdf\n" + captions.data() + picture;
}

}  // namespace engram::experiments
