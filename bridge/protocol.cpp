// SPDX-License-Identifier: MIT
#include "bridge/protocol.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "bridge/json_text.hpp"
#include "core/agreement.hpp"
#include "narsese/line_reader.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using Json = nlohmann::ordered_json;
using core::Index;
using core::Vector;

// What goes wrong with a request; becomes its error reply.
struct RequestError {
  std::string code;
  std::string message;
  Json details = Json::object();  // line, column, offset, pointer where they apply
};

RequestError bad_value(const std::string& pointer, const std::string& message) {
  return {"bad_value", message, {{"pointer", pointer}}};
}

RequestError parse_error(const std::string& pointer, const narsese::ParseError& error) {
  return {"parse_error",
          error.message(),
          {{"line", error.line}, {"column", error.column}, {"offset", error.offset}, {"pointer", pointer}}};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Parses a request, refusing what JSON leaves open: repeated names and endless nesting.
Json parse_json(std::string_view line, const ProtocolLimits& limits) {
  if (line.find('\0') != std::string_view::npos) throw RequestError{"bad_json", "a NUL byte"};
  std::vector<std::set<std::string>> names;
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > limits.max_depth)
      throw RequestError{"limit_exceeded",
                         "nested deeper than " + std::to_string(limits.max_depth) + " levels"};
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second)
      throw RequestError{"bad_json",
                         "the name '" + parsed.get<std::string>() + "' stands twice in one object"};
    if (event == Json::parse_event_t::key && names.back().size() > limits.max_members)
      throw RequestError{"limit_exceeded",
                         "more than " + std::to_string(limits.max_members) + " members in one object"};
    return true;
  };
  try {
    return Json::parse(line.begin(), line.end(), check);
  } catch (const Json::exception& error) {
    // The library's text begins with its own error number in brackets.
    const std::string text = error.what();
    const std::size_t close = text.find("] ");
    throw RequestError{"bad_json", close == std::string::npos ? text : text.substr(close + 2)};
  }
}

// Reads the fields of one request and keeps the promise that unknown ones are refused.
class Request {
 public:
  Request(const Json& json, const std::vector<std::string>& fields) : json_(json) {
    for (const auto& [name, value] : json.items()) {
      if (name == "id" || name == "op" || std::ranges::find(fields, name) != fields.end()) continue;
      throw RequestError{"unknown_field",
                         "unknown field '" + name + "'; '" + json.at("op").get<std::string>() + "' knows " +
                             (fields.empty() ? "no fields" : joined(fields)),
                         {{"pointer", pointer_to(name)}}};
    }
  }

  bool has(const char* name) const { return json_.contains(name); }

  const Json& at(const char* name) const {
    if (!has(name))
      throw RequestError{
          "missing_field", std::string("field '") + name + "' is missing", {{"pointer", pointer_to(name)}}};
    return json_.at(name);
  }

  std::string text(const char* name) const {
    if (!at(name).is_string())
      throw bad_value(pointer_to(name), std::string("'") + name + "' must be a string");
    return at(name).get<std::string>();
  }

  std::string choice(const char* name, const std::vector<std::string>& known) const {
    const std::string value = text(name);
    if (std::ranges::find(known, value) == known.end())
      throw bad_value(pointer_to(name), std::string("'") + name + "' must be one of " + joined(known));
    return value;
  }

  std::size_t count(const char* name) const {
    constexpr std::uint64_t most = 1'000'000'000;
    const Json& value = at(name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 || value.get<std::uint64_t>() > most)
      throw bad_value(pointer_to(name), std::string("'") + name + "' must be a whole number in [1, " +
                                            std::to_string(most) + "]");
    return value.get<std::size_t>();
  }

 private:
  const Json& json_;
};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const core::Method& method : core::methods()) names.push_back(method.name);
  return names;
}

const core::Method& method_at(const std::string& pointer, const Json& name) {
  const core::Method* method = name.is_string() ? core::find_method(name.get<std::string>()) : nullptr;
  if (method == nullptr) throw bad_value(pointer, "a method must be one of " + joined(method_names()));
  return *method;
}

core::Options options_of(const Request& request) {
  core::Options options;
  if (!request.has("options")) return options;
  const Json& json = request.at("options");
  if (!json.is_object()) throw bad_value("/options", "'options' must be an object");
  for (const auto& [name, value] : json.items()) {
    if (value.is_number())
      options[name] = value.get<double>();
    else if (value.is_string())
      options[name] = value.get<std::string>();
    else
      throw bad_value("/options" + pointer_to(name), "an option must be a number or a string");
  }
  return options;
}

// A Narsese string, or an object term -> activation in [0, 1].
Vector cue_of(Session& session, const Request& request) {
  const Json& cue = request.at("cue");
  if (cue.is_string()) {
    auto activation = session.cue(cue.get<std::string>());
    if (!activation) throw parse_error("/cue", activation.error());
    return std::move(activation).value();
  }
  if (!cue.is_object()) throw bad_value("/cue", "'cue' must be a string or an object term -> activation");
  Vector activation = Vector::Zero(static_cast<Index>(session.memory().graph().size()));
  for (const auto& [term, value] : cue.items()) {
    const std::string pointer = "/cue" + pointer_to(term);
    if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1)
      throw bad_value(pointer, "an activation must be a number in [0, 1]");
    const auto id = session.known_concept(term);
    if (!id) throw parse_error(pointer, id.error());
    if (*id) activation[**id] = value.get<double>();
  }
  return activation;
}

core::Recall recall_with(Session& session, const core::Method& method, const core::Options& options,
                         const Vector& cue) {
  try {
    return session.recall(method, options, cue);
  } catch (const core::OptionError& error) {
    throw bad_value("/options" + pointer_to(error.option), error.what());
  }
}

Json activations_json(const Session& session, const Vector& concepts, std::size_t top) {
  Json activations = Json::array();
  for (const core::ConceptId id : core::rank(concepts, top))
    activations.push_back(
        {{"term", narsese::print(session.memory().graph()[id].term)}, {"value", concepts[id]}});
  return activations;
}

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

// --- the operations
// -------------------------------------------------------------------------------------------

const std::vector<std::string> dialects{"auto", "common", "ona", "opennars", "pynars"};
constexpr std::size_t default_top = 10;

std::size_t top_of(const Request& request) { return request.has("top") ? request.count("top") : default_top; }

const core::Method& method_of(const Request& request) {
  return request.has("method") ? method_at("/method", request.at("method")) : *core::find_method("attention");
}

Json limits_json(const core::MemoryLimits& memory, const ProtocolLimits& protocol) {
  const narsese::ParseLimits parse;
  return {{"request_bytes", protocol.max_request_bytes},
          {"request_depth", protocol.max_depth},
          {"object_members", protocol.max_members},
          {"line_bytes", parse.max_line_bytes},
          {"term_depth", parse.max_depth},
          {"components", parse.max_components},
          {"name_bytes", parse.max_name_bytes},
          {"variables", parse.max_variables},
          {"concepts", memory.max_concepts},
          {"hebbian_links", memory.max_hebbian_links},
          {"statements", memory.max_statements},
          {"active_concepts", memory.max_active}};
}

struct Context {
  Session& session;
  const ProtocolLimits& limits;
  bool& finished;
};

Json hello(const Context& context, const Request&) {
  return {{"engram", ENGRAM_VERSION},
          {"protocol", 1},
          {"schema", 1},
          {"dialects", dialects},
          {"methods", method_names()},
          {"limits", limits_json(context.session.memory().options().limits, context.limits)}};
}

Json input(const Context& context, const Request& request) {
  const std::string dialect = request.has("dialect") ? request.choice("dialect", dialects) : "auto";
  std::istringstream text(request.text("narsese"));
  const InputReport report = context.session.input(text, {}, *narsese::find_dialect(dialect));
  Json rejected = Json::array();
  for (const RejectedLine& line : report.rejected)
    rejected.push_back({{"line", line.line}, {"column", line.column}, {"message", line.message}});
  const core::Memory& memory = context.session.memory();
  return {{"accepted", report.accepted},
          {"rejected", rejected},
          {"cycles", memory.now()},
          {"concepts", memory.graph().size()},
          {"links", memory.graph().hebbian_links().size()}};
}

Json recall(const Context& context, const Request& request) {
  const core::Method& method = method_of(request);
  const core::Options options = options_of(request);
  const std::size_t top = top_of(request);
  const core::Recall recall = recall_with(context.session, method, options, cue_of(context.session, request));
  return {{"activations", activations_json(context.session, recall.concepts, top)},
          {"energies", recall.energies},
          {"iterations", recall.iterations},
          {"converged", recall.converged}};
}

Json allocate(const Context& context, const Request& request) {
  Session& session = context.session;
  const core::Method& method = method_of(request);
  const core::Options options = options_of(request);
  const std::size_t capacity = request.count("capacity");
  const bool of_concepts = request.choice("of", {"concepts", "statements"}) == "concepts";
  const core::Recall recall = recall_with(session, method, options, cue_of(session, request));
  const auto allocations =
      of_concepts ? core::allocate_concepts(session.memory(), session.readings(), recall, capacity)
                  : core::allocate_statements(session.memory(), session.readings(), recall, capacity);
  Json budgets = Json::array();
  for (const core::Allocation& allocation : allocations) {
    const std::string name = of_concepts
                                 ? narsese::print(session.memory().graph()[allocation.id].term)
                                 : narsese::print(session.memory().statements()[allocation.id].sentence);
    budgets.push_back({{of_concepts ? "term" : "narsese", name},
                       {"priority", allocation.budget.priority},
                       {"durability", allocation.budget.durability},
                       {"quality", allocation.budget.quality}});
  }
  return {{"budgets", budgets}};
}

Json compare(const Context& context, const Request& request) {
  const Json& names = request.at("methods");
  if (!names.is_array() || names.empty()) throw bad_value("/methods", "'methods' must be a list of methods");
  std::vector<const core::Method*> methods;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string pointer = "/methods/" + std::to_string(i);
    methods.push_back(&method_at(pointer, names[i]));
    if (std::find(methods.begin(), methods.end() - 1, methods.back()) != methods.end() - 1)
      throw bad_value(pointer, "a method must stand once");
  }
  const std::size_t top = top_of(request);
  const Vector cue = cue_of(context.session, request);
  std::vector<Vector> activations;
  Json rows = Json::array(), agreement = Json::array();
  for (const core::Method* method : methods) {
    activations.push_back(context.session.recall(*method, {}, cue).concepts);
    rows.push_back({{"method", method->name},
                    {"activations", activations_json(context.session, activations.back(), top)}});
  }
  // Concepts that cannot be active would agree by being nothing: only the others are compared.
  for (Vector& activation : activations) activation = context.session.readings().of_holders(activation);
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

Json stats(const Context& context, const Request&) {
  const core::Memory& memory = context.session.memory();
  return {{"concepts", memory.graph().size()},
          {"term_links", memory.graph().term_links().size()},
          {"hebbian_links", memory.graph().hebbian_links().size()},
          {"statements", memory.statements().size()},
          {"cycles", memory.now()},
          {"evidence", memory.total_evidence()},
          {"limits", limits_json(memory.options().limits, context.limits)}};
}

Json reset(const Context& context, const Request&) {
  context.session.reset();
  return Json::object();
}

Json quit(const Context& context, const Request&) {
  context.finished = true;
  return Json::object();
}

struct Operation {
  std::string name;
  std::vector<std::string> fields;
  Json (*run)(const Context&, const Request&);
};

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all{
      {"hello", {}, hello},
      {"input", {"narsese", "dialect"}, input},
      {"recall", {"cue", "method", "options", "top"}, recall},
      {"allocate", {"cue", "method", "options", "capacity", "of"}, allocate},
      {"compare", {"cue", "methods", "top"}, compare},
      {"stats", {}, stats},
      {"reset", {}, reset},
      {"quit", {}, quit},
  };
  return all;
}

const Operation& operation_of(const Json& request) {
  if (!request.is_object()) throw bad_value("", "a request must be an object");
  if (!request.contains("op"))
    throw RequestError{"missing_field", "field 'op' is missing", {{"pointer", "/op"}}};
  const Json& op = request.at("op");
  if (!op.is_string()) throw bad_value("/op", "'op' must be a string");
  std::vector<std::string> names;
  for (const Operation& operation : operations()) {
    if (operation.name == op.get<std::string>()) return operation;
    names.push_back(operation.name);
  }
  throw RequestError{"unknown_op",
                     "unknown op '" + op.get<std::string>() + "'; known are " + joined(names),
                     {{"pointer", "/op"}}};
}

std::string error_reply(const Json& id, const RequestError& problem) {
  Json error = {{"code", problem.code}, {"message", problem.message}};
  error.update(problem.details);
  // Message texts may quote pieces of the input; what is no UTF-8 there is replaced rather than refused.
  return Json({{"id", id}, {"ok", false}, {"error", error}})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string Protocol::handle(std::string_view line) {
  Json id = nullptr;
  try {
    const Json request = parse_json(line, limits_);
    if (request.is_object() && request.contains("id")) id = request.at("id");
    const Operation& operation = operation_of(request);
    const Json result = operation.run({session_, limits_, finished_}, Request(request, operation.fields));
    return Json({{"id", id}, {"ok", true}, {"result", result}}).dump();
  } catch (const RequestError& problem) {
    return error_reply(id, problem);
  } catch (const std::exception& error) {  // a defect of ours, or memory ran out: say so and go on
    return error_reply(id, {"internal", error.what()});
  }
}

std::string Protocol::refuse_too_long() const {
  return error_reply(nullptr, {"limit_exceeded", "a request may have at most " +
                                                     std::to_string(limits_.max_request_bytes) + " bytes"});
}

bool serve(Protocol& protocol, std::istream& in, std::ostream& out) {
  std::string line;
  while (!protocol.finished()) {
    const auto status = narsese::read_line(in, line, protocol.limits().max_request_bytes);
    if (status == narsese::LineStatus::end) break;
    out << (status == narsese::LineStatus::too_long ? protocol.refuse_too_long() : protocol.handle(line))
        << '\n'
        << std::flush;
    if (!out) return false;
  }
  return true;
}

}  // namespace engram::bridge
