// SPDX-License-Identifier: MIT
#include "experiments/pages/unread_lines.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"

namespace engram::experiments {
namespace {

constexpr std::size_t most_told = 10;

std::string headline(std::size_t count) {
  return std::to_string(count) +
         (count == 1 ? " line of the inputs could not be read" : " lines of the inputs could not be read");
}

std::string and_more(const UnreadLines& lines) {
  return lines.count > lines.first.size()
             ? "and " + std::to_string(lines.count - lines.first.size()) + " more"
             : "";
}

}  // namespace

UnreadLines::UnreadLines(const Rejections& rejections) : count(rejections.size()) {
  for (std::size_t i = 0; i < std::min(count, most_told); ++i) {
    const auto& [file, line] = rejections[i];
    first.push_back({legible(file + ":" + std::to_string(line.line) + ":" + std::to_string(line.column)),
                     legible(line.message)});
  }
}

Json to_json(const UnreadLines& lines) {
  Json first = Json::array();
  for (const auto& [place, message] : lines.first) first.push_back({{"place", place}, {"message", message}});
  return {{"count", lines.count}, {"first", first}};
}

UnreadLines unread_lines_of(const Json& manifest) {
  UnreadLines lines;
  if (!manifest.contains("unread_lines")) return lines;
  const Json& member = manifest.at("unread_lines");
  lines.count = member.at("count").get<std::size_t>();
  for (const Json& line : member.at("first"))
    lines.first.push_back({line.at("place").get<std::string>(), line.at("message").get<std::string>()});
  return lines;
}

std::string unread_lines_html(const UnreadLines& lines) {
  if (lines.count == 0) return "";
  std::string html =
      fill("<p>{} and had no part in this run:</p>\n<ul class=\"cues\">\n", {headline(lines.count)});
  for (const auto& [place, message] : lines.first)
    html += fill("<li>{}: {}</li>\n", {Markup{code(place)}, message});
  if (const std::string more = and_more(lines); !more.empty()) html += "<li>" + more + "</li>\n";
  return html + "</ul>\n";
}

std::string unread_lines_text(const UnreadLines& lines) {
  if (lines.count == 0) return "";
  std::string text = headline(lines.count) + ":";
  for (const auto& line : lines.first) text += (&line == &lines.first.front() ? " " : ", ") + line.place;
  if (const std::string more = and_more(lines); !more.empty()) text += " " + more;
  return text + "\n";
}

}  // namespace engram::experiments
