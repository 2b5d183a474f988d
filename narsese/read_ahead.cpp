// SPDX-License-Identifier: MIT
#include "narsese/read_ahead.hpp"

#include <utility>

namespace engram::narsese {

ReadAhead::ReadAhead(LineBatchReader& reader) : reader_(reader), thread_([this] { work(); }) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(lock_);
    stop_ = true;
  }
  changed_.notify_all();
}

LineBatch* ReadAhead::next() {
  std::unique_lock lock(lock_);
  free_from_ = given_;  // what was given before
  // Half of the ring at once, or the threads would wake each other for every batch.
  if (read_ - free_from_ <= depth / 2) changed_.notify_all();
  changed_.wait(lock, [&] { return read_ > given_ || ended_; });
  if (read_ > given_) return &ring_[given_++ % depth];
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return nullptr;
}

// Whether to go on.
bool ReadAhead::wait_for_room() {
  std::unique_lock lock(lock_);
  if (read_ - free_from_ == depth)
    changed_.wait(lock, [&] { return stop_ || read_ - free_from_ <= depth / 2; });
  return !stop_;
}

void ReadAhead::work() {
  std::exception_ptr failure;
  try {
    while (reader_.at_hand() > 0 && wait_for_room()) {
      reader_.read(ring_[read_ % depth]);
      {
        const std::lock_guard lock(lock_);
        ++read_;
      }
      changed_.notify_all();
    }
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(lock_);
  failure_ = failure;
  ended_ = true;
  changed_.notify_all();
}

}  // namespace engram::narsese
