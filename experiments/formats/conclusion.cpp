// SPDX-License-Identifier: MIT
#include "experiments/formats/conclusion.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"

namespace engram::experiments {

Json estimate_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"mean", estimate->mean}, {"low", estimate->low}, {"high", estimate->high}};
}

void drop_empty(std::vector<Table>& tables) {
  for (Table& table : tables)
    for (std::size_t column = table.head.size(); column-- > 1;) {
      const auto is_empty = [&](const std::vector<Cell>& row) {
        return column >= row.size() || row[column].text.empty() || row[column].text == "-";
      };
      if (!std::ranges::all_of(table.rows, is_empty)) continue;
      const auto at = static_cast<std::ptrdiff_t>(column);
      table.head.erase(table.head.begin() + at);
      for (std::vector<Cell>& row : table.rows)
        if (column < row.size()) row.erase(row.begin() + at);
    }
  std::erase_if(tables, [](const Table& table) { return table.rows.empty() || table.head.size() < 2; });
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
