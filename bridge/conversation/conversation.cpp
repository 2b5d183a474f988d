// SPDX-License-Identifier: MIT
#include "bridge/conversation/conversation.hpp"

#include "core/session/session.hpp"
#include "narsese/text.hpp"

namespace engram::bridge {

bool serve(Conversation& conversation, std::istream& in, std::ostream& out) {
  while (!conversation.finished()) {
    std::string line;  // declared in the loop, to free the buffer of a long line
    const auto status = narsese::read_line(in, line, conversation.max_message_bytes());
    if (status == narsese::LineStatus::end) break;
    const auto replies = status == narsese::LineStatus::too_long
                             ? std::vector<std::string>{conversation.refuse_too_long()}
                             : conversation.when_durable(conversation.answer(line));
    for (const std::string& reply : replies) out << reply << '\n';
    out << std::flush;
    if (!out) return false;
  }
  return true;
}

LimitedWork::LimitedWork(const WorkLimit& limit)
    : time_(limit.time), work_({.bytes = limit.bytes}, [this] { check(); }) {
  work_.release_all_at_end();
}

void LimitedWork::lower_to(const WorkLimit& limit) {
  time_ = std::min(time_, limit.time);
  end_ = std::min(end_, begin_ + time_);
  work_.lower_byte_limit(limit.bytes);
  core::check_cancelled();
}

void LimitedWork::check() const {
  if (Clock::now() > end_)
    throw core::WorkStopped(core::WorkStopped::Reason::time,
                            "this takes longer than " + std::to_string(time_.count()) + " ms, the limit");
  if (extra_check_) extra_check_();
}

void require_room(const core::Session& session, std::uint64_t bytes) {
  const core::WorkBudget beside({.bytes = session.room()});
  const core::Reservation claim(bytes);
}

}  // namespace engram::bridge
