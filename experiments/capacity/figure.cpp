// SPDX-License-Identifier: MIT
#include "experiments/capacity/figure.hpp"

namespace engram::experiments::capacity {

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

std::function<double(const std::vector<double>&)> crossing(std::size_t first, std::vector<double> xs) {
  return [=](const std::vector<double>& means) {
    for (std::size_t i = 1; i < xs.size(); ++i) {
      const double above = means[first + i - 1], below = means[first + i];
      if (above >= 0.5 && below < 0.5)
        return xs[i - 1] + (xs[i] - xs[i - 1]) * (above - 0.5) / (above - below);
    }
    return std::nan("");
  };
}

}  // namespace engram::experiments::capacity
