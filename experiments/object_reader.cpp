// SPDX-License-Identifier: MIT
#include "experiments/object_reader.hpp"

namespace engram::experiments {

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = core::nearest_name(name, known);
  std::string text = "; known are ";
  for (std::size_t i = 0; i < known.size(); ++i) text += (i > 0 ? ", " : "") + known[i];
  return (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") + text;
}

}  // namespace engram::experiments
