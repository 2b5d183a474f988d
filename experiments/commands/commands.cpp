// SPDX-License-Identifier: MIT
#include "experiments/commands/commands.hpp"

#include <algorithm>
#include <boost/graph/graphml.hpp>
#include <fstream>
#include <iostream>

#include "bridge/json/recall_json.hpp"
#include "core/graph/concept_graph_bgl.hpp"
#include "core/numbers/rank.hpp"
#include "core/session/session.hpp"
#include "experiments/reports/explanation_page.hpp"
#include "experiments/runs/files.hpp"
#include "experiments/runs/run.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// All files into one memory, as one stream of experience.
ExitCode read_files(const std::vector<std::string>& files, core::Session& session) {
  Rejections rejections;
  for (const std::string& name : files) {
    std::ifstream file = open_stream(name);
    for (const core::RejectedLine& line : session.input(file).rejected) rejections.emplace_back(name, line);
    require_whole(file, name);
  }
  return report_rejections(rejections);
}

}  // namespace

ExitCode report_rejections(const Rejections& rejections) {
  constexpr std::size_t most = 100;
  for (std::size_t i = 0; i < std::min(rejections.size(), most); ++i) {
    const auto& [file, line] = rejections[i];
    std::cerr << file << ':' << line.line << ':' << line.column << ": error: " << line.message << '\n';
  }
  if (rejections.size() > most) std::cerr << "... and " << rejections.size() - most << " more errors\n";
  return rejections.empty() ? done : input_errors;
}

namespace {

// A cue of the command line; nothing where it is no Narsese, which has been told.
std::optional<core::Cue> cue_of(core::Session& session, const char* option, const std::string& text) {
  auto cue = session.cue(text);
  if (cue) return std::move(cue).value();
  std::cerr << option << ':' << cue.error().line << ':' << cue.error().column
            << ": error: " << cue.error().message() << '\n';
  return {};
}

// Budgets for one cue, such that they are the budgets before of the next.
void allocate_for(core::Session& session, const core::Method& method, const core::Cue& cue) {
  core::AllocationOptions options;
  options.cut.capacity = std::max(session.memory().graph().size(), session.memory().statements().size());
  const core::Recall recall = session.recall(method, {}, cue);
  for (const core::AllocationOf of : {core::AllocationOf::concepts, core::AllocationOf::statements}) {
    options.of = of;
    session.allocate(recall, options);
  }
}

}  // namespace

ExitCode recall_command(const RecallArguments& arguments) {
  core::Session session(memory_of_bytes(arguments.memory));
  const ExitCode code = [&] {
    const core::Session::Request reading(session);
    return read_files(arguments.files, session);
  }();
  const core::Session::Request request(session);  // may take what the files have left
  const auto cue = cue_of(session, "--cue", arguments.cue);
  const auto after =
      arguments.after.empty() ? std::optional(core::Cue()) : cue_of(session, "--after", arguments.after);
  if (!cue || !after) return input_errors;
  if (!arguments.after.empty() && !(after->array() > 0).any())
    std::cerr << "engram: the memory knows nothing of the cue of --after\n";
  const bool explained = arguments.explain || !arguments.report.empty() || !arguments.after.empty();
  std::vector<ExplainedRecall> explanations;
  if (!((*cue).array() > 0).any()) std::cerr << "engram: the memory knows nothing of the cue\n";
  const core::Memory& memory = session.memory();
  Json results = Json::array();
  for (const std::string& name : arguments.methods) {
    const core::Method& method = *core::find_method(name);
    const core::Recall recall = session.recall(method, {}, *cue);
    Table concepts{"", "", {"concept", name}, {}}, statements{"", "", {"statement", name}, {}};
    Json json = {{"method", name},
                 {"concepts", bridge::activations_json(memory, recall.concepts, arguments.top)},
                 {"statements", Json::array()}};
    for (const Json& found : json["concepts"])
      concepts.rows.push_back(
          {cell(found.at("term").get<std::string>()), cell(found.at("value").get<double>(), 6)});
    for (const auto id : core::rank(recall.statements, arguments.top)) {
      const std::string sentence = narsese::print(memory.statements()[id].sentence);
      statements.rows.push_back({cell(sentence), cell(recall.statements[id], 6)});
      json["statements"].push_back({{"narsese", sentence}, {"value", recall.statements[id]}});
    }
    bridge::add_course(json, recall);
    if (explained) {
      if (!arguments.after.empty()) allocate_for(session, method, *after);
      explanations.push_back(
          explain_recall(session, method, *cue, recall, arguments.top, !arguments.after.empty()));
      json["explanation"] = to_json(explanations.back());
    }
    results.push_back(json);
    if (arguments.json) continue;
    std::cout << to_text(concepts) << '\n' << to_text(statements) << '\n';
    if (recall.certificate) std::cout << name << ": " << certificate_text(json["certificate"]) << "\n\n";
    if (recall.period == 2) std::cout << name << ": two states alternate; this is one of them\n\n";
    if (explained) std::cout << to_text(explanations.back()) << '\n';
  }
  if (arguments.json) std::cout << results.dump(2) << '\n';
  if (!arguments.report.empty())
    write_file(arguments.report,
               explanation_html(arguments.cue,
                                arguments.after.empty() ? std::nullopt : std::optional(arguments.after),
                                explanations));
  return code;
}

namespace {

Json graph_json(const core::Memory& memory) {
  const core::ConceptGraph& graph = memory.graph();
  Json json = {{"concepts", Json::array()}, {"hebbian_links", Json::array()}, {"term_links", Json::array()}};
  const auto name = [&](core::ConceptId id) { return narsese::print(graph[id].term); };
  for (core::ConceptId id = 0; id < graph.size(); ++id)
    json["concepts"].push_back({{"term", name(id)}, {"activity", graph.activity(id, memory.now())}});
  for (const core::HebbianLink& link : graph.hebbian_links()) {
    const narsese::TruthValue truth = graph.truth(link, memory.now());
    json["hebbian_links"].push_back({{"source", name(link.source)},
                                     {"target", name(link.target)},
                                     {"weight", graph.weight(link, memory.now())},
                                     {"frequency", truth.frequency},
                                     {"confidence", truth.confidence}});
  }
  for (const core::TermLink& link : graph.term_links())
    json["term_links"].push_back({{"compound", name(link.compound)}, {"component", name(link.component)}});
  return json;
}

void write_graphml(const core::Memory& memory) {
  const core::ConceptGraph& graph = memory.graph();
  const auto term = boost::make_function_property_map<core::ConceptId>(
      [&](core::ConceptId id) { return legible(narsese::print(graph[id].term)); });
  const auto activity = boost::make_function_property_map<core::ConceptId>(
      [&](core::ConceptId id) { return graph.activity(id, memory.now()); });
  const auto kind = boost::make_function_property_map<core::GraphEdge>(
      [&](const core::GraphEdge& e) { return std::string(core::is_hebbian(graph, e) ? "hebbian" : "term"); });
  boost::dynamic_properties properties;
  properties.property("term", term);
  properties.property("activity", activity);
  properties.property("kind", kind);
  properties.property("weight", core::weight_map(graph, memory.now(), 0.0));
  boost::write_graphml(std::cout, graph, properties, false);
}

// Not by Boost: it quotes no label that is a word of the language, such as `node`, and lets a backslash that
// ends a label take its quote.
void write_dot(const core::Memory& memory) {
  const core::ConceptGraph& graph = memory.graph();
  std::cout << "graph G {\n";
  for (core::ConceptId id = 0; id < graph.size(); ++id)
    std::cout << id << " [activity=" << narsese::print_number(graph.activity(id, memory.now()))
              << ", label=" << quote_dot(narsese::print(graph[id].term)) << "];\n";
  for (const core::HebbianLink& link : graph.hebbian_links())
    std::cout << link.source << "--" << link.target
              << "  [kind=hebbian, weight=" << narsese::print_number(graph.weight(link, memory.now()))
              << "];\n";
  for (const core::TermLink& link : graph.term_links())
    std::cout << link.compound << "--" << link.component << "  [kind=term, weight=0];\n";
  std::cout << "}\n";
}

}  // namespace

ExitCode graph_command(const GraphArguments& arguments) {
  core::Session session;
  const ExitCode code = read_files(arguments.files, session);
  if (arguments.format == "json")
    std::cout << graph_json(session.memory()).dump(1) << '\n';
  else if (arguments.format == "dot")
    write_dot(session.memory());
  else
    write_graphml(session.memory());
  return code;
}

void tell_undrawn(const std::vector<std::string>& undrawn) {
  for (const std::string& picture : undrawn) std::cerr << "note: " << picture << '\n';
}

void tell_sweep(const fs::path& folder, const std::vector<SweepPoint>& points) {
  std::cout << points.front().question << "\n\n";
  for (const SweepPoint& point : points)
    std::cout << fs::path(point.folder).filename().string() << "\n" << wrapped(point.answer, 100) << '\n';
  std::cout << "every point, method and measure: " << (folder / "report.html").string()
            << "; a row a number: " << (folder / "sweep.csv").string() << '\n';
}

namespace {

ExitCode report_sweep(const fs::path& folder) {
  std::vector<SweepPoint> points;
  for (const SweepFolder& cell : read_sweep(folder)) {
    const RunReport report = rebuild_report(cell.path);
    tell_undrawn(report.undrawn);
    points.push_back(sweep_point(cell.name, cell.values, report.conclusion));
  }
  write_sweep(folder, points);
  tell_sweep(folder, points);
  return done;
}

}  // namespace

ExitCode report_command(const std::string& folder) {
  if (fs::exists(fs::path(folder) / "sweep.json")) return report_sweep(folder);
  const RunReport report = rebuild_report(folder);
  tell_undrawn(report.undrawn);
  std::cout << wrapped(report.conclusion.answer, 100)
            << "\nreport: " << (fs::path(folder) / "report.html").string() << '\n';
  return done;
}

// "baseline; scores what the cue reaches; may read what the memory has learnt"
std::string traits_of(const core::Method& method) {
  std::string text = method.family + "; scores ";
  if (method.support == core::Support::dense) text += "everything";
  if (method.support == core::Support::sparse) text += "what the cue reaches";
  if (method.support == core::Support::by_map) text += "everything with softmax, less with the other maps";
  if (method.has_energy) text += "; has an energy";
  if (method.reads_file()) text += "; may read a file";
  if (method.reads_learner()) text += "; may read what the memory has learnt";
  return text;
}

ExitCode methods_command() {
  for (const core::Method& method : core::methods()) {
    std::cout << method.name << "  (" << traits_of(method) << ")\n    " << method.summary << '\n';
    for (const core::OptionFacts& option : method.options) {
      std::cout << "    " << option.name << " = ";
      std::visit(
          [](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
              std::cout << narsese::print_number(value);
            else
              std::cout << value;
          },
          option.default_value);
      std::cout << "   " << option.meaning << "; " << option.expected() << '\n';
    }
  }
  return done;
}

}  // namespace engram::experiments
