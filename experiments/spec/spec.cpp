// SPDX-License-Identifier: MIT
#include "experiments/spec/spec.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/python_method.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

void check_text(const std::string& text, const std::string& pointer) {
  constexpr std::size_t most_bytes = 4096;  // chosen: the length limit of a path
  if (text.size() > most_bytes)
    throw SpecError(pointer, "must be a text of at most " + std::to_string(most_bytes) + " bytes, found " +
                                 std::to_string(text.size()));
  if (const auto flaw = illegible(text))
    throw SpecError(pointer, "must be a text without control characters and the like, found " + *flaw +
                                 " of '" + text + "'");
}

// Checks all strings of the spec. Member names count too, because error messages repeat them.
void check_texts(const Json& json, const std::string& pointer) {
  if (json.is_string()) check_text(json.get_ref<const std::string&>(), pointer);
  std::size_t place = 0;
  for (const auto& [name, value] : json.items()) {
    if (!json.is_structured()) return;
    if (json.is_object()) check_text(name, pointer);
    check_texts(value, pointer + "/" + (json.is_object() ? name : std::to_string(place++)));
  }
}

void check_learnt_links(const Spec& spec) {
  if (spec.memory.learning) return;
  for (std::size_t i = 0; i < spec.methods.size(); ++i) {
    const auto& options = spec.methods[i].method.options();
    if (options.contains("links") && options.at("links") == core::OptionValue("learnt"))
      throw SpecError("/methods/" + std::to_string(i) + "/options/links",
                      "nothing is learnt: /memory/learning names no rule");
  }
}

// Rejects names from earlier versions with a message that gives the new name.
void refuse_former_names(const JsonValue& experiment) {
  if (experiment && experiment.json() == "priming")
    throw SpecError(experiment.pointer(),
                    "must be 'answering', as 'priming' is called now, with \"sets\" for \"generated\"");
}

}  // namespace

Spec resolve_spec(const Json& json, const std::vector<std::filesystem::path>& folders) {
  check_texts(json, "");
  add_python_method();
  return checked([&] {
    SpecReader reader(JsonValue(json), folders);
    refuse_former_names(reader["experiment"]);
    std::vector<std::unique_ptr<Experiment>> all = experiments();
    std::vector<std::string> names;
    for (const auto& experiment : all) names.emplace_back(experiment->name());
    const auto chosen = std::ranges::find(names, reader.choice("experiment", "", names)) - names.begin();
    const std::shared_ptr<Experiment> experiment = std::move(all[static_cast<std::size_t>(chosen)]);
    Spec spec;
    spec.experiment = experiment;
    experiment->read(reader, spec);
    check_learnt_links(spec);
    reader.refuse_others();
    spec.resolved = reader.resolved;
    return spec;
  });
}

}  // namespace engram::experiments
