// SPDX-License-Identifier: MIT
// Generators of completion scripts for shells. The scripts contain names without quotes, because no shell interprets
// their characters (command_tree.hpp), and quote the help texts.
#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command_tree.hpp"

namespace engram::experiments {

/// A script for bash 4.4 or later. The package bash-completion is not needed.
std::string bash_completion(const std::vector<Command>& commands);
/// A script for zsh 5. Autoload the file, or source it after compinit.
std::string zsh_completion(const std::vector<Command>& commands);
/// A script for fish 3.
std::string fish_completion(const std::vector<Command>& commands);

/// Joins words with `between`: "a b c".
std::string joined(const std::vector<std::string>& words, const std::string& between = " ");

/// option_names() lists all names of all options of a command; last_words() the last word of each command.
std::vector<std::string> option_names(const Command& command);
std::vector<std::string> last_words(const std::vector<Command>& commands);

}  // namespace engram::experiments
