// SPDX-License-Identifier: MIT
#include "bridge/conversation/limited_work.hpp"

#include <string>

namespace engram::bridge {

LimitedWork::LimitedWork(const WorkLimit& limit)
    : time_(limit.time), work_({.bytes = limit.bytes}, [this] { look(); }) {
  begin();
}

void LimitedWork::look() const {
  if (Clock::now() > end_)
    throw core::WorkStopped(core::WorkStopped::Reason::time,
                            "this takes longer than " + std::to_string(time_.count()) + " ms, the limit");
  if (also_) also_();
}

}  // namespace engram::bridge
