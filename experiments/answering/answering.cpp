// SPDX-License-Identifier: MIT
#include "experiments/answering/answering.hpp"

#include <algorithm>
#include <charconv>

#include "bridge/json/core_json.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments::answering {
namespace {

constexpr std::int64_t most_statements = 1'000'000;

// Reads a capacity: a number of statements (12), or a multiple of the number of needed statements ("3x").
Gate read_amount(const JsonValue& value) {
  if (!value.json().is_string()) return {static_cast<std::size_t>(value.whole_number(1, most_statements))};
  const std::string& text = value.text();
  Gate gate{0, true};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gate.amount);
  if (error != std::errc() || gate.amount < 1 || gate.amount > 1000 || text != gate.name())
    value.refuse("a number of statements, or a multiple of the number needed, such as \"3x\"");
  return gate;
}

Json amount_json(const Gate& gate) {
  return gate.multiple ? Json(Gate{gate.amount, true}.name()) : Json(gate.amount);
}

// Reads a gate, which limits the selected statements: a capacity, or an object with a capacity and a least share of the
// best score.
Gate read_gate(const JsonValue& value, Json& resolved) {
  if (!value.json().is_object()) {
    const Gate gate = read_amount(value);
    resolved.push_back(amount_json(gate));
    return gate;
  }
  SpecObject object(value);
  Gate gate =
      read_amount(object["capacity"].required("a number of statements, or a multiple such as \"3x\""));
  object.keep("capacity", amount_json(gate));
  object.number("share", gate.share, 0, 1);
  object.refuse_others();
  resolved.push_back(object.resolved);
  return gate;
}

std::vector<Gate> read_gates(SpecObject& reader, const std::vector<Gate>& fallback) {
  const JsonValue given = reader["capacities"];
  std::vector<Gate> gates;
  DistinctNames names;
  Json resolved = Json::array();
  if (!given) {
    gates = fallback;
    for (const Gate& gate : gates) resolved.push_back(amount_json(gate));
  }
  for (std::size_t i = 0; given && i < given.list("a list of capacities", 1).size(); ++i) {
    gates.push_back(read_gate(given[i], resolved));
    names.add(gates.back().name(), given[i].pointer());
  }
  reader.keep("capacities", resolved);
  return gates;
}

// Reads one set. The upper limits of its sizes ensure that the statements of one seed fit into a memory.
SeededSet read_set(SpecObject& reader, bool measured) {
  SeededSet set;
  ChainOptions& options = set.options;
  std::vector<std::string> kinds = proof_kinds;
  kinds.push_back(wordnet_kind);
  set.kind = reader.choice("kind", "", kinds);
  const bool chains = set.kind == "chains", wordnet = set.kind == wordnet_kind;
  if (!wordnet) reader.count("groups", options.groups, 100'000);
  set.label = reader.label(wordnet ? set.kind : set.kind + " " + std::to_string(options.groups));
  reader.count("questions", options.questions, 10'000);
  if (wordnet) reader.number("wrong", set.wrong, 0, 0.9);
  if (chains) {
    reader.number("noise", options.noise, 0, 0.25);
    reader.number("cross_links", options.cross_links, 0, 1);
    reader.count("rules", options.rules, 64);
    reader.count("longest", options.longest, 6, 2);
  }
  if (set.kind == "theories") reader.flag("shared_words", options.shared_words);
  if (set.kind == "compositions") {
    reader.flag("both_ways", options.both_ways);
    reader.flag("joined", options.joined);
  }
  if (measured) {
    set.gates = read_gates(
        reader, set.kind == "families" ? std::vector<Gate>{{12}} : std::vector<Gate>{{3, true}, {2, true}});
    set.ablation = chains;
    reader.flag("ablation", set.ablation);
  }
  reader.refuse_others();
  return set;
}

// Label of a variant: "attention, beta 32, steps 1".
std::string changed_label(const std::string& base, const core::Options& changes) {
  std::string label = base;
  for (const auto& [name, value] : changes) {
    const double* number = std::get_if<double>(&value);
    label += ", " + name + " " + (number ? narsese::print_number(*number) : std::get<std::string>(value));
  }
  return label;
}

Variants read_variants(const JsonValue& given) {
  Json base = given.object().json();
  base.erase("changes");
  const JsonValue changes = given["changes"];
  changes.list("a list of objects, each with other options", 1);
  Variants variants{read_method(JsonValue(base, given.place())), {}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const JsonValue change = changes[i];
    const core::Options options_changed = bridge::options_in(change);
    core::Options options = variants.base.method.options();
    for (const auto& [name, value] : options_changed) options[name] = value;
    core::ConfiguredMethod changed = configured(variants.base.method.method(), options, change.pointer());
    const auto embedding = changed.options().find("embedding");
    if (embedding != changed.options().end() && embedding->second == core::OptionValue("file"))
      throw SpecError(
          change.pointer(),
          "must not be vectors of a file: they belong to one memory, and this experiment has several");
    variants.changed.push_back({changed_label(variants.base.label, options_changed), std::move(changed)});
  }
  return variants;
}

// Reads a list of methods, each with changes of its options.
std::vector<Variants> read_all_variants(SpecObject& reader, const char* name, const char* what) {
  std::vector<Variants> all;
  reader.labelled(name, Json::array(), what, 0, [&](const JsonValue& given, auto label) {
    const Variants& variants = all.emplace_back(read_variants(given));
    label(variants.base.label);
    for (const MethodChoice& changed : variants.changed) label(changed.label);
    Json resolved = method_json(variants.base);
    resolved["changes"] = given["changes"].json();
    return resolved;
  });
  return all;
}

void read_tuning(SpecObject& reader, Tuning& tuning) {
  reader.seeds("seeds", tuning.seeds);
  tuning.methods =
      read_all_variants(reader, "methods", "a list of methods, each with changes to choose from");
  for (std::size_t i = 1; i < tuning.methods.size(); ++i)
    if (const std::size_t found = tuning.methods[i].changed.size(), first = tuning.methods[0].changed.size();
        found != first)
      throw SpecError(
          reader.at("methods") + "/" + std::to_string(i) + "/changes",
          "must be " + std::to_string(first) +
              " changes, as many as the first method has, so that every method has the same number of "
              "candidates, found " +
              std::to_string(found));
}

// Rejects methods labelled "everything" or "oracle", which are the labels of the reference rows.
void refuse_arms(const Spec& spec) {
  for (std::size_t i = 0; i < spec.methods.size(); ++i)
    if (const std::string& label = spec.methods[i].label; label == everything_arm || label == oracle_arm)
      throw SpecError("/methods/" + std::to_string(i) + "/label",
                      "must not be '" + everything_arm + "' or '" + oracle_arm +
                          "', which are arms of every run, found '" + label + "'");
}

// Rejects seeds that are used for training and for evaluation.
void refuse_common_seeds(const Spec& spec, const Tuning& tuning) {
  if (tuning.methods.empty()) return;
  for (std::size_t i = 0; i < tuning.seeds.size(); ++i)
    if (std::ranges::find(spec.seeds, tuning.seeds[i]) != spec.seeds.end())
      throw SpecError(
          "/tuning/seeds/" + std::to_string(i),
          "must be none of /seeds, which are for evaluation, found " + std::to_string(tuning.seeds[i]));
}

Json usual_sets() {
  return Json::array({{{"kind", "families"}, {"groups", 30}},
                      {{"kind", "families"}, {"groups", 3000}},
                      {{"kind", "chains"}, {"groups", 30}},
                      {{"kind", "chains"}, {"groups", 300}}});
}

AnsweringOptions read(SpecReader& reader, Spec& spec) {
  AnsweringOptions options;
  read_inputs(reader, spec, true);
  std::vector<std::string> all;
  for (const core::Method& method : core::methods())
    if (!method.only_by_name) all.push_back(method.name);
  read_methods(reader, spec, all);
  refuse_arms(spec);
  options.sets = read_sets(reader, usual_sets(), true);
  options.gates = read_gates(reader, {{12}, {3, true}, {2, true}});
  reader.count("questions", options.most_questions, 1'000'000);
  options.half = read_half(reader);
  reader.counts("cutoffs", options.cutoffs, 1, 1000);
  options.ablation = read_all_variants(reader, "ablation", "a list of ablations");
  require_inputs(spec, !options.sets.empty());
  read_seeds(reader, spec, 10);
  reader.object("tuning", [&](SpecObject& tuning) { read_tuning(tuning, options.tuning); });
  refuse_common_seeds(spec, options.tuning);
  read_live(reader, spec, options);
  read_memory(reader, spec, true, true, true);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  return row.at("part") == training ? std::vector<Observation>() : observed_measures(row);
}

}  // namespace

std::vector<Observation> observed_measures(const Json& row) {
  std::vector<Observation> all;
  for (const auto& [name, values] : row.at("measures").items())
    for (std::size_t i = 0; i < values.size(); ++i)
      all.push_back({name, row.at("method").get<std::string>(),
                     row.contains("seed") ? "seed " + row.at("seed").dump() : "question " + std::to_string(i),
                     values[i].get<double>(), row.at("set").get<std::string>()});
  return all;
}

void read_live(SpecReader& reader, Spec& spec, AnsweringOptions& options) {
  const JsonValue given = reader["system"];
  if (!given || given.json() == Json(false)) {
    reader.keep("system", false);
    return;
  }
  reader.object("system", [&](SpecObject& system) { options.system = read_system(system); });
  if (options.system->recording.empty()) return;
  options.recording = reader.found(options.system->recording);
  if (!options.system->can_ask()) spec.vectors.push_back({options.system->recording, options.recording});
}

Half read_half(SpecObject& reader) {
  const std::vector<std::string> names{"all", "first", "second"};
  const std::string& chosen = reader.choice("half", "all", names);
  if (chosen == "all") reader.resolved.erase("half");
  return static_cast<Half>(std::ranges::find(names, chosen) - names.begin());
}

std::vector<SeededSet> read_sets(SpecObject& reader, const Json& fallback, bool measured) {
  std::vector<SeededSet> sets;
  reader.labelled("sets", fallback, "a list of sets", 0, [&](const JsonValue& given, auto label) {
    SpecObject object(given);
    sets.push_back(read_set(object, measured));
    label(sets.back().label);
    return object.resolved;
  });
  return sets;
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<AnsweringOptions>(
      {"answering", read, answering_trials, conclude_answering, {pairing, observe}});
}

}  // namespace engram::experiments::answering
