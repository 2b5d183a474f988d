// SPDX-License-Identifier: MIT
// How a spec's JSON is read: every member checked, every default written down.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
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

  double number(const std::string& name, double fallback, double least, double most) {
    const Json* value = find(name);
    if (value == nullptr) return keep(name, fallback);
    return keep(name, checked(at(name), *value, least, most, false));
  }

  std::size_t count(const std::string& name, std::size_t fallback, double most) {
    const Json* value = find(name);
    if (value == nullptr) return keep(name, fallback);
    return keep(name, static_cast<std::size_t>(checked(at(name), *value, 1, most, true)));
  }

  bool flag(const std::string& name, bool fallback) {
    const Json* value = find(name);
    if (value == nullptr) return keep(name, fallback);
    if (!value->is_boolean()) throw SpecError(at(name), "expected true or false, found " + value->dump());
    return keep(name, value->get<bool>());
  }

  std::vector<double> numbers(const std::string& name, std::vector<double> fallback, double least,
                              double most, bool whole = false) {
    const Json* value = find(name);
    if (value == nullptr) return keep(name, fallback);
    const bool range = value->is_object() || (whole && value->is_string());
    const Json numbers = range ? Json(expand_range(at(name), *value, whole)) : *value;
    if (!numbers.is_array() || numbers.empty()) throw SpecError(at(name), "expected a list of numbers");
    std::vector<double> list;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      list.push_back(
          checked(at(name) + (range ? "" : "/" + std::to_string(i)), numbers[i], least, most, whole));
    return keep(name, list);
  }

  /// Whole numbers, written and given like numbers().
  std::vector<std::size_t> counts(const std::string& name, const std::vector<double>& fallback, double least,
                                  double most) {
    const std::vector<double> list = numbers(name, fallback, least, most, true);
    return keep(name, std::vector<std::size_t>(list.begin(), list.end()));
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
