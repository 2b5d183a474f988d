// SPDX-License-Identifier: MIT
#include "experiments/pages/memory_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/budgets/budget_allocator.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

using core::ConceptId;

constexpr std::size_t moments = 24;
constexpr std::size_t most_lines = 8;  // limit of distinguishable colours and dashes
constexpr std::size_t most_links = 40;
constexpr std::size_t most_statements = 5000;
constexpr std::size_t longest_node_name = 80;  // code points in pictures

// Budgets of the concepts and weights of the links at one moment.
struct Moment {
  std::size_t sentences = 0;
  std::map<ConceptId, narsese::BudgetValue> budgets;
  std::vector<double> weights;  // one for each link, by its index
};

Moment look(const core::Memory& memory, std::size_t sentences, const std::set<std::string>& cue,
            const MethodChoice& method) {
  Moment moment{sentences, {}, {}};
  const core::MemoryIndex readings(memory);
  core::Vector activation = core::Vector::Zero(readings.concepts());
  for (const ConceptId id : readings.active_concepts())
    if (cue.contains(narsese::print(memory.graph()[id].term))) activation[id] = 1;
  const core::Recall recall = method.method.recall(readings, core::Cue(activation));
  for (const core::Allocation& a : core::allocate_concepts(memory, readings, recall, memory.graph().size()))
    moment.budgets.emplace(a.id, a.budget);
  for (const core::HebbianLink& link : memory.graph().hebbian_links())
    moment.weights.push_back(memory.graph().weight(link, memory.now()));
  return moment;
}

// Indices of the largest positive values. Lower indices win ties.
std::vector<std::size_t> largest(const std::vector<double>& values, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  order.resize(std::min(order.size(), count));
  return order;
}

Json concepts_json(const std::vector<Moment>& all, const core::ConceptGraph& graph) {
  std::vector<double> peaks(graph.size(), 0.0);
  for (const Moment& moment : all)
    for (const auto& [id, budget] : moment.budgets) peaks[id] = std::max(peaks[id], budget.priority);
  Json concepts = Json::array();
  for (const std::size_t id : largest(peaks, most_lines)) {
    Json entry = {{"term", narsese::print(graph[static_cast<ConceptId>(id)].term)}};
    for (const Moment& moment : all) {
      const auto found = moment.budgets.find(static_cast<ConceptId>(id));
      const narsese::BudgetValue budget =
          found == moment.budgets.end() ? narsese::BudgetValue{0, 0, 0} : found->second;
      entry["priority"].push_back(budget.priority);
      entry["durability"].push_back(budget.durability);
      entry["quality"].push_back(budget.quality);
    }
    concepts.push_back(std::move(entry));
  }
  return concepts;
}

Json links_json(const std::vector<Moment>& all, const core::ConceptGraph& graph) {
  Json links = Json::array();
  const core::HebbianLinks held = graph.hebbian_links();
  for (const std::size_t i : largest(all.back().weights, most_lines)) {
    const core::HebbianLink link = held[i];
    Json entry = {
        {"between", {narsese::print(graph[link.source].term), narsese::print(graph[link.target].term)}}};
    for (const Moment& moment : all)
      entry["weight"].push_back(i < moment.weights.size() ? moment.weights[i] : 0.0);
    links.push_back(std::move(entry));
  }
  return links;
}

Json graph_json(const Moment& last, const core::ConceptGraph& graph) {
  Json nodes = Json::array(), links = Json::array();
  std::map<ConceptId, std::size_t> places;
  const auto place_of = [&](ConceptId id) {
    const auto [place, is_new] = places.emplace(id, places.size());
    if (is_new) {
      const auto budget = last.budgets.find(id);
      nodes.push_back({{"term", narsese::print(graph[id].term)},
                       {"priority", budget == last.budgets.end() ? 0.0 : budget->second.priority}});
    }
    return place->second;
  };
  const core::HebbianLinks held = graph.hebbian_links();
  for (const std::size_t i : largest(last.weights, most_links)) {
    const core::HebbianLink link = held[i];
    const std::size_t source = place_of(link.source), target = place_of(link.target);
    links.push_back({source, target, last.weights[i]});
  }
  return {{"nodes", nodes}, {"links", links}, {"of_links", held.size()}};
}

Plot::Series series(const std::string& label, const Json& x, const Json& y) {
  Plot::Series line{label};
  for (std::size_t i = 0; i < x.size(); ++i) line.add(x.at(i).get<double>(), y.at(i).get<double>());
  return line;
}

// Graphviz script of the graph, drawn as in the live window (bridge/window): the area of a circle is the priority, the
// width of a line is the weight, and names are below circles. The layout starts from a fixed seed.
std::string dot_script(const Json& graph, const std::string& name, const std::string& title) {
  double strongest = 0;
  for (const Json& link : graph.at("links")) strongest = std::max(strongest, link.at(2).get<double>());
  constexpr double letters = 17, points = 72;
  std::size_t longest = 0;
  std::vector<std::string> names;
  for (const Json& node : graph.at("nodes")) {
    names.push_back(shortened(legible(node.at("term").get<std::string>()), longest_node_name));
    longest = std::max(longest, narsese::count_code_points(names.back()));
  }
  // Width of a margin for the longest name, because Graphviz reserves no room for names at the rim.
  const double rim = 0.1 + 0.27 * static_cast<double>(longest) * letters / points;
  std::string out =
      "graph " + quote_dot(name) + " {\n  graph [id=" + quote_dot(name) +
      ", layout=neato, start=1, overlap=false, splines=line, sep=\"+4\", outputorder=edgesfirst, "
      "bgcolor=white, size=\"7,7\", pad=\"" +
      fixed(rim, 2) + ",0.3\", tooltip=" + quote_dot(title) +
      "]\n  node [shape=circle, fixedsize=shape, style=filled, fillcolor=\"#9cc4e4\", "
      "color=\"#0a5c9e\", fontname=\"sans-serif\", fontsize=17]\n"
      "  edge [color=\"#8794a1\"]\n";
  for (std::size_t i = 0; i < graph.at("nodes").size(); ++i) {
    const Json& node = graph.at("nodes")[i];
    const double width = 0.12 + 0.6 * std::sqrt(node.at("priority").get<double>());
    const std::string id = std::to_string(i), term = node.at("term").get<std::string>();
    // Graphviz centres a label in its circle. Empty lines before it move it down.
    std::string lines;
    for (double down = 0; down < width / 2 * points + 6; down += 0.6 * letters) lines += "\\n";
    out += "  n" + id + " [id=" + quote_dot(name + "-n" + id) + ", width=" + fixed(width, 3) + ", label=\"" +
           lines + quote_dot(names[i]).substr(1) +
           ", tooltip=" + quote_dot(term + ": priority " + fixed(node.at("priority").get<double>(), 3)) +
           "]\n";
  }
  for (std::size_t i = 0; i < graph.at("links").size(); ++i) {
    const Json& link = graph.at("links")[i];
    const double weight = link.at(2).get<double>();
    out += "  n" + std::to_string(whole(link.at(0))) + " -- n" + std::to_string(whole(link.at(1))) +
           " [id=" + quote_dot(name + "-e" + std::to_string(i)) +
           ", penwidth=" + fixed(0.5 + 3.5 * weight / strongest, 2) +
           ", tooltip=" + quote_dot("weight " + fixed(weight, 3)) + "]\n";
  }
  return out + "}\n";
}

}  // namespace

Json history_json(const Corpus& corpus, const core::MemoryOptions& options,
                  const std::vector<std::string>& cue, const MethodChoice& method) {
  if (corpus.said.empty() || corpus.said.size() > most_statements) return nullptr;
  const std::set<std::string> names(cue.begin(), cue.end());
  core::Memory memory(options);
  std::vector<Moment> all;
  for (std::size_t i = 0; i < corpus.said.size(); ++i) {
    const auto sentence = narsese::parse_sentence(narsese::print(corpus.said[i]), memory.terms());
    if (!sentence) throw std::logic_error("cannot read again: " + narsese::print(corpus.said[i]));
    static_cast<void>(memory.accept(*sentence));  // rejects the same sentences as when the file was loaded
    const std::size_t steps = std::min(moments, corpus.said.size());
    if ((i + 1) * steps / corpus.said.size() > i * steps / corpus.said.size())
      all.push_back(look(memory, i + 1, names, method));
  }
  Json history = {{"method", method.label}, {"cue", cue}};
  for (const Moment& moment : all) history["sentences"].push_back(moment.sentences);
  history["concepts"] = concepts_json(all, memory.graph());
  history["links"] = links_json(all, memory.graph());
  history["graph"] = graph_json(all.back(), memory.graph());
  return history;
}

void add_history(const Json& history, std::size_t number, const std::string& path, Conclusion& conclusion) {
  const std::string file = std::filesystem::path(path).filename().string();
  const Json& sentences = history.at("sentences");
  Plot budgets{"budgets_" + std::to_string(number), "Budgets while " + file + " was read", "sentences read",
               "priority"};
  budgets.bars = false;
  for (const Json& entry : history.at("concepts"))
    budgets.series.push_back(series(entry.at("term").get<std::string>(), sentences, entry.at("priority")));
  std::string cue;
  for (const Json& name : history.at("cue")) cue += (cue.empty() ? "" : ", ") + name.get<std::string>();
  budgets.note_html = fill(
      "<p><small>Priorities that {} gives to concepts for the first cue of the file ({}), while the file was "
      "read. The plot shows the concepts with the highest priorities. Durability and quality are in {} under "
      "history.</small></p>\n",
      {history.at("method").get<std::string>(), cue, Markup{link("results.jsonl")}});
  Plot links{"links_" + std::to_string(number), "Hebbian links while " + file + " was read", "sentences read",
             "weight"};
  links.bars = links.shares = false;
  for (const Json& entry : history.at("links"))
    links.series.push_back(series(
        entry.at("between").at(0).get<std::string>() + " – " + entry.at("between").at(1).get<std::string>(),
        sentences, entry.at("weight")));
  for (Plot* plot : {&budgets, &links})
    if (!plot->series.empty()) conclusion.plots.push_back(std::move(*plot));
  const Json& graph = history.at("graph");
  if (graph.at("links").empty()) return;
  const std::string name = "graph_" + std::to_string(number);
  const std::string title =
      "The " + std::to_string(graph.at("links").size()) + " strongest of " + graph.at("of_links").dump() +
      " Hebbian links after reading " + file +
      ". Wider lines are stronger links. The area of a circle is the priority of its concept for the first "
      "cue of the file.";
  conclusion.graphs.push_back({name, title, dot_script(graph, name, title)});
}

namespace {

// For each forgetting policy, the statements that it keeps when the memory is full.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kept_by{{
    {"learnt", "the statements that it expects to come up again"},
    {"recent", "the statements entered last"},
    {"frequent", "the statements entered most often"},
    {"useful", "the statements entered often and recently, by ONA's formula of usefulness"},
    {"evidence", "the statements with the most evidence"},
    {"random", "random statements"},
}};
struct Reason {
  std::string_view name, text, lane;  // wording in the JSON, in a sentence, and in the picture
};
constexpr std::array<Reason, 5> reasons{{
    {"concepts", "there was no room for another concept", "no room: concepts"},
    {"links", "there was no room for another link", "no room: links"},
    {"statements", "there was no room for another statement", "no room: statements"},
    {"bytes", "all bytes were in use", "no room: bytes"},
    {"decayed", "their evidence had decayed", "decayed"},
}};

std::string times_text(std::uint64_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

std::string summary_html(const Json& forgotten) {
  const auto policy = forgotten.at("policy").get<std::string>();
  const auto* const kept =
      std::ranges::find(kept_by, policy, &std::pair<std::string_view, std::string_view>::first);
  const Json& times = forgotten.at("times");
  std::string why;
  for (const Reason& reason : reasons)
    if (times.contains(reason.name))
      why += (why.empty() ? "" : "; ") + times_text(whole(times.at(std::string(reason.name)))) + " because " +
             std::string(reason.text);
  return fill(
      "<p>The memory forgot {} statements, {} concepts and {} links: {}. When the memory is full, the policy "
      "{} keeps {}. {} statements are left.</p>\n",
      {whole(forgotten.at("statements")), whole(forgotten.at("concepts")), whole(forgotten.at("links")), why,
       Markup{code(policy)}, kept == kept_by.end() ? std::string_view("some statements") : kept->second,
       whole(forgotten.at("held"))});
}

constexpr double width = 640, left = 120, right = 8, top = 8, curve_height = 120, lane_height = 14;

// Picture of the number of statements over cycles. Below it, a lane for each reason marks when it caused forgetting.
std::string picture(const Json& forgotten) {
  const Json& moments = forgotten.at("moments");
  double last = std::max(1.0, forgotten.at("cycles").get<double>()), most = 1;
  for (const Json& moment : moments) {
    most = std::max(most, moment.at("before").get<double>());
    last = std::max(last, moment.at("to").get<double>());
  }
  most = std::max(most, forgotten.at("held").get<double>());
  const auto x = [&](const Json& cycle) {
    return left + (width - left - right) * cycle.get<double>() / last;
  };
  const double bottom = top + curve_height;
  const auto y = [&](const Json& statements) {
    return bottom - curve_height * statements.get<double>() / most;
  };
  std::string points = fill("{},{}", {left, bottom}), marks;
  for (const Json& moment : moments)
    points += fill(" {},{} {},{}",
                   {x(moment.at("from")), y(moment.at("before")), x(moment.at("to")), y(moment.at("left"))});
  points += fill(" {},{}", {x(forgotten.at("cycles")), y(forgotten.at("held"))});
  double lane = bottom + 2 * lane_height;
  for (const Reason& reason : reasons) {
    if (!forgotten.at("times").contains(reason.name)) continue;
    marks += fill(R"(<text x="{}" y="{}" text-anchor="end">{}</text>)", {left - 6, lane + 4, reason.lane});
    for (const Json& moment : moments)
      if (moment.at("times").contains(reason.name))
        marks += fill(R"(<path class="mark" d="M{} {}V{}"/>)",
                      {x(moment.at("to")), lane - lane_height / 2 + 2, lane + lane_height / 2 - 2});
    lane += lane_height;
  }
  return fill(R"svg(<figure class="forgotten"><svg viewBox="0 0 {} {}" role="img"
aria-label="statements in memory over time"><path class="axis" d="M{} {}V{}H{}"/><polyline points="{}"/>
<text x="{}" y="{}" text-anchor="end">statements {}</text><text x="{}" y="{}" text-anchor="end">0</text>
<text x="{}" y="{}">cycle 0</text><text x="{}" y="{}" text-anchor="end">{}</text>{}</svg>
<figcaption>Statements in memory over time. At each fall the memory forgot; the marks below show the
reason.</figcaption></figure>
)svg",
              {width, lane, left, top, bottom, width - right, Markup{points}, left - 6, top + 8,
               fixed(most, 0), left - 6, bottom, left, bottom + lane_height, width - right,
               bottom + lane_height, fixed(last, 0), Markup{marks}});
}

std::string moments_html(const Json& forgotten) {
  std::string rows;
  for (const Json& moment : forgotten.at("moments")) {
    std::size_t times = 0;
    for (const auto& [name, count] : moment.at("times").items()) times += whole(count);
    std::string why, examples;
    for (const Reason& reason : reasons)
      if (moment.at("times").contains(reason.name))
        why += (why.empty() ? "" : ", ") + std::string(reason.lane);
    for (const Json& example : moment.at("examples"))
      examples += (examples.empty() ? "" : ", ") + code(example.get<std::string>());
    const std::string from = moment.at("from").dump(), to = moment.at("to").dump();
    rows += fill(
        "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td class=\"prose\">{}</td></tr>\n",
        {from == to ? from : from + "–" + to, why, times, whole(moment.at("statements")),
         whole(moment.at("concepts")), whole(moment.at("links")), whole(moment.at("left")),
         Markup{examples}});
  }
  return "<figure class=\"table\"><figcaption>Times of forgetting; a row of a long history merges several. "
         "Examples are the forgotten statements that were entered last.</figcaption>"
         "<div class=\"scroll\"><table><thead><tr><th>cycle</th><th>reason</th><th>times</th>"
         "<th>statements</th><th>concepts</th><th>links</th><th>left</th>"
         "<th class=\"prose\">examples</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></figure>\n";
}

}  // namespace

std::string forgotten_html(const Json& forgotten) {
  if (forgotten.at("moments").empty())
    return "<p>Nothing: no limit was reached, and no evidence had decayed.</p>\n";
  return summary_html(forgotten) + picture(forgotten) +
         details(forgotten.at("moments").size() <= 12, "Cycles, reasons and examples",
                 moments_html(forgotten));
}

}  // namespace engram::experiments
