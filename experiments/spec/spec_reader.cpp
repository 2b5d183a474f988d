// SPDX-License-Identifier: MIT
#include "experiments/spec/spec_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "bridge/json/core_json.hpp"
#include "bridge/models/model.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// 2^53 - 1: doubles represent all whole numbers up to this one exactly.
constexpr std::int64_t largest_whole = 9007199254740991;
constexpr std::int64_t most_numbers = 100'000;

// Converts "1..20" to {"from": 1, "to": 20}. Omits a member that is not a number.
Json range_of_text(const std::string& text) {
  Json range = Json::object();
  const std::size_t dots = text.find("..");
  for (const bool from : {true, false}) {
    if (dots == std::string::npos) break;
    const std::string part = from ? text.substr(0, dots) : text.substr(dots + 2);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error == std::errc() && end == part.data() + part.size()) range[from ? "from" : "to"] = number;
  }
  return range;
}

// Rounds to 12 digits, so that a grid contains 0.3, as people write it, not 0.30000000000000004.
double as_written(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 12);
  std::from_chars(text.data(), end.ptr, x);
  return x;
}

const char* list_kind(bool whole) {
  return whole ? "a list of whole numbers, or a range such as \"1..20\""
               : "a list of numbers, or a range such as {\"from\": 0, \"to\": 1, \"steps\": 5}";
}

// Reads a list or a range of numbers, each by `read`.
template <class Number, class Read>
std::vector<Number> read_list(const JsonValue& given, bool whole, Read read) {
  if (whole && given.json().is_number()) return {static_cast<Number>(read(given))};
  const bool range = given.json().is_object() || (whole && given.json().is_string());
  const Json expanded = range ? expand_range(given, whole) : Json();
  if (!range) given.list(list_kind(whole), 1);
  const std::size_t size = range ? expanded.size() : given.size();
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < size; ++i)
    numbers.push_back(static_cast<Number>(read(range ? JsonValue(expanded[i], given.place()) : given[i])));
  return numbers;
}

// Finds the files that methods read. They count as inputs: they are searched in the same folders and listed in the
// manifest. Vectors are loaded once before a run begins, so that errors appear early.
void find_files_of_methods(const SpecReader& reader, Spec& spec) {
  for (std::size_t i = 0; i < spec.methods.size(); ++i) {
    core::Options options = spec.methods[i].method.options();
    if (!options.contains("file")) continue;
    const bool has_vectors = options.contains("embedding");
    if (has_vectors && options.at("embedding") != core::OptionValue("file")) continue;
    const auto name = std::get<std::string>(options.at("file"));
    const fs::path path = reader.found(name);
    const std::string place = "/methods/" + std::to_string(i) + "/options/file";
    try {
      if (has_vectors) core::load_word_vectors(path);
    } catch (const core::WordVectorError& error) {
      throw SpecError(place, error.what());
    }
    if (!fs::is_regular_file(path)) throw SpecError(place, "must be a file, found \"" + name + '"');
    options["file"] = path.string();
    spec.methods[i].method = core::ConfiguredMethod(spec.methods[i].method.method(), options);
    if (std::ranges::find(spec.vectors, name, &Input::name) == spec.vectors.end())
      spec.vectors.push_back({name, path});
  }
}

// Reads "learning": the name of a rule, or an object with the rule and its parameters. The default is "none".
std::optional<core::LinkLearning> read_learning(SpecObject& memory) {
  const JsonValue given = memory["learning"];
  if (!given || given.json() == Json("none")) {
    memory.keep("learning", "none");
    return {};
  }
  const Json object = given.json().is_string() ? Json{{"rule", given.json()}} : given.json();
  SpecObject reader(JsonValue(object, given.place()));
  core::LinkLearning learning;
  learning.rule =
      *value_named(core::learning_rules, reader.choice("rule", "", names_in(core::learning_rules)));
  reader.number("rate", learning.rate, 1e-9, 1);
  reader.number("decay", learning.decay, 0, 1);
  reader.number("time", learning.time, 1, 1e9);
  reader.number("reach", learning.reach, 1e-3, 1e3);
  if (reader["bound"]) reader.number("bound", learning.bound, 1e-9, 1e9);
  reader.refuse_others();
  memory.keep("learning", reader.resolved);
  return learning;
}

// Reads "forget". The default "none" is not recorded, so that specs without this member resolve as before it existed.
void read_forgetting(SpecObject& memory, Spec& spec) {
  const std::string none(name_of(core::forgetting_policies, core::ForgettingPolicy::none));
  const std::string chosen = memory.choice("forget", none, names_in(core::forgetting_policies));
  if (chosen == none) memory.resolved.erase("forget");
  spec.forgetting = *value_named(core::forgetting_policies, chosen);
}

}  // namespace

Json expand_range(const JsonValue& range, bool whole) {
  const bool text = range.json().is_string();
  const Json of_text = text ? range_of_text(range.json().get_ref<const std::string&>()) : Json();
  if (text && of_text.size() != 2) range.refuse(list_kind(whole));
  bridge::ObjectReader reader(text ? JsonValue(of_text, range.place()) : range);
  const JsonValue from = reader["from"], to = reader["to"], steps = reader["steps"];
  reader.refuse_others();
  std::vector<double> numbers;
  if (steps || !whole) {
    const double first = from.number(-1e300, 1e300), last = to.number(first, 1e300);
    const auto count = static_cast<double>(steps.whole_number(2, most_numbers));
    numbers.push_back(first);
    for (double i = 1; i < count - 1; ++i)
      numbers.push_back(as_written(first + (last - first) * i / (count - 1)));
    numbers.push_back(last);
  } else {
    const auto first = from.whole_number(-largest_whole, largest_whole);
    const auto last = to.whole_number(first, std::min(first + most_numbers, largest_whole));
    for (auto number = first; number <= last; ++number) numbers.push_back(static_cast<double>(number));
  }
  const auto is_whole = [](double x) { return x == std::floor(x) && std::abs(x) <= largest_whole; };
  if (!std::ranges::all_of(numbers, is_whole)) return numbers;
  return std::vector<std::int64_t>(numbers.begin(), numbers.end());
}

void DistinctNames::add(const std::string& name, const std::string& pointer, const std::string& advice) {
  if (!names_.insert(name).second) throw SpecError(pointer, "'" + name + "' occurs twice" + advice);
}

std::string SpecObject::choice(std::string_view name, const std::string& fallback,
                               const std::vector<std::string>& choices) {
  const JsonValue given = (*this)[name];
  return keep(name, given || fallback.empty() ? given.choice("", choices) : fallback);
}

std::string SpecObject::label(const std::string& fallback) {
  return member("label", fallback, [](const JsonValue& given) {
    constexpr std::size_t most_bytes = 60;
    const std::string what = "a text of 1 to " + std::to_string(most_bytes) + " bytes";
    if (given.text(what).empty() || given.text().size() > most_bytes) given.refuse(what);
    return given.text();
  });
}

void SpecObject::numbers(std::string_view name, std::vector<double>& field, double least, double most) {
  field = member(name, field, [&](const JsonValue& given) {
    return read_list<double>(given, false, [&](const JsonValue& x) { return x.number(least, most); });
  });
}

void SpecObject::ascending(std::string_view name, std::vector<double>& field, double least, double most) {
  numbers(name, field, least, most);
  for (std::size_t i = 1; i < field.size(); ++i)
    if (!(field[i] > field[i - 1]))
      throw SpecError(at(name) + "/" + std::to_string(i),
                      "must be more than the one before, found " + narsese::print_number(field[i]));
}

void SpecObject::seeds(std::string_view name, std::vector<std::uint64_t>& field) {
  std::vector<std::size_t> numbers(field.begin(), field.end());
  counts(name, numbers, 0, largest_whole);
  field.assign(numbers.begin(), numbers.end());
}

void SpecObject::counts(std::string_view name, std::vector<std::size_t>& field, std::int64_t least,
                        std::int64_t most) {
  field = member(name, field, [&](const JsonValue& given) {
    return read_list<std::size_t>(given, true,
                                  [&](const JsonValue& x) { return x.whole_number(least, most); });
  });
}

std::vector<std::string> SpecObject::names(std::string_view name, const std::vector<std::string>& known) {
  return member(name, known, [&](const JsonValue& given) {
    given.list("a list of " + std::string(name), 1);
    std::vector<std::string> chosen;
    DistinctNames distinct;
    for (std::size_t i = 0; i < given.size(); ++i) {
      chosen.push_back(given[i].choice("", known));
      distinct.add(chosen.back(), given[i].pointer());
    }
    return chosen;
  });
}

fs::path SpecReader::found(const std::string& file) const {
  std::error_code ignored;  // a name that is too long is not a file
  for (const fs::path& folder : folders_)
    if (fs::exists(folder / file, ignored)) return folder / file;
  return file;
}

void read_inputs(SpecReader& reader, Spec& spec, bool may_be_empty) {
  const JsonValue given = reader["inputs"];
  given.list("a list of files", may_be_empty ? 0 : 1);
  std::vector<std::string> names;
  DistinctNames distinct;
  for (std::size_t i = 0; i < given.size(); ++i) {
    names.push_back(given[i].text("a file's name"));
    distinct.add(names.back(), given[i].pointer());
    spec.inputs.push_back({names.back(), reader.found(names.back())});
  }
  reader.keep("inputs", names);
}

void require_inputs(const Spec& spec, bool generates) {
  if (spec.inputs.empty() && !generates)
    throw SpecError("/inputs", "must be a list of files, one at least, since nothing is generated");
}

// Expands an entry that names a model: adds the method of the model, and its options unless the entry has others.
Json with_model(const JsonValue& given, const SpecReader& reader) {
  Json entry = given.json();
  const JsonValue file = given["model"];
  const fs::path path = reader.found(file.text("a model's file"));
  try {
    const bridge::Model model = bridge::read_model(path);
    if (const JsonValue method = given["method"]; method && method.json() != Json(model.method))
      method.refuse("'" + model.method + "', the model's method");
    entry["method"] = model.method;
    if (!entry.contains("label")) entry["label"] = path.stem().string();
    core::Options options = bridge::options_in(given["options"]);
    options.insert(model.options.begin(), model.options.end());
    entry["options"] = bridge::options_json(options);
  } catch (const bridge::ModelError& error) {
    throw SpecError(file.pointer(), error.what());
  } catch (const std::system_error& error) {
    throw SpecError(file.pointer(), error.what());
  }
  entry.erase("model");
  return entry;
}

void read_methods(SpecReader& reader, Spec& spec, const std::vector<std::string>& fallback) {
  reader.labelled("methods", fallback, "a list of methods", 1, [&](const JsonValue& given, auto label) {
    const bool has_model = given.json().is_object() && given.json().contains("model");
    const Json entry = has_model ? with_model(given, reader) : given.json();
    spec.methods.push_back(read_method(JsonValue(entry, given.place())));
    label(spec.methods.back().label);
    return method_json(spec.methods.back());
  });
  find_files_of_methods(reader, spec);
}

void read_seeds(SpecReader& reader, Spec& spec, std::size_t count) {
  spec.seeds.resize(count);
  std::iota(spec.seeds.begin(), spec.seeds.end(), std::uint64_t{1});
  reader.seeds("seeds", spec.seeds);
}

void read_memory(SpecReader& reader, Spec& spec, bool learns, bool large, bool forgets) {
  core::MemoryOptions& memory = spec.memory;
  reader.object("memory", [&](SpecObject& inner) {
    if (learns) inner.number("decay", memory.decay, 0, 0.999999);
    if (learns) memory.learning = read_learning(inner);
    inner.flag("compounds", memory.activation.compounds);
    inner.flag("statements", memory.activation.statements);
    if (!large) return;
    inner.count("max_concepts", memory.limits.max_concepts, most_in_memory);
    inner.count("max_hebbian_links", memory.limits.max_hebbian_links, most_in_memory);
    inner.count("max_statements", memory.limits.max_statements, most_in_memory);
    if (forgets) read_forgetting(inner, spec);
  });
}

}  // namespace engram::experiments
