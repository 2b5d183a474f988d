// SPDX-License-Identifier: MIT
#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

Json estimate_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"mean", estimate->mean}, {"low", estimate->low}, {"high", estimate->high}};
}

std::string certificate_text(const Json& certificate) {
  const auto number = [&](const char* name) {
    const Json& value = certificate.at(name);
    return value.is_null() ? std::string("infinity") : cell(value.get<double>(), 3).text;
  };
  return "gap " + number("gap") + ", margin " + number("margin") +
         (certificate.at("exact").get<bool>() ? ": one step is exact" : ": no step is known to be exact");
}

}  // namespace engram::experiments
