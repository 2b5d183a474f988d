// SPDX-License-Identifier: MIT
// Operations on the memory of the session.
#include <limits>
#include <system_error>

#include "bridge/json/explanation_json.hpp"
#include "bridge/json/forgetting_json.hpp"
#include "bridge/json/json_text.hpp"
#include "bridge/json/options_json.hpp"
#include "bridge/json/recall_json.hpp"
#include "bridge/operations/allocation_fields.hpp"
#include "bridge/operations/operations.hpp"
#include "bridge/operations/recall_fields.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "core/graph/memory.hpp"
#include "core/numbers/ranking.hpp"
#include "narsese/link_judgement.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using core::Vector;

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const core::Method& method : core::methods()) names.push_back(method.name);
  return names;
}

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

// --- the operations ---------------------------------------------------------------------------------------

const std::vector<std::string> dialects{"auto", "common", "ona", "opennars", "pynars"};
constexpr std::size_t default_top = 10;

std::size_t top_of(const Request& request) { return request.count("top", default_top); }

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

Json hello(const Context& context, const Request&) {
  return {{"engram", ENGRAM_VERSION},
          {"protocol", 1},
          {"schema", 1},
          {"dialects", dialects},
          {"methods", method_names()},
          {"default_method", core::default_method},
          {"limits", limits_json(context.session.limits(), context.limits)}};
}

Json input(const Context& context, const Request& request) {
  const std::string dialect = request.choice("dialect", dialects, "auto");
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

Json recall(const Context& context, const Request& request) {
  const core::ConfiguredMethod method = method_of(context, request);
  const std::size_t top = top_of(request);
  const core::Recall recall = recall_with(context.session, method, cue_of(context.session, request));
  Json result = {{"method", method.name()},
                 {"activations", activations_json(context.session.memory(), recall.concepts, top)}};
  add_course(result, recall);
  return result;
}

// A recall with an explanation. The explanation is complete before any JSON is created.
Json explain(const Context& context, const Request& request) {
  core::Session& session = context.session;
  const core::ConfiguredMethod method = method_of(context, request);
  const std::size_t top = top_of(request);
  constexpr double numbers_of_one = 128;  // accounts of nine parts each, and a path
  request.require_room(
      2 * numbers_of_one * static_cast<double>(std::min(top, session.memory().statements().size())), 0);
  const core::Cue cue = cue_of(session, request);
  const core::Recall recall = recall_with(session, method, cue);
  Json result = to_json(core::explain_recall(session, method, cue, recall, top));
  result["method"] = method.name();
  add_course(result, recall);
  return result;
}

Json allocate(const Context& context, const Request& request) {
  if (is_of_operations(request)) return allocate_operations(context, request);
  core::Session& session = context.session;
  const core::AllocationOptions how = allocation_options(request, session.memory().options().activation);
  const bool of_concepts = how.of == core::AllocationOf::concepts;
  const core::ConfiguredMethod method = method_of(context, request);
  const bool logged = request.has("transfers");
  const std::size_t most = logged ? request.count("transfers") : 0;
  request.require_room(static_cast<double>(most), 0);
  const auto name = [&](std::uint32_t id) {
    return of_concepts ? narsese::print(session.memory().graph()[id].term)
                       : narsese::print(session.memory().statements()[id].sentence);
  };
  core::TransferLog log(most);
  const core::Recall recall = recall_with(session, method, cue_of(session, request));
  const auto given = session.allocate(recall, how, logged ? &log : nullptr);
  Json budgets = Json::array();
  for (const core::Allocation& allocation : given)
    add_to(budgets, {{of_concepts ? "term" : "narsese", name(allocation.id)},
                     {"priority", allocation.budget.priority},
                     {"durability", allocation.budget.durability},
                     {"quality", allocation.budget.quality}});
  Json result = {{"method", method.name()}, {"budgets", budgets}};
  if (logged) {
    result["transfers"] = transfers_json(log, name);
    result["transfers_in_all"] = log.count();
  }
  return result;
}

// Stores the budget, which is the prior of the next request.
void keep_budget(const Context& context, core::Session& ran_on, const Request& request) {
  if (is_of_operations(request)) return;  // budgets of operations are not stored
  const auto of = allocation_options(request, ran_on.memory().options().activation).of;
  context.session.copy_budget(of, ran_on);
  if (context.durable != nullptr) context.durable->allocated(of);
}

Json compare(const Context& context, const Request& request) {
  const JsonValue names = request["methods"];
  names.list("a list of methods, one at least", 1);
  std::vector<const core::Method*> methods;
  for (std::size_t i = 0; i < names.size(); ++i) {
    methods.push_back(&method_in(names[i]));
    if (std::find(methods.begin(), methods.end() - 1, methods.back()) != methods.end() - 1)
      throw bad_value(names[i].pointer(), "a method must stand once");
  }
  const std::size_t top = top_of(request);
  const core::Cue cue = cue_of(context.session, request);
  std::vector<Vector> activations;
  Json rows = Json::array(), agreement = Json::array();
  for (const core::Method* method : methods) {
    activations.push_back(context.session.recall(context.session.configured(*method), cue).concepts);
    rows.push_back({{"method", method->name},
                    {"activations", activations_json(context.session.memory(), activations.back(), top)}});
  }
  // Concepts that cannot be active would agree trivially, so they are not compared.
  for (Vector& activation : activations)
    activation = context.session.index().over_active_concepts(activation);
  for (std::size_t a = 0; a < methods.size(); ++a)
    for (std::size_t b = a + 1; b < methods.size(); ++b)
      agreement.push_back(
          {{"a", methods[a]->name},
           {"b", methods[b]->name},
           {"spearman", number_or_null(core::spearman(activations[a], activations[b]))},
           {"kendall", number_or_null(core::kendall(activations[a], activations[b]))},
           {"overlap", core::top_overlap(activations[a], activations[b], top)},
           {"jensen_shannon", number_or_null(core::jensen_shannon(activations[a], activations[b]))}});
  return {{"methods", rows}, {"agreement", agreement}};
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

Json links(const Context& context, const Request& request) {
  core::Session& session = context.session;
  const bool as_narsese = request.choice("as", {"json", "narsese"}, "json") == "narsese";
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
    RequestError problem = bad_value("/path", "'" + path + "' is no snapshot to go on from: " + error.what());
    if (error.line > 0) problem.details["line"] = error.line;
    throw problem;
  } catch (const std::system_error& error) {
    throw RequestError{"io_error", error.what(), {{"pointer", "/path"}}};
  }
}

Json snapshot(const Context& context, const Request& request) {
  const SnapshotForm form = request.value("form", snapshot_forms, SnapshotForm::json);
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

}  // namespace

std::span<const Operation> memory_operations() {
  static const std::vector<Operation> all{
      {"hello", {}, hello, Use::nothing},
      {"input", {"narsese", "dialect"}, input},
      {"recall", {"cue", "method", "options", "top"}, recall, Use::index},
      {"explain", {"cue", "method", "options", "top"}, explain, Use::index},
      {"allocate",
       {"cue", "method", "options", "capacity", "of", "prior", "prior_form", "alpha", "temperature",
        "durability", "fresh", "select", "threshold", "share", "policy", "transfers", "eligibility"},
       allocate,
       Use::index,
       keep_budget},
      {"compare", {"cue", "methods", "top"}, compare, Use::index},
      {"reason",
       {"question", "method", "options", "gate", "steps", "refresh", "events", "answers", "top"},
       reason,
       Use::index},
      {"links", {"term", "top", "as", "relation"}, links, Use::memory},
      {"stats", {}, stats, Use::memory},
      {"view", {"top", "links", "since"}, view, Use::glance},
      {"reset", {}, reset},
      {"snapshot", {"path", "form"}, snapshot, Use::memory},
      {"restore", {"path"}, restore},
      {"quit", {}, quit, Use::nothing},
  };
  return all;
}

}  // namespace engram::bridge
