// SPDX-License-Identifier: MIT
// The command `engram graph`: prints the concept graph of files as GraphML, DOT or JSON.
#include <boost/graph/graphml.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <iostream>

#include "core/graph/boost_graph.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

struct GraphArguments {
  std::vector<std::string> files;
  std::string format = "graphml";
};

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
  core::BoostGraph graph = core::to_boost_graph(memory.graph(), memory.now());
  using Vertex = core::BoostGraph::vertex_descriptor;
  using Edge = core::BoostGraph::edge_descriptor;
  const auto term = boost::make_function_property_map<Vertex>(
      [&](Vertex id) { return legible(narsese::print(graph[id].term)); });
  const auto kind = boost::make_function_property_map<Edge>(
      [&](const Edge& edge) { return std::string(graph[edge].is_hebbian ? "hebbian" : "term"); });
  const auto number = [&](double narsese::TruthValue::*member) {
    return boost::make_function_property_map<Edge>(
        [&graph, member](const Edge& edge) { return graph[edge].truth.*member; });
  };
  boost::dynamic_properties properties;
  properties.property("term", term);
  properties.property("activity", get(&core::BoostVertex::activity, graph));
  properties.property("kind", kind);
  properties.property("weight", get(&core::BoostEdge::weight, graph));
  properties.property("frequency", number(&narsese::TruthValue::frequency));
  properties.property("confidence", number(&narsese::TruthValue::confidence));
  boost::write_graphml(std::cout, graph, properties, false);
}

// Prints the memory in the DOT language. Boost's writer is not used, because it leaves labels that are keywords, such
// as `node`, without quotes, and a backslash at the end of a label escapes the closing quote.
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

ExitCode print_graph(const GraphArguments& arguments) {
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

}  // namespace

void add_graph(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "graph", "print the concept graph",
                  "engram graph family.nal --format dot | sfdp -Tsvg > family.svg", print_graph);
  add_option(command, "files", arguments.files, "Narsese files, read into one memory", is_file, is_required);
  add_option(command, "--format", arguments.format, "graphml, dot or json",
             one_of({"graphml", "dot", "json"}));
}

}  // namespace engram::experiments
