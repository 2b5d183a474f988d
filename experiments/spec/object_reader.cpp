// SPDX-License-Identifier: MIT
#include "experiments/spec/object_reader.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "narsese/nearest_name.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = narsese::nearest_name(name, known);
  std::string text = "; known are ";
  for (std::size_t i = 0; i < known.size(); ++i) text += (i > 0 ? ", " : "") + known[i];
  return (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") + text;
}

double checked(const std::string& where, const Json& value, double least, double most, bool whole) {
  const double x = value.is_number() ? value.get<double>() : std::nan("");
  if (!(x >= least && x <= most) || (whole && x != std::floor(x)))
    throw SpecError(where, std::string("expected a ") + (whole ? "whole " : "") + "number in [" +
                               narsese::print_number(least) + ", " + narsese::print_number(most) +
                               "], found " + value.dump());
  return x;
}

namespace {

constexpr double largest_whole = 9007199254740991.0;
constexpr double most_numbers = 100'000;

// "1..20"
Json range_of_text(const std::string& where, const std::string& text) {
  const std::size_t dots = text.find("..");
  Json range = Json::object();
  for (const bool from : {true, false}) {
    if (dots == std::string::npos) break;
    const std::string part = from ? text.substr(0, dots) : text.substr(dots + 2);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error == std::errc() && end == part.data() + part.size()) range[from ? "from" : "to"] = number;
  }
  if (range.size() != 2)
    throw SpecError(where, "expected a list, or a range such as \"1..20\", found " + Json(text).dump());
  return range;
}

// To 12 digits, so that a grid holds 0.3, as people write it, not 0.30000000000000004.
double as_written(double x) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 12);
  std::from_chars(text.data(), end.ptr, x);
  return x;
}

}  // namespace

std::vector<double> expand_range(const std::string& where, const Json& range, bool whole) {
  const Json object = range.is_string() ? range_of_text(where, range.get<std::string>()) : range;
  ObjectReader reader(object, where);
  const Json *from = reader.find("from"), *to = reader.find("to"), *steps = reader.find("steps");
  reader.refuse_others();
  if (from == nullptr || to == nullptr || (steps == nullptr && !whole))
    throw SpecError(where, std::string("expected \"from\"") +
                               (whole ? " and \"to\"" : ", \"to\" and \"steps\"") + ", found " +
                               object.dump());
  const double first = checked(where + "/from", *from, -1e300, 1e300, false);
  const double last = checked(where + "/to", *to, first, 1e300, false);
  if (steps == nullptr)
    checked(where + "/to", *to, first, std::min(first + most_numbers, largest_whole), true);
  const double count =
      steps != nullptr ? checked(where + "/steps", *steps, 2, most_numbers, true) : last - first + 1;
  std::vector<double> numbers;
  for (double i = 0; i < count; ++i) {
    const bool inner = steps != nullptr && i > 0 && i < count - 1;
    numbers.push_back(inner              ? as_written(first + (last - first) * i / (count - 1))
                      : steps == nullptr ? first + i
                      : i == 0           ? first
                                         : last);
  }
  return numbers;
}

}  // namespace engram::experiments
