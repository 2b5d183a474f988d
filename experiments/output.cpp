// SPDX-License-Identifier: MIT
#include "experiments/output.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "narsese/printer.hpp"
#include "narsese/utf8.hpp"

namespace engram::experiments {
namespace {

std::string fixed(double number, int decimals) {
  std::array<char, 64> buffer{};
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed, decimals);
  return code == std::errc() ? std::string(buffer.data(), end) : narsese::print_number(number);
}

std::string replaced(const std::string& text, const std::vector<std::pair<char, std::string>>& replacements) {
  std::string out;
  for (const char c : text) {
    const auto match = std::ranges::find(replacements, c, &std::pair<char, std::string>::first);
    if (match == replacements.end())
      out += c;
    else
      out += match->second;
  }
  return out;
}

// Words that a page may break into lines; numbers and short names stay whole.
bool is_prose(const Cell& cell) { return cell.text.size() > 30 && std::ranges::count(cell.text, ' ') > 2; }

std::string escape_latex(const std::string& text) {
  return replaced(text, {{'\\', "\\textbackslash{}"},
                         {'_', "\\_"},
                         {'%', "\\%"},
                         {'&', "\\&"},
                         {'#', "\\#"},
                         {'$', "\\$"},
                         {'{', "\\{"},
                         {'}', "\\}"},
                         {'~', "\\textasciitilde{}"},
                         {'^', "\\textasciicircum{}"},
                         {'<', "\\textless{}"},
                         {'>', "\\textgreater{}"}});
}

std::string quote_csv(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return '"' + replaced(text, {{'"', "\"\""}}) + '"';
}

// gnuplot reads single-quoted text literally but for the quote itself.
std::string quote_gnuplot(const std::string& text) { return "'" + replaced(text, {{'\'', "''"}}) + "'"; }

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

std::string panels_gnuplot(const Plot& plot) {
  constexpr std::size_t columns = 4;
  const std::size_t rows = plot.panels.size() / columns + 1;  // with a cell for the labels
  std::string out;
  std::size_t longest = 0;
  for (const Plot& panel : plot.panels)
    for (const Plot::Series& line : panel.series) longest = std::max(longest, line.points.size());
  for (std::size_t i = 0; i < plot.panels.size(); ++i)
    out += gnuplot_data(plot.panels[i], "$panel" + std::to_string(i) + "_");
  out += "set terminal svg size 760," + std::to_string(60 + 200 * rows) +
         " noenhanced font 'sans-serif,13' background 'white' name " + quote_gnuplot(plot.name) +
         "\nset output " + quote_gnuplot(plot.name + ".svg") + "\nset multiplot layout " +
         std::to_string(rows) + "," + std::to_string(columns) +
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
  return out + "\nunset multiplot\n";
}

}  // namespace

Json certificate_json(const core::RetrievalCertificate& certificate) {
  const auto number_or_null = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"beta_gap", number_or_null(certificate.beta * certificate.gap)},
          {"margin", number_or_null(certificate.margin)},
          {"exact", certificate.exact}};
}

std::string certificate_text(const Json& certificate) {
  const auto number = [&](const char* name) {
    const Json& value = certificate.at(name);
    return value.is_null() ? std::string("infinity") : cell(value.get<double>(), 3).text;
  };
  return "beta × gap " + number("beta_gap") + " against the margin " + number("margin") +
         (certificate.at("exact").get<bool>() ? ": one step is exact" : ": no step is known to be exact");
}

Cell cell(std::string text) { return {text, text}; }
Cell cell(double number, int decimals) { return {fixed(number, decimals), narsese::print_number(number)}; }
Cell cell(std::optional<double> number, int decimals) { return number ? cell(*number, decimals) : cell("-"); }

Cell scientific_cell(double number) {
  if (!std::isfinite(number)) return cell("not finite");
  if (number == 0) return {"0", "0"};
  std::array<char, 64> buffer{};
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific, 1);
  return {std::string(buffer.data(), end), narsese::print_number(number)};
}

Cell interval_cell(const std::optional<Estimate>& estimate, int decimals) {
  if (!estimate) return cell("-");
  if (estimate->low == estimate->high) return cell(estimate->mean, decimals);
  return {fixed(estimate->mean, decimals) + " [" + fixed(estimate->low, decimals) + ", " +
              fixed(estimate->high, decimals) + "]",
          narsese::print_number(estimate->mean)};
}

std::string lead_clause(const std::vector<std::string>& labels,
                        const std::vector<std::vector<double>>& values, std::size_t best) {
  if (values[best].size() < fewest_pairs) return "with so few, no lead can be told from chance";
  std::string level;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (i != best && !clearly_higher(values[best], values[i]))
      level += (level.empty() ? "" : ", ") + labels[i];
  return level.empty() ? "its lead over every other method is clear of zero"
                       : "its lead over " + level + " may be chance";
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::string out, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && narsese::count_code_points(line) + 1 + narsese::count_code_points(word) > width) {
      out += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + line + '\n';
}

std::string to_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.head.size(); ++column) {
    widths.push_back(narsese::count_code_points(table.head[column]));
    for (const auto& row : table.rows)
      widths.back() = std::max(widths.back(), narsese::count_code_points(row[column].text));
  }
  std::string out;
  const auto add = [&](std::size_t column, const std::string& text) {
    const std::string padding(widths[column] - narsese::count_code_points(text), ' ');
    out += column == 0 ? text + padding : "  " + padding + text;  // names left, numbers right
  };
  for (std::size_t column = 0; column < table.head.size(); ++column) add(column, table.head[column]);
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t column = 0; column < row.size(); ++column) add(column, row[column].text);
    out += '\n';
  }
  return out;
}

std::string to_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.head.size(); ++i) out += (i > 0 ? "," : "") + quote_csv(table.head[i]);
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out += (i > 0 ? "," : "") + quote_csv(row[i].raw);
    out += '\n';
  }
  return out;
}

std::string to_latex(const Table& table) {
  std::string out = "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\caption{" +
                    escape_latex(table.caption) + "}\n\\begin{tabular}{l";
  out += std::string(table.head.size() - 1, 'r') + "}\n\\toprule\n";
  for (std::size_t i = 0; i < table.head.size(); ++i)
    out += (i > 0 ? " & " : "") + escape_latex(table.head[i]);
  out += " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out += (i > 0 ? " & " : "") + escape_latex(row[i].text);
    out += " \\\\\n";
  }
  return out + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

std::string to_html(const Table& table) {
  std::vector<std::string> kinds;  // of the columns
  for (std::size_t i = 0; i < table.head.size(); ++i)
    kinds.emplace_back(
        std::ranges::any_of(table.rows, [&](const auto& row) { return i < row.size() && is_prose(row[i]); })
            ? " class=\"prose\""
            : "");
  // The caption stands outside of what scrolls, so that it wraps on a narrow screen.
  std::string out = "<figure class=\"table\"><figcaption>" + escape_html(table.caption) +
                    "</figcaption><div class=\"scroll\" tabindex=\"0\"><table><thead><tr>";
  for (std::size_t i = 0; i < table.head.size(); ++i)
    out += "<th scope=\"col\"" + kinds[i] + ">" + escape_html(table.head[i]) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += i == 0 ? "<th scope=\"row\"" + kinds[i] + ">" + escape_html(row[i].text) + "</th>"
                    : "<td" + kinds[i] + ">" + escape_html(row[i].text) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div></figure>\n";
}

std::string to_gnuplot(const Plot& plot) {
  std::string out = "# gnuplot " + plot.name + ".gp writes " + plot.name + ".svg\n";
  if (!plot.panels.empty()) return out + panels_gnuplot(plot);
  out += gnuplot_data(plot, "$series");
  out += "set terminal svg size 760,440 noenhanced font 'sans-serif,14' background 'white' name " +
         quote_gnuplot(plot.name) + "\nset output " + quote_gnuplot(plot.name + ".svg") + "\nset title " +
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
    out += "set key outside right top\n";
  } else {
    out += std::string("set key ") + (plot.series.size() > 1 ? "outside right top" : "off") +
           "\nset xtics rotate by 35 right (";
    for (std::size_t i = 0; i < plot.categories.size(); ++i)
      out += (i > 0 ? ", " : "") + quote_gnuplot(plot.categories[i]) + " " + std::to_string(i + 1);
    out += ")\n";
  }
  const char* shape = !plot.bars ? "lines" : plot.categories.empty() ? "yerrorlines" : "yerrorbars";
  out += "plot ";
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Plot::Series& series = plot.series[i];
    out += (i > 0 ? ", \\\n  $series" : "$series") + std::to_string(i);
    if (series.theory)
      out += " using 1:2 with lines title " + quote_gnuplot(series.label) + " lc rgb '#444444' lw 2 dt 2";
    else
      out += std::string(" using ") + (plot.bars ? "1:2:3:4" : "1:2") + " with " + shape +
             gnuplot_line(series.label, i, plot.categories.empty());
  }
  return out + "\n";
}

std::string escape_html(const std::string& text) {
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

}  // namespace engram::experiments
