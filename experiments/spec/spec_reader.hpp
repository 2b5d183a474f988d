// SPDX-License-Identifier: MIT
// How a spec's JSON is read: by bridge's reader, and what specs have beyond it: defaults, which are written
// down, ranges, and the parts that several experiments share.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

using bridge::JsonValue;

/// What `read` gives.  Errors  SpecError for what it refuses by JsonError
template <class Read>
auto checked(Read read) {
  try {
    return read();
  } catch (const bridge::JsonError& error) {
    throw SpecError(error);
  }
}

/// The numbers of {"from": 0, "to": 1, "steps": 5}, both ends and equal steps between (to 12 digits); where
/// they are `whole`, also of {"from": 1, "to": 20} and of "1..20", all from one to the other. Written without
/// a point if all are whole.  Errors  JsonError
Json expand_range(const JsonValue& range, bool whole);

/// Names of which each may stand once.
class DistinctNames {
 public:
  /// Errors  SpecError at `pointer`, with the advice, if the name was there before
  void add(const std::string& name, const std::string& pointer, const std::string& advice = "");

 private:
  std::unordered_set<std::string> names_;
};
inline constexpr const char* other_label = "; give one of them another \"label\"";

/// Reads the members of one object, and writes each with its default into `resolved`.  Errors  JsonError
class SpecObject : public bridge::ObjectReader {
 public:
  using ObjectReader::ObjectReader;

  /// The pointer of a member.
  std::string at(std::string_view name) const { return bridge::JsonPlace(&value().place(), name).pointer(); }

  /// One of the choices; without a default it must be there.
  std::string choice(std::string_view name, const std::string& fallback,
                     const std::vector<std::string>& choices);
  /// "label": the name under which tables and plots show a thing.
  std::string label(const std::string& fallback);

  // What a field of the experiment's options holds is its default: it is said there, and nowhere else. From
  // then on the field holds what is read.

  void number(std::string_view name, double& field, double least, double most) {
    field = member(name, field, [&](const JsonValue& given) { return given.number(least, most); });
  }
  template <class Whole>
  void count(std::string_view name, Whole& field, std::int64_t most, std::int64_t least = 1) {
    field = member(name, field, [&](const JsonValue& given) {
      return static_cast<Whole>(given.whole_number(least, most));
    });
  }
  void flag(std::string_view name, bool& field) {
    field = member(name, field, [](const JsonValue& given) { return given.flag(); });
  }
  /// A list or a range, one number at least.
  void numbers(std::string_view name, std::vector<double>& field, double least, double most);
  /// Of which each is more than the one before.
  void ascending(std::string_view name, std::vector<double>& field, double least, double most);
  void counts(std::string_view name, std::vector<std::size_t>& field, std::int64_t least, std::int64_t most);

  /// Seeds: any whole numbers that doubles tell apart.
  void seeds(std::string_view name, std::vector<std::uint64_t>& field);

  /// Some of the known names, each once; all of them where nothing is said.
  std::vector<std::string> names(std::string_view name, const std::vector<std::string>& known);
  static constexpr std::size_t most_labelled = 1000;  // chosen: tables compare each with each
  /// A list of at most most_labelled things that have labels, `fallback` where there is none. `read(thing, label)` gives what a thing
  /// resolves to; it says `label(text)` of each label, and none may stand twice.
  template <class Read>
  void labelled(std::string_view name, const Json& fallback, const char* what, std::size_t least, Read read) {
    const JsonValue given = (*this)[name], list = given.or_else(fallback);
    if (list.list(what, least).size() > most_labelled)
      list.refuse("at most " + std::to_string(most_labelled) + " entries", std::to_string(list.size()));
    DistinctNames labels;
    Json all = Json::array();
    for (std::size_t i = 0; i < list.size(); ++i)
      all.push_back(read(
          list[i], [&](const std::string& label) { labels.add(label, list[i].pointer(), other_label); }));
    keep(name, all);
  }
  /// What `read` takes from the object that a member is; without one, its defaults.
  template <class Read>
  void object(std::string_view name, Read read) {
    const JsonValue given = (*this)[name];
    const Json empty = Json::object();
    SpecObject inner(given.or_else(empty));
    read(inner);
    inner.refuse_others();
    keep(name, inner.resolved);
  }
  /// The same of what may be left out: `false` where it is.
  template <class Read>
  bool part(std::string_view name, Read read) {
    const JsonValue given = (*this)[name];
    if (given && given.json() == Json(false)) return keep(name, false);
    object(name, read);
    return true;
  }

  template <class T>
  T keep(std::string_view name, T value) {
    resolved[std::string(name)] = value;
    return value;
  }

  Json resolved = Json::object();

 private:
  template <class T, class Read>
  T member(std::string_view name, const T& fallback, Read read) {
    const JsonValue given = (*this)[name];
    return keep<T>(name, given ? read(given) : fallback);
  }
};

/// The spec as a JSON object, and the folders in which the files that it names are looked for.
class SpecReader : public SpecObject {
 public:
  SpecReader(const JsonValue& spec, std::vector<std::filesystem::path> folders)
      : SpecObject(spec), folders_(std::move(folders)) {}

  /// In the first of the folders that holds it, or in the current one.
  std::filesystem::path found(const std::string& file) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

/// "inputs": files, each once.  Errors  JsonError, SpecError
void read_inputs(SpecReader& reader, Spec& spec, bool may_be_empty = false);

/// Errors  SpecError where there are none, and nothing is generated in their place
void require_inputs(const Spec& spec, bool generates);

/// "methods", each with all its options, and the files of vectors that these name.
/// Errors  JsonError, SpecError
void read_methods(SpecReader& reader, Spec& spec, const std::vector<std::string>& fallback);

/// "seeds": by default 1, 2, ... as many as said.  Errors  JsonError
void read_seeds(SpecReader& reader, Spec& spec, std::size_t count);

/// "memory". `learns`: whether decay, and how links are learnt, make a difference to the experiment; `large`:
/// whether its inputs may be more than a memory takes by default, so that its limits can be said; `forgets`: whether
/// what a memory forgets that reaches them can be said as well.
/// Errors  JsonError
void read_memory(SpecReader& reader, Spec& spec, bool learns, bool large, bool forgets = false);
inline void read_memory(SpecReader& reader, Spec& spec, bool learns = true) {
  read_memory(reader, spec, learns, learns);
}

}  // namespace engram::experiments
