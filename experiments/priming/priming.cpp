// SPDX-License-Identifier: MIT
#include "experiments/priming/priming.hpp"

#include <algorithm>
#include <charconv>

#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

constexpr double most_statements = 1e6;

// 12, or "3x".
StatementCapacity read_capacity(const std::string& where, const Json& value) {
  if (!value.is_string()) {
    const double amount = checked(where, value, 1, most_statements, true);
    return {static_cast<std::size_t>(amount), false};
  }
  const auto text = value.get<std::string>();
  StatementCapacity capacity{0, true};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), capacity.amount);
  if (error != std::errc() || capacity.amount < 1 || capacity.amount > 1000 || text != capacity.name())
    throw SpecError(where,
                    "expected a number of statements, or how many times as many as are needed, such "
                    "as \"3x\", found " +
                        value.dump());
  return capacity;
}

std::vector<StatementCapacity> read_capacities(ObjectReader& reader,
                                               const std::vector<StatementCapacity>& fallback) {
  Json resolved = Json::array();
  std::vector<StatementCapacity> capacities;
  const auto add = [&](const StatementCapacity& capacity, const std::string& where) {
    for (const StatementCapacity& other : capacities)
      if (other.name() == capacity.name()) throw SpecError(where, capacity.name() + " stands twice");
    capacities.push_back(capacity);
    resolved.push_back(capacity.multiple ? Json(capacity.name()) : Json(capacity.amount));
  };
  const Json* given = reader.find("capacities");
  const std::string pointer = reader.at("capacities");
  if (given != nullptr && (!given->is_array() || given->empty()))
    throw SpecError(pointer, "expected a list of capacities");
  if (given == nullptr)
    for (const StatementCapacity& capacity : fallback) add(capacity, pointer);
  else
    for (std::size_t i = 0; i < given->size(); ++i) {
      const std::string where = pointer + "/" + std::to_string(i);
      add(read_capacity(where, (*given)[i]), where);
    }
  reader.keep("capacities", resolved);
  return capacities;
}

// What the sizes come to must be a memory's; one seed's is made at a time.
GeneratedSet read_set(const Json& given, const std::string& pointer, Json& resolved) {
  ObjectReader reader(given, pointer);
  GeneratedSet set;
  set.kind = reader.choice("kind", "", {"families", "chains", "taxonomies", "events"});
  const bool chains = set.kind == "chains";
  reader.count("groups", set.groups, 100'000);
  set.label = reader.label(set.kind + " " + std::to_string(set.groups));
  reader.count("questions", set.questions, 10'000);
  if (chains) {
    reader.number("noise", set.noise, 0, 0.25);
    reader.number("cross_links", set.cross_links, 0, 1);
    reader.count("rules", set.rules, 64);
    reader.count("longest", set.longest, 6);
    if (set.longest < 2) throw SpecError(reader.at("longest"), "expected a whole number in [2, 6], found 1");
  }
  set.capacities =
      read_capacities(reader, set.kind == "families" ? std::vector<StatementCapacity>{{12, false}}
                                                     : std::vector<StatementCapacity>{{3, true}, {2, true}});
  set.ablation = chains;
  reader.flag("ablation", set.ablation);
  reader.refuse_others();
  resolved.push_back(reader.resolved);
  return set;
}

std::vector<GeneratedSet> read_sets(ObjectReader& reader) {
  const Json fallback = Json::array({{{"kind", "families"}, {"groups", 30}},
                                     {{"kind", "families"}, {"groups", 3000}},
                                     {{"kind", "chains"}, {"groups", 30}},
                                     {{"kind", "chains"}, {"groups", 300}}});
  const Json* given = reader.find("generated");
  const std::string pointer = reader.at("generated");
  if (given != nullptr && !given->is_array()) throw SpecError(pointer, "expected a list of sets");
  const Json& list = given != nullptr ? *given : fallback;
  std::vector<GeneratedSet> sets;
  Json resolved = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = pointer + "/" + std::to_string(i);
    GeneratedSet set = read_set(list[i], where, resolved);
    if (std::ranges::find(sets, set.label, &GeneratedSet::label) != sets.end())
      throw SpecError(where,
                      "the label '" + set.label + "' stands twice; give one of them another \"label\"");
    sets.push_back(std::move(set));
  }
  reader.keep("generated", resolved);
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

Ablation read_ablation(const Json& given, const std::string& pointer, Json& resolved) {
  if (!given.is_object()) throw SpecError(pointer, "expected an object");
  Json base = given;
  base.erase("changes");
  ObjectReader reader(given, pointer);
  for (const auto& member : base.items()) reader.find(member.key());
  const Json* changes = reader.find("changes");
  if (changes == nullptr || !changes->is_array() || changes->empty())
    throw SpecError(reader.at("changes"), "expected a list of objects, each with other options");
  Ablation ablation{read_method(base, pointer), {}};
  for (std::size_t i = 0; i < changes->size(); ++i) {
    const std::string where = reader.at("changes") + "/" + std::to_string(i);
    const core::Options change = read_options((*changes)[i], where);
    core::Options options = ablation.base.options;
    for (const auto& [name, value] : change) options[name] = value;
    options = completed(*ablation.base.method, options, where);
    if (options.contains("embedding") && options.at("embedding") == core::OptionValue("file"))
      throw SpecError(where, "vectors of a file stand for one memory, and these are generated");
    ablation.changed.push_back(
        {changed_label(ablation.base.label, change), ablation.base.method, std::move(options)});
  }
  Json object = method_json(ablation.base);
  object["changes"] = *changes;
  resolved.push_back(std::move(object));
  return ablation;
}

void require_labels(const std::vector<Ablation>& ablations, const std::string& pointer) {
  std::vector<std::string> labels;
  for (const Ablation& ablation : ablations) {
    labels.push_back(ablation.base.label);
    for (const MethodChoice& choice : ablation.changed) labels.push_back(choice.label);
  }
  std::ranges::sort(labels);
  const auto twice = std::ranges::adjacent_find(labels);
  if (twice != labels.end()) throw SpecError(pointer, "'" + *twice + "' stands twice");
}

std::vector<Ablation> read_ablations(ObjectReader& reader) {
  const Json* given = reader.find("ablation");
  const std::string pointer = reader.at("ablation");
  if (given != nullptr && !given->is_array()) throw SpecError(pointer, "expected a list of ablations");
  std::vector<Ablation> ablations;
  Json resolved = Json::array();
  for (std::size_t i = 0; given != nullptr && i < given->size(); ++i)
    ablations.push_back(read_ablation((*given)[i], pointer + "/" + std::to_string(i), resolved));
  require_labels(ablations, pointer);
  reader.keep("ablation", resolved);
  return ablations;
}

PrimingOptions read_own_parts(ObjectReader& reader) {
  PrimingOptions priming;
  priming.generated = read_sets(reader);
  priming.capacities = read_capacities(reader, {{12, false}, {3, true}, {2, true}});
  reader.numbers("cutoffs", priming.cutoffs, 1, 1000);
  priming.ablation = read_ablations(reader);
  return priming;
}

}  // namespace

void Priming::read(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec, true);
  std::vector<std::string> all;
  for (const core::Method& method : core::methods()) all.push_back(method.name);
  read_methods(reader, spec, all);
  options_ = read_own_parts(reader);
  if (spec.inputs.empty() && options_.generated.empty())
    throw SpecError("/inputs", "expected a list of files, since nothing is generated");
  read_seeds(reader, spec, 10);
  read_memory(reader, spec);
}

Measures Priming::measures() const {
  return {"seed by seed, in files question by question", [](const Json& row) {
            const bool generated = row.at("generated").get<bool>();
            std::vector<Observation> all;
            for (const auto& [name, values] : row.at("measures").items())
              for (std::size_t i = 0; i < values.size(); ++i)
                all.push_back({name, row.at("method").get<std::string>(),
                               generated ? "seed " + row.at("seed").dump() : "question " + std::to_string(i),
                               values[i].get<double>(), row.at("set").get<std::string>()});
            return all;
          }};
}

std::unique_ptr<Experiment> priming_experiment() { return std::make_unique<Priming>(); }

}  // namespace engram::experiments
