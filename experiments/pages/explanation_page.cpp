// SPDX-License-Identifier: MIT
#include "experiments/pages/explanation_page.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/numbers/numeric.hpp"
#include "experiments/pages/report.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

using core::Account;
using core::TransferReason;

constexpr std::size_t most_transfers = 1000000;

std::string decimals(double number) {
  return std::abs(number) >= 1e-4 || number == 0 ? cell(number, 6).text : scientific_cell(number).text;
}

// How a share of the budget came about: what there was, and every kind of transfer.
Account share_account(double share, double before, const std::map<TransferReason, double>& transfers,
                      const std::string& similarity) {
  std::vector<Account::Part> parts{{"budget before", before}};
  for (const auto& [reason, amount] : transfers) {
    std::string words;
    switch (reason) {
      case TransferReason::first:
        words = "there was no budget before: all alike";
        break;
      case TransferReason::decay:
        words = "decay: the budget before fades towards equal shares, by its durability";
        break;
      case TransferReason::similarity:
        words = similarity;
        break;
      case TransferReason::link:
        words = "links: from concepts that only conduct";
        break;
      case TransferReason::capacity:
        words = "capacity: what does not stay gives up what it has";
        break;
    }
    parts.push_back({words, amount});
  }
  std::erase_if(parts, [](const Account::Part& part) { return part.amount == 0; });
  double told = 0;
  for (const Account::Part& part : parts) told += part.amount;
  if (std::abs(share - told) > 1e-12)  // in a memory of more items than transfers are kept
    parts.push_back({"transfers too small to be kept", share - told});
  return {"share of the budget", share, parts};
}

// The items of one kind, best first.
std::vector<ExplainedItem> items(core::Session& session, const core::Recall& recall,
                                 const core::Explainer& explainer, core::AllocationOptions options) {
  const bool of_concepts = options.of == core::AllocationOf::concepts;
  const core::Vector before = session.budget(options.of);
  core::TransferLog log(most_transfers);
  const auto allocations = session.allocate(recall, options, &log);
  const core::Vector& scores = of_concepts ? recall.concepts : recall.statements;
  const core::Vector& shares = session.budget(options.of);
  const double all = core::sum(scores);
  std::map<std::uint32_t, std::map<TransferReason, double>> transfers;
  for (const core::Transfer& each : log.transfers()) {
    if (each.from) transfers[*each.from][each.reason] -= each.amount;
    if (each.to) transfers[*each.to][each.reason] += each.amount;
  }
  std::vector<ExplainedItem> items;
  for (const core::Allocation& each : allocations) {
    const core::Explanation why =
        of_concepts ? explainer.of_concept(each.id) : explainer.of_statement(each.id);
    ExplainedItem item;
    item.name = of_concepts ? narsese::print(session.memory().graph()[each.id].term)
                            : narsese::print(session.memory().statements()[each.id].sentence);
    item.budget = each.budget;
    item.score = scores[each.id];
    const std::string similarity = options.prior ? "similarity to the cue: score " + decimals(item.score) +
                                                       ", the best has " + decimals(core::max(scores))
                                                 : "similarity to the cue: score " + decimals(item.score) +
                                                       " of " + decimals(all) + " in all";
    const double had = options.prior && each.id < before.size() ? before[each.id] : 0.0;
    item.accounts.push_back(share_account(shares[each.id], had, transfers[each.id], similarity));
    for (Account account : why.accounts) {
      if (item.accounts.size() == 1) account.words = "score: " + account.words;
      item.accounts.push_back(std::move(account));
    }
    item.separation = why.separation;
    item.note = why.note;
    item.path = why.path;
    item.target = {!of_concepts, each.id, item.name, ""};
    items.push_back(std::move(item));
  }
  return items;
}

bool is_target(const core::Stop& stop, const ExplainedItem& item) {
  return stop.statement == item.target.statement && stop.id == item.target.id;
}

std::string budget_text(const ExplainedItem& item) {
  return "priority " + cell(item.budget.priority, 4).text + ", durability " +
         cell(item.budget.durability, 4).text + ", quality " + cell(item.budget.quality, 4).text;
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
  if (!item.note.empty()) text += "   note: " + item.note + "\n";
  return text;
}

Json to_json(const ExplainedItem& item) {
  Json json = {{item.target.statement ? "narsese" : "term", item.name},
               {"priority", item.budget.priority},
               {"durability", item.budget.durability},
               {"quality", item.budget.quality},
               {"score", item.score},
               {"accounts", Json::array()},
               {"path", Json::array()}};
  for (const Account& account : item.accounts) {
    Json parts = Json::array();
    for (const Account::Part& part : account.parts)
      parts.push_back({{"words", part.words}, {"amount", part.amount}});
    json["accounts"].push_back({{"words", account.words}, {"total", account.total}, {"parts", parts}});
  }
  for (const core::Stop& stop : item.path)
    json["path"].push_back({{stop.statement ? "narsese" : "term", stop.words}, {"how", stop.how}});
  if (!item.separation.empty()) json["separation"] = item.separation;
  if (!item.note.empty()) json["note"] = item.note;
  return json;
}

// --- the page
// -------------------------------------------------------------------------------------------------

// Lines of at most so many characters, also where there are no blanks to break at.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;  // of a code point
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

// The way from top to bottom: concepts in round boxes, statements in square ones, the target in colour.
std::string way_svg(const ExplainedItem& item) {
  constexpr double width = 360, line = 17, edge = 8, gap = 34;
  std::string boxes, words;
  double y = edge;
  for (std::size_t i = 0; i < item.path.size(); ++i) {
    const core::Stop& stop = item.path[i];
    if (i > 0) {
      const std::string from = cell(y - gap, 1).text, to = cell(y - 5, 1).text;
      boxes += "<path d=\"M30 " + from + "V" + to + "m-4 -6l4 6l4 -6\"/>";
      const std::vector<std::string> how = lines_of(stop.how, 66);
      words += "<text class=\"how\" x=\"42\" y=\"" + cell(y - gap / 2 + 4, 1).text + "\">" +
               escape_html(how.front() + (how.size() > 1 ? "…" : "")) + "</text>";
    }
    const std::vector<std::string> lines = lines_of(stop.words, 44);
    const double height = line * static_cast<double>(lines.size()) + 10;
    boxes += "<rect" + std::string(is_target(stop, item) ? " class=\"target\"" : "") + " x=\"8\" y=\"" +
             cell(y, 1).text + "\" width=\"" + cell(width - 16, 1).text + "\" height=\"" +
             cell(height, 1).text + "\" rx=\"" + (stop.statement ? "2" : "14") + "\"/>";
    for (std::size_t l = 0; l < lines.size(); ++l)
      words += "<text x=\"20\" y=\"" + cell(y + 17 + line * static_cast<double>(l), 1).text + "\">" +
               escape_html(lines[l]) + "</text>";
    y += height + gap;
  }
  return "<svg class=\"way\" viewBox=\"0 0 360 " + cell(y - gap + edge, 1).text +
         "\" role=\"img\" aria-label=\"The strongest way from the cue to " + escape_html(item.name) + "\">" +
         boxes + words + "</svg>";
}

std::string account_html(const Account& account) {
  double largest = 0;
  for (const Account::Part& part : account.parts) largest = std::max(largest, std::abs(part.amount));
  std::string html =
      "<h4>" + escape_html(account.words) + ": " + decimals(account.total) + "</h4><ul class=\"parts\">";
  for (const Account::Part& part : account.parts)
    html += "<li><span class=\"bar" + std::string(part.amount < 0 ? " less" : "") +
            "\" style=\"width:" + cell(largest > 0 ? 100 * std::abs(part.amount) / largest : 0, 1).text +
            "%\"></span><b>" + decimals(part.amount) + "</b> " + escape_html(part.words) + "</li>";
  return html + "</ul>";
}

std::string item_html(const ExplainedItem& item, std::size_t number, bool open) {
  std::string html = "<details" + std::string(open ? " open" : "") + "><summary>" + std::to_string(number) +
                     ". <code>" + escape_html(item.name) + "</code> <small>" + budget_text(item) +
                     "</small></summary><div class=\"pair\"><section class=\"card\">";
  for (const Account& account : item.accounts) html += account_html(account);
  if (!item.separation.empty())
    html += "<h4>separation</h4><p class=\"parts\">" + escape_html(item.separation) + "</p>";
  if (!item.note.empty()) html += "<h4>note</h4><p class=\"parts\">" + escape_html(item.note) + "</p>";
  html += "</section>";
  if (!item.path.empty())
    html += "<section class=\"card\"><h4>the strongest way from the cue</h4>" + way_svg(item) + "</section>";
  return html + "</div></details>\n";
}

std::string items_html(const std::string& heading, const std::vector<ExplainedItem>& items) {
  std::string html = "<h3>" + heading + "</h3>\n";
  if (items.empty()) return html + "<p>none</p>\n";
  for (std::size_t i = 0; i < items.size(); ++i) html += item_html(items[i], i + 1, i < 2);
  return html;
}

}  // namespace

ExplainedRecall explain_recall(core::Session& session, const core::Method& method, const core::Cue& cue,
                               const core::Recall& recall, std::size_t top, bool with_prior) {
  const auto explainer = core::explain(method, {}, session.readings(), cue, recall);
  core::AllocationOptions options;
  options.cut.capacity = top;
  options.prior = with_prior;
  options.policy = core::TermPolicy(session.memory().options().activation);
  ExplainedRecall explained{method.name, method.summary, with_prior, {}, {}};
  explained.concepts = items(session, recall, *explainer, options);
  options.of = core::AllocationOf::statements;
  explained.statements = items(session, recall, *explainer, options);
  return explained;
}

std::string to_text(const ExplainedRecall& recall) {
  std::string text = "why, by " + recall.method + ": concepts\n";
  for (std::size_t i = 0; i < recall.concepts.size(); ++i) text += to_text(recall.concepts[i], i + 1);
  text += "\nwhy, by " + recall.method + ": statements\n";
  for (std::size_t i = 0; i < recall.statements.size(); ++i) text += to_text(recall.statements[i], i + 1);
  return text;
}

Json to_json(const ExplainedRecall& recall) {
  Json json = {{"concepts", Json::array()}, {"statements", Json::array()}};
  for (const ExplainedItem& item : recall.concepts) json["concepts"].push_back(to_json(item));
  for (const ExplainedItem& item : recall.statements) json["statements"].push_back(to_json(item));
  return json;
}

std::string explanation_html(const std::string& cue, const std::optional<std::string>& after,
                             const std::vector<ExplainedRecall>& recalls) {
  std::string html =
      "<h1>Why this budget?</h1>\n<p class=\"answer\">Cue: <code>" + escape_html(cue) + "</code>";
  if (after) html += ", after <code>" + escape_html(*after) + "</code>";
  html +=
      "</p>\n<p>Every number is the sum of those under it. The share of the budget is the chance that a bag "
      "which "
      "picks in proportion to priority picks this one next, among those shown; the score is what the method "
      "recalled.</p>\n";
  for (const ExplainedRecall& recall : recalls)
    html += "<h2>" + escape_html(recall.method) + "</h2>\n<p><small>" + escape_html(recall.summary) +
            "</small></p>\n" + items_html("concepts", recall.concepts) +
            items_html("statements", recall.statements);
  return page_html("Engram: why this budget?", html);
}

}  // namespace engram::experiments
