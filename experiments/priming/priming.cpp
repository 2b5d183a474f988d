// SPDX-License-Identifier: MIT
#include "experiments/priming/priming.hpp"

#include <algorithm>
#include <charconv>

#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

constexpr std::int64_t most_statements = 1'000'000;

// 12, or "3x".
StatementCapacity read_capacity(const JsonValue& value) {
  if (!value.json().is_string())
    return {static_cast<std::size_t>(value.whole_number(1, most_statements)), false};
  const std::string& text = value.text();
  StatementCapacity capacity{0, true};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), capacity.amount);
  if (error != std::errc() || capacity.amount < 1 || capacity.amount > 1000 || text != capacity.name())
    value.refuse("a number of statements, or how many times as many as are needed, such as \"3x\"");
  return capacity;
}

std::vector<StatementCapacity> read_capacities(SpecObject& reader,
                                               const std::vector<StatementCapacity>& fallback) {
  const JsonValue given = reader["capacities"];
  std::vector<StatementCapacity> capacities;
  if (!given) capacities = fallback;
  std::vector<std::string> names;
  for (std::size_t i = 0; given && i < given.list("a list of capacities", 1).size(); ++i) {
    capacities.push_back(read_capacity(given[i]));
    names.push_back(capacities.back().name());
    require_once(names, given[i].pointer());
  }
  Json resolved = Json::array();
  for (const StatementCapacity& capacity : capacities)
    resolved.push_back(capacity.multiple ? Json(capacity.name()) : Json(capacity.amount));
  reader.keep("capacities", resolved);
  return capacities;
}

// What the sizes come to must be a memory's; one seed's is made at a time.
GeneratedSet read_set(SpecObject& reader) {
  GeneratedSet set;
  ChainOptions& options = set.options;
  std::vector<std::string> kinds = proof_kinds;
  kinds.push_back(wordnet_kind);
  set.kind = reader.choice("kind", "", kinds);
  const bool chains = set.kind == "chains", wordnet = set.kind == wordnet_kind;
  if (!wordnet) reader.count("groups", options.groups, 100'000);
  set.label = reader.label(wordnet ? set.kind : set.kind + " " + std::to_string(options.groups));
  reader.count("questions", options.questions, 10'000);
  if (chains) {
    reader.number("noise", options.noise, 0, 0.25);
    reader.number("cross_links", options.cross_links, 0, 1);
    reader.count("rules", options.rules, 64);
    reader.count("longest", options.longest, 6, 2);
  }
  set.capacities =
      read_capacities(reader, set.kind == "families" ? std::vector<StatementCapacity>{{12, false}}
                                                     : std::vector<StatementCapacity>{{3, true}, {2, true}});
  set.ablation = chains;
  reader.flag("ablation", set.ablation);
  reader.refuse_others();
  return set;
}

std::vector<GeneratedSet> read_sets(SpecObject& reader) {
  const Json fallback = Json::array({{{"kind", "families"}, {"groups", 30}},
                                     {{"kind", "families"}, {"groups", 3000}},
                                     {{"kind", "chains"}, {"groups", 30}},
                                     {{"kind", "chains"}, {"groups", 300}}});
  std::vector<GeneratedSet> sets;
  reader.labelled("generated", fallback, "a list of sets", 0, [&](const JsonValue& given, auto label) {
    SpecObject object(given);
    sets.push_back(read_set(object));
    label(sets.back().label);
    return object.resolved;
  });
  return sets;
}

// "attention, beta 32, steps 1"
std::string changed_label(const std::string& base, const core::Options& changes) {
  std::string label = base;
  for (const auto& [name, value] : changes) {
    const double* number = std::get_if<double>(&value);
    label += ", " + name + " " + (number ? narsese::print_number(*number) : std::get<std::string>(value));
  }
  return label;
}

Ablation read_ablation(const JsonValue& given) {
  Json base = given.object().json();
  base.erase("changes");
  const JsonValue changes = given["changes"];
  changes.list("a list of objects, each with other options", 1);
  Ablation ablation{read_method(JsonValue(base, given.place())), {}};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const JsonValue change = changes[i];
    const core::Options options_changed = read_options(change);
    core::Options options = ablation.base.options;
    for (const auto& [name, value] : options_changed) options[name] = value;
    options = completed(*ablation.base.method, options, change.pointer());
    if (options.contains("embedding") && options.at("embedding") == core::OptionValue("file"))
      throw SpecError(change.pointer(), "vectors of a file stand for one memory, and these are generated");
    ablation.changed.push_back(
        {changed_label(ablation.base.label, options_changed), ablation.base.method, std::move(options)});
  }
  return ablation;
}

std::vector<Ablation> read_ablations(SpecObject& reader) {
  std::vector<Ablation> all;
  reader.labelled("ablation", Json::array(), "a list of ablations", 0,
                  [&](const JsonValue& given, auto label) {
                    const Ablation& ablation = all.emplace_back(read_ablation(given));
                    label(ablation.base.label);
                    for (const MethodChoice& changed : ablation.changed) label(changed.label);
                    Json resolved = method_json(ablation.base);
                    resolved["changes"] = given["changes"].json();
                    return resolved;
                  });
  return all;
}

PrimingOptions read(SpecReader& reader, Spec& spec) {
  PrimingOptions options;
  read_inputs(reader, spec, true);
  std::vector<std::string> all;
  for (const core::Method& method : core::methods()) all.push_back(method.name);
  read_methods(reader, spec, all);
  options.generated = read_sets(reader);
  options.capacities = read_capacities(reader, {{12, false}, {3, true}, {2, true}});
  reader.counts("cutoffs", options.cutoffs, 1, 1000);
  options.ablation = read_ablations(reader);
  require_inputs(spec, !options.generated.empty());
  read_seeds(reader, spec, 10);
  read_memory(reader, spec);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  const bool generated = row.at("generated").get<bool>();
  std::vector<Observation> all;
  for (const auto& [name, values] : row.at("measures").items())
    for (std::size_t i = 0; i < values.size(); ++i)
      all.push_back({name, row.at("method").get<std::string>(),
                     generated ? "seed " + row.at("seed").dump() : "question " + std::to_string(i),
                     values[i].get<double>(), row.at("set").get<std::string>()});
  return all;
}

}  // namespace

std::unique_ptr<Experiment> priming_experiment() {
  return make_experiment<PrimingOptions>({"priming",
                                          read,
                                          priming_trials,
                                          conclude_priming,
                                          {"seed by seed, in files question by question", observe}});
}

}  // namespace engram::experiments
