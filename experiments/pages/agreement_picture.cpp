// SPDX-License-Identifier: MIT
#include "experiments/pages/agreement_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numbers/shapes.hpp"
#include "experiments/formats/escapes.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

// Chosen: sixteen methods fit the width of a phone with legible letters.
constexpr double square_side = 17, label_letters = 11, letter_width = 6;
constexpr std::size_t longest_label = 26;

// Shade from which white letters are more legible than black ones. Both have a contrast of at least 4.5 to 1 (WCAG
// 2.1).
constexpr double dark_from = 0.81;
// Palest shade. Pure white would glare on a dark page.
constexpr double palest = 0.06;

// Colour of a correlation: nearly white to dark blue, or to orange for negative ones.
std::string colour_of(double correlation) {
  const std::array<double, 3> end =
      correlation < 0 ? std::array{213.0, 94.0, 0.0} : std::array{10.0, 92.0, 158.0};
  std::string text = "rgb(";
  for (std::size_t i = 0; i < 3; ++i)
    text +=
        (i > 0 ? "," : "") + fixed(255 + (end[i] - 255) * std::clamp(std::abs(correlation), palest, 1.0), 0);
  return text + ")";
}

}  // namespace

Drawing agreement_picture(const std::vector<std::string>& methods,
                          const std::vector<std::vector<std::optional<double>>>& correlations) {
  const std::size_t count = std::min(methods.size(), most_pictured_methods);
  core::require(correlations.size() == methods.size(), "a row of correlations for every method is needed");
  std::vector<std::string> names;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(std::to_string(i + 1) + " " + shortened(legible(methods[i]), longest_label));
    longest = std::max(longest, narsese::count_code_points(names[i]));
  }
  const double left = letter_width * static_cast<double>(longest) + 4, top = square_side;
  std::string body;
  for (std::size_t row = 0; row < count; ++row) {
    core::require(correlations[row].size() == methods.size(), "a correlation for every method is needed");
    const double y = top + square_side * static_cast<double>(row);
    body += fill("<text x=\"0\" y=\"{}\">{}</text>\n", {y + 12, names[row]}) +
            fill("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                 {left + square_side * (static_cast<double>(row) + 0.5), top - 4, row + 1});
    for (std::size_t column = 0; column < count; ++column) {
      const auto& correlation = correlations[row][column];
      if (row == column || !correlation) continue;
      const double x = left + square_side * static_cast<double>(column);
      body += fill(
          "<g><title>{} and {}: {}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>"
          "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"8.5\" fill=\"{}\">{}</text></g>\n",
          {methods[row], methods[column], fixed(*correlation, 2), x + 0.5, y + 0.5, square_side - 1,
           square_side - 1, colour_of(*correlation), x + square_side / 2, y + 11.5,
           *correlation > dark_from ? "#fefefe" : "#010101", fixed(100 * *correlation, 0)});
    }
  }
  const auto width = static_cast<std::size_t>(std::ceil(left + square_side * static_cast<double>(count)));
  const auto height = static_cast<std::size_t>(std::ceil(top + square_side * static_cast<double>(count)));
  return drawing("agreement", width, height, static_cast<std::size_t>(label_letters), body);
}

}  // namespace engram::experiments
