// SPDX-License-Identifier: MIT
#include "experiments/spec/spec_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <tuple>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/spec/path_sandbox.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// Folders of the shipped files: the installed one beside the program, then the source tree of the build.
std::vector<fs::path> data_folders() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return {program.parent_path().parent_path() / ENGRAM_DATA_FOLDER, fs::path(ENGRAM_SOURCE_DATA)};
}

Json read_spec(const fs::path& path) {
  try {
    return read_json(path, true);
  } catch (const InputError& error) {
    throw SpecError("the spec", error.what());
  }
}

// Merges by JSON Merge Patch (RFC 7396). Members keep the order of `base`, then that of `changes`.
void merge(Json& base, const Json& changes) {
  if (!base.is_object() || !changes.is_object()) {
    base = changes;
    return;
  }
  for (const auto& [name, value] : changes.items()) {
    if (value.is_null())
      base.erase(name);
    else
      merge(base[name], value);
  }
}

// Returns the file that a spec extends, which is in the same folder or shipped with Engram.
fs::path extended_file(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  try {
    return shipped_spec(name);
  } catch (const SpecError& error) {
    throw SpecError("/extends", error.what());
  }
}

// Loads a spec with the specs that it extends. `chain` has the files that lead to this one: each extends the next.
SpecSource load_extended(const fs::path& path, std::vector<fs::path> chain) {
  std::error_code ignored;
  const fs::path file = fs::weakly_canonical(path, ignored);
  constexpr std::size_t most_files = 32;  // chosen; bounds the depth of the recursion
  if (chain.size() == most_files)
    throw SpecError("/extends", "at most " + std::to_string(most_files) +
                                    " specs may extend each other in a chain; found more, beginning with " +
                                    chain.front().filename().string());
  if (std::ranges::find(chain, file) != chain.end())
    throw SpecError("/extends", path.string() + " extends itself, through " + std::to_string(chain.size()) +
                                    (chain.size() == 1 ? " file" : " files"));
  chain.push_back(file);
  SpecSource source{read_spec(path), {path.parent_path()}, {}};
  if (!source.json.is_object() || !source.json.contains("extends")) return source;
  const JsonValue root(source.json);
  const std::string name =
      checked([&] { return root["extends"].text("a file beside this one, or a spec's name"); });
  const fs::path extended = extended_file(name, path.parent_path());
  if (!lies_in(extended, {path.parent_path(), shipped_file("specs")}))
    source.remarks.push_back("the spec extends " + legible(extended.string()) + ", which lies outside of " +
                             legible(path.parent_path().string()));
  SpecSource base = load_extended(extended, std::move(chain));
  source.json.erase("extends");
  merge(base.json, source.json);
  for (const fs::path& folder : base.folders)
    if (std::ranges::find(source.folders, folder) == source.folders.end()) source.folders.push_back(folder);
  source.remarks.insert(source.remarks.end(), base.remarks.begin(), base.remarks.end());
  return {std::move(base.json), std::move(source.folders), std::move(source.remarks)};
}

// Returns the comment at the beginning of a spec as one line.
std::string purpose_of(const fs::path& path) {
  std::ifstream file(path);
  std::string purpose;
  for (std::string line; std::getline(file, line) && line.starts_with("//");)
    purpose += (purpose.empty() ? "" : " ") + line.substr(line.find_first_not_of("/ "));
  return purpose;
}

// Returns the files of all shipped specs, sorted by name.
std::vector<fs::path> shipped_spec_files() {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(shipped_file("specs"), ignored))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// Returns the name of the experiment of a spec, which an extended spec may give. Returns an empty text for a damaged
// file.
std::string experiment_of(const fs::path& path) {
  try {
    const Json spec = load_spec(path).json;
    return spec.is_object() ? spec.value("experiment", "") : "";
  } catch (const SpecError&) {
    return "";  // `engram run` reports the error
  }
}

// Replaces names of methods in a JSON Pointer by their indices, so that `methods.attention.options.beta` addresses an
// option. An entry of the list may be a bare name, or an object with a label or a method of this name.
void use_numbers_of_methods(Json& spec, std::string& pointer) {
  Json* place = &spec;
  for (std::size_t from = 1; from <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', from), pointer.size());
    const std::string word = pointer.substr(from, end - from);
    if (place->is_object()) {
      if (!place->contains(word)) return;
      place = &place->at(word);
      from = end + 1;
      continue;
    }
    if (!place->is_array()) return;
    const auto named = [&](const Json& entry) {
      if (entry.is_string()) return entry == word;
      return entry.is_object() && entry.value("label", entry.value("method", Json())) == word;
    };
    auto found = std::find_if(place->begin(), place->end(), named);
    if (found == place->end()) {
      std::size_t number = 0;
      const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (code != std::errc() || stop != word.data() + word.size() || number >= place->size()) return;
      found = place->begin() + static_cast<std::ptrdiff_t>(number);
    }
    if (found->is_string() && end < pointer.size()) *found = Json{{"method", *found}};
    const std::string number = std::to_string(found - place->begin());
    pointer.replace(from, word.size(), number);
    from += number.size() + 1;
    place = &*found;
  }
}

// Returns the member of a spec at a path such as "memory.decay". `what` begins the error message.
Json& place_in(Json& spec, const std::string& path, const std::string& what) {
  std::string pointer = "/" + path;
  std::ranges::replace(pointer, '.', '/');
  // Limits the digits of an index, because a JSON Pointer extends a list to the length that the index needs.
  constexpr std::size_t most_digits = 4;
  for (std::size_t i = 0, digits = 0; i < pointer.size(); ++i)
    if ((digits = std::isdigit(static_cast<unsigned char>(pointer[i])) != 0 ? digits + 1 : 0) > most_digits)
      throw SpecError(pointer, what + ": the spec has no such place");
  use_numbers_of_methods(spec, pointer);
  try {
    return spec[Json::json_pointer(pointer)];
  } catch (const Json::exception&) {
    throw SpecError(pointer, what + ": the spec has no such place");
  }
}

// Returns the folder name of a sweep cell: "00001_decay=0.1".
std::string cell_name(std::size_t number, const std::vector<std::pair<std::string, Json>>& values) {
  const std::string digits = std::to_string(number);
  std::string name = std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
  for (const auto& [path, value] : values)
    name += "_" + path.substr(path.rfind('.') + 1) + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  return file_name(name);
}

// Returns the paths that "sweep" varies, each with its list of values.
std::vector<std::pair<std::string, Json>> axes_of(const JsonValue& spec) {
  const std::string what = "an object of places and their values, such as {\"memory.decay\": [0, 0.1]}";
  const JsonValue sweep = spec["sweep"];
  if (sweep.object(what).size() == 0) sweep.refuse(what);
  std::vector<std::pair<std::string, Json>> axes;
  for (const auto& [path, given] : sweep.json().items()) {
    const JsonValue values = sweep[path];
    if (!given.is_object()) values.list("a list of values, or {\"from\", \"to\", \"steps\"}", 1);
    axes.emplace_back(path, given.is_object() ? expand_range(values, false) : given);
  }
  return axes;
}

}  // namespace

Json default_spec(const std::vector<std::string>& files) {
  return {{"experiment", "comparison"}, {"inputs", files}};
}

SpecSource load_spec(const fs::path& path) { return load_extended(path, {}); }

fs::path shipped_file(const fs::path& name) {
  std::error_code ignored;
  for (const fs::path& folder : data_folders())
    if (fs::exists(folder / name, ignored)) return folder / name;
  return {};
}

std::vector<ShippedSpec> shipped_specs() {
  std::vector<ShippedSpec> specs;
  for (const fs::path& file : shipped_spec_files())
    specs.push_back({file.stem().string(), experiment_of(file), purpose_of(file)});
  std::ranges::sort(specs, {}, [](const ShippedSpec& spec) {
    return std::tuple(spec.experiment, spec.name != spec.experiment, spec.name);
  });
  return specs;
}

fs::path shipped_spec(const std::string& name) {
  std::vector<std::string> known;
  for (const fs::path& file : shipped_spec_files()) known.push_back(file.stem().string());
  const Json text(name);
  checked([&] { JsonValue(text, bridge::JsonPlace(name)).choice("a file or a spec's name", known); });
  return shipped_file(fs::path("specs") / (name + ".json"));
}

void apply_override(Json& spec, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw SpecError("--set", "must be path=value, found '" + assignment + "'");
  if (const auto flaw = illegible(assignment))
    throw SpecError("--set", "must be text without control characters, found " + *flaw);
  const std::string text = assignment.substr(equals + 1);
  place_in(spec, assignment.substr(0, equals), "--set") = json_in(text).value_or(text);
}

std::vector<SweepCell> sweep_cells(const Json& spec) {
  constexpr std::size_t most = 10'000;
  if (!spec.is_object() || !spec.contains("sweep")) return {};
  std::vector<SweepCell> cells(1);
  cells.front().spec = spec;
  cells.front().spec.erase("sweep");
  const std::vector<std::pair<std::string, Json>> axes = checked([&] { return axes_of(JsonValue(spec)); });
  for (const auto& [path, values] : axes) {
    if (cells.size() * values.size() > most)
      throw SpecError("/sweep", "must be at most " + std::to_string(most) + " combinations, found " +
                                    std::to_string(cells.size() * values.size()) + " or more");
    std::vector<SweepCell> all;
    for (const SweepCell& cell : cells)
      for (const Json& value : values) {
        all.push_back(cell);
        all.back().values.emplace_back(path, value);
        place_in(all.back().spec, path, "sweep") = value;
      }
    cells = std::move(all);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i].name = cell_name(i + 1, cells[i].values);
  return cells;
}

}  // namespace engram::experiments
