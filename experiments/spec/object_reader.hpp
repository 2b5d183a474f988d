// SPDX-License-Identifier: MIT
// How a spec's JSON is read: every member checked, every default written down.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// "; did you mean 'x'?; known are x, y": the end of a message about a name that is not known.
std::string hint(std::string_view name, const std::vector<std::string>& known);

/// The numbers of {"from": 0, "to": 1, "steps": 5}, both ends and equal steps between (to 12 digits); of
/// {"from": 1, "to": 20}, or of "1..20", all whole numbers from one to the other.  Errors  SpecError
std::vector<double> expand_range(const std::string& where, const Json& range, bool whole);

/// A number within bounds.  Errors  SpecError
double checked(const std::string& where, const Json& value, double least, double most, bool whole);

/// Reads the members of one JSON object, writes each with its default into `resolved`, and refuses the rest.
class ObjectReader {
 public:
  ObjectReader(const Json& object, std::string pointer) : object_(object), pointer_(std::move(pointer)) {
    if (!object.is_object()) throw SpecError(pointer_, "expected an object");
  }

  std::string at(const std::string& name) const { return pointer_ + "/" + name; }

  const Json* find(const std::string& name) {
    known_.push_back(name);
    const auto member = object_.find(name);
    return member == object_.end() ? nullptr : &*member;
  }

  std::string choice(const std::string& name, const std::string& fallback,
                     const std::vector<std::string>& choices) {
    const Json* value = find(name);
    const std::string text = value == nullptr     ? fallback
                             : value->is_string() ? value->get<std::string>()
                                                  : "";
    if (std::ranges::find(choices, text) == choices.end())
      throw SpecError(at(name), "expected a name, found " + (value != nullptr ? value->dump() : "none") +
                                    hint(text, choices));
    return keep(name, text);
  }

  /// "label": the name under which tables and plots show a thing.
  std::string label(const std::string& fallback) {
    constexpr std::size_t most_bytes = 60;
    const Json* value = find("label");
    if (value == nullptr) return keep("label", fallback);
    if (!value->is_string() || value->get_ref<const std::string&>().empty() ||
        value->get_ref<const std::string&>().size() > most_bytes)
      throw SpecError(at("label"), "expected a text of 1 to " + std::to_string(most_bytes) +
                                       " bytes, found " + value->dump());
    return keep("label", value->get<std::string>());
  }

  // What a field of the experiment's options holds is its default: it is said there, and nowhere else. From
  // then on the field holds what is read.

  void number(const std::string& name, double& field, double least, double most) {
    if (const Json* value = find(name)) field = checked(at(name), *value, least, most, false);
    keep(name, field);
  }

  /// A whole number, at least 1.
  template <class Whole>
  void count(const std::string& name, Whole& field, double most) {
    if (const Json* value = find(name)) field = static_cast<Whole>(checked(at(name), *value, 1, most, true));
    keep(name, field);
  }

  void flag(const std::string& name, bool& field) {
    if (const Json* value = find(name)) {
      if (!value->is_boolean()) throw SpecError(at(name), "expected true or false, found " + value->dump());
      field = value->get<bool>();
    }
    keep(name, field);
  }

  /// Numbers, or whole ones: a list, or a range.
  template <class Number>
  void numbers(const std::string& name, std::vector<Number>& field, double least, double most) {
    constexpr bool whole = std::is_integral_v<Number>;
    if (const Json* value = find(name)) {
      const bool range = value->is_object() || (whole && value->is_string());
      const Json list = range ? Json(expand_range(at(name), *value, whole)) : *value;
      if (!list.is_array() || list.empty()) throw SpecError(at(name), "expected a list of numbers");
      field.clear();
      for (std::size_t i = 0; i < list.size(); ++i)
        field.push_back(static_cast<Number>(
            checked(at(name) + (range ? "" : "/" + std::to_string(i)), list[i], least, most, whole)));
    }
    keep(name, field);
  }

  /// Numbers of which each is more than the one before.
  void ascending(const std::string& name, std::vector<double>& field, double least, double most) {
    numbers(name, field, least, most);
    for (std::size_t i = 1; i < field.size(); ++i)
      if (!(field[i] > field[i - 1]))
        throw SpecError(at(name) + "/" + std::to_string(i), "expected more than the one before");
  }

  /// Some of the known names, each once; all of them where nothing is said.
  std::vector<std::string> names(const std::string& name, const std::vector<std::string>& known) {
    const Json* given = find(name);
    const Json list = given != nullptr ? *given : Json(known);
    if (!list.is_array() || list.empty()) throw SpecError(at(name), "expected a list of " + name);
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string place = at(name) + "/" + std::to_string(i);
      const std::string text = list[i].is_string() ? list[i].get<std::string>() : "";
      if (std::ranges::find(known, text) == known.end())
        throw SpecError(place, "expected a name, found " + list[i].dump() + hint(text, known));
      if (std::ranges::find(chosen, text) != chosen.end())
        throw SpecError(place, "the name '" + text + "' stands twice");
      chosen.push_back(text);
    }
    return keep(name, chosen);
  }

  template <class T>
  T keep(const std::string& name, T value) {
    resolved[name] = value;
    return value;
  }

  // Call when all known members have been asked for.
  void refuse_others() const {
    for (const auto& [name, value] : object_.items())
      if (std::ranges::find(known_, name) == known_.end())
        throw SpecError(at(name), "unknown name '" + name + "'" + hint(name, known_));
  }

  Json resolved = Json::object();

 private:
  const Json& object_;
  std::string pointer_;
  std::vector<std::string> known_;
};

}  // namespace engram::experiments
