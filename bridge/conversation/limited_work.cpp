// SPDX-License-Identifier: MIT
#include "bridge/conversation/limited_work.hpp"

#include <string>

#include "core/session/session.hpp"

namespace engram::bridge {

LimitedWork::LimitedWork(const WorkLimit& limit)
    : time_(limit.time), work_({.bytes = limit.bytes}, [this] { look(); }) {
  work_.release_all_at_end();
}

void LimitedWork::lower_to(const WorkLimit& limit) {
  time_ = std::min(time_, limit.time);
  end_ = std::min(end_, begin_ + time_);
  work_.lower_byte_limit(limit.bytes);
  core::check_cancelled();
}

void LimitedWork::look() const {
  if (Clock::now() > end_)
    throw core::WorkStopped(core::WorkStopped::Reason::time,
                            "this takes longer than " + std::to_string(time_.count()) + " ms, the limit");
  if (also_) also_();
}

void require_room(const core::Session& session, std::uint64_t bytes) {
  const core::WorkBudget beside({.bytes = session.room()});
  const core::Reservation claim(bytes);
}

}  // namespace engram::bridge
