// SPDX-License-Identifier: MIT
// Operations by a method, from a cue: recall, explain, allocate, compare, reason.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "bridge/json/core_json.hpp"
#include "bridge/json/json_reader.hpp"
#include "bridge/json/nars_event.hpp"
#include "bridge/operations/operations.hpp"
#include "core/budgets/budget_allocator.hpp"
#include "core/events/operation_desires.hpp"
#include "core/graph/memory.hpp"
#include "core/numbers/ranking.hpp"
#include "core/reasoner/question_answering.hpp"
#include "core/session/explained_recall.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

using core::AllocationOptions;

// --- fields ---

// The fields "method" and "options". The default is core::default_method. The session has the values of absent
// options (Session::use).
core::ConfiguredMethod method_of(const Context& context, const Request& request) {
  const JsonValue name = request["method"];
  const core::Method& method = name ? method_in(name) : core::method_named(core::default_method);
  const core::Options options = options_in(request["options"]);
  if (options.contains("file")) require_files(context, "/options/file");
  try {
    return context.session.configured(method, options);
  } catch (const core::OptionError& error) {
    throw bad_value("/options" + pointer_to(error.option), error.what());
  }
}

// The field "cue": a Narsese string, or an object that maps terms to activations in [0, 1].
core::Cue cue_of(core::Session& session, const Request& request) {
  const JsonValue cue = request["cue"];
  if (cue && cue.json().is_string()) {
    auto activation = session.cue(cue.text());
    if (!activation) throw parse_error("/cue", activation.error());
    return std::move(activation).value();
  }
  cue.object("a string or an object term -> activation");
  core::Vector activation = core::Vector::Zero(static_cast<core::Index>(session.memory().graph().size()));
  for (const auto& [term, json] : cue.json().items()) {
    const JsonValue value(json, JsonPlace(&cue.place(), term));
    const double share = value.number(0, 1);
    const auto id = session.known_concept(term);
    if (!id) throw parse_error(value.pointer(), id.error());
    if (*id) activation[**id] = share;
  }
  return core::Cue(std::move(activation));
}

// Runs a recall.  Errors  RequestError for an option that the memory does not allow
core::Recall recall_with(core::Session& session, const core::ConfiguredMethod& method, const core::Cue& cue) {
  try {
    return session.recall(method, cue);
  } catch (const core::OptionError& error) {
    throw bad_value("/options" + pointer_to(error.option), error.what());
  }
}

void refuse_without(const Request& request, const char* name, bool read, const char* by) {
  if (request.has(name) && !read)
    throw bad_value(std::string("/") + name, std::string("'") + name + "' needs " + by);
}

void read_update(const Request& request, AllocationOptions& options) {
  options.prior = request.choice("prior") == "previous";
  for (const char* name : {"prior_form", "durability", "fresh"})
    refuse_without(request, name, options.prior, "\"prior\": \"previous\"");
  options.update.form = request.value("prior_form", core::prior_forms);
  refuse_without(request, "alpha", options.update.form == core::PriorForm::alpha,
                 "\"prior_form\": \"alpha\"");
  options.update.alpha = request.number("alpha");
  options.fresh = request.number("fresh");
  if (request.has("durability")) options.durability = request.number("durability");
}

void read_cut(const Request& request, core::Cut& cut) {
  cut.capacity = request.count("capacity");
  cut.selection = request.value("select", core::selections);
  const bool by_threshold = cut.selection == core::Selection::threshold;
  refuse_without(request, "threshold", by_threshold, "\"select\": \"threshold\"");
  if (by_threshold) cut.threshold = request.number("threshold");
  cut.share = request.number("share");
}

core::TermPolicy read_policy(const Request& request, const core::ActivationPolicy& memory) {
  const core::TermPolicy usual(memory);  // all classes that the memory activates hold budget
  core::TermPolicy policy = usual;
  const JsonValue given = request["policy"];
  if (!given) return policy;
  for (const auto& [name, json] : given.object("an object kind of term -> role").json().items()) {
    const Json kind = name;
    const JsonPlace place(&given.place(), name);
    const auto& facts =
        JsonValue(kind, place).choice("a kind of term", core::term_classes, &core::TermClassFacts::name);
    const JsonValue role(json, place);
    const core::Role wanted =
        role.choice("a role", core::role_names, [](const auto& row) { return row.name; }).value;
    if (wanted == core::Role::holds && usual[facts.value] != core::Role::holds)
      throw bad_value(role.pointer(), "in this memory a " + name + " is never active, so it cannot hold: " +
                                          std::string(facts.reason));
    if (facts.value == core::TermClass::variable && wanted != core::Role::ignored)
      throw bad_value(role.pointer(), "a variable can only be ignored: " + std::string(facts.reason));
    policy.set(facts.value, wanted);
  }
  return policy;
}

// Options for budgets of concepts and statements.  Errors  RequestError; also for a field without effect
AllocationOptions allocation_options(const Request& request, const core::ActivationPolicy& memory) {
  AllocationOptions options;
  const bool of_concepts = request.choice("of") == "concepts";
  options.of = of_concepts ? core::AllocationOf::concepts : core::AllocationOf::statements;
  read_update(request, options);
  read_cut(request, options.cut);
  refuse_without(request, "temperature", options.prior || options.cut.selection == core::Selection::budget,
                 "\"prior\": \"previous\" or \"select\": \"budget\"");
  options.update.temperature = request.number("temperature");
  options.cut.temperature = options.update.temperature;
  refuse_without(request, "policy", of_concepts, "\"of\": \"concepts\"");
  options.policy = read_policy(request, memory);
  return options;
}

// --- parts of replies ---

// The transfers in a reply. `name` returns the name of an item.
template <class Name>
Json transfers_json(const core::TransferLog& log, Name name) {
  Json rows = Json::array();
  for (const core::Transfer& transfer : log.transfers())
    add_to(rows, {{"from", transfer.from ? Json(name(*transfer.from)) : Json(nullptr)},
                  {"to", transfer.to ? Json(name(*transfer.to)) : Json(nullptr)},
                  {"amount", transfer.amount},
                  {"why", name_of(core::transfer_reasons, transfer.reason)}});
  return rows;
}

// An item, "term" or "narsese", and its budget.
Json budget_json(const char* kind, const std::string& item, const narsese::BudgetValue& budget) {
  return {{kind, item},
          {"priority", budget.priority},
          {"durability", budget.durability},
          {"quality", budget.quality}};
}

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

// A goal, given as a sentence or as a term.
narsese::Sentence goal_in(const Request& request, narsese::TermTable& terms) {
  const JsonValue cue = request["cue"];
  const auto read =
      narsese::parse_sentence_or_term(cue.text("a goal as Narsese"), terms, narsese::Punctuation::goal);
  if (!read) throw parse_error("/cue", read.error());
  if (read->punctuation != narsese::Punctuation::goal)
    throw bad_value("/cue", "of operations: 'cue' must be a goal such as <a --> [b]>!, found " + cue.text());
  return *read;
}

constexpr std::size_t most_near = 3;  // sentences returned without an answer

NarsEvent event_of(core::Reasoner& reasoner, const core::ReasonerEvent& told) {
  static constexpr std::array<NarsEvent::Kind, 4> kinds{NarsEvent::Kind::input, NarsEvent::Kind::derived,
                                                        NarsEvent::Kind::revised, NarsEvent::Kind::answer};
  const core::KnownSentence& known = reasoner.knowledge()[told.sentence];
  NarsEvent event{.kind = kinds[static_cast<std::size_t>(told.kind)]};
  event.term = known.term;
  event.punctuation = known.punctuation;
  if (!known.asks()) event.truth = known.truth;
  for (const core::InputNumber number : reasoner.knowledge().evidence(told.sentence))
    event.stamp.push_back(number);
  event.raw = narsese::print(*event.sentence());
  return event;
}

// Checks that the text is a question.  Errors  RequestError
void require_question(core::Session& session, const std::string& text) {
  if (const auto cue = session.cue(text); !cue) throw parse_error("/question", cue.error());
  narsese::TermTable table;
  const auto sentence = narsese::parse_sentence(text, table);
  if (!sentence) throw parse_error("/question", sentence.error());
  if (!sentence->asks()) throw bad_value("/question", "'question' must be a question, which ends in ? or @");
}

}  // namespace

namespace run {

Json recall(const Context& context, const Request& request) {
  const core::ConfiguredMethod method = method_of(context, request);
  const std::size_t top = request.count("top");
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
  const std::size_t top = request.count("top");
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
    add_to(budgets, budget_json(of_concepts ? "term" : "narsese", name(allocation.id), allocation.budget));
  Json result = {{"method", method.name()}, {"budgets", budgets}};
  if (logged) {
    result["transfers"] = transfers_json(log, name);
    result["transfers_in_all"] = log.count();
  }
  return result;
}

// Budgets of operations are not stored.
Json allocate_operations(const Context& context, const Request& request) {
  core::Session& session = context.session;
  const narsese::Sentence goal = goal_in(request, session.mutable_memory().terms());
  core::OperationDesireOptions options{.desire = goal.truth_or_default(), .most = request.count("capacity")};
  options.eligibility = request.number("eligibility");
  Json budgets = Json::array();
  for (const core::OperationDesire& each : core::operation_desires(session.index(), goal.term, options)) {
    const auto& because = session.memory().statements()[each.because].sentence;
    Json row = budget_json("term", narsese::print(each.operation), each.budget);
    row["because"] = narsese::print(because);
    add_to(budgets, std::move(row));
  }
  return {{"budgets", budgets}};
}

void keep_budget(const Context& context, core::Session& ran_on, const Request& request) {
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
      throw bad_value(names[i].pointer(), "a method must occur once");
  }
  const std::size_t top = request.count("top");
  const core::Cue cue = cue_of(context.session, request);
  std::vector<core::Vector> activations;
  Json rows = Json::array(), agreement = Json::array();
  for (const core::Method* method : methods) {
    activations.push_back(context.session.recall(context.session.configured(*method), cue).concepts);
    rows.push_back({{"method", method->name},
                    {"activations", activations_json(context.session.memory(), activations.back(), top)}});
  }
  // Concepts that cannot be active would agree trivially, so they are not compared.
  for (core::Vector& activation : activations)
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

Json reason(const Context& context, const Request& request) {
  core::Session& session = context.session;
  const std::string question(request["question"].text());
  require_question(session, question);
  const core::ConfiguredMethod method = method_of(context, request);
  core::AnsweringOptions answering;
  answering.steps = request.count("steps");
  answering.refresh = request.count("refresh");
  answering.gate = request.count("gate", session.memory().statements().size());
  if (request.has("answers")) {
    answering.max_answers = request.count("answers");
    answering.max_near = most_near;
  }
  std::optional<core::Recall> first;  // the recall before the inference
  const std::size_t most_events = request.has("events") ? request.count("events") : 0;
  Json events = Json::array();
  std::size_t in_all = 0;
  const core::QuestionAnswers found = core::answer_question(
      session, question,
      [&](core::Session& memory, const core::Cue& cue) {
        core::Recall recall = recall_with(memory, method, cue);
        if (!first) first = recall;
        return std::move(recall).statements;
      },
      answering,
      [&](core::Reasoner& reasoner, const core::ReasonerEvent& event) {
        if (event.kind != core::ReasonerEvent::Kind::input && in_all++ < most_events)
          add_to(events, Json::parse(to_json(event_of(reasoner, event))));
      });
  Json result = {{"method", method.name()},
                 {"answer", nullptr},
                 {"steps", found.steps},
                 {"told", found.selected.size()}};
  if (!found.answers.empty()) result["answer"] = to_json(found.answers.front());
  if (request.has("answers")) {
    result["answers"] = to_json(found.answers);
    result["near"] = to_json(found.near);
  }
  if (request.has("top")) {
    Json selected = Json::array();
    for (const core::SelectedStatement& one :
         core::selected_with_budgets(session, *first, found, request.count("top")))
      add_to(selected, budget_json("narsese", one.narsese, one.budget));
    result["selected"] = std::move(selected);
  }
  if (request.has("events")) {
    result["events"] = std::move(events);
    result["events_in_all"] = in_all;
  }
  return result;
}

}  // namespace run
}  // namespace engram::bridge
