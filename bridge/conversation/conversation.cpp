// SPDX-License-Identifier: MIT
#include "bridge/conversation/conversation.hpp"

#include "narsese/text.hpp"

namespace engram::bridge {

bool serve(Conversation& conversation, std::istream& in, std::ostream& out) {
  while (!conversation.finished()) {
    std::string line;  // declared in the loop, to free the buffer of a long line
    const auto status = narsese::read_line(in, line, conversation.max_message_bytes());
    if (status == narsese::LineStatus::end) break;
    const auto replies = status == narsese::LineStatus::too_long
                             ? std::vector<std::string>{conversation.refuse_too_long()}
                             : conversation.kept(conversation.answer(line));
    for (const std::string& reply : replies) out << reply << '\n';
    out << std::flush;
    if (!out) return false;
  }
  return true;
}

}  // namespace engram::bridge
