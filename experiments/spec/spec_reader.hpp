// SPDX-License-Identifier: MIT
// Readers for the JSON of a spec. They extend bridge::ObjectReader by recorded defaults, ranges of numbers, and the
// parts that several experiments share.
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

/// Returns the result of read(). Rethrows its JsonError as SpecError.  Errors  SpecError
template <class Read>
auto checked(Read read) {
  try {
    return read();
  } catch (const bridge::JsonError& error) {
    throw SpecError(error);
  }
}

/// Expands a range to a list of numbers. {"from": 0, "to": 1, "steps": 5} gives both ends and equally spaced numbers
/// between them, rounded to 12 digits. If `whole` is set, {"from": 1, "to": 20} and "1..20" give all whole numbers from
/// the first to the last. If all numbers are whole, they are written without a decimal point.
/// Errors  JsonError
Json expand_range(const JsonValue& range, bool whole);

/// Set of names that rejects duplicates.
class DistinctNames {
 public:
  /// Adds a name.
  /// Errors  SpecError at `pointer` for a duplicate; `advice` is appended to the message
  void add(const std::string& name, const std::string& pointer, const std::string& advice = "");

 private:
  std::unordered_set<std::string> names_;
};
inline constexpr const char* other_label = "; give one of them another \"label\"";

/// Reader for the members of one JSON object. `resolved` records each member with its value or default.
/// Errors  JsonError
class SpecObject : public bridge::ObjectReader {
 public:
  using ObjectReader::ObjectReader;

  /// JSON Pointer of a member.
  std::string at(std::string_view name) const { return bridge::JsonPlace(&value().place(), name).pointer(); }

  /// Reads one of the choices. An empty `fallback` means that the member is required.
  std::string choice(std::string_view name, const std::string& fallback,
                     const std::vector<std::string>& choices);
  /// Reads "label": the name of a thing in tables and plots.
  std::string label(const std::string& fallback);

  // The functions below read a member into a field of the options. The value that the field has before is the default,
  // so the default is defined only at the field.

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
  /// Reads a list or a range with at least one number.
  void numbers(std::string_view name, std::vector<double>& field, double least, double most);
  /// Reads a list or a range of strictly ascending numbers.
  void ascending(std::string_view name, std::vector<double>& field, double least, double most);
  void counts(std::string_view name, std::vector<std::size_t>& field, std::int64_t least, std::int64_t most);

  /// Reads seeds: whole numbers from 0 to 2^53 - 1, which doubles represent exactly.
  void seeds(std::string_view name, std::vector<std::uint64_t>& field);

  /// Reads a list of distinct known names. The default is all of them.
  std::vector<std::string> names(std::string_view name, const std::vector<std::string>& known);
  static constexpr std::size_t most_labelled = 1000;  // chosen: tables compare all pairs
  /// Reads a list of at most most_labelled things with distinct labels; `fallback` is the default. read(thing, label)
  /// returns the resolved JSON of a thing and must call label(text) with its label.
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
  /// Reads a member that is an object, by read(reader). Without the member, `read` gets an empty object and all
  /// defaults apply.
  template <class Read>
  void object(std::string_view name, Read read) {
    const JsonValue given = (*this)[name];
    const Json empty = Json::object();
    SpecObject inner(given.or_else(empty));
    read(inner);
    inner.refuse_others();
    keep(name, inner.resolved);
  }
  /// As object(), for a part that a spec can disable with `false`.  Returns  whether the part is enabled
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

/// Reader for a whole spec. It also stores the folders in which the files of the spec are searched.
class SpecReader : public SpecObject {
 public:
  SpecReader(const JsonValue& spec, std::vector<std::filesystem::path> folders)
      : SpecObject(spec), folders_(std::move(folders)) {}

  /// Path of a file: in the first folder that contains it, otherwise relative to the current folder.
  std::filesystem::path found(const std::string& file) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

/// Reads "inputs": a list of distinct files.  Errors  JsonError, SpecError
void read_inputs(SpecReader& reader, Spec& spec, bool may_be_empty = false);

/// Requires at least one input, unless the experiment generates its own.  Errors  SpecError
void require_inputs(const Spec& spec, bool generates);

/// Reads "methods" with all their options, and finds the files that the options name.
/// Errors  JsonError, SpecError
void read_methods(SpecReader& reader, Spec& spec, const std::vector<std::string>& fallback);

/// Reads "seeds". The default is 1 .. count.  Errors  JsonError
void read_seeds(SpecReader& reader, Spec& spec, std::size_t count);

/// Reads "memory". The flags select the members that a spec may give.
/// `learns`   decay and learning of links, if they affect the experiment
/// `large`    limits on size, if inputs may exceed the default limits
/// `forgets`  the forgetting policy of a full memory; needs `large`
/// Errors     JsonError
void read_memory(SpecReader& reader, Spec& spec, bool learns, bool large, bool forgets = false);
inline void read_memory(SpecReader& reader, Spec& spec, bool learns = true) {
  read_memory(reader, spec, learns, learns);
}

}  // namespace engram::experiments
