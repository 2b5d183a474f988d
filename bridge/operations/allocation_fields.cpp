// SPDX-License-Identifier: MIT
#include "bridge/operations/allocation_fields.hpp"

namespace engram::bridge {
namespace {

using core::AllocationOptions;

void refuse_without(const Request& request, const char* name, bool read, const char* by) {
  if (request.has(name) && !read)
    throw bad_value(std::string("/") + name, std::string("'") + name + "' is read with " + by + " alone");
}

void read_update(const Request& request, AllocationOptions& options) {
  options.prior = request.choice("prior", {"none", "previous"}, "none") == "previous";
  for (const char* name : {"prior_form", "durability", "fresh"})
    refuse_without(request, name, options.prior, "\"prior\": \"previous\"");
  options.update.form = request.value("prior_form", core::prior_forms, options.update.form);
  refuse_without(request, "alpha", options.update.form == core::PriorForm::alpha,
                 "\"prior_form\": \"alpha\"");
  options.update.alpha = request.number("alpha", 1, 1000, options.update.alpha);
  options.fresh = request.number("fresh", 0, 1, options.fresh);
  if (request.has("durability")) options.durability = request.number("durability", 0, 1);
}

void read_cut(const Request& request, core::Cut& cut) {
  cut.capacity = request.count("capacity");
  cut.selection = request.value("select", core::selections, cut.selection);
  const bool by_threshold = cut.selection == core::Selection::threshold;
  refuse_without(request, "threshold", by_threshold, "\"select\": \"threshold\"");
  if (by_threshold) cut.threshold = request.number("threshold", 0, 1);
  cut.share = request.number("share", 0, 1, cut.share);
}

bool is_active_in(const core::ActivationPolicy& memory, core::TermClass term_class) {
  switch (term_class) {
    case core::TermClass::compound:
      return memory.compounds;
    case core::TermClass::statement:
      return memory.statements;
    case core::TermClass::self:
      return memory.self;
    case core::TermClass::variable:
      return false;
    case core::TermClass::atom:
    case core::TermClass::op:
      break;
  }
  return true;
}

core::TermPolicy read_policy(const Request& request, const core::ActivationPolicy& memory) {
  core::TermPolicy policy(memory);
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
    if (wanted == core::Role::holds && !is_active_in(memory, facts.value))
      throw bad_value(role.pointer(), "in this memory a " + name + " is never active, so it cannot hold: " +
                                          std::string(facts.reason));
    if (facts.value != core::TermClass::variable) policy.set(facts.value, wanted);
    if (facts.value == core::TermClass::variable && wanted != core::Role::ignored)
      throw bad_value(role.pointer(), "a variable can only be ignored: " + std::string(facts.reason));
  }
  return policy;
}

}  // namespace

bool is_of_operations(const Request& request) {
  return request.choice("of", {"concepts", "statements", "operations"}) == "operations";
}

AllocationOptions allocation_options(const Request& request, const core::ActivationPolicy& memory) {
  AllocationOptions options;
  const bool of_concepts = request.choice("of", {"concepts", "statements"}) == "concepts";
  refuse_without(request, "eligibility", false, "\"of\": \"operations\"");
  options.of = of_concepts ? core::AllocationOf::concepts : core::AllocationOf::statements;
  read_update(request, options);
  read_cut(request, options.cut);
  refuse_without(request, "temperature", options.prior || options.cut.selection == core::Selection::budget,
                 "\"prior\": \"previous\" or \"select\": \"budget\"");
  options.update.temperature = request.positive("temperature", options.update.temperature);
  options.cut.temperature = options.update.temperature;
  refuse_without(request, "policy", of_concepts, "\"of\": \"concepts\"");
  options.policy = read_policy(request, memory);
  return options;
}

}  // namespace engram::bridge
