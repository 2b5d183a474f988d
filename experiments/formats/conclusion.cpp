// SPDX-License-Identifier: MIT
#include "experiments/formats/conclusion.hpp"

#include <cmath>

namespace engram::experiments {

Json certificate_json(const core::RetrievalCertificate& certificate) {
  const auto number_or_null = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"beta_gap", number_or_null(certificate.beta * certificate.gap)},
          {"margin", number_or_null(certificate.margin)},
          {"exact", certificate.exact}};
}

std::string certificate_text(const Json& certificate) {
  const auto number = [&](const char* name) {
    const Json& value = certificate.at(name);
    return value.is_null() ? std::string("infinity") : cell(value.get<double>(), 3).text;
  };
  return "beta × gap " + number("beta_gap") + " against the margin " + number("margin") +
         (certificate.at("exact").get<bool>() ? ": one step is exact" : ": no step is known to be exact");
}

}  // namespace engram::experiments
