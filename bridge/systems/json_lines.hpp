// SPDX-License-Identifier: MIT
// What PyNARS's ConsolePlus sends; json_lines.cpp reads ONA's NAR_json.py, too.
#pragma once

#include <string_view>
#include <vector>

#include "bridge/json/nars_event.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// The events of one frame of PyNARS's websocket: [{"output_type":"ANSWER","content":"<a --> b>. .."}, ...];
/// one `other` for anything else.
std::vector<NarsEvent> read_console_plus(std::string_view line, narsese::TermTable& table);

}  // namespace engram::bridge
