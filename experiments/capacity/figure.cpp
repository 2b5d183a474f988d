// SPDX-License-Identifier: MIT
#include "experiments/capacity/figure.hpp"

namespace engram::experiments {

std::vector<Figure> all_figures() {
  std::vector<Figure> all;
  for (auto part : {classical_figures(), rule_figures(), dense_figures(), modern_figures()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Point claim(std::string label, double x, double theory, double tolerance, std::size_t repetitions,
            Measurement measure) {
  return {std::move(label),  x, theory, theory - tolerance, theory + tolerance, repetitions,
          std::move(measure)};
}

Point shown(std::string label, double x, std::optional<double> theory, std::size_t repetitions,
            Measurement measure) {
  return {std::move(label), x, theory, 1, 0, repetitions, std::move(measure)};
}

}  // namespace engram::experiments
