// SPDX-License-Identifier: MIT
#include "experiments/pages/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/pages/page.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

std::string four_decimals(double number) {
  constexpr double unit = 1e4;
  return narsese::print_number(std::round(number * unit) / unit);
}

namespace {

std::string sentence_in_proof(const core::ProofLine& line) {
  if (!line.truth) return line.narsese;
  return line.narsese + " %" + four_decimals(line.truth->frequency) + ";" +
         four_decimals(line.truth->confidence) + "%";
}

std::string rule_in_proof(const core::ProofLine& line) {
  if (!line.truth) return "question";
  return line.premises.empty() ? "input" : std::string(line.rule);
}

void draw_premises(const std::vector<ProofStep>& steps, std::size_t at, const std::string& indent,
                   std::set<std::size_t>& drawn, std::string& text) {
  const std::vector<std::size_t>& premises = steps[at].premises;
  for (std::size_t i = 0; i < premises.size(); ++i) {
    core::require(premises[i] < at, "a premise must be an earlier step");
    const ProofStep& step = steps[premises[i]];
    const bool last = i + 1 == premises.size(),
               again = !drawn.insert(premises[i]).second && !step.premises.empty();
    text += indent + (last ? "└─ " : "├─ ") + step.sentence + "   (" + (again ? "proved above" : step.rule) +
            ")\n";
    if (!again) draw_premises(steps, premises[i], indent + (last ? "   " : "│  "), drawn, text);
  }
}

using core::Account;
using core::decimals;

std::string budget_text(const ExplainedItem& item) {
  return "priority " + fixed(item.budget.priority, 4) + ", durability " + fixed(item.budget.durability, 4) +
         ", quality " + fixed(item.budget.quality, 4);
}

std::string to_text(const ExplainedItem& item, std::size_t number) {
  std::string text = std::to_string(number) + ". " + item.name + "   (" + budget_text(item) + ")\n";
  for (const Account& account : item.accounts) {
    text += "   " + account.words + ": " + decimals(account.total) + " =\n";
    for (const Account::Part& part : account.parts)
      text += "     " + std::string(part.amount < 0 ? "" : " ") + decimals(part.amount) + "  " + part.words +
              "\n";
  }
  if (!item.separation.empty()) text += "   separation: " + item.separation + "\n";
  if (!item.path.empty()) text += "   way:";
  for (std::size_t i = 0; i < item.path.size(); ++i) text += (i > 0 ? " > " : " ") + item.path[i].words;
  if (!item.path.empty()) text += "\n";
  if (!item.proof.empty()) text += "   proof:\n";
  for (const core::ExplainedStep& step : item.proof)
    text += std::string(5 + 2 * std::size_t{step.depth}, ' ') + step.words + "  " + step.move + "\n";
  if (!item.note.empty()) text += "   note: " + item.note + "\n";
  return text;
}

// --- the page ------------------------------------------------------------------------------------

// Wraps a text to lines of about `width` characters, also without blanks.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;  // first byte of a code point
    const bool breaks =
        length >= width || (length + 12 >= width && i > 0 && (text[i - 1] == ',' || text[i - 1] == ' '));
    if (starts && breaks) {
      lines.emplace_back();
      length = 0;
    }
    lines.back() += text[i];
    length += starts ? 1 : 0;
  }
  return lines;
}

// Picture of a path from top to bottom: concepts in round boxes, statements in square ones, the target in colour.
std::string way_svg(const ExplainedItem& item) {
  constexpr double line = 17, edge = 8, gap = 34;
  std::string boxes, words;
  double y = edge;
  for (std::size_t i = 0; i < item.path.size(); ++i) {
    const core::Stop& stop = item.path[i];
    if (i > 0) {
      boxes += fill(R"(<path d="M30 {}V{}m-4 -6l4 6l4 -6"/>)", {y - gap, y - 5});
      const std::vector<std::string> how = lines_of(stop.how, 66);
      words += fill(R"(<text class="how" x="42" y="{}">{}</text>)",
                    {y - gap / 2 + 4, how.front() + (how.size() > 1 ? "…" : "")});
    }
    const std::vector<std::string> lines = lines_of(stop.words, 44);
    const double height = line * static_cast<double>(lines.size()) + 10;
    const bool target = stop.statement == item.statement && stop.id == item.id;
    boxes += fill(R"(<rect class="{}" x="8" y="{}" width="344" height="{}" rx="{}"/>)",
                  {target ? "target" : "stop", y, height, stop.statement ? 2 : 14});
    for (std::size_t l = 0; l < lines.size(); ++l)
      words += fill(R"(<text x="20" y="{}">{}</text>)", {y + line * static_cast<double>(l + 1), lines[l]});
    y += height + gap;
  }
  return fill(R"(<svg class="way" viewBox="0 0 360 {}" role="img" aria-label=")"
              R"(The strongest path from the cue to {}">{}</svg>)",
              {y - gap + edge, item.name, Markup{boxes + words}});
}

std::string account_html(const Account& account) {
  double largest = 0;
  for (const Account::Part& part : account.parts) largest = std::max(largest, std::abs(part.amount));
  std::string list;
  for (const Account::Part& part : account.parts)
    list += fill("<li>{}<b>{}</b> {}</li>",
                 {Markup{bar(std::abs(part.amount), largest, part.amount < 0 ? "bar less" : "bar")},
                  decimals(part.amount), part.words});
  return fill(R"(<h4>{}: {}</h4><ul class="parts">{}</ul>)",
              {account.words, decimals(account.total), Markup{list}});
}

// HTML list of the steps of a proof. The premises of a step follow it with a deeper indentation.
std::string proof_html(const ExplainedItem& item) {
  std::string html = "<h4>the proof that determines the score</h4><ul class=\"parts\">";
  for (const core::ExplainedStep& step : item.proof)
    html += fill(R"(<li style="margin-left: {}em"><code>{}</code> <small>{}</small></li>)",
                 {2 * std::size_t{step.depth}, step.words, step.move});
  return html + "</ul>";
}

std::string item_html(const ExplainedItem& item, std::size_t number) {
  std::string html;
  for (const Account& account : item.accounts) html += account_html(account);
  for (const auto& [heading, text] : {std::pair("separation", item.separation), {"note", item.note}})
    if (!text.empty()) html += fill(R"(<h4>{}</h4><p class="parts">{}</p>)", {heading, text});
  html = "<section class=\"card\">" + html + "</section>";
  if (!item.path.empty())
    html += "<section class=\"card\"><h4>the strongest path from the cue</h4>" + way_svg(item) + "</section>";
  if (!item.proof.empty()) html += "<section class=\"card\">" + proof_html(item) + "</section>";
  return details(number <= 2,
                 fill("{}. <code>{}</code> <small>{}</small>", {number, item.name, budget_text(item)}),
                 "<div class=\"pair\">" + html + "</div>");
}

std::string items_html(const std::string& heading, const std::vector<ExplainedItem>& items) {
  std::string html = "<h3>" + heading + "</h3>\n";
  for (std::size_t i = 0; i < items.size(); ++i) html += item_html(items[i], i + 1);
  return items.empty() ? html + "<p>none</p>\n" : html;
}

}  // namespace

std::string proof_text(const std::vector<ProofStep>& steps) {
  core::require(!steps.empty(), "a proof has a step");
  std::string text = steps.back().sentence + "   (" + steps.back().rule + ")\n";
  std::set<std::size_t> drawn;
  draw_premises(steps, steps.size() - 1, "", drawn, text);
  return text;
}

std::string proof_text(const core::ProvenAnswer& answer) {
  std::vector<ProofStep> steps;
  for (const core::ProofLine& line : answer.proof)
    steps.push_back({sentence_in_proof(line), rule_in_proof(line), line.premises});
  return proof_text(steps);
}

std::string to_text(const ExplainedRecall& recall) {
  std::string text;
  for (const bool statements : {false, true}) {
    text += (statements ? "\nwhy, by " : "why, by ") + recall.method +
            (statements ? ": statements\n" : ": concepts\n");
    std::size_t number = 0;
    for (const ExplainedItem& item : statements ? recall.statements : recall.concepts)
      text += to_text(item, ++number);
  }
  return text;
}

std::string explanation_html(const std::string& cue, const std::optional<std::string>& after,
                             const std::vector<ExplainedRecall>& recalls) {
  std::string html = fill(
      "<h1>Why this budget?</h1>\n<p class=\"answer\">Cue: {}{}</p>\n<p>Every number is the sum of the "
      "numbers below. The share of the budget is the probability that a bag, which picks items in proportion "
      "to their priority, picks this item next among the items shown. The score is the result of the "
      "method.</p>\n",
      {Markup{code(cue)}, Markup{after ? ", after " + code(*after) : ""}});
  for (const ExplainedRecall& recall : recalls)
    html += fill("<h2>{}</h2>\n<p><small>{}</small></p>\n{}{}",
                 {recall.method, recall.summary, Markup{items_html("concepts", recall.concepts)},
                  Markup{items_html("statements", recall.statements)}});
  return page_html("Engram: why this budget?", html);
}

}  // namespace engram::experiments
