// SPDX-License-Identifier: MIT
// NAVM: the commands and outputs of BabelNAR's tools, which are the same for every NARS.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/json_text.hpp"
#include "bridge/json/nars_event.hpp"
#include "narsese/result.hpp"

namespace engram::bridge {

/// A command `HEAD rest`. HEAD is one of SAV LOA RES NSE NEW DEL CYC VOL REG INF HLP REM EXI, or any other word.
/// Lower-case heads are accepted and stored in upper case.
struct NavmCommand {
  std::string head;
  std::string rest;  // the text without blanks at its ends

  friend bool operator==(const NavmCommand&, const NavmCommand&) = default;
};

/// Parses a command. Empty for a blank line, and for CYC and VOL without a whole number.
std::optional<NavmCommand> read_navm_command(std::string_view line);

/// An output: {"type","content","narsese"?,"operation"?}
struct NavmOutput {
  std::string type;  // IN OUT ERROR ANSWER ACHIEVED EXE INFO COMMENT TERMINATED OTHER, or another word
  std::string content;
  std::optional<std::string> narsese = {};
  std::vector<std::string> operation = {};  // only for EXE: the name without ^, then arguments

  friend bool operator==(const NavmOutput&, const NavmOutput&) = default;
};

/// The output as one JSON object, as NAVM's crates write it: without blanks and without absent members.
std::string write(const NavmOutput& output);
/// Parses one JSON object, or BabelNAR's array of one object.
narsese::Result<NavmOutput, JsonError> read_navm_output(std::string_view line);

/// Converts an output into an event. Outputs without an equivalent become `other`.
NarsEvent navm_event(const NavmOutput& output, narsese::TermTable& table);

}  // namespace engram::bridge
