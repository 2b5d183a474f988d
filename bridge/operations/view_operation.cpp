// SPDX-License-Identifier: MIT
// The operation `view`: the most active concepts and strongest links, for a page that polls.
#include "bridge/operations/operations.hpp"
#include "core/session/view.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

constexpr std::size_t most_concepts = 2000, most_links = 10'000;  // chosen: more than a page can show

Json concepts_json(const core::Memory& memory, const std::vector<core::ViewedConcept>& concepts) {
  Json rows = Json::array();
  for (const core::ViewedConcept& one : concepts)
    add_to(rows, {{"concept", one.id},
                  {"term", narsese::print(memory.graph().term(one.id))},
                  {"priority", one.budget.priority},
                  {"durability", one.budget.durability},
                  {"quality", one.budget.quality},
                  {"uses", one.evidence},
                  {"last", one.last}});
  return rows;
}

Json links_json(const std::vector<core::ViewedLink>& links) {
  Json rows = Json::array();
  for (const core::ViewedLink& link : links)
    rows.push_back({{"source", link.source},
                    {"target", link.target},
                    {"weight", link.weight},
                    {"f", link.truth.frequency},
                    {"c", link.truth.confidence}});
  return rows;
}

Json gate_json(const GateLog& gate) {
  Json rows = Json::array();
  for (const GateEntry& entry : gate.last)
    rows.push_back({{"question", entry.question},
                    {"given", entry.given},
                    {"answers", entry.answers},
                    {"seconds", entry.seconds}});
  return rows;
}

std::size_t at_most(const Request& request, std::string_view name, std::size_t least, std::size_t most,
                    std::size_t otherwise) {
  return request.has(name) ? static_cast<std::size_t>(request[name].count(least, most)) : otherwise;
}

}  // namespace

Json view(const Context& context, const Request& request) {
  core::ViewOptions options;
  options.concepts = at_most(request, "top", 1, most_concepts, options.concepts);
  options.links = at_most(request, "links", 0, most_links, options.links);
  const core::Session& session = context.session;
  const std::uint64_t version = session.version() + (context.gate != nullptr ? context.gate->asked : 0);
  if (request.has("since") && request["since"].count(0) == version)
    return {{"version", version}, {"unchanged", true}};
  const core::Memory& memory = session.memory();
  const core::View seen = core::view_of(session, options);
  Json result = {{"version", version},
                 {"concepts", memory.graph().size()},
                 {"hebbian_links", memory.graph().hebbian_links().size()},
                 {"statements", memory.statements().size()},
                 {"episodes", memory.now()},
                 {"bytes", session.bytes()},
                 {"priorities", name_of(core::priority_sources, seen.priorities)},
                 {"shown", concepts_json(memory, seen.concepts)},
                 {"edges", links_json(seen.links)},
                 {"latest", session.latest_inputs()}};
  if (context.gate != nullptr) result["gate"] = gate_json(*context.gate);
  return result;
}

}  // namespace engram::bridge
