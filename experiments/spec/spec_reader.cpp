// SPDX-License-Identifier: MIT
#include "experiments/spec/spec_reader.hpp"

#include <algorithm>
#include <numeric>

#include "core/embeddings/word_vectors.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// Files of vectors are inputs as well: found like them, read once before a run begins, named in its manifest.
void find_vectors(const SpecReader& reader, Spec& spec) {
  for (std::size_t i = 0; i < spec.methods.size(); ++i) {
    core::Options& options = spec.methods[i].options;
    if (!options.contains("file") || options.at("embedding") != core::OptionValue("file")) continue;
    const auto name = std::get<std::string>(options.at("file"));
    const fs::path path = reader.found(name);
    try {
      core::load_word_vectors(path);
    } catch (const core::WordVectorError& error) {
      throw SpecError(reader.at("methods") + "/" + std::to_string(i) + "/options/file", error.what());
    }
    options["file"] = path.string();
    if (std::ranges::find(spec.vectors, name, &Input::name) == spec.vectors.end())
      spec.vectors.push_back({name, path});
  }
}

// A rule by name, or an object with its numbers; "none" by default.
std::optional<core::LinkLearning> read_learning(ObjectReader& memory) {
  const Json* given = memory.find("learning");
  if (given == nullptr || *given == Json("none")) {
    memory.keep("learning", "none");
    return {};
  }
  const Json object = given->is_string() ? Json{{"rule", *given}} : *given;
  ObjectReader reader(object, memory.at("learning"));
  core::LinkLearning learning;
  learning.rule =
      *value_named(core::learning_rules, reader.choice("rule", "", names_in(core::learning_rules)));
  reader.number("rate", learning.rate, 1e-9, 1);
  reader.number("decay", learning.decay, 0, 1);
  reader.number("time", learning.time, 1, 1e9);
  reader.number("reach", learning.reach, 1e-3, 1e3);
  if (reader.find("bound") != nullptr) reader.number("bound", learning.bound, 1e-9, 1e9);
  reader.refuse_others();
  memory.keep("learning", reader.resolved);
  return learning;
}

}  // namespace

fs::path SpecReader::found(const std::string& file) const {
  std::error_code ignored;  // a name that is too long is none of a file
  for (const fs::path& folder : folders_)
    if (fs::exists(folder / file, ignored)) return folder / file;
  return file;
}

void read_inputs(SpecReader& reader, Spec& spec, bool may_be_empty) {
  const Json* given = reader.find("inputs");
  const std::string pointer = reader.at("inputs");
  if (given == nullptr || !given->is_array() || (given->empty() && !may_be_empty))
    throw SpecError(pointer, "expected a list of files");
  std::vector<Input>& inputs = spec.inputs;
  for (std::size_t i = 0; i < given->size(); ++i) {
    const std::string place = pointer + "/" + std::to_string(i);
    if (!(*given)[i].is_string()) throw SpecError(place, "expected a file name, found " + (*given)[i].dump());
    const auto name = (*given)[i].get<std::string>();
    inputs.push_back({name, reader.found(name)});
    for (std::size_t j = 0; j < i; ++j)
      if (inputs[j].name == name) throw SpecError(place, "the file '" + name + "' stands twice");
  }
  reader.keep("inputs", *given);
}

void read_methods(SpecReader& reader, Spec& spec, const std::vector<std::string>& fallback) {
  const Json* given = reader.find("methods");
  const Json list = given != nullptr ? *given : Json(fallback);
  const std::string pointer = reader.at("methods");
  if (!list.is_array() || list.empty()) throw SpecError(pointer, "expected a list of methods");
  std::vector<MethodChoice>& methods = spec.methods;
  Json resolved = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = pointer + "/" + std::to_string(i);
    methods.push_back(read_method(list[i], place));
    for (std::size_t j = 0; j < i; ++j)
      if (methods[j].label == methods[i].label)
        throw SpecError(
            place, "the label '" + methods[i].label + "' stands twice; give one of them another \"label\"");
    resolved.push_back(method_json(methods.back()));
  }
  reader.keep("methods", resolved);
  find_vectors(reader, spec);
}

void read_seeds(SpecReader& reader, Spec& spec, std::size_t count) {
  spec.seeds.resize(count);
  std::iota(spec.seeds.begin(), spec.seeds.end(), 1U);
  reader.numbers("seeds", spec.seeds, 0, 9007199254740991.0);
}

void read_memory(SpecReader& reader, Spec& spec, bool learns) {
  core::MemoryOptions& memory = spec.memory;
  const Json* given = reader.find("memory");
  const Json empty = Json::object();
  ObjectReader inner(given != nullptr ? *given : empty, reader.at("memory"));
  if (learns) inner.number("decay", memory.decay, 0, 0.999999);
  if (learns) memory.learning = read_learning(inner);
  inner.flag("compounds", memory.activation.compounds);
  inner.flag("statements", memory.activation.statements);
  inner.refuse_others();
  reader.keep("memory", inner.resolved);
}

}  // namespace engram::experiments
