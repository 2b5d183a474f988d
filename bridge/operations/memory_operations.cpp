// SPDX-License-Identifier: MIT
// Operations on the memory of the session.
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "bridge/json/core_json.hpp"
#include "bridge/json/json_reader.hpp"
#include "bridge/operations/operations.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "core/graph/memory.hpp"
#include "core/session/view.hpp"
#include "narsese/link_judgement.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const core::Method& method : core::methods()) names.push_back(method.name);
  return names;
}

Json limits_json(const core::MemoryLimits& memory, const ProtocolLimits& protocol) {
  const narsese::ParseLimits parse;
  return {{"request_bytes", protocol.max_request_bytes},
          {"request_depth", protocol.max_depth},
          {"object_members", protocol.max_members},
          {"request_values", protocol.max_values},
          {"reply_numbers", protocol.max_numbers},
          {"multiplications", protocol.max_multiplications},
          {"work_milliseconds", protocol.work.time.count()},
          {"work_bytes", protocol.work.bytes},
          {"line_bytes", parse.max_line_bytes},
          {"term_depth", parse.max_depth},
          {"components", parse.max_components},
          {"name_bytes", parse.max_name_bytes},
          {"variables", parse.max_variables},
          {"concepts", memory.max_concepts},
          {"hebbian_links", memory.max_hebbian_links},
          {"statements", memory.max_statements},
          {"active_concepts", memory.max_active},
          {"bytes", memory.max_bytes}};
}

// The name of the relation for links in Narsese. Text that parses as another term is rejected.
std::string relation_in(const Request& request) {
  const JsonValue field = request["relation"];
  if (!field) return std::string(narsese::link_relation);
  narsese::TermTable terms;
  const auto read = narsese::parse_term(field.text(), terms);
  if (!read) throw parse_error("/relation", read.error());
  if (read->kind() != narsese::TermKind::atom) field.refuse("a name");
  return narsese::print(*read);
}

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

// Runs file access for a request and converts its errors.
template <class Work>
Json with_file(const Context& context, const Request& request, Work work) {
  const std::string path = request["path"].text();
  require_files(context, "/path");
  if (path.empty() || path.find('\0') != std::string::npos)
    throw bad_value("/path", "'path' must be the name of a file");
  try {
    const SnapshotFacts facts = work(path);
    return {{"path", path}, {"bytes", facts.bytes}, {"sha256", facts.sha256}};
  } catch (const SnapshotError& error) {
    RequestError problem = bad_value("/path", "'" + path + "' is not a valid snapshot: " + error.what());
    if (error.line > 0) problem.details["line"] = error.line;
    throw problem;
  } catch (const std::system_error& error) {
    throw RequestError{"io_error", error.what(), {{"pointer", "/path"}}};
  }
}

}  // namespace

void require_files(const Context& context, const std::string& pointer) {
  if (!context.limits.files)
    throw bad_value(pointer, "clients of this server may not name files; `engram serve --files` lets them");
}

namespace run {

std::vector<std::string> dialect_names() { return {"auto", "common", "ona", "opennars", "pynars"}; }

Json hello(const Context& context, const Request&) {
  return {{"engram", ENGRAM_VERSION},
          {"protocol", 1},
          {"schema", 1},
          {"dialects", dialect_names()},
          {"methods", method_names()},
          {"default_method", core::default_method},
          {"limits", limits_json(context.session.limits(), context.limits)}};
}

Json input(const Context& context, const Request& request) {
  const std::string dialect = request.choice("dialect");
  const core::InputReport report =
      context.session.input(request["narsese"].text(), *narsese::find_dialect(dialect));
  Json rejected = Json::array();
  for (const core::RejectedLine& line : report.rejected)
    rejected.push_back({{"line", line.line}, {"column", line.column}, {"message", line.message}});
  const core::Memory& memory = context.session.memory();
  Json result = {{"accepted", report.accepted},
                 {"rejected", rejected},
                 {"cycles", memory.now()},
                 {"concepts", memory.graph().size()},
                 {"links", memory.graph().hebbian_links().size()}};
  if (report.rejected_in_all > report.rejected.size()) result["rejected_in_all"] = report.rejected_in_all;
  return result;
}

Json links(const Context& context, const Request& request) {
  core::Session& session = context.session;
  const bool as_narsese = request.choice("as") == "narsese";
  const std::size_t most = request.count("top", std::numeric_limits<std::size_t>::max());
  const std::string relation = relation_in(request);
  std::optional<core::ConceptId> of;
  if (const JsonValue term = request["term"]) {
    const auto id = session.known_concept(term.text());
    if (!id) throw parse_error("/term", id.error());
    if (!*id) return {{as_narsese ? "narsese" : "links", Json::array()}};
    of = *id;
  }
  const core::ConceptGraph& graph = session.memory().graph();
  const std::size_t all = of ? graph.links_of(*of).size() : graph.hebbian_links().size();
  const std::size_t top = std::min(most, all);
  request.require_room(3.0 * static_cast<double>(top), 0);
  Json list = Json::array();
  if (as_narsese && top > 0) list.push_back(narsese::links_begin);
  for (const core::LinkJudgement& link : core::best_links(session.memory(), of, top))
    if (as_narsese)
      add_to(list, narsese::print_link(link.source, link.target, link.truth, relation));
    else
      add_to(list, {{"source", narsese::print(link.source)},
                    {"target", narsese::print(link.target)},
                    {"weight", link.weight},
                    {"frequency", link.truth.frequency},
                    {"confidence", link.truth.confidence}});
  if (as_narsese && top > 0) list.push_back(narsese::links_end);
  return {{as_narsese ? "narsese" : "links", list}};
}

Json view(const Context& context, const Request& request) {
  core::ViewOptions options;
  options.concepts = request.count("top");
  options.links = request.count("links");
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

Json stats(const Context& context, const Request&) {
  const core::Memory& memory = context.session.memory();
  return {{"concepts", memory.graph().size()},
          {"term_links", memory.graph().term_links().size()},
          {"hebbian_links", memory.graph().hebbian_links().size()},
          {"statements", memory.statements().size()},
          {"cycles", memory.now()},
          {"evidence", memory.total_evidence()},
          {"bytes", memory.bytes()},
          {"readings_bytes", context.session.bytes() - memory.bytes()},
          {"limits", limits_json(memory.options().limits, context.limits)},
          {"forgotten", forgetting_json(context.session.forgetting())}};
}

Json reset(const Context& context, const Request&) {
  context.session.reset();
  return Json::object();
}

Json snapshot(const Context& context, const Request& request) {
  const SnapshotForm form = request.value("form", snapshot_forms);
  return with_file(context, request,
                   [&](const std::string& path) { return write_snapshot(context.session, path, form); });
}

Json restore(const Context& context, const Request& request) {
  return with_file(context, request,
                   [&](const std::string& path) { return read_snapshot(context.session, path); });
}

Json quit(const Context& context, const Request&) {
  context.finished = true;
  return Json::object();
}

}  // namespace run
}  // namespace engram::bridge
