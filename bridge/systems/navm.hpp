// SPDX-License-Identifier: MIT
// NAVM: the commands and outputs with which BabelNAR's tools speak to any NARS.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/json_text.hpp"
#include "bridge/json/nars_event.hpp"
#include "narsese/result.hpp"

namespace engram::bridge {

/// HEAD rest: SAV LOA RES NSE NEW DEL CYC VOL REG INF HLP REM EXI, or any other word. The head is read in any
/// case and kept in upper case.
struct NavmCommand {
  std::string head;
  std::string rest;  // as written, without the blanks around it

  friend bool operator==(const NavmCommand&, const NavmCommand&) = default;
};

/// Nothing for a blank line, and for CYC and VOL without a whole number.
std::optional<NavmCommand> read_navm_command(std::string_view line);

/// {"type","content","narsese"?,"operation"?}
struct NavmOutput {
  std::string type;  // IN OUT ERROR ANSWER ACHIEVED EXE INFO COMMENT TERMINATED OTHER, or another word
  std::string content;
  std::optional<std::string> narsese = {};
  std::vector<std::string> operation = {};  // name without ^, then arguments; of EXE alone

  friend bool operator==(const NavmOutput&, const NavmOutput&) = default;
};

/// One object, as NAVM's crates write it: no blanks, what there is not left out.
std::string write(const NavmOutput& output);
/// One object, or BabelNAR's array of one around it.
narsese::Result<NavmOutput, JsonError> read_navm_output(std::string_view line);

/// One event; `other` for what no event stands for.
NarsEvent navm_event(const NavmOutput& output, narsese::TermTable& table);

}  // namespace engram::bridge
