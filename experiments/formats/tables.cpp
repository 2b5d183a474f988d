// SPDX-License-Identifier: MIT
#include "experiments/formats/tables.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "experiments/formats/markup.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

bool is_prose(const Cell& cell) { return cell.text.size() > 30 && std::ranges::count(cell.text, ' ') > 2; }

// Adds line break opportunities after underscores in names.
std::string with_breaks(const std::string& html) {
  std::string out;
  for (const char c : html) out += c == '_' ? "_<wbr>" : std::string(1, c);
  return out;
}

// Returns whether a column has prose that may be wrapped. Numbers and short names are not wrapped.
bool is_prose_column(const Table& table, std::size_t column) {
  return std::ranges::any_of(table.rows,
                             [&](const auto& row) { return column < row.size() && is_prose(row[column]); });
}

}  // namespace

std::string fixed(double number, int decimals) {
  std::array<char, 64> buffer{};
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed, decimals);
  return code == std::errc() ? std::string(buffer.data(), end) : narsese::print_number(number);
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
  Cell shown = cell(estimate->mean, decimals);
  shown.bounds = {narsese::print_number(estimate->low), narsese::print_number(estimate->high)};
  if (estimate->low != estimate->high)
    shown.text += " [" + fixed(estimate->low, decimals) + ", " + fixed(estimate->high, decimals) + "]";
  return shown;
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::string out, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    word = legible(word);
    if (!line.empty() && narsese::count_code_points(line) + 1 + narsese::count_code_points(word) > width) {
      out += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + line + '\n';
}

std::string to_text(const Table& table) {
  const auto shown = [](const Cell& c) { return legible(c.text) + (c.winner ? "*" : ""); };
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.head.size(); ++column) {
    widths.push_back(narsese::count_code_points(legible(table.head[column])));
    for (const auto& row : table.rows)
      widths.back() = std::max(widths.back(), narsese::count_code_points(shown(row[column])));
  }
  std::string out;
  const auto add = [&](std::size_t column, const std::string& text) {
    const std::string padding(widths[column] - narsese::count_code_points(text), ' ');
    out += column == 0 ? text + padding : "  " + padding + text;  // names left-aligned, numbers right-aligned
  };
  for (std::size_t column = 0; column < table.head.size(); ++column) add(column, legible(table.head[column]));
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t column = 0; column < row.size(); ++column) add(column, shown(row[column]));
    out += '\n';
  }
  return out;
}

std::string to_csv(const Table& table) {
  std::vector<bool> has_bounds;
  for (std::size_t i = 0; i < table.head.size(); ++i)
    has_bounds.push_back(
        std::ranges::any_of(table.rows, [&](const auto& row) { return i < row.size() && row[i].bounds; }));
  std::string out;
  for (std::size_t i = 0; i < table.head.size(); ++i) {
    out += (i > 0 ? "," : "") + csv_cell(table.head[i]);
    if (has_bounds[i])
      out += "," + csv_cell(table.head[i] + " low") + "," + csv_cell(table.head[i] + " high");
  }
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i > 0 ? "," : "") + csv_cell(row[i].raw);
      if (has_bounds[i])
        out += "," + (row[i].bounds ? csv_cell(row[i].bounds->first) + "," + csv_cell(row[i].bounds->second)
                                    : "-,-");
    }
    out += '\n';
  }
  return out;
}

std::string to_markdown(const Table& table) {
  const auto line = [](const auto& cells, auto text_of) {
    std::string out = "|";
    for (const auto& c : cells) out += " " + text_of(c) + " |";
    return out + "\n";
  };
  std::string out = escape_markdown(table.caption) + "\n\n" + line(table.head, escape_markdown) + "|";
  for (std::size_t i = 0; i < table.head.size(); ++i)
    out += i == 0 || is_prose_column(table, i) ? " :--- |" : " ---: |";
  out += '\n';
  for (const auto& row : table.rows)
    out += line(row, [](const Cell& c) {
      return c.winner ? "**" + escape_markdown(c.text) + "**" : escape_markdown(c.text);
    });
  return out;
}

std::string to_html(const Table& table) {
  // The caption is outside the scrolling element, so that it wraps on a narrow screen.
  std::string out = "<figure class=\"table\" id=\"table-" + escape_html(table.name) + "\"><figcaption>" +
                    escape_html(table.caption) +
                    "</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table " +
                    escape_html(table.name) + "\"><table><thead><tr>";
  std::vector<std::string> kinds;  // CSS classes of the columns
  for (std::size_t i = 0; i < table.head.size(); ++i) {
    kinds.emplace_back(is_prose_column(table, i) ? " class=\"prose\"" : "");
    out += "<th scope=\"col\"" + kinds[i] + ">" + with_breaks(escape_html(table.head[i])) + "</th>";
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string text = i == 0 ? with_breaks(escape_html(row[i].text)) : escape_html(row[i].text);
      if (!row[i].link.empty()) text = "<a href=\"" + escape_html(row[i].link) + "\">" + text + "</a>";
      if (row[i].winner) text = "<b>" + text + "</b>";
      // Value by which the page sorts the cell, if it differs from the text.
      const std::string value =
          row[i].raw == row[i].text ? "" : " data-v=\"" + escape_html(row[i].raw) + "\"";
      out += i == 0 ? "<th scope=\"row\"" + kinds[i] + value + ">" + text + "</th>"
                    : "<td" + kinds[i] + value + ">" + text + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div></figure>\n";
}

namespace {

constexpr double page_width = 343;  // points; 2 less than \textwidth of `article` at 10 points

// Widths of printable ASCII characters in Computer Modern Roman, in thousandths of the font size (cmr10.tfm). For
// characters that this font lacks, such as < and >, the widths are from T1.
constexpr int widths_of_ascii[] = {
    333, 277, 500, 833, 500, 833, 777, 277, 388, 388, 500, 777, 277, 333, 277, 500, 500, 500,  500,
    500, 500, 500, 500, 500, 500, 500, 277, 277, 777, 777, 777, 472, 777, 750, 708, 722, 763,  680,
    652, 784, 750, 361, 513, 777, 625, 916, 750, 777, 680, 777, 736, 555, 722, 750, 750, 1027, 750,
    750, 611, 277, 500, 277, 611, 694, 500, 500, 555, 444, 555, 444, 305, 500, 555, 277, 305,  527,
    277, 833, 555, 500, 555, 527, 391, 394, 388, 555, 527, 722, 527, 527, 444, 500, 277, 500,  611};

// Width of a text in points at a font size of one point.
double width_in_latex(const std::string& text, bool bold = false) {
  constexpr double other = 778, bold_to_plain = 1.16;
  double sum = 0;
  for (const char c : legible(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~')
      sum += widths_of_ascii[byte - ' '];
    else if ((byte & 0xC0) != 0x80)  // the first byte of a code point
      sum += other;
  }
  return sum / 1000 * (bold ? bold_to_plain : 1);
}

// Font sizes in descending order, each with the padding of columns. `letters` is above the nominal size of small fonts,
// because their letters are wider in relation to it.
struct LatexSize {
  const char* command;
  double letters, beside;  // effective font size and padding on each side of a column, in points
};
constexpr LatexSize sizes[] = {{"", 10, 6},
                               {"\\small", 9.25, 5},
                               {"\\footnotesize", 8.5, 4},
                               {"\\footnotesize", 8.5, 3},
                               {"\\scriptsize", 7.97, 3}};

// Layout of a column: lines of its head, and widths.
struct LatexColumn {
  std::size_t place = 0;  // index in the table
  bool wraps = false;     // its cells are wrapped
  std::vector<std::string> head;
  double width = 0;     // width without wrapping, at a font size of one point
  double allotted = 0;  // width in points, if it wraps
};

// Computes the layout of a column. The head is wrapped to the width of the cells or of its longest word.
LatexColumn latex_column(const Table& table, std::size_t place) {
  LatexColumn column{place, is_prose_column(table, place), {}};
  for (const auto& row : table.rows)
    column.width = std::max(column.width, width_in_latex(row[place].text, row[place].winner));
  // Pieces at which the head may be wrapped: words and parts of names, each with the blank or underscore after it.
  std::vector<std::string> words{""};
  for (const char c : table.head[place]) {
    words.back() += c;
    if (c == ' ' || c == '_') words.emplace_back();
  }
  const auto width_of_line = [](const std::string& line) {
    return width_in_latex(line.ends_with(' ') ? line.substr(0, line.size() - 1) : line);
  };
  constexpr double least_width = 2.5;  // heads are not wrapped to less than this
  column.width = std::max(column.width, std::min(least_width, width_of_line(table.head[place])));
  for (const std::string& word : words) column.width = std::max(column.width, width_of_line(word));
  for (const std::string& word : words) {
    if (!column.head.empty() && width_of_line(column.head.back() + word) <= column.width)
      column.head.back() += word;
    else
      column.head.push_back(word);
  }
  return column;
}

struct LatexLayout {
  LatexSize size{};
  std::vector<std::vector<LatexColumn>> parts;  // printed below each other; each repeats the naming columns
};

// Least width of the columns side by side, in points. A wrapped column counts with its full width or `least`, whichever
// is smaller, because it can be narrowed to `least`.
double width_of_part(const std::vector<LatexColumn>& part, const LatexSize& size, double least) {
  double sum = 2 * size.beside * static_cast<double>(part.size() - 1);
  for (const LatexColumn& column : part)
    sum += column.wraps ? std::min(least, column.width * size.letters) : column.width * size.letters;
  return sum;
}

// Distributes the remaining width among the wrapped columns.
void allot(std::vector<LatexColumn>& part, const LatexSize& size, double least) {
  const auto many = std::ranges::count_if(part, &LatexColumn::wraps);
  const double left = std::max(0.0, page_width - width_of_part(part, size, least));
  for (LatexColumn& column : part)
    if (column.wraps)
      column.allotted = std::min(least + left / static_cast<double>(many), column.width * size.letters + 1);
}

constexpr double least_wrapped = 110;

// The largest font size at which all columns fit side by side.
std::optional<LatexSize> fitting_size(const std::vector<LatexColumn>& columns) {
  const auto* const size = std::ranges::find_if(
      sizes, [&](const LatexSize& one) { return width_of_part(columns, one, least_wrapped) <= page_width; });
  return size == std::end(sizes) ? std::nullopt : std::optional(*size);
}

// Columns that identify a row: the first, and a second one if the first has duplicates.
std::vector<LatexColumn> naming_columns(const Table& table, const std::vector<LatexColumn>& all) {
  const auto names_each_row = [&](std::size_t second) {
    std::set<std::pair<std::string, std::string>> names;
    for (const auto& row : table.rows) names.emplace(row[0].text, row[second].text);
    return names.size() == table.rows.size();
  };
  std::vector<LatexColumn> naming{all[0]};
  if (names_each_row(0)) return naming;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (names_each_row(i)) {
      naming.push_back(all[i]);
      break;
    }
  return naming;
}

// Chooses the layout. Heads are not wrapped if everything fits at normal size. Otherwise, in this order: heads are
// wrapped, the font is reduced, long names are wrapped, and the table is split into parts below each other.
LatexLayout latex_layout(const Table& table) {
  std::vector<LatexColumn> all;
  for (std::size_t i = 0; i < table.head.size(); ++i) all.push_back(latex_column(table, i));
  std::vector<LatexColumn> unbroken = all;
  for (LatexColumn& column : unbroken) {
    column.head = {table.head[column.place]};
    column.width = std::max(column.width, width_in_latex(column.head[0]));
  }
  if (width_of_part(unbroken, sizes[0], least_wrapped) <= page_width) {
    allot(unbroken, sizes[0], least_wrapped);
    return {sizes[0], {unbroken}};
  }
  for (const bool breaks_names : {false, true}) {
    if (breaks_names) all[0].wraps = all[0].wraps || all[0].width * sizes[3].letters > least_wrapped;
    if (const auto size = fitting_size(all)) {
      allot(all, *size, least_wrapped);
      return {*size, {all}};
    }
  }
  const std::vector<LatexColumn> names = naming_columns(table, all);
  LatexLayout layout{sizes[3], {{all[0]}}};
  for (std::size_t i = 1; i < all.size(); ++i) {
    auto& part = layout.parts.back();
    if (std::ranges::find(part, i, &LatexColumn::place) != part.end()) continue;
    part.push_back(all[i]);
    if (part.size() <= names.size() + 1 || width_of_part(part, layout.size, least_wrapped) <= page_width)
      continue;
    part.pop_back();
    layout.parts.push_back(names);
    layout.parts.back().push_back(all[i]);
  }
  for (auto& part : layout.parts) {
    if (width_of_part(part, layout.size, least_wrapped) > page_width)
      for (LatexColumn& column : part) column.wraps = true;
    allot(part, layout.size, least_wrapped);
  }
  return layout;
}

// Adds line break opportunities to Narsese in a wrapped cell, after commas, brackets and copulas.
std::string breakable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += escape_latex(std::string(1, c));
    if (c == ',' || c == '_' || c == '>' || c == ')' || c == '-' || c == '/') out += "\\allowbreak{}";
  }
  return out;
}

std::string latex_cell(const Cell& cell, const LatexColumn& column) {
  const bool ascii = std::ranges::all_of(cell.text, [](char c) { return c >= ' ' && c <= '~'; });
  std::string text = column.wraps && ascii ? breakable(cell.text) : escape_latex(cell.text);
  if (cell.winner) text = "\\textbf{" + text + "}";
  return column.wraps ? "{\\raggedright " + text + "\\par}" : text;
}

std::string latex_head(const LatexColumn& column) {
  std::string words, lines;
  for (const std::string& line : column.head) {
    words += escape_latex(line);
    lines += (lines.empty() ? "" : " \\\\ ") + escape_latex(line);
  }
  if (column.wraps) return "{\\raggedright " + words + "\\par}";
  if (column.head.size() < 2) return words;
  return "\\begin{tabular}[b]{@{}" + std::string(column.place == 0 ? "l" : "r") + "@{}}" + lines +
         "\\end{tabular}";
}

std::string latex_columns(const std::vector<LatexColumn>& part) {
  std::string columns = "@{}";
  for (const LatexColumn& column : part)
    columns += column.wraps ? "p{" + fixed(column.allotted, 1) + "pt}" : column.place == 0 ? "l" : "r";
  return columns + "@{}";
}

std::string latex_line(const std::vector<LatexColumn>& part, const auto& text_of) {
  std::string line;
  for (const LatexColumn& column : part) line += (&column == &part.front() ? "" : " & ") + text_of(column);
  return line + " \\\\\n";
}

// A caption, and a note below the table.
struct LatexCaption {
  std::string caption, note;
};

// Splits a text into caption and note. The caption has the sentences that fit on two lines. If the first one is too
// long, the caption ends at a comma outside parentheses, and the note repeats the whole text.
LatexCaption latex_caption(const std::string& text) {
  // Width of two lines at a font size of one point, without "Table 10: " and unused space at line ends.
  const double room = (2 * page_width - 85) / 10;
  std::size_t sentence = 0, clause = 0;
  int open = 0;  // parentheses
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++open;
    if (text[at] == ')') --open;
    if (at + 1 < text.size() && text[at + 1] != ' ') continue;
    if (width_in_latex(text.substr(0, at + 1)) > room) break;
    const bool ends = text[at] == '.' &&
                      (at + 2 >= text.size() || std::isupper(static_cast<unsigned char>(text[at + 2])) != 0);
    if (ends) sentence = at + 1;
    if (open <= 0 && (text[at] == ',' || text[at] == ';' || text[at] == ':')) clause = at;
  }
  if (width_in_latex(text) <= room) return {text, ""};
  if (sentence > 0) return {text.substr(0, sentence), text.substr(std::min(sentence + 1, text.size()))};
  if (clause > 0) return {text.substr(0, clause) + ".", text};
  std::string first = wrapped(text, 110);
  first = first.substr(0, first.find('\n'));
  return {first + " \\ldots", text};
}

}  // namespace

std::string to_latex(const Table& table) {
  constexpr std::size_t rows_of_a_page = 32;
  const LatexLayout layout = latex_layout(table);
  const bool is_long = table.rows.size() * layout.parts.size() > rows_of_a_page;
  const LatexCaption told = latex_caption(legible(table.caption));
  const std::string caption =
      "\\caption{" + escape_latex(told.caption) + "}\\label{tab:" + file_name(table.name) + "}";
  const std::string note =
      told.note.empty() ? "" : "\\parbox{\\linewidth}{\\footnotesize " + escape_latex(told.note) + "}\n";
  std::string size = layout.size.command;
  if (layout.size.beside != sizes[0].beside)
    size += "\\setlength{\\tabcolsep}{" + fixed(layout.size.beside, 0) + "pt}";
  if (!size.empty()) size += "\n";
  std::string body;
  for (const auto& part : layout.parts) {
    const bool first = &part == &layout.parts.front();
    const std::string head = "\\toprule\n" + latex_line(part, latex_head) + "\\midrule\n";
    std::string rows;
    for (const auto& row : table.rows)
      rows +=
          latex_line(part, [&](const LatexColumn& column) { return latex_cell(row[column.place], column); });
    if (is_long)
      body += "\\begin{longtable}{" + latex_columns(part) + "}\n" + (first ? caption + " \\\\\n" : "") +
              head + "\\endhead\n" + rows + "\\bottomrule\n\\end{longtable}\n";
    else
      body += (first ? "" : "\\par\\medskip\n") + ("\\begin{tabular}{" + latex_columns(part)) + "}\n" + head +
              rows + "\\bottomrule\n\\end{tabular}\n";
  }
  if (is_long)
    return "% needs "
           "\\usepackage{booktabs,longtable}\n\\begingroup\n\\setlength{\\LTcapwidth}{\\linewidth}\n" +
           size + body + "\\endgroup\n" + (note.empty() ? "" : "\\noindent" + note);
  return "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n" + caption + "\\smallskip\n" + size +
         body + (note.empty() ? "" : "\\par\\smallskip\n" + note) + "\\end{table}\n";
}

namespace {

Cell p_cell(double p) { return p < 0.0001 ? scientific_cell(p) : cell(p, 4); }

}  // namespace

std::vector<Cell> lead_cells(const Lead& lead, int decimals) {
  return {interval_cell(lead.difference, decimals),
          p_cell(lead.test.p),
          p_cell(lead.corrected),
          cell(lead.delta, 2),
          cell(lead.d_z, 2),
          cell(static_cast<double>(lead.pairs), 0),
          cell(lead.clear ? "yes" : "no")};
}

Table leads_table(const Leads& leads, const std::string& pairing) {
  Table table{
      "leads",
      "Lead of the best method of each measure over every other method, paired " + pairing +
          ": the mean difference (best minus other) with its 95 % bootstrap interval, the two-sided p "
          "of the paired permutation test (all arrangements of signs for at most 20 pairs that differ, "
          "otherwise 9999 random ones), that p by Holm's correction over the " +
          std::to_string(leads.leads.size()) +
          " rows of this table, Cliff's delta and d_z (difference in standard deviations). A lead is clear "
          "with at least " +
          std::to_string(fewest_pairs) + " pairs, an interval beyond zero and a corrected p of at most 0.05.",
      {"measure", "best", "other", "difference", "p", "corrected p", "Cliff's delta", "d_z", "pairs",
       "clear"}};
  for (const Lead& lead : leads.leads) {
    const Measure& measure = leads.measures[lead.measure];
    table.rows.push_back({cell(measure.name), cell(leads.labels[lead.best]), cell(leads.labels[lead.other])});
    for (Cell& shown : lead_cells(lead, measure.decimals)) table.rows.back().push_back(std::move(shown));
  }
  return table;
}

void mark_winners(Table& table, const Leads& leads, const std::vector<std::size_t>& measures,
                  const std::vector<std::size_t>& columns) {
  for (std::size_t i = 0; i < measures.size(); ++i)
    if (leads.has_winner(measures[i])) table.rows[*leads.best[measures[i]]][columns[i]].winner = true;
}

std::string bold_policy(const std::string& others, const std::string& leads) {
  return "Bold (a star in plain text) marks the best of a column if its lead over every other " + others +
         " is clear (table " + leads + ").";
}

std::string table_policy() {
  return "Intervals: BCa (Efron 1987), for fewer than 10 values plain percentiles. Tied scores are in "
         "random order, and numbers are expectations over all orders. " +
         bold_policy("method", "leads");
}

}  // namespace engram::experiments
