// SPDX-License-Identifier: MIT
#include "experiments/formats/conclusion.hpp"

#include "experiments/formats/markup.hpp"

namespace engram::experiments {

Json estimate_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"mean", estimate->mean}, {"low", estimate->low}, {"high", estimate->high}};
}

Drawing drawing(const std::string& name, std::size_t width, std::size_t height, std::size_t letters,
                const std::string& body) {
  return {name,
          fill(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="sans-serif" )"
               R"(font-size="{}"><rect width="100%" height="100%" fill="#fff"/>)"
               "\n{}</svg>\n",
               {width, height, letters, Markup{body}})};
}

std::string certificate_text(const Json& certificate) {
  const auto number = [&](const char* name) {
    const Json& value = certificate.at(name);
    return value.is_null() ? std::string("infinity") : fixed(value.get<double>(), 3);
  };
  return "gap " + number("gap") + ", margin " + number("margin") +
         (certificate.at("exact").get<bool>() ? ": one step is exact" : ": no step is known to be exact");
}

}  // namespace engram::experiments
