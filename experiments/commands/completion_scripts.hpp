// SPDX-License-Identifier: MIT
// What each shell reads to complete the command line. Names in scripts are those of CommandOption, Command and
// ValueChoices, which no shell reads as more than themselves; meanings are quoted.
#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command_tree.hpp"

namespace engram::experiments {

/// For bash 4.4 or later; it needs no package bash-completion.
std::string bash_completion(const std::vector<Command>& commands);
/// For zsh 5: a function to be autoloaded, or to be sourced after compinit.
std::string zsh_completion(const std::vector<Command>& commands);
/// For fish 3.
std::string fish_completion(const std::vector<Command>& commands);

/// "a b c"; between two `between`.
std::string joined(const std::vector<std::string>& words, const std::string& between = " ");

/// The names of options, all of all; of commands, the last word of each.
std::vector<std::string> option_names(const Command& command);
std::vector<std::string> last_words(const std::vector<Command>& commands);

}  // namespace engram::experiments
