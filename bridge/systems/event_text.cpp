// SPDX-License-Identifier: MIT
#include "bridge/systems/event_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "narsese/parser.hpp"

namespace engram::bridge {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\033[") {
      const std::size_t end = text.find_first_not_of("0123456789;:<=>? ", i + 2);
      if (end != text.npos && text[end] >= '@' && text[end] <= '~') {
        i = end;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

std::optional<double> share_in(std::string_view text) {
  const auto share = number_in<double>(text);
  return share && *share >= 0 && *share <= 1 ? share : std::nullopt;
}

Json json_line(std::string_view line) {
  auto read = read_json(line, {.max_bytes = std::size_t{16} << 20});
  return read ? std::move(read).value() : Json();
}

std::string text_of(const Json& json, const char* member) {
  return json.is_object() && json.contains(member) && json.at(member).is_string()
             ? json.at(member).get<std::string>()
             : "";
}

std::optional<std::pair<std::string_view, std::string_view>> split_last(std::string_view text,
                                                                        std::string_view mark) {
  const std::size_t at = text.rfind(mark);
  if (at == text.npos) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + mark.size()));
}

std::optional<NarsEvent::Kind> take_heading(std::span<const Heading> headings, std::string_view& line) {
  for (const Heading& heading : headings)
    if (line.starts_with(heading.text)) {
      line.remove_prefix(heading.text.size());
      return heading.kind;
    }
  return std::nullopt;
}

bool take_stamp(std::string_view& text, NarsEvent& event) {
  if (!text.ends_with("]")) return true;
  const auto parts = split_last(text.substr(0, text.size() - 1), " Stamp=[");
  if (!parts) return true;
  std::vector<std::uint64_t> numbers;
  for (std::string_view list = parts->second; !list.empty();) {
    const std::size_t end = std::min(list.find(','), list.size());
    const auto number = number_in<std::uint64_t>(list.substr(0, end));
    if (!number) return false;
    numbers.push_back(*number);
    list.remove_prefix(std::min(list.find_first_not_of(',', end), list.size()));
  }
  event.stamp = std::move(numbers);
  text = parts->first;
  return true;
}

bool take_sentence(std::string_view text, narsese::TermTable& table, NarsEvent& event) {
  const auto sentence = narsese::parse_sentence(trimmed(text), table);
  if (!sentence) return false;
  event.term = sentence->term;
  event.punctuation = sentence->punctuation;
  event.occurrence = sentence->tense;
  event.truth = sentence->truth;
  if (sentence->budget)
    event.budget = {sentence->budget->priority, sentence->budget->durability, sentence->budget->quality};
  event.delay = sentence->delay;
  return true;
}

// Parses the operation with these arguments, which are a product or empty.
std::optional<narsese::Term> operation_in(std::string_view name, const std::string& arguments,
                                          narsese::TermTable& table) {
  const std::string text(name);
  const auto term =
      narsese::parse_term(arguments.empty() ? text : "<" + arguments + " --> " + text + ">", table);
  return term ? std::optional(*term) : std::nullopt;
}

void take_operation(std::string_view name, std::vector<std::string> arguments, narsese::TermTable& table,
                    NarsEvent& event) {
  std::string product;
  for (const std::string& argument : arguments) product += (product.empty() ? "(*," : ",") + argument;
  event.term = operation_in(name, arguments.empty() ? "" : product + ")", table);
  event.arguments = std::move(arguments);
}

std::vector<std::string> operation_commands(const std::vector<std::string>& names) {
  std::vector<std::string> lines;
  for (const std::string& name : names)
    lines.push_back("*setopname " + std::to_string(lines.size() + 1) + " " + name);
  lines.push_back("*babblingops=" + std::to_string(names.size()));
  return lines;
}

bool take_ona_execution(std::string_view line, narsese::TermTable& table, NarsEvent& event) {
  constexpr std::string_view mark = " executed with args";
  const std::size_t at = line.find(mark);
  if (!line.starts_with("^") || at == line.npos) return false;
  const std::string arguments(trimmed(line.substr(at + mark.size())));
  event.kind = NarsEvent::Kind::executed;
  event.term = operation_in(line.substr(0, at), arguments, table);
  if (!arguments.empty()) event.arguments = {arguments};
  return true;
}

}  // namespace engram::bridge
