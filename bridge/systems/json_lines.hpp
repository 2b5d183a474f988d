// SPDX-License-Identifier: MIT
// Reader for the JSON output of PyNARS's ConsolePlus. json_lines.cpp also reads the output of ONA's NAR_json.py.
#pragma once

#include <string_view>
#include <vector>

#include "bridge/json/nars_event.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// Reads one websocket frame of PyNARS: [{"output_type":"ANSWER","content":"<a --> b>. .."}, ...]. Anything else is one
/// event `other`.
std::vector<NarsEvent> read_console_plus(std::string_view line, narsese::TermTable& table);

}  // namespace engram::bridge
