// SPDX-License-Identifier: MIT
// Parser for the output of PyNARS's console, ` 0.80  0.50  0.95  IN    : <a --> b>.  %1.000;0.900%`, with terminal
// colours.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;

constexpr Heading words[] = {{"IN", Kind::input},       {"OUT", Kind::derived},  {"ANSWER", Kind::answer},
                             {"ACHIEVED", Kind::other}, {"EXE", Kind::executed}, {"ERROR", Kind::error},
                             {"INFO", Kind::other},     {"COMMENT", Kind::other}};

std::string_view next_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// Parses and removes numbers, up to three. Three are a budget; INFO, ERROR and EXE have no budget.
std::optional<EventBudget> take_budget(std::string_view& text) {
  std::vector<double> shares;
  std::string_view rest = text;
  for (auto share = share_in(next_word(rest)); share && shares.size() < 3;
       share = share_in(next_word(rest))) {
    shares.push_back(*share);
    text = rest;
  }
  if (shares.size() != 3) return std::nullopt;
  return EventBudget{shares[0], shares[1], shares[2]};
}

// Replaces the past tense :!--5: by :!-5:, because PyNARS prints a form that no parser accepts.
std::string with_readable_past(std::string_view text) {
  std::string mended(text);
  const std::size_t at = mended.find(":!--");
  if (at != mended.npos && mended.find(':', at + 4) != mended.npos) mended.erase(at + 2, 1);
  return mended;
}

// Parses an executed operation: a term or a sentence. The format is undocumented.
std::optional<narsese::Term> operation_in_line(std::string_view text, narsese::TermTable& table) {
  NarsEvent named;
  take_sentence(std::string(text) + (text.ends_with(">") ? "." : ""), table, named);
  return named.term;
}

// Reads one websocket frame of ConsolePlus: [{"output_type":"ANSWER","content":"<a --> b>. .."}, ...]. Anything else is
// one event `other`.
std::vector<NarsEvent> read_console_plus(std::string_view line, narsese::TermTable& table) {
  const Json json = json_line(line);
  std::vector<NarsEvent> events;
  if (json.is_array())
    for (const Json& entry : json) {
      const std::string type = text_of(entry, "output_type");
      NarsEvent event{.raw = entry.dump()};
      const bool known = type == "IN" || type == "OUT" || type == "ANSWER";
      if (known && take_sentence(text_of(entry, "content"), table, event))
        event.kind = type == "IN" ? Kind::input : type == "OUT" ? Kind::derived : Kind::answer;
      if (type == "ERROR") event.kind = Kind::error;
      events.push_back(event);
    }
  if (events.empty()) events.push_back({.raw = std::string(line)});
  return events;
}

std::vector<NarsEvent> read_pynars_line(std::string_view raw, narsese::TermTable& table) {
  if (raw.starts_with("[{")) return read_console_plus(raw, table);
  const std::string plain = without_colours(raw);
  // The console prints its prompt without a line end, so the next output line begins with it.
  constexpr std::string_view prompt = "Input: ";
  std::string_view text = plain;
  while (text.starts_with(prompt)) text.remove_prefix(prompt.size());
  NarsEvent event{.raw = std::string(raw)};
  const auto budget = take_budget(text);
  text = trimmed(text);
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {event};
  const std::string_view word = trimmed(text.substr(0, colon)), rest = trimmed(text.substr(colon + 1));
  const auto known = std::ranges::find(words, word, &Heading::text);
  if (known == std::end(words)) return {event};
  const bool has_sentence = word == "IN" || word == "OUT" || word == "ANSWER" || word == "ACHIEVED";
  if (has_sentence && !take_sentence(with_readable_past(rest), table, event)) return {event};
  event.kind = known->kind;
  if (budget) event.budget = budget;
  if (event.kind == Kind::executed) event.term = operation_in_line(rest, table);
  return {event};
}

// A marker is an invalid line: both consoles answer it with an error that repeats the line.
std::string pynars_marker(std::uint64_t number) { return "*engram-" + std::to_string(number); }

bool is_pynars_marker(std::string_view line, std::uint64_t number) {
  const std::string plain = without_colours(line);
  const std::string marker = pynars_marker(number);
  const std::string_view text = trimmed(plain);
  return text.ends_with("Failed to parse: " + marker) ||      // Console
         text.ends_with("Input \"" + marker + "\" failed.");  // ConsolePlus
}

}  // namespace

const NarsSystem& pynars() {
  static const NarsSystem system{
      .name = "pynars",
      .program = "PyNARS",
      .dialect = narsese::Dialect::pynars,
      .read = read_pynars_line,
      .marker = pynars_marker,
      .is_marker = is_pynars_marker,
      // Console's ''reset does not reset the random number generator, and ConsolePlus ignores it.
      .reset = "",
      // PyNARS has no command to set a stamp, so a repeated sentence would count as new evidence.
      .steering = {Steering::order, Steering::budgets},
      .silence_hint = "Python buffers its output unless it is started as python3 -u -m pynars.Console",
  };
  return system;
}

}  // namespace engram::bridge
