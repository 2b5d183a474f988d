// SPDX-License-Identifier: MIT
#include "bridge/systems/agent_commands.hpp"

#include <algorithm>
#include <array>

#include "bridge/systems/event_text.hpp"
#include "narsese/parser.hpp"

namespace engram::bridge {
namespace {

using Wrong = std::optional<std::string>;

Wrong name_operator(std::string_view text, core::AgentOptions& options) {
  const auto parts = split_last(text, " ");
  const std::size_t place = parts ? number_in<std::size_t>(trimmed(parts->first)).value_or(0) : 0;
  narsese::TermTable table;
  const auto name = narsese::parse_term(parts ? parts->second : "", table);
  if (place < 1 || place > options.operators.size() || !name || name->kind() != narsese::TermKind::op)
    return "*setopname N ^NAME: N must be a number from 1 to " + std::to_string(options.operators.size()) +
           ", NAME that of an operator";
  for (std::size_t i = 0; i < options.operators.size(); ++i)
    if (options.operators[i] == name->name() && i + 1 != place) options.operators[i].clear();
  options.operators[place - 1] = name->name();
  return std::nullopt;
}

Wrong limit_babbling(std::string_view text, core::AgentOptions& options) {
  const auto first = number_in<std::size_t>(text);
  if (!first || *first > options.operators.size())
    return "*babblingops=N: N must be a number from 0 to " + std::to_string(options.operators.size());
  options.babbling_operators = *first;
  return std::nullopt;
}

Wrong set_babbling(std::string_view text, core::AgentOptions& options) {
  auto share = share_in(text);
  if (text == "false") share = 0;
  if (text == "true") share = core::AgentOptions{}.motor_babbling;
  if (!share) return "*motorbabbling=SHARE: SHARE must be true, false or a number from 0 to 1";
  options.motor_babbling = *share;
  return std::nullopt;
}

Wrong set_threshold(std::string_view text, core::AgentOptions& options) {
  const auto share = share_in(text);
  if (!share) return "*decisionthreshold=SHARE: SHARE must be a number from 0 to 1";
  options.decision_threshold = *share;
  return std::nullopt;
}

Wrong set_seed(std::string_view text, core::AgentOptions& options) {
  const auto seed = number_in<std::uint64_t>(text);
  if (!seed) return "*seed=N: N must be a number from 0 to 2^64 - 1";
  options.seed = *seed;
  return std::nullopt;
}

struct Command {
  std::string_view begins;
  Wrong (*take)(std::string_view rest, core::AgentOptions& options);
};
constexpr std::array<Command, 5> commands{{{"*setopname ", name_operator},
                                           {"*babblingops=", limit_babbling},
                                           {"*motorbabbling=", set_babbling},
                                           {"*decisionthreshold=", set_threshold},
                                           {"*seed=", set_seed}}};

}  // namespace

std::optional<std::string> take_agent_command(std::string_view line, core::AgentOptions& options) {
  const auto known =
      std::ranges::find_if(commands, [&](const Command& one) { return line.starts_with(one.begins); });
  if (known == commands.end()) return "there is no command " + std::string(line);
  return known->take(line.substr(known->begins.size()), options);
}

}  // namespace engram::bridge
