// SPDX-License-Identifier: MIT
// NARS systems that speak JSON: ONA's NAR_json.py and NAR.py, PyNARS's ConsolePlus.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bridge/systems/nars_event.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// The events of one line of NAR_json.py, a dictionary of lists in which numbers are strings, in the order
/// input, derivations, executions, answers; `raw` is that entry. `selections` and `reason` are no events of
/// their own. "dt=0.000000 " stands within "term". NAR_json tells Derived from Revised nowhere: both are
/// derived. A line that is something else (the blank first one, *stats) is one event `other`.
std::vector<NarsEvent> read_nar_json(std::string_view line, narsese::TermTable& table);

/// The events of one frame of PyNARS's websocket: [{"output_type":"ANSWER","content":"<a --> b>. .."}, ...];
/// one `other` for anything else.
std::vector<NarsEvent> read_console_plus(std::string_view line, narsese::TermTable& table);

}  // namespace engram::bridge
